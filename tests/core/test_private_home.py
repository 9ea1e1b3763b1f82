"""What the program keeps is for its user alone, whatever the umask, also where it was not before."""

from __future__ import annotations

import os
import stat
import sys

import pytest
from PIL import Image

from desktop_app.cli.main import main
from desktop_app.core import paths, settings
from desktop_app.storage.database import History

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights; a user's folders are theirs")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "_private", set())
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("umask", [0o000, 0o022], indirect=True, ids=oct)
def test_home_results_and_history_are_the_users_alone(fresh, umask, capsys):
    assert main(["ask", "Write the text 'hello' in capital letters"]) in (0, 2, 3)
    settings.change(theme="light")
    found = [fresh, *fresh.rglob("*")]
    assert {path.name for path in found} >= {"home", "store", "history.sqlite", "settings.json"}
    open_to_others = [path for path in found if mode(path) & 0o077 and path.parent in (fresh, fresh.parent)]
    assert open_to_others == []


def test_results_are_the_users_alone(fresh, capsys, tmp_path):
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    before = os.umask(0)
    try:
        assert main(["ask", "Blur this picture", "--attach", str(tmp_path / "a.png")]) == 0
    finally:
        os.umask(before)
    assert any(path.is_file() for path in (fresh / "results").rglob("*"))
    for part in ("results", "runs", "store"):
        for path in [fresh / part, *(fresh / part).rglob("*")]:
            assert mode(path) == (0o700 if path.is_dir() else 0o600), path


def test_an_existing_home_is_closed_off(fresh):
    for name in ("results", "store", "runs"):
        (fresh / name).mkdir(parents=True)
        (fresh / name).chmod(0o755)
    for name in ("history.sqlite", "history.sqlite-wal", "settings.json"):
        (fresh / name).write_text("")
        (fresh / name).chmod(0o644)
    fresh.chmod(0o755)
    assert paths.home() == fresh
    assert mode(fresh) == 0o700
    assert {mode(path) for path in fresh.iterdir()} == {0o700, 0o600}


def test_a_folder_of_other_things_keeps_its_rights(fresh):
    fresh.mkdir()
    (fresh / "thesis.odt").write_text("")
    fresh.chmod(0o755)
    paths.home()
    assert mode(fresh) == 0o755


@pytest.mark.parametrize("umask", [0o000], indirect=True, ids=oct)
def test_a_history_is_closed_from_its_first_byte(tmp_path, umask):
    history = History(tmp_path / "deep" / "history.sqlite")
    history.save_conversation("a", "title", "{}")
    assert {mode(path) for path in (tmp_path / "deep").iterdir()} == {0o600}
    history.close()
