"""`graphwright models`, as a user and as a program sees it."""

from __future__ import annotations

import argparse
import json

import pytest

from desktop_app.cli import exit_codes, models
from desktop_app.core.errors import BadRequest
from desktop_app.models import catalogue as catalogue_module
from desktop_app.models import store
from tests.models.conftest import SIZE


@pytest.fixture
def command(monkeypatch, model):
    """Runs the command with a catalogue of one tiny model; the exit code."""
    known = {model.id: model}
    for module in (catalogue_module, models, store):
        monkeypatch.setattr(module, "catalogue", lambda: known)
    parser = argparse.ArgumentParser()
    models.add_parser(parser.add_subparsers())

    def run(*arguments: str) -> int:
        options = parser.parse_args(["models", *arguments])
        return options.command(options)

    return run


def test_the_list_says_what_is_there_and_what_a_download_takes(command, hub, model, capsys):
    assert command() == exit_codes.OK
    assert "3 MB  tiny" in capsys.readouterr().out
    store.download(model)
    assert command("list") == exit_codes.OK
    assert "on disk  tiny" in capsys.readouterr().out


def test_the_list_as_json(command, hub, capsys):
    assert command("list", "--json") == exit_codes.OK
    (entry,) = json.loads(capsys.readouterr().out)["models"]
    assert entry["id"] == "tiny" and entry["missing_bytes"] == SIZE and not entry["present"]


def test_a_download_shows_how_far_it_is(command, hub, model, capsys):
    assert command("download", "tiny") == exit_codes.OK
    output = capsys.readouterr()
    assert store.present(model)
    assert "100 %" in output.err and str(store.folder(model)) in output.out
    assert command("download", "tiny", "--json") == exit_codes.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["present"] and not facts["fetched"] and facts["path"] == str(store.folder(model))


def test_remove_and_path(command, hub, model, capsys):
    store.download(model)
    assert command("path", "tiny") == exit_codes.OK
    assert capsys.readouterr().out.strip() == str(store.folder(model))
    assert command("remove", "tiny", "--json") == exit_codes.OK
    assert json.loads(capsys.readouterr().out)["freed_bytes"] >= SIZE
    assert command("path", "tiny") == exit_codes.MISSING
    assert command("remove", "tiny") == exit_codes.OK
    assert "was not on this computer" in capsys.readouterr().out


def test_without_an_id_or_with_an_unknown_one_it_says_so(command, hub, capsys):
    assert command("download") == exit_codes.BAD
    assert "needs the ID" in capsys.readouterr().err
    with pytest.raises(BadRequest, match="no model 'nothing'"):
        command("path", "nothing")
