"""The lines of a log as a table: time, node, message. Must not know where they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop_app.ui.support import log_lines
from desktop_app.ui.support.log_lines import Line
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import color, px

TIME, NODE, MESSAGE = range(3)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class LogModel(QAbstractTableModel):
    """`title` tells the title of a node."""

    def __init__(self, title: Callable[[str], str], parent: QObject) -> None:
        super().__init__(parent)
        self._title = title
        self.lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        same = 0
        for old, new in zip(self.lines, lines, strict=False):
            if old != new:
                break
            same += 1
        if same < len(self.lines):
            self.beginRemoveRows(QModelIndex(), same, len(self.lines) - 1)
            self.lines = self.lines[:same]
            self.endRemoveRows()
        if same < len(lines):
            self.beginInsertRows(QModelIndex(), same, len(lines) - 1)
            self.lines = lines
            self.endInsertRows()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return (self.tr("Time"), self.tr("Node"), self.tr("What happened"))[section]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self.lines[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(line, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == MESSAGE:
            return line.text
        if role == Qt.ItemDataRole.ForegroundRole:
            plain = "text.primary" if column == MESSAGE else "text.tertiary"
            return color(f"state.{line.state}" if line.state else plain)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._text(line, column) or self._text(line, MESSAGE)
        return None

    def _text(self, line: Line, column: int) -> str:
        if column == TIME:
            return log_lines.when(line.at)
        return line.text if column == MESSAGE else self._title(line.node) if line.node else ""


class LogTable(QTableView):
    """Follows the end while it is seen. `activated_node(id)` for a double click or Enter on the line of a node."""

    activated_node = Signal(str)

    def __init__(self, title: Callable[[str], str]) -> None:
        super().__init__()
        self._lines = LogModel(title, self)
        self.setModel(self._lines)
        self.setAccessibleName(self.tr("Log of the run"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFont(theme.current().font("small"))
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setDefaultSectionSize(px(24))
        rows.setMinimumSectionSize(px(24))
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        columns.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        columns.setHighlightSections(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setColumnWidth(TIME, px(76))
        self.setColumnWidth(NODE, px(150))
        self.activated.connect(self._activate)

    def show_lines(self, lines: list[Line]) -> None:
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - px(4)
        self._lines.show(lines)
        if at_end:
            self.scrollToBottom()

    @property
    def lines(self) -> list[Line]:
        return self._lines.lines

    def chosen(self) -> list[Line]:
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._lines.lines[row] for row in rows]

    def keyPressEvent(self, event) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(log_lines.as_text(self.chosen(), self._lines._title))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._lines.lines:
            current = self._lines.index(len(self._lines.lines) - 1, 0)
            self.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _activate(self, index: QModelIndex) -> None:
        node = self._lines.lines[index.row()].node
        if node:
            self.activated_node.emit(node)
