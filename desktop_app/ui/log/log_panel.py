"""The log of the run over the window: searched, to be copied; or what a lane has printed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QLineEdit, QTableView, QWidget

from desktop_app.core.paths import home
from desktop_app.session.session import Change
from desktop_app.ui.support import formatting, log_lines
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.log_lines import Line
from desktop_app.ui.support.open_outside import open_path
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import IconButton, color, label, make_clearable, px, row, stack
from desktop_app.ui.widgets.popup_panel import PopupPanel

_MILLISECONDS = 250
_LONGEST = 200_000
_WIDE, _HIGH = 760, 420

TIME, NODE, MESSAGE = range(3)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class LogPanel(PopupPanel):
    """Stays open beside the work until it is closed. Reads nothing while it is hidden."""

    def __init__(self, window: QWidget, ui: UiContext) -> None:
        super().__init__(window, formatting.translate("Log of the run"), _WIDE)
        self._ui = ui
        self._printed: list[Line] = []
        self.source, self.search = QComboBox(), QLineEdit()
        self.table = LogTable(ui.log.title)
        self.table.activated_node.connect(ui.signals.select_node)
        self._count = label("", "caption")
        self._build()
        self._timer = QTimer(self, singleShot=True, interval=_MILLISECONDS)
        self._timer.timeout.connect(self._read)
        ui.log.changed.connect(self._fill)
        ui.listen(self._on_change)

    def _build(self) -> None:
        self.source.setAccessibleName(self.tr("Which log"))
        self.source.setToolTip(self.source.accessibleName())
        self.source.setMinimumWidth(px(150))
        self.source.activated.connect(self._source_chosen)
        self.search.setPlaceholderText(self.tr("Only lines with these words"))
        self.search.setAccessibleName(self.tr("Search the log"))
        self.search.setToolTip(self.search.accessibleName())
        make_clearable(self.search)
        self.search.textChanged.connect(self._fill)
        self.copy = IconButton("copy", self.tr("Copy all lines that are shown"), 28)
        self.copy.clicked.connect(self._copy)
        self.folder = IconButton("folder-open", self.tr("Open the folder of the recording"), 28)
        self.folder.clicked.connect(self._open_folder)
        body = QWidget()
        stack(
            row(self.source, self.search, self.copy, self.folder, gap=6), self.table, row(self._count, None),
            parent=body, grow=1, margins=(12, 8, 12, 4),
        )  # fmt: skip
        self.set_body(body)

    def open_below(self, anchor: QWidget) -> None:
        self._list_sources()
        super().open_below(anchor)
        self._read()
        self._fill()

    def first_focus(self) -> QWidget:
        return self.search

    def place(self) -> None:
        """Above its anchor where there is more room than below it, right end to right end."""
        window, anchor, body = self._home, self._anchor, self._body
        if anchor is None or body is None:
            return
        top = anchor.mapTo(window, QPoint(anchor.width(), 0))
        wide = min(px(_WIDE), window.width() - 2 * px(8))
        above, below = top.y() - px(16), window.height() - top.y() - anchor.height() - px(42)
        high = min(px(_HIGH), max(above, below))
        left = max(px(8), min(top.x() - wide + px(8), window.width() - wide - px(8)))
        y = top.y() - px(8) - high if above >= below else top.y() + anchor.height() + px(8)
        body.setFixedWidth(wide - 2)
        self.setGeometry(left, y, wide, high)

    def _is_beside(self, widget: QWidget, place) -> bool:
        return False  # one looks at the graph and at the log in turns

    # What is shown

    def _on_change(self, change: Change) -> None:
        if self.isVisible() and change & (Change.RUN | Change.WORKFLOW) and not self._timer.isActive():
            self._timer.start()

    def _read(self) -> None:
        if self.isVisible():
            self._ui.log.read()

    def _fill(self, *_: object) -> None:
        if not self.isVisible():
            return
        every = self._printed if self.source.currentData() else self._ui.log.lines()
        sought, title = self.search.text().lower().split(), self._ui.log.title
        shown = [
            line
            for line in every
            if all(word in f"{line.text} {title(line.node) if line.node else ''}".lower() for word in sought)
        ]
        self.table.show_lines(shown)
        self._count.setText(self._said(len(shown), len(every)))

    def _said(self, shown: int, every: int) -> str:
        if not every:
            return self.tr("Nothing has been recorded yet.")
        return self.tr("{n} of {total} lines").format(n=shown, total=every)

    # What lanes print

    def _list_sources(self) -> None:
        chosen = self.source.currentData()
        self.source.clear()
        self.source.addItem(self.tr("What happened"), None)
        for path in sorted((home() / "logs").glob("*.log")):
            name = path.stem.replace("-", " ").replace(".", " ")
            self.source.addItem(self.tr("Printed by {name}").format(name=name), path)
        self.source.setCurrentIndex(max(0, self.source.findData(chosen)))

    def show_source(self, path: Path) -> None:
        """Shows what is written in one of the logs; nothing changes when it is not there."""
        place = next((i for i in range(self.source.count()) if self.source.itemData(i) == path), -1)
        if place >= 0:
            self.source.setCurrentIndex(place)
            self._source_chosen(place)

    def _source_chosen(self, _: int) -> None:
        path = self.source.currentData()
        self._printed = []
        if path is None:
            self._fill()
        else:
            self._ui.loader.run(partial(_end_of, path), self._printed_came)

    def _printed_came(self, text: object) -> None:
        said = text if isinstance(text, str) else str(text)
        self._printed = [Line(-1.0, "", line) for line in said.splitlines() if line.strip()]
        self._fill()

    # What can be done with it

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(log_lines.as_text(self.table.lines, self._ui.log.title))
        self._count.setText(self.tr("Copied {n} lines").format(n=len(self.table.lines)))

    def _open_folder(self) -> None:
        source = self.source.currentData() or self._ui.session.recording or home() / "runs" / "none"
        open_path(self._ui, Path(source).parent)


def _end_of(path: Path) -> str:
    """The last part of a file of text. May run on a thread."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LONGEST))
        return file.read().decode("utf-8", "replace")


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
