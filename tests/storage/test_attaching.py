"""Whatever is wrong with a file that is attached: it is read after all, or a sentence says what to do; by every way."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from desktop_app.core.errors import AppError, BadRequest
from desktop_app.export.files import open_workflow
from desktop_app.session.session import Session
from desktop_app.storage import decoding, resources
from desktop_app.storage.resources import Store, attach
from tests import broken_files
from tests.fakes import FakeEngine, FakeHistory, FakePlanner

BROKEN = broken_files.broken()
VALID = broken_files.valid()


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def is_said(error: AppError, name: str) -> bool:
    """What failed, with which file, what to do; no error code, no class of Python, no path of this machine."""
    said = error.message
    odd = ("Errno", "Error", "/tmp", "object has no attribute", "DOS attack", "field limit")
    return name in said and said[-1] in ".?!" and bool(error.fix) and not any(word in said for word in odd)


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path, store, what):
    name, content = BROKEN[what]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadRequest) as caught:
        attach(tmp_path / name, store)
    assert is_said(caught.value, name), caught.value.message


@pytest.mark.parametrize("name", VALID)
def test_a_small_file_of_each_kind_is_attached(tmp_path, store, name):
    (tmp_path / name).write_bytes(VALID[name])
    assert attach(tmp_path / name, store).facets


@pytest.mark.parametrize("ends", ["\r", "\n", "\r\n"])
def test_a_table_with_line_ends_of_any_system_is_read(tmp_path, store, ends):
    (tmp_path / "a.csv").write_bytes(ends.join(["name;price", "tea;2.5", 'cake;"3', '4"', ""]).encode())
    found = attach(tmp_path / "a.csv", store)
    assert found.facets == {"rows": 2, "columns": 2}
    table = store.value(found)
    assert table.columns == ("name", "price") and table.rows[0] == ("tea", 2.5)
    assert table.rows[1] == ("cake", f"3{ends}4")


def test_a_table_with_a_long_field_is_read(tmp_path, store):
    (tmp_path / "a.csv").write_text(f"name,text\ntea,{'x' * 200_000}\n", "utf-8")
    found = attach(tmp_path / "a.csv", store)
    assert len(store.value(found).rows[0][1]) == 200_000


def test_what_a_decoder_raises_is_a_sentence_whatever_it_is(tmp_path, store, monkeypatch):
    class Odd(Exception):
        pass

    (tmp_path / "a.png").write_bytes(VALID["a.png"])
    for error in (Odd("boo"), MemoryError(), RecursionError("deep"), EOFError(), AssertionError(), KeyError(3)):

        def fail(*_, error=error):
            raise error

        monkeypatch.setattr(decoding, "facts_of", fail)
        with pytest.raises(BadRequest) as caught:
            attach(tmp_path / "a.png", store)
        assert is_said(caught.value, "a.png"), caught.value.message


def test_a_disk_that_fails_while_the_file_is_read_is_told(tmp_path, store, monkeypatch):
    (tmp_path / "a.txt").write_text("words", "utf-8")

    def fail(_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(resources, "digest_of", fail)
    with pytest.raises(BadRequest, match=r"a\.txt") as caught:
        attach(tmp_path / "a.txt", store)
    assert is_said(caught.value, "a.txt"), caught.value.message


def test_a_name_that_no_disk_can_hold_is_told(tmp_path, store):
    with pytest.raises(BadRequest):
        attach(tmp_path / f"{'a' * 300}.png", store)
    with pytest.raises(BadRequest):
        attach(tmp_path / "a\0b.png", store)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, store):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(BadRequest, match="a device or a pipe, not a file"):
        attach(tmp_path / "pipe.txt", store)


@pytest.mark.parametrize("what", ["half of a sound", "400 megapixels"])
def test_a_workflow_that_names_a_broken_file_is_refused_in_a_sentence(tmp_path, store, what):
    name, content = BROKEN[what]
    (tmp_path / name).write_bytes(content)
    workflow = {"format": 1, "resources": [{"name": name, "path": name}], "nodes": [], "links": []}
    (tmp_path / "flow.json").write_text(json.dumps(workflow), "utf-8")
    with pytest.raises(BadRequest, match=name):
        open_workflow(tmp_path / "flow.json", store)


def test_the_command_says_it_and_ends_with_2(tmp_path, monkeypatch, capsys):
    from desktop_app.cli import main

    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    name, content = BROKEN["half of a sound"]
    (tmp_path / name).write_bytes(content)
    assert main.main(["ask", "Make it louder", "--attach", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert name in said and "Traceback" not in said


def test_a_session_brings_it_as_a_sentence(tmp_path, store):
    session = Session({}, FakePlanner(), FakeEngine(store, {}, {}), store, FakeHistory())
    name, content = BROKEN["400 megapixels"]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadRequest, match=name):
        asyncio.run(session.bring(tmp_path / name))
    assert session.resources == {}
