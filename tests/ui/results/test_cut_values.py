"""A text or table that is not shown as a whole says so."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from desktop_app.ui.results.result_view import ResultView, TableView, TextView


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [("long.txt", b"words " * 100_000, TextView), ("long.csv", b"a,b\n" + b"1,2\n" * 20_000, TableView)],
)
def test_what_is_cut_says_so(qtbot, ui, session, tmp_path, name, content, kind):
    (tmp_path / name).write_bytes(content)
    view = ResultView(ui, session.attach(tmp_path / name))
    qtbot.addWidget(view)
    qtbot.waitUntil(lambda: view.findChild(kind) is not None)
    assert "Only the beginning is shown; the file has more." in [label.text() for label in view.findChildren(QLabel)]


def test_what_is_whole_says_nothing(qtbot, ui, session, tmp_path):
    (tmp_path / "short.csv").write_text("a,b\n1,2\n")
    view = ResultView(ui, session.attach(tmp_path / "short.csv"))
    qtbot.addWidget(view)
    qtbot.waitUntil(lambda: view.findChild(TableView) is not None)
    assert not any("beginning" in label.text() for label in view.findChildren(QLabel))
