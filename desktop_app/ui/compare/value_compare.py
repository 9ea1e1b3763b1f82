"""Two texts side by side with what differs marked, or two results of any type as they are shown elsewhere."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QVBoxLayout, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.image_compare import DIFFERENCE
from desktop_app.ui.compare.sides import SIDES, SideTile, side_tint
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import ElidedLabel, row, stack

_PIECE = re.compile(r"\s+|[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")
_MOST_PIECES = 12_000  # chosen: longer texts are compared line by line
Part = tuple[str, str, str]
"""What it is ("same", "a": only in A, "b": only in B, or "both": each has its own), the text in A, that in B."""


def parts(a: str, b: str) -> Iterator[Part]:
    """Two texts as what they share and what differs, word by word; very long ones line by line."""
    one, two = _PIECE.findall(a), _PIECE.findall(b)
    if len(one) + len(two) > _MOST_PIECES:
        one, two = a.splitlines(keepends=True), b.splitlines(keepends=True)
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        kind = {"equal": "same", "delete": "a", "insert": "b"}.get(tag, "both")
        yield kind, "".join(one[a0:a1]), "".join(two[b0:b1])


class _Beside(QFrame):
    """Two columns under their letters, and a line that says what differs."""

    def __init__(self, titles: dict[str, str]) -> None:
        super().__init__()
        self._titles = titles
        self.note = ElidedLabel("", "secondary")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def lay_out(self, views: dict[str, QWidget]) -> None:
        self.beside = QWidget()
        both = row(gap=12, parent=self.beside)
        for side in SIDES:
            frame = QFrame()
            head = row(SideTile(side), ElidedLabel(self._titles[side], "heading"), grow=1)
            stack(head, views[side], parent=frame, grow=1, gap=6)
            views[side].setAccessibleName(f"{side.upper()}, {self._titles[side]}")
            both.addWidget(frame, 1)
        stack(self.beside, self.note, parent=self, grow=0)

    def say(self, text: str) -> None:
        self.note.set_text(text)
        self.setAccessibleName(text)


class TextCompare(_Beside):
    """Two texts; words that only one has are marked and underlined. As a difference both stand in one."""

    def __init__(self, a: str, b: str, titles: dict[str, str]) -> None:
        super().__init__(titles)
        self._parts = tuple(parts(a, b))
        self.views = {side: _reader() for side in SIDES}
        self.both = _reader()
        self.both.setAccessibleName(self.tr("Both texts in one, what differs marked"))
        self.lay_out(dict(self.views))
        self.both.hide()
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(1, self.both, 1)
        self._in_step()
        theme.signals().changed.connect(self._write)
        self._write()
        self.say(self._words())

    def set_mode(self, mode: str) -> None:
        self.beside.setVisible(mode != DIFFERENCE)
        self.both.setVisible(mode == DIFFERENCE)

    def _words(self) -> str:
        if all(kind == "same" for kind, _, _ in self._parts):
            return self.tr("Both texts are the same.")
        counts = [sum(len(part[i + 1].split()) for part in self._parts if part[0] != "same") for i in (0, 1)]
        return self.tr("Words only in A: {a} · only in B: {b}").format(a=counts[0], b=counts[1])

    def _in_step(self) -> None:
        bars = [self.views[side].verticalScrollBar() for side in SIDES]
        for bar, twin in (bars, bars[::-1]):
            bar.valueChanged.connect(twin.setValue)

    def _write(self) -> None:
        for view in (*self.views.values(), self.both):
            view.clear()
        cursors = {side: self.views[side].textCursor() for side in SIDES}
        both = self.both.textCursor()
        for kind, a, b in self._parts:
            for side, text in (("a", a), ("b", b)):
                self._put(cursors[side], text, "" if kind == "same" else side)
            if kind == "same":
                self._put(both, a, "")
            else:
                self._put(both, a, "a", gone=True)
                self._put(both, b, "b")
        for view in (*self.views.values(), self.both):
            view.moveCursor(QTextCursor.MoveOperation.Start)

    @staticmethod
    def _put(cursor: QTextCursor, text: str, side: str, gone: bool = False) -> None:
        form = QTextCharFormat()
        if side:
            form.setBackground(QBrush(side_tint(side)))
            form.setFontUnderline(not gone)
            form.setFontStrikeOut(gone)
        if text:
            cursor.insertText(text, form)


def _reader() -> QTextEdit:
    return QTextEdit(readOnly=True, tabChangesFocus=True)


class AnyCompare(_Beside):
    """Two results of whatever type, each as it is shown elsewhere."""

    def __init__(self, ui: UiContext, resources: dict[str, Resource], titles: dict[str, str]) -> None:
        super().__init__(titles)
        views: dict[str, QWidget] = {}
        for side in SIDES:
            holder = QWidget()
            stack(ResultView(ui, resources[side], 400), None, parent=holder)
            views[side] = holder
        self.lay_out(views)
        same = resources["a"].digest == resources["b"].digest
        self.say(self.tr("Both are the same.") if same else self.tr("They differ."))
