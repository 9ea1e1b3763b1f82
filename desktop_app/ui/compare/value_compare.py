"""Two texts, numbers or tables side by side, with what differs marked. Must not know where they come from."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHeaderView, QTableView, QTextEdit, QVBoxLayout, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.image_compare import DIFFERENCE
from desktop_app.ui.compare.sides import SIDES, SideTile, side_tint
from desktop_app.ui.results.result_view import Index, ResultView, TableModel, as_table
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import ElidedLabel, label, px, row, stack
from nodes.api import ResourceType, Table

_PIECE = re.compile(r"\s+|[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")
_MOST_PIECES = 12_000  # chosen: longer texts are compared line by line
_TEXTS = frozenset({ResourceType.TEXT, ResourceType.URL})
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


def aligned(a: Sequence[Any], b: Sequence[Any]) -> list[tuple[int | None, int | None]]:
    """Indexes into two rows of things, so that what is equal stands level; None where one has nothing.

    Longest common runs, as difflib finds them; what differs between two of these is put level one by one.
    """
    level: list[tuple[int | None, int | None]] = []
    for _, a0, a1, b0, b1 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        for i in range(max(a1 - a0, b1 - b0)):
            level.append((a0 + i if a0 + i < a1 else None, b0 + i if b0 + i < b1 else None))
    return level


def value_view(
    ui: UiContext, resources: dict[str, Resource], values: dict[str, Any], titles: dict[str, str]
) -> QWidget:
    """A widget for two decoded values of the like type."""
    a, b = values["a"], values["b"]
    if isinstance(a, str) and isinstance(b, str) and resources["a"].type in _TEXTS:
        return TextCompare(a, b, titles)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return NumberCompare(a, b, titles)
    tables = as_table(a), as_table(b)
    if tables[0] is not None and tables[1] is not None:
        return TableCompare(tables[0], tables[1], titles)
    return AnyCompare(ui, resources, titles)


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


class NumberCompare(_Beside):
    """Two numbers or flags, and how far apart they are."""

    def __init__(self, a: float, b: float, titles: dict[str, str]) -> None:
        super().__init__(titles)
        views = {}
        for side, value in zip(SIDES, (a, b), strict=True):
            shown = label(_number(value), "display")
            shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
            views[side] = shown
        self.lay_out(views)
        self.say(self._words(a, b))

    def _words(self, a: float, b: float) -> str:
        if a == b:
            return self.tr("Both are the same.")
        if isinstance(a, bool) or isinstance(b, bool):
            return self.tr("They differ.")
        apart = f"{b - a:+,.6g}".replace("-", "−").replace(",", "\u2009")
        percent = f" ({(b - a) / abs(a):+.1%})".replace("-", "−").replace("%", " %") if a else ""
        return self.tr("B is {apart}{percent} from A.").format(apart=apart, percent=percent)


def _number(value: float) -> str:
    if isinstance(value, bool):
        return formatting.translate("yes") if value else formatting.translate("no")
    return f"{value:,.6g}".replace(",", "\u2009")


class TableCompare(_Beside):
    """Two tables whose equal rows stand level; cells that differ are marked and bold, rows that one lacks are empty."""

    def __init__(self, a: Table, b: Table, titles: dict[str, str]) -> None:
        super().__init__(titles)
        self.level = aligned([tuple(r) for r in a.rows], [tuple(r) for r in b.rows])
        self.views: dict[str, QTableView] = {}
        for side, own, twin in (("a", a, b), ("b", b, a)):
            pairs = self.level if side == "a" else [(j, i) for i, j in self.level]
            self.views[side] = _table(_Marked(own, twin, pairs, side, self))
        self.lay_out(dict(self.views))
        bars = [self.views[side].verticalScrollBar() for side in SIDES]
        for bar, mate in (bars, bars[::-1]):
            bar.valueChanged.connect(mate.setValue)
        self.say(self._words(a, b))

    def _words(self, a: Table, b: Table) -> str:
        other = sum(1 for i, j in self.level if i is None or j is None or tuple(a.rows[i]) != tuple(b.rows[j]))
        if not other and tuple(a.columns) == tuple(b.columns):
            return self.tr("Both tables are the same.")
        if tuple(a.columns) != tuple(b.columns):
            return self.tr("The columns differ; {n} rows differ.").format(n=other)
        return self.tr("{n} of {total} rows differ.").format(n=other, total=len(self.level))


class _Marked(TableModel):
    """A table in which some rows are empty, with marks where the other one says something else."""

    def __init__(
        self, own: Table, twin: Table, level: Sequence[tuple[int | None, int | None]], side: str, parent: QWidget
    ) -> None:
        blank = ("",) * len(own.columns)
        rows = tuple(tuple(own.rows[i]) if i is not None else blank for i, _ in level)
        super().__init__(Table(own.columns, rows), parent)
        self._side = side
        names = [str(name) for name in twin.columns]
        self._columns = [names.index(str(name)) if str(name) in names else None for name in own.columns]
        self._rows, self._twin, self._level = rows, twin, level

    def differs(self, row: int, column: int) -> bool:
        """True when the other table has something else there."""
        i, j = self._level[row]
        if i is None:
            return False
        there = self._columns[column]
        return j is None or there is None or self._twin.rows[j][there] != self._rows[row][column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.FontRole):
            if not self.differs(index.row(), index.column()):
                return None
            if role == Qt.ItemDataRole.BackgroundRole:
                return QBrush(side_tint(self._side))
            font = theme.current().font("body")
            font.setBold(True)
            return font
        return super().data(index, role)


def _table(model: TableModel) -> QTableView:
    made = QTableView()
    made.setModel(model)
    made.verticalHeader().hide()
    made.verticalHeader().setDefaultSectionSize(px(26))
    made.setShowGrid(False)
    made.setWordWrap(False)
    made.setTabKeyNavigation(False)
    made.horizontalHeader().setHighlightSections(False)
    made.horizontalHeader().setFixedHeight(px(26))
    few = model.columnCount() <= 4
    mode = QHeaderView.ResizeMode.Stretch if few else QHeaderView.ResizeMode.ResizeToContents
    made.horizontalHeader().setSectionResizeMode(mode)
    return made


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
