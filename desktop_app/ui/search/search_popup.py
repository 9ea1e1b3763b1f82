"""The frame of pop-ups that find: a field, rows below headings, keys. Words filter, Enter chooses, Esc goes away.

Must not know what is found: whoever inherits from it fills the rows.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.search.entries import SearchEntry
from desktop_app.ui.search.search_delegate import ENTRY, NOTE, SearchDelegate
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import Painted, row, surface

SHADOW = 14
_ROW, _HEADING = 46, 28
_PAGE = 6
_LEAST = 240


class SearchRows(QListWidget):
    """Entries below headings. It never takes the keyboard: whoever has it steps."""

    def __init__(self, name: str, delegate: SearchDelegate | None = None) -> None:
        super().__init__()
        self.setItemDelegate(delegate or SearchDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    @property
    def entries(self) -> list[SearchEntry | None]:
        """By row, None for a heading."""
        return [self.item(row).data(ENTRY) for row in range(self.count())]

    @property
    def whole_height(self) -> int:
        """Pixels of all rows."""
        return sum(self.item(row).sizeHint().height() for row in range(self.count()))

    def add_heading(self, text: str, note: str = "") -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(NOTE, note)
        item.setSizeHint(QSize(10, theme.current().px(_HEADING)))
        self.addItem(item)

    def add_entry(self, entry: SearchEntry, also: str = "") -> None:
        item = QListWidgetItem(entry.title)
        item.setData(ENTRY, entry)
        item.setData(NOTE, also)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.detail)
        item.setToolTip(entry.refused or entry.detail or entry.title)
        item.setSizeHint(QSize(10, theme.current().px(_ROW)))
        if entry.refused:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.addItem(item)

    def step(self, by: int) -> SearchEntry | None:
        """Chooses the row after, or before, the present one; 0 keeps it, or takes the first. None where there is none
        to choose.
        """
        rows = [row for row, entry in enumerate(self.entries) if entry is not None and not entry.refused]
        if not rows:
            self.setCurrentRow(-1)
            return None
        now = self.currentRow()
        at = (rows.index(now) + by) % len(rows) if now in rows else 0
        self.setCurrentRow(rows[at])
        if at == 0:
            self.scrollToTop()  # so that its heading is seen too
        return self.currentItem().data(ENTRY)


class SearchPopup(Painted, QFrame):
    """`chosen(id)` or `cancelled` ends it, whichever comes first."""

    chosen = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None, keys: str) -> None:
        """`keys` says in the foot what the keys do."""
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._done = True
        self._room = QRect()
        px = theme.current().px
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SHADOW + px(8), SHADOW + px(8), SHADOW + px(8), SHADOW + px(8))
        whole.setSpacing(px(6))
        whole.addWidget(self._make_top())
        self._list = SearchRows(translate("What was found"))
        self._list.itemClicked.connect(self._take)
        whole.addWidget(self._list, 1)
        self._keys = QLabel(keys, textFormat=Qt.TextFormat.PlainText)
        self._keys.setProperty("role", "caption")
        self._foot = QHBoxLayout()
        self._foot.addWidget(self._keys)
        self._foot.addStretch(1)
        whole.addLayout(self._foot)

    def _make_top(self) -> QFrame:
        self.field = QLineEdit()
        self.field.setAccessibleName(translate("Search"))
        self.field.setProperty("bare", True)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self._glass = QLabel(textFormat=Qt.TextFormat.PlainText)
        top = surface("field")
        top.setProperty("lit", True)
        self._top = row(self._glass, self.field, parent=top, margins=(11, 3, 6, 3), grow=1)
        return top

    def _open(self, place: QPoint, width: int, most: int) -> None:
        """Empties the field, fills the rows, and shows it with its top left at that place of the screen, moved to stay
        inside; the width, and the height that it has at most, in pixels of the 100 % design.
        """
        ink = theme.current().color("text.secondary")
        self._glass.setPixmap(icons.pixmap("search", ink, theme.current().px(16), icons.density()))
        self._done = False
        px = theme.current().px
        self._room = self._room_at(place, px(width) + 2 * SHADOW)
        self.resize(px(width) + 2 * SHADOW, px(most) + 2 * SHADOW)
        self.field.clear()
        self._fill()
        self.move(self._inside(place))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _room_at(self, place: QPoint, wide: int) -> QRect:
        """What it may cover: the window, or the screen where the window is too small for it."""
        screen = QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        parent = self.parentWidget()
        window = parent.window() if parent is not None else None
        if window is not None:
            both = room.intersected(QRect(window.mapToGlobal(QPoint(0, 0)), window.size()))
            least = theme.current().px(_LEAST) + 2 * SHADOW
            room = both if both.width() >= wide and both.height() >= least else room
        return room

    def _inside(self, place: QPoint) -> QPoint:
        room = self._room
        x = min(max(room.left(), place.x() - SHADOW), room.right() - self.width())
        before = place.x() - self.width() + SHADOW - theme.current().px(16)
        if x < place.x() - SHADOW and before >= room.left():
            x = min(before, room.right() - self.width())  # left of the place, so that what hangs there is seen
        y = min(max(room.top(), place.y() - SHADOW), room.bottom() - self.height())
        return QPoint(x, y)

    @property
    def shown_ids(self) -> list[str]:
        return [entry.id for entry in self._list.entries if entry is not None]

    # Rows

    def _fill(self) -> None:
        """Makes the rows for what stands in the field, and chooses the first (`_step(0)`)."""
        raise NotImplementedError

    def _step(self, by: int) -> None:
        entry = self._list.step(by)
        said = f"{entry.title}. {entry.detail}" if entry is not None else ""
        self.field.setAccessibleDescription(said)  # the keyboard stays in the field

    def _fit_height(self, most: int) -> None:
        """Makes it as high as its rows are, up to that many pixels of the 100 % design, and no higher than the window.
        Its top stays where it is, so that the field does not move while one types, unless it would leave the window.
        """
        rows = self._list.whole_height
        layout = self.layout()
        assert layout is not None
        bare = layout.minimumSize().height() - self._list.minimumSizeHint().height()
        px = theme.current().px
        self.resize(self.width(), min(px(most) + 2 * SHADOW, bare + rows + px(4), self._room.height()))
        over = self.y() + self.height() - self._room.bottom()
        if self.isVisible() and over > 0:
            self.move(self.x(), self.y() - over)

    # Keys

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _PAGE, Qt.Key.Key_PageUp: -_PAGE}
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

    def paint(self, painter: QPainter) -> None:
        current = theme.current()
        body, round = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW), current.px(12)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in (2.0, 5.0, 9.0):
            painter.setBrush(current.tint("shadow_popup.color", current.value("shadow_popup", "alpha") / 4))
            painter.drawRoundedRect(
                body.adjusted(-spread, -spread + 4, spread, spread + 4), round + spread, round + spread
            )
        painter.setPen(QPen(current.color("background.border_strong"), 1))
        painter.setBrush(current.color("background.overlay"))
        painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), round, round)
