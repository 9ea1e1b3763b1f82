"""The graph as a tree beside the canvas, for the keyboard and for screen readers; chosen here is chosen there.

It reads the view and calls its controller; it keeps no truth.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from desktop_app.ui.graph.actions import registry
from desktop_app.ui.graph.controller import GraphController
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.graph.outline.outline_text import CardRow, PortRow, rows
from desktop_app.ui.search.search_delegate import BARE_ROWS
from desktop_app.ui.support.actions import Action, add_to_menu, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, shapes, theme
from desktop_app.ui.widgets.basic import divider, label, px, stack
from desktop_app.ui.widgets.glyphs import write

_TREE_KEYS = frozenset({
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
})  # fmt: skip


_MANY = 60
CARD = Qt.ItemDataRole.UserRole
PORT = Qt.ItemDataRole.UserRole + 1
FACE = Qt.ItemDataRole.UserRole + 2
DRAWN = Qt.ItemDataRole.UserRole + 3
_ICONS = {"note": "message-square", "frame": "group"}
_HEIGHT = 28
_QUIET = ("idle", "waiting", "skipped", "cancelled", "bypassed", "muted", "")
_Index = QModelIndex | QPersistentModelIndex


class OutlineTree(QTreeView):
    """Cards as rows, ports as their children; notes and frames last. Keys are those of the canvas; on a port they are
    about that port.
    """

    def __init__(self, view: GraphDisplay, controller: GraphController) -> None:
        super().__init__()
        self._view, self._controller = view, controller
        self._quiet = False
        self._rows: tuple[CardRow, ...] = ()
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setHeaderHidden(True)
        self.setStyleSheet(BARE_ROWS)
        self.setItemDelegate(OutlineDelegate(self))
        self.setIndentation(px(18))
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(translate("Outline of the graph"))
        self.setAccessibleDescription(translate("Resources and nodes in the order in which they run"))
        self.selectionModel().selectionChanged.connect(self._chosen)
        self.doubleClicked.connect(lambda index: self._open(index))

    # What it shows

    def refresh(self) -> None:
        """Shows the workflow of the view; rebuilds only when its words changed."""
        found = rows(self._view.workflow, self._view.tools)
        if found != self._rows:
            self._rebuild(found)
        self.show_run()
        self.show_chosen(self._view.chosen())

    def _rebuild(self, found: tuple[CardRow, ...]) -> None:
        """Shows these rows; of cards that are there already only what changed is touched."""
        current = self._place(self.currentIndex())
        before = {row.id: row for row in self._rows}
        self._quiet = True
        after = {row.id for row in found}
        kept = [row.id for row in self._rows if row.id in after]
        if kept == [row.id for row in found if row.id in before]:
            self._mend(found, before)
        else:
            self._make_anew(found, before)
        self._rows = found
        self._go_to(*current)
        self._quiet = False

    def _mend(self, found: tuple[CardRow, ...], before: dict[str, CardRow]) -> None:
        wanted = {row.id for row in found}
        for at in reversed(range(self._model.rowCount())):
            if self._model.item(at).data(CARD) not in wanted:
                self._model.removeRow(at)
        if len(found) - self._model.rowCount() > _MANY:
            self._make_anew(found, before)
            return
        for at, row in enumerate(found):
            if row.id not in before:
                self._model.insertRow(at, _card_item(row))
                self.setExpanded(self._model.index(at, 0), not row.is_resource)
            elif row != before[row.id]:
                _change_item(self._model.item(at), row)

    def _make_anew(self, found: tuple[CardRow, ...], before: dict[str, CardRow]) -> None:
        items = (self._model.item(at) for at in range(self._model.rowCount()))
        closed = {str(item.data(CARD)) for item in items if not self.isExpanded(item.index())}
        self._model.clear()
        for row in found:
            self._model.appendRow(_card_item(row))
        self.expandAll()
        for at, row in enumerate(found):
            if row.id in closed or (row.is_resource and row.id not in before):
                self.collapse(self._model.index(at, 0))

    def _item(self, id: str) -> QStandardItem | None:
        for at in range(self._model.rowCount()):
            item = self._model.item(at)
            if item.data(CARD) == id:
                return item
        return None

    def _place(self, index: QModelIndex) -> tuple[str, tuple[str, bool] | None, int]:
        port = index.data(PORT)
        top = index.parent() if index.parent().isValid() else index
        return str(index.data(CARD) or ""), (port.name, port.is_input) if port else None, top.row()

    def _go_to(self, id: str, port: tuple[str, bool] | None, row: int) -> None:
        """Puts the keyboard on that row, on its neighbour when it is gone."""
        item = self._item(id) if id else None
        if item is None:
            if row >= 0 and self._model.rowCount():
                self._set_current(self._model.index(min(row, self._model.rowCount() - 1), 0))
            return
        for at in range(item.rowCount()):
            child = item.child(at)
            found: PortRow = child.data(PORT)
            if port == (found.name, found.is_input):
                self._set_current(child.index())
                return
        self._set_current(item.index())

    def _set_current(self, index: QModelIndex) -> None:
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def show_run(self) -> None:
        for at in range(self._model.rowCount()):
            item = self._model.item(at)
            card = self._view.card(item.data(CARD))
            if card is not None and item.data(FACE) != card.face:
                item.setData(card.face, FACE)
                item.setData(card.face.accessible, Qt.ItemDataRole.AccessibleTextRole)
                item.setToolTip("\n".join(t for t in (card.face.accessible, card.face.headline, card.face.text) if t))

    def show_chosen(self, ids: tuple[str, ...]) -> None:
        """Chooses the rows of these cards, unless what is chosen here says the same."""
        if self._quiet or set(self.chosen()) == set(ids):
            return
        selection = QItemSelection()
        first: QModelIndex | None = None
        for at in range(self._model.rowCount()):
            index = self._model.index(at, 0)
            if index.data(CARD) in ids:
                selection.select(index, index)
                first = first or index
        self._quiet = True
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if first is not None:
            if str(self.currentIndex().data(CARD)) not in ids:
                self._set_current(first)
            self.scrollTo(first)
        self._quiet = False

    # What the user does

    def chosen(self) -> tuple[str, ...]:
        """The cards, notes and frames whose row, or a port's row, is chosen."""
        return tuple(dict.fromkeys(str(index.data(CARD)) for index in self.selectionModel().selectedIndexes()))

    def _chosen(self) -> None:
        if not self._quiet:
            self._quiet = True
            self._view.select(self.chosen())
            self._quiet = False

    def port(self) -> PortRow | None:
        return self.currentIndex().data(PORT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, port = event.key(), self.port()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if key in _TREE_KEYS and plain:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._open(self.currentIndex())
        elif port is not None and press(port_actions(), self, event):
            pass
        elif key == Qt.Key.Key_Escape or not registry.press(self._controller, event):
            event.ignore()

    def _open(self, index: QModelIndex) -> None:
        """The values of a node in the inspector; a resource large; a note to be written."""
        id = str(index.data(CARD) or "")
        if index.data(DRAWN):
            self._controller.writing.write(id)
        elif id in self._view.workflow.ids():
            self._view.values_wanted.emit(id)
        elif id:
            self._view.node_activated.emit(id)

    def connect_port(self) -> None:
        """Opens the search of what the port can be joined to, beside its row."""
        port, index = self.port(), self.currentIndex()
        if port is not None:
            at = self.viewport().mapToGlobal(self.visualRect(index).topRight() + QPoint(px(8), 0))
            self._controller.adding.connect(str(index.data(CARD)), port.name, port.is_input, at)

    def take_links_off(self) -> None:
        port, after = self.port(), self._view.workflow
        for link in port.links if port is not None else ():
            after = after.without_link(link)
        self._controller.edit(after)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        at = event.globalPos()
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            at = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        menu.popup(at)
        event.accept()

    def menu(self) -> QMenu:
        port = self.port()
        if port is None:
            return self._controller.menu(self._view.canvas.seen.center())
        made = QMenu(self)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in port_actions():
            if not action.refusal(self):
                add_to_menu(made, action, self)
        return made


def port_actions() -> tuple[Action[OutlineTree], ...]:
    return (
        Action("connect_port", translate("Connect to…"), "spline", lambda tree: tree.connect_port(), ("C",)),
        Action(
            "take_off", translate("Take the link off"), "trash-2", lambda tree: tree.take_links_off(),
            ("Del", "Backspace"), lambda tree: "" if (port := tree.port()) and port.links else "-",
        ),
    )  # fmt: skip


class OutlinePanel(QFrame):
    """The tree with a word on its keys."""

    def __init__(self, view: GraphDisplay, controller: GraphController) -> None:
        super().__init__()
        self.tree = OutlineTree(view, controller)
        keys = label(translate("⏎ values    C connect    Del delete"), "caption")
        keys.setContentsMargins(px(14), px(6), px(8), px(8))
        stack(self.tree, divider(), keys, parent=self, grow=0, gap=0, margins=(4, 6, 0, 0))
        theme.signals().changed.connect(self.tree.viewport().update)

    def take_focus(self) -> None:
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.tree.currentIndex().isValid() and self.tree.model().rowCount():
            self.tree.selectionModel().setCurrentIndex(
                self.tree.model().index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate
            )


def _card_item(row: CardRow) -> QStandardItem:
    item = QStandardItem(row.title)
    item.setData(row.id, CARD)
    if row.drawn:
        item.setData(row.drawn, DRAWN)
        item.setToolTip(row.title)
    for port in row.ports:
        item.appendRow(_port_item(row.id, port))
    return item


def _change_item(item: QStandardItem, row: CardRow) -> None:
    """Shows another value of the same card; the rows of its ports stay where they are the same ports."""
    item.setText(row.title)
    if row.drawn:
        item.setToolTip(row.title)
    while item.rowCount() > len(row.ports):
        item.removeRow(item.rowCount() - 1)
    for at, port in enumerate(row.ports):
        if at >= item.rowCount():
            item.appendRow(_port_item(row.id, port))
        elif item.child(at).data(PORT) != port:
            _fill_port(item.child(at), row.id, port)


def _port_item(card: str, port: PortRow) -> QStandardItem:
    return _fill_port(QStandardItem(), card, port)


def _fill_port(item: QStandardItem, card: str, port: PortRow) -> QStandardItem:
    item.setText(port.text)
    item.setData(card, CARD)
    item.setData(port, PORT)
    side = translate("input {words}") if port.is_input else translate("output {words}")
    item.setData(side.format(words=port.text), Qt.ItemDataRole.AccessibleTextRole)
    item.setToolTip(port.text)
    return item


class OutlineDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(10, theme.current().px(_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect).adjusted(0, 1, -theme.current().px(5), -1)  # type: ignore[attr-defined]
        self._ground(painter, area, option)
        port: PortRow | None = index.data(PORT)
        if port is not None:
            self._port(painter, area, port)
        else:
            self._card(painter, area, index)
        painter.restore()

    def _ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        current, state = theme.current(), option.state  # type: ignore[attr-defined]
        round = current.px(6)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(current.color("accent.soft"))
            painter.drawRoundedRect(area, round, round)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(current.color("background.hover"))
            painter.drawRoundedRect(area, round, round)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(current.color("accent.line"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), round, round)

    def _card(self, painter: QPainter, area: QRectF, index: _Index) -> None:
        current, face = theme.current(), index.data(FACE)
        side = current.px(14)
        glyph = QRectF(area.left() + current.px(6), area.center().y() - side / 2, side, side)
        word = ""
        if isinstance(face, CardModel):
            if face.is_resource:
                shapes.paint_type(painter, glyph.adjusted(2, 2, -2, -2), face.type, True)
            elif face.state != "idle":
                shapes.paint_state(painter, glyph, face.state, face.fraction)
            else:
                shapes.paint_state(painter, glyph, "waiting")
            word = face.word or face.left
        elif index.data(DRAWN) in _ICONS:
            icons.paint(painter, glyph, _ICONS[index.data(DRAWN)], current.color("text.tertiary"))
        left = glyph.right() + current.px(8)
        right = area.right() - current.px(8)
        state = face.state if isinstance(face, CardModel) else ""
        quiet = state in _QUIET
        ink = "text.tertiary" if quiet else "accent.text" if state == "running" else ""
        painter.setFont(current.font("small"))
        metrics = painter.fontMetrics()
        word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, int((right - left) * 0.5))
        room = QRectF(left, area.top(), right - left, area.height())
        write(painter, room, word, "small", ink or shapes.state_color(state), Qt.AlignmentFlag.AlignRight)
        room.setRight(right - metrics.horizontalAdvance(word) - current.px(8))
        off = state in ("bypassed", "muted", "skipped", "cancelled")
        write(painter, room, str(index.data()), "control", "text.secondary" if off else "text.primary")

    def _port(self, painter: QPainter, area: QRectF, port: PortRow) -> None:
        current = theme.current()
        side = current.px(9)
        shape = QRectF(area.left() + current.px(8), area.center().y() - side / 2, side, side)
        ground = current.color("background.panel")
        shapes.paint_type(painter, shape, port.type, port.state in ("joined", "value"), ground=ground)
        ink = {"needed": "state.input", "free": "text.tertiary"}.get(port.state, "text.secondary")
        left = shape.right() + current.px(9)
        write(painter, QRectF(left, area.top(), area.right() - left - 6, area.height()), port.text, "small", ink)
