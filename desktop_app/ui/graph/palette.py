"""The palette: all tools by domain, to be dragged to the canvas, or added with Enter or a double click.

Must not know workflows: it says which tool is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QKeyEvent, QPainter, QPen, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QTreeView, QVBoxLayout

from desktop_app.models import store
from desktop_app.ui.graph.canvas import TOOL_MIME
from desktop_app.ui.graph.controller import GraphController
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.search.entries import SearchEntry, entry_of, find, in_order
from desktop_app.ui.search.search_delegate import BARE_ROWS, ENTRY, NOTE, SearchDelegate
from desktop_app.ui.support.costs import lack_of
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import divider, label, px, stack
from desktop_app.ui.widgets.glyphs import write
from nodes.api import Tool

_ROW, _HEADING = 46, 28


class PaletteTree(QTreeView):
    """Domains, and under each its tools. `wanted` carries the id of a tool."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setHeaderHidden(True)
        self.setStyleSheet(BARE_ROWS)
        self.setItemDelegate(SearchDelegate(self))
        self.setIndentation(px(11))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(translate("Tools by domain"))
        self.doubleClicked.connect(self._take)

    def show_entries(self, entries: Sequence[tuple[SearchEntry, str]], open_all: bool) -> None:
        """Shows what was found, by domain; `open_all` while one searches, else the domains stay as they are."""
        opened = {self._model.item(i).text() for i in range(self._model.rowCount()) if self.isExpanded(self._row(i))}
        first = self._model.rowCount() == 0
        self._model.clear()
        for group in dict.fromkeys(entry.group for entry, _ in entries):
            members = [(entry, also) for entry, also in entries if entry.group == group]
            head = QStandardItem(group)
            head.setData(str(len(members)), NOTE)
            head.setSizeHint(QSize(10, px(_HEADING)))
            head.setDragEnabled(False)
            head.setData(translate("{group}, {n} tools").format(group=group, n=len(members)), _SAID)
            for entry, also in members:
                head.appendRow(_tool_item(entry, also))
            self._model.appendRow(head)
            self.setExpanded(head.index(), open_all or group in opened or (first and self._model.rowCount() == 1))

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """The arrow of a domain, on the line of its words: a style's own arrow is as small as the indentation."""
        if self._model.hasChildren(index):
            side = px(12)
            place = QRectF(rect.left() + px(2), rect.center().y() + px(2) - side / 2, side, side)
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            icons.paint(painter, place, name, theme.current().color("text.tertiary"))
            painter.restore()

    def _row(self, at: int) -> QModelIndex:
        return self._model.index(at, 0)

    def choose_first(self) -> None:
        top = self._row(0)
        if top.isValid() and self.isExpanded(top):
            self.setCurrentIndex(self._model.index(0, 0, top))
        elif top.isValid():
            self.setCurrentIndex(top)

    @property
    def shown_ids(self) -> list[str]:
        heads = [self._model.item(i) for i in range(self._model.rowCount())]
        return [head.child(i).data(ENTRY).id for head in heads for i in range(head.rowCount())]

    def _take(self, index: QModelIndex) -> None:
        entry: SearchEntry | None = index.data(ENTRY)
        if entry is not None:
            self.wanted.emit(entry.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            index = self.currentIndex()
            if index.data(ENTRY) is None:
                self.setExpanded(index, not self.isExpanded(index))
            self._take(index)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    # Dragging

    def startDrag(self, actions: Qt.DropAction) -> None:
        entry: SearchEntry | None = self.currentIndex().data(ENTRY)
        if entry is None:
            return
        drag = QDrag(self)
        drag.setMimeData(tool_data(entry.id))
        drag.setPixmap(_chip(entry))
        drag.setHotSpot(QPoint(px(12), px(12)))
        drag.exec(Qt.DropAction.CopyAction)


class PalettePanel(QFrame):
    def __init__(self, view: GraphDisplay, controller: GraphController) -> None:
        super().__init__()
        self._tools: Mapping[str, Tool] = {}
        self._entries: list[SearchEntry] = []
        self.field = QLineEdit(placeholderText=translate("Search the tools"))
        self.field.setProperty("small", True)
        self.field.setAccessibleName(translate("Search the tools"))
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.tree = PaletteTree()
        self.tree.wanted.connect(controller.adding.add_in_view)
        self._none = label(translate("Nothing found. Try another word."), "tertiary")
        self._none.setContentsMargins(px(8), px(8), 0, 0)
        keys = label(translate("Drag to the canvas, or ⏎ to add"), "caption")
        keys.setContentsMargins(px(10), px(6), px(8), px(8))
        inner = QVBoxLayout()
        inner.setContentsMargins(px(8), 0, px(10), 0)
        inner.addWidget(self.field)
        stack(inner, self._none, self.tree, divider(), keys, parent=self, grow=2, gap=6, margins=(4, 10, 0, 0))

    def show_tools(self, tools: Mapping[str, Tool]) -> None:
        """Offers these tools; what has to be fetched first is looked up, and again each time the palette opens."""
        if tools is not self._tools:
            self._tools = tools
            self._look()

    @store.one_look()
    def _look(self) -> None:
        found = sorted(self._tools.values(), key=lambda tool: (tool.domain, in_order(tool.title)))
        entries = [entry_of(tool, lack=lack_of(tool)) for tool in found]
        if entries != self._entries:
            self._entries = entries
            self._fill()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._look()

    def _fill(self) -> None:
        query = self.field.text()
        hits = find(self._entries, query)
        self._none.setVisible(not hits)
        self.tree.show_entries(hits, bool(query.strip()))
        if query.strip():
            self.tree.choose_first()

    def take_focus(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
                if not self.tree.currentIndex().isValid():
                    self.tree.choose_first()
                self.tree.setFocus(Qt.FocusReason.TabFocusReason)
                if self.field.text().strip():
                    self.tree.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.tree.keyPressEvent(event)
                return True
        return super().eventFilter(watched, event)


_SAID = Qt.ItemDataRole.AccessibleTextRole


def tool_data(id: str) -> QMimeData:
    data = QMimeData()
    data.setData(TOOL_MIME, QByteArray(id.encode()))
    return data


def _tool_item(entry: SearchEntry, also: str) -> QStandardItem:
    item = QStandardItem(entry.title)
    item.setData(entry, ENTRY)
    item.setData(also, NOTE)
    about = f"{entry.lack}. {entry.detail}" if entry.lack else entry.detail
    item.setData(f"{entry.title}, {about}", _SAID)
    item.setToolTip(about)
    item.setSizeHint(QSize(10, px(_ROW)))
    item.setDragEnabled(True)
    return item


def _chip(entry: SearchEntry) -> QPixmap:
    current, density = theme.current(), icons.density()
    size = QSize(px(176), px(34))
    pixmap = QPixmap(size * density)
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(current.color("accent.line"), 1.2))
    painter.setBrush(current.color("background.card"))
    painter.drawRoundedRect(QRectF(1, 1, size.width() - 2, size.height() - 2), px(9), px(9))
    side = px(16)
    color = current.type_color(entry.type)
    icons.paint(painter, QRectF(px(10), (size.height() - side) / 2, side, side), entry.icon, color)
    room = QRectF(px(34), 0, size.width() - px(42), size.height())
    write(painter, room, entry.title, "control", "text.primary")
    painter.end()
    return pixmap
