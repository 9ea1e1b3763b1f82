"""The pop-up that finds: a tool to add, or a card of the graph. Words filter, Enter chooses, Esc goes away.

Must not know workflows: it is given entries and says which one was chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui import icons, theme
from desktop_app.ui.card_face import translate
from desktop_app.ui.search_entries import Entry, find
from desktop_app.ui.search_rows import ENTRY, NOTE, Rows, type_icon

_ROW, _HEADING = 46, 28
_WIDTH, _HEIGHT = 400, 420
_SHADOW = 14


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
        self._list.setItemDelegate(Rows(self._list))
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
        self._chip.setIcon(type_icon(filter_type))
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
        parent = self.parentWidget()
        window = parent.window() if parent is not None else None
        if window is not None:
            both = room.intersected(QRect(window.mapToGlobal(QPoint(0, 0)), window.size()))
            room = both if both.width() >= self.width() and both.height() >= self.height() else room
        x = min(max(room.left(), place.x() - _SHADOW), room.right() - self.width())
        y = min(max(room.top(), place.y() - _SHADOW), room.bottom() - self.height())
        return QPoint(x, y)

    @property
    def shown_ids(self) -> list[str]:
        """The ids of what is offered now, in order."""
        return [e.id for i in range(self._list.count()) if (e := self._list.item(i).data(ENTRY)) is not None]

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
        item.setData(NOTE, str(count) if count else "")
        item.setSizeHint(QSize(10, theme.current().px(_HEADING)))
        self._list.addItem(item)

    def _row(self, entry: Entry, also: str) -> None:
        item = QListWidgetItem(entry.title)
        item.setData(ENTRY, entry)
        item.setData(NOTE, also)
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
            key = Qt.Key(event.key())
            if key in steps:
                self._step(steps[key])
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
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
        entry = item.data(ENTRY)
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
