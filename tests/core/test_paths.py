"""Sizes of folders that others change meanwhile."""

from __future__ import annotations

import os

import pytest

from desktop_app.core import paths


def test_the_bytes_of_all_files_below_are_counted(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "one").write_bytes(b"1" * 10)
    (tmp_path / "a" / "b" / "two").write_bytes(b"2" * 5)
    assert paths.size_on_disk(tmp_path) == 15
    assert paths.size_on_disk(tmp_path / "missing") == 0


@pytest.mark.parametrize("gone", ["folder", "file"])
def test_what_is_removed_while_it_is_counted_counts_nothing(tmp_path, monkeypatch, gone):
    (tmp_path / "kept").write_bytes(b"1" * 7)
    (tmp_path / "models" / "tiny.partial").mkdir(parents=True)
    (tmp_path / "models" / "tiny.partial" / "part").write_bytes(b"2" * 5)
    scan = os.scandir

    def scandir(folder):
        if gone == "folder" and os.path.basename(folder) == "tiny.partial":
            os.rename(folder, tmp_path.parent / f"away-{tmp_path.name}")
        found = scan(folder)
        if gone == "file" and os.path.basename(folder) == "tiny.partial":
            os.remove(tmp_path / "models" / "tiny.partial" / "part")
        return found

    monkeypatch.setattr(os, "scandir", scandir)
    assert paths.size_on_disk(tmp_path) == 7
