"""What no program of this computer opens is told; a click without any answer is none."""

from __future__ import annotations

from PySide6.QtGui import QDesktopServices

from desktop_app.ui.support.open_outside import open_path


def told(ui) -> list[tuple[str, str]]:
    said: list[tuple[str, str]] = []
    ui.calls.failed.connect(lambda text, fix: said.append((text, fix)))
    return said


def test_a_file_that_no_program_opens_is_told_by_its_name_with_its_place(ui, tmp_path, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    film, said = tmp_path / "ab12.mp4", told(ui)
    film.write_bytes(b"film")
    open_path(ui, film, "holiday.mp4")
    assert said == [("No program on this computer opens holiday.mp4.", f"It is here: {film}")]


def test_what_is_gone_is_told_and_what_opens_is_not(ui, tmp_path, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url.toLocalFile()))
    said = told(ui)
    open_path(ui, tmp_path / "gone.mp4")
    assert said == [("gone.mp4 is no longer there.", "")] and not opened
    open_path(ui, tmp_path)
    assert opened == [str(tmp_path)] and len(said) == 1
