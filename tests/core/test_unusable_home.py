"""A folder that cannot be the program's: a sentence with what to do, from each command and from the window."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.cli.main import main
from desktop_app.core import paths
from desktop_app.core.errors import StorageError

COMMANDS = (["ask", "Blur it"], ["plan", "Blur it"], ["doctor"], ["models", "list"], [])


@pytest.fixture
def use(monkeypatch):
    def use(folder: Path) -> None:
        monkeypatch.setattr(paths, "_private", set())
        monkeypatch.setenv("GRAPHWRIGHT_HOME", str(folder))

    return use


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: (command or ["window"])[0])
@pytest.mark.parametrize("below", [False, True])
def test_a_home_that_is_a_file_is_a_sentence(use, tmp_path, capsys, qapp, command, below):
    (tmp_path / "file").write_text("mine")
    use(tmp_path / "file" / "x" if below else tmp_path / "file")
    assert main(command) == 2
    said = capsys.readouterr().err
    assert f"graphwright: The program's folder {tmp_path / 'file'}" in said and "GRAPHWRIGHT_HOME" in said
    assert ("there is a file of that name" in said) != below
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("number", "fix"),
    [(errno.EROFS, "GRAPHWRIGHT_HOME"), (errno.EACCES, "GRAPHWRIGHT_HOME"), (errno.ENOSPC, "Free some")],
)
@pytest.mark.parametrize("command", [["ask", "Blur it"], []], ids=["ask", "window"])
def test_a_home_that_cannot_be_written_to_is_a_sentence(use, tmp_path, monkeypatch, capsys, qapp, number, fix, command):
    use(tmp_path)

    def refused(**_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    assert main(command) == 2
    said = capsys.readouterr().err
    assert os.strerror(number) in said and fix in said


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no such device")
def test_a_disk_without_room_is_noticed(use, tmp_path, monkeypatch):
    use(tmp_path)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: io.FileIO("/dev/full", "w"))
    with pytest.raises(StorageError, match="No space left"):
        paths.check_home()


def test_the_window_says_it_in_a_window(qapp):
    from desktop_app.ui.application.application import unusable_box

    box = unusable_box(StorageError("The program's folder /x cannot be used: it is full.", "Free some disk space."))
    assert box.text() == "The program's folder /x cannot be used: it is full."
    assert box.informativeText() == "Free some disk space."
    assert box.textFormat() == Qt.TextFormat.PlainText


def test_the_program_exits_with_a_sentence_and_no_traceback(tmp_path):
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "GRAPHWRIGHT_HOME": str(tmp_path / "file"), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-m", "desktop_app"], env=environment, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 2 and "cannot be used" in done.stderr and "Traceback" not in done.stderr
