"""What is pasted becomes a file of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from desktop_app.ui.support.incoming import keep_pasted


def test_two_pictures_that_are_pasted_at_once_become_two_files(own_home, monkeypatch):
    """Each is kept on a thread: here the second comes when the first knows its name and is not written yet."""
    others: list[Path] = []

    def write(self: Path, data: bytes) -> int:
        if not others:
            others.append(self)
            others[0] = keep_pasted(b"BM second")
        return plain(self, data)

    plain = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", write)
    first = keep_pasted(b"BM first")
    assert first.read_bytes() == b"BM first" and others[0].read_bytes() == b"BM second"


def test_what_cannot_be_written_leaves_no_file(own_home, monkeypatch):
    monkeypatch.setattr(QImage, "save", lambda *_: False)
    with pytest.raises(OSError, match="cannot be written"):
        keep_pasted(QImage(2, 2, QImage.Format.Format_RGB32))
    assert not list((own_home / "pasted").iterdir())
