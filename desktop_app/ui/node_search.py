"""The pop-up that finds: a tool to add, or a card of the graph. Words filter, Enter chooses, Esc goes away.

Must not know workflows: it is given entries and says which one was chosen.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui import icons, shapes, theme
from desktop_app.ui.card_face import translate
from nodes.api import Tool

_ROW, _HEADING = 46, 28
_WIDTH, _HEIGHT = 400, 420
_ENTRY = Qt.ItemDataRole.UserRole
_WEIGHTS = (100, 60, 60, 25)
_SHADOW = 14


@dataclass(frozen=True)
class Entry:
    """Something to be found. `words` are further words for it; `refused` says why it cannot be chosen."""

    id: str
    title: str
    detail: str = ""
    icon: str = "box"
    type: str = "any"
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    group: str = ""
    refused: str = ""


def entry_of(tool: Tool, refused: str = "") -> Entry:
    """The entry of a tool."""
    needed = tuple(str(p.type) for p in tool.inputs if p.required)
    gives = tuple(str(p.type) for p in tool.outputs)
    detail = refused or tool.description.split(". ")[0].rstrip(".")
    return Entry(
        tool.id, tool.title, detail, tool.icon or "box", gives[0] if gives else "any", needed, gives,
        (*tool.words, tool.id.replace("_", " ")), tool.domain.capitalize(), refused,
    )  # fmt: skip


def score(entry: Entry, query: str) -> tuple[float, str]:
    """How well the entry answers the query (0: not at all), and the further word that did it, if one did.

    Every word of the query must begin a word of the title, of the further words, or of the detail.
    """
    total, also = 0.0, ""
    fields = (entry.title.lower(), *(w.lower() for w in entry.words), entry.detail.lower())
    last = len(fields) - 1
    for token in query.lower().split():
        best, by = 0.0, ""
        for i, text in enumerate(fields):
            weight = _WEIGHTS[0] if i == 0 else _WEIGHTS[3] if i == last else _WEIGHTS[1]
            found = _match(token, text) * weight
            if found > best:
                best, by = found, text if 0 < i < last else ""
        if not best:
            return 0.0, ""
        total += best
        also = also or by
    return total, also if also not in entry.title.lower() else ""


def _match(token: str, text: str) -> float:
    if text == token:
        return 1.5
    if text.startswith(token):
        return 1.2
    if any(word.startswith(token) for word in text.replace("-", " ").split()):
        return 1.0
    return 0.4 if len(token) > 2 and token in text else 0.0


def find(entries: Sequence[Entry], query: str) -> list[tuple[Entry, str]]:
    """The entries that answer the query, best first, each with the further word that did it. Typing errors
    are forgiven when nothing else is found. An empty query finds all in their order.
    """
    if not query.strip():
        return [(entry, "") for entry in entries]
    scored = [(score(entry, query), entry) for entry in entries]
    hits = sorted(((s, also, e) for (s, also), e in scored if s > 0), key=lambda hit: (-hit[0], hit[2].title))
    if hits:
        return [(entry, also) for _, also, entry in hits]
    names = {entry.title.lower(): entry for entry in entries}
    close = difflib.get_close_matches(query.lower(), names, n=5, cutoff=0.55)
    return [(names[name], "") for name in close]


class NodeSearch(QFrame):
    """`chosen(id)` or `cancelled` ends it, whichever comes first."""

    chosen = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._entries: Sequence[Entry] = ()
        self._refused: Sequence[Entry] = ()
        self._filter_type = ""
        self._everything: Sequence[Entry] = ()
        self._done = True
        self._build()

    def _build(self) -> None:
        px = theme.current().px
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_SHADOW + px(8), _SHADOW + px(8), _SHADOW + px(8), _SHADOW + px(8))
        whole.setSpacing(px(6))
        self._field = QLineEdit()
        self._field.setProperty("bare", True)
        self._field.setAccessibleName(translate("Search"))
        self._field.textChanged.connect(self._fill)
        self._field.installEventFilter(self)
        self._chip = QPushButton()
        self._chip.setProperty("chip", True)
        self._chip.setToolTip(translate("Remove this filter"))
        self._chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._chip.clicked.connect(self._drop_filter)
        glass = QLabel()
        glass.setPixmap(icons.pixmap("search", theme.current().color("text.secondary"), px(16), icons.density()))
        top = QFrame()
        top.setProperty("surface", "field")
        top.setProperty("lit", True)
        inside = QHBoxLayout(top)
        inside.setContentsMargins(px(11), px(3), px(6), px(3))
        inside.setSpacing(px(8))
        inside.addWidget(glass)
        inside.addWidget(self._field, 1)
        inside.addWidget(self._chip)
        self._list = QListWidget()
        self._list.setItemDelegate(_Rows(self._list))
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMouseTracking(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setAccessibleName(translate("What was found"))
        self._list.itemClicked.connect(self._take)
        self._keys = QLabel(translate("↑ ↓  choose     ⏎  add"))
        self._keys.setProperty("role", "caption")
        self._why = QPushButton()
        self._why.setProperty("link", True)
        self._why.setCheckable(True)
        self._why.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._why.toggled.connect(self._fill)
        foot = QHBoxLayout()
        foot.addWidget(self._keys)
        foot.addStretch(1)
        foot.addWidget(self._why)
        whole.addWidget(top)
        whole.addWidget(self._list, 1)
        whole.addLayout(foot)

    def ask(
        self,
        entries: Sequence[Entry],
        place: QPoint,
        *,
        refused: Sequence[Entry] = (),
        filter_words: str = "",
        filter_type: str = "",
        prompt: str = "",
    ) -> None:
        """Opens at a place of the screen. With `filter_words`, a chip says why only these entries are offered;
        removing it offers the `refused` ones as well.
        """
        self._entries, self._refused, self._filter_type = entries, refused, filter_type
        self._everything = [*entries, *refused]
        self._done = False
        self._chip.setVisible(bool(filter_words))
        self._chip.setText(f"{filter_words}  ×")
        self._chip.setIcon(_type_icon(filter_type))
        self._chip.setAccessibleName(translate("Filter: {words}").format(words=filter_words))
        self._field.setPlaceholderText(prompt or translate("Add a node: type what it should do"))
        self._why.blockSignals(True)
        self._why.setChecked(False)
        self._why.blockSignals(False)
        self._field.clear()
        self._fill()
        px = theme.current().px
        self.resize(px(_WIDTH) + 2 * _SHADOW, px(_HEIGHT) + 2 * _SHADOW)
        self.move(self._inside(place))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _inside(self, place: QPoint) -> QPoint:
        screen = QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        window = self.parentWidget().window() if self.parentWidget() else None
        if window is not None:
            both = room.intersected(QRect(window.mapToGlobal(QPoint(0, 0)), window.size()))
            room = both if both.width() >= self.width() and both.height() >= self.height() else room
        x = min(max(room.left(), place.x() - _SHADOW), room.right() - self.width())
        y = min(max(room.top(), place.y() - _SHADOW), room.bottom() - self.height())
        return QPoint(x, y)

    @property
    def shown_ids(self) -> list[str]:
        """The ids of what is offered now, in order."""
        return [e.id for i in range(self._list.count()) if (e := self._list.item(i).data(_ENTRY)) is not None]

    @property
    def field(self) -> QLineEdit:
        """Where one types."""
        return self._field

    @property
    def why_button(self) -> QPushButton:
        """Lists what does not fit."""
        return self._why

    def _drop_filter(self) -> None:
        self._entries, self._refused = self._everything, ()
        self._chip.hide()
        self._fill()

    def _fill(self) -> None:
        query = self._field.text()
        self._list.clear()
        hits = find(self._entries, query)
        if query.strip() or not any(entry.group for entry in self._entries):
            self._heading(translate("Best match") if query.strip() else translate("All"), len(hits))
            for entry, also in hits:
                self._row(entry, also)
        else:
            for group in dict.fromkeys(entry.group for entry in self._entries):
                members = [entry for entry, _ in hits if entry.group == group]
                self._heading(group, len(members))
                for entry in members:
                    self._row(entry, "")
        if self._why.isChecked():
            misfits = find(self._refused, query)
            self._heading(translate("Do not fit"), len(misfits))
            for entry, also in misfits:
                self._row(entry, also)
        self._why.setVisible(bool(self._refused))
        self._why.setText(translate("{n} do not fit: why?").format(n=len(self._refused)))
        if not hits:
            self._heading(translate("Nothing found. Try another word."), 0)
        self._step(0)

    def _heading(self, text: str, count: int) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(_ENTRY + 1, str(count) if count else "")
        item.setSizeHint(QSize(10, theme.current().px(_HEADING)))
        self._list.addItem(item)

    def _row(self, entry: Entry, also: str) -> None:
        item = QListWidgetItem(entry.title)
        item.setData(_ENTRY, entry)
        item.setData(_ENTRY + 1, also)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.detail)
        item.setToolTip(entry.refused or entry.detail)
        item.setSizeHint(QSize(10, theme.current().px(_ROW)))
        if entry.refused:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self._list.addItem(item)

    def _step(self, by: int) -> None:
        rows = [i for i in range(self._list.count()) if self._list.item(i).flags() & Qt.ItemFlag.ItemIsSelectable]
        if not rows:
            self._list.setCurrentRow(-1)
            return
        now = self._list.currentRow()
        at = rows.index(now) if now in rows else 0
        if by:
            at = (at + by) % len(rows)
        self._list.setCurrentRow(rows[at] if now in rows or by == 0 else rows[0])

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}
            if event.key() in steps:
                self._step(steps[event.key()])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                item = self._list.currentItem()
                if item is not None:
                    self._take(item)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _take(self, item: QListWidgetItem) -> None:
        entry = item.data(_ENTRY)
        if entry is None or entry.refused:
            return
        self._done = True
        self.close()
        self.chosen.emit(entry.id)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        if not self._done:
            self._done = True
            self.cancelled.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in (2.0, 5.0, 9.0):
            painter.setBrush(current.tint("shadow_popup.color", current.value("shadow_popup", "alpha") / 4))
            painter.drawRoundedRect(body.adjusted(-spread, -spread + 4, spread, spread + 4), 12 + spread, 12 + spread)
        painter.setPen(QPen(current.color("background.border_strong"), 1))
        painter.setBrush(current.color("background.overlay"))
        painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), 12, 12)
        painter.end()


def _type_icon(type: str) -> QIcon:
    """The shape of a type as the icon of the filter's chip."""
    if not type:
        return QIcon()
    density = icons.density()
    pixmap = QPixmap(QSize(16, 16) * density)
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    shapes.paint_type(painter, QRectF(3, 3, 10, 10), type, True)
    painter.end()
    return QIcon(pixmap)


class _Rows(QStyledItemDelegate):
    """Paints headings and entries."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        entry: Entry | None = index.data(_ENTRY)
        area = QRectF(option.rect).adjusted(1, 1, -5, -1)  # type: ignore[attr-defined]
        if entry is None:
            self._heading(painter, area, index)
        else:
            self._entry(painter, area, entry, index, option)
        painter.restore()

    def _heading(self, painter: QPainter, area: QRectF, index: QModelIndex) -> None:
        current = theme.current()
        painter.setFont(current.font("caption"))
        painter.setPen(current.color("text.tertiary"))
        area = area.adjusted(9, 4, -6, 0)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), str(index.data()))
        count = str(index.data(_ENTRY + 1) or "")
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), count)

    def _entry(
        self, painter: QPainter, area: QRectF, entry: Entry, index: QModelIndex, option: QStyleOptionViewItem
    ) -> None:
        current = theme.current()
        state = option.state  # type: ignore[attr-defined]
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(current.color("accent.line"), 1))
            painter.setBrush(current.color("accent.soft"))
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current.color("background.hover"))
            painter.drawRoundedRect(area, 8, 8)
        painter.setOpacity(0.6 if entry.refused else 1.0)
        color = current.type_color(entry.type)
        side = current.px(28)
        tile = QRectF(area.left() + 9, area.center().y() - side / 2, side, side)
        ground = QColor(color)
        ground.setAlphaF(0.18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(tile, 6, 6)
        gap = side * 0.22
        icons.paint(painter, tile.adjusted(gap, gap, -gap, -gap), entry.icon, color)
        left = self._ports(painter, area, entry)
        also = str(index.data(_ENTRY + 1) or "")
        detail = translate("also: {word} · {detail}").format(word=also, detail=entry.detail) if also else entry.detail
        text = QRectF(tile.right() + 10, area.top(), left - tile.right() - 18, area.height())
        self._words(painter, text, entry.title, detail)

    def _words(self, painter: QPainter, area: QRectF, title: str, detail: str) -> None:
        current = theme.current()
        half = area.height() / 2
        for text, role, token, top, height, side in (
            (title, "control", "text.primary", area.top() + 3, half, Qt.AlignmentFlag.AlignVCenter),
            (detail, "caption", "text.tertiary", area.top() + half - 2, half, Qt.AlignmentFlag.AlignVCenter),
        ):
            painter.setFont(current.font(role))
            painter.setPen(current.color(token))
            room = QRectF(area.left(), top, area.width(), height)
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
            painter.drawText(room, int(side | Qt.AlignmentFlag.AlignLeft), elided)

    def _ports(self, painter: QPainter, area: QRectF, entry: Entry) -> float:
        """What goes in, what comes out; returns where it begins."""
        x, y = area.right() - 16, area.center().y()
        for type in reversed(entry.outputs[:3]):
            shapes.paint_type(painter, QRectF(x - 5, y - 5, 10, 10), type, True)
            x -= 18
        if not entry.inputs:
            return x + 6
        painter.setPen(QPen(theme.current().color("text.tertiary"), 1.3))
        painter.drawPolyline([QPointF(x - 1.5, y - 3.5), QPointF(x + 2, y), QPointF(x - 1.5, y + 3.5)])
        x -= 18
        for type in reversed(entry.inputs[:3]):
            shapes.paint_type(painter, QRectF(x - 5, y - 5, 10, 10), type, True)
            x -= 18
        return x + 6
