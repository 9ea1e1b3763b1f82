"""The frame of pop-ups that find: a field, rows below headings, keys. Words filter, Enter chooses, Esc goes away.

Must not know what is found: whoever inherits from it fills the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.search import search_delegate
from desktop_app.ui.search.entries import SearchEntry
from desktop_app.ui.search.search_delegate import SearchDelegate
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import Painted, row, surface

SHADOW = 14
_SHADES = 10
"""So many rings make the shadow: of three one saw each."""
_ROW, _HEADING = 46, 28
_PAGE = 6
_LEAST = 240
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Row:
    """A heading, or the entry that can be chosen there; `note` stands beside it."""

    title: str
    note: str
    entry: SearchEntry | None = None


class _Rows(QAbstractListModel):
    """Held here and not in items of Qt, of which each is an object of C++ with one of Python beside it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case search_delegate.ENTRY:
                return row.entry
            case search_delegate.NOTE:
                return row.note
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(10, theme.current().px(_ROW if row.entry else _HEADING))
            case Qt.ItemDataRole.AccessibleDescriptionRole if row.entry:
                return row.entry.detail
            case Qt.ItemDataRole.ToolTipRole if row.entry:
                return row.entry.refused or row.entry.detail or row.title
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.rows[index.row()].entry if index.isValid() else None
        if entry is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled if entry.refused else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def clear(self) -> None:
        self.beginResetModel()
        self.rows.clear()
        self.endResetModel()

    def add(self, row: Row) -> None:
        self.beginInsertRows(_NOWHERE, len(self.rows), len(self.rows))
        self.rows.append(row)
        self.endInsertRows()


class SearchRows(QListView):
    """Entries below headings. It never takes the keyboard: whoever has it steps. `taken(entry)` is a click on one."""

    taken = Signal(object)

    def __init__(self, name: str, delegate: SearchDelegate | None = None) -> None:
        super().__init__()
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setItemDelegate(delegate or SearchDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.clicked.connect(lambda index: self.taken.emit(index.data(search_delegate.ENTRY)))

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows.rows

    @property
    def entries(self) -> list[SearchEntry | None]:
        """By row, None for a heading."""
        return [row.entry for row in self.rows]

    @property
    def current(self) -> SearchEntry | None:
        """The chosen entry."""
        at = self.currentRow()
        return self.rows[at].entry if 0 <= at < len(self.rows) else None

    @property
    def whole_height(self) -> int:
        """Pixels of all rows."""
        px = theme.current().px
        return sum(px(_ROW if row.entry else _HEADING) for row in self.rows)

    def clear(self) -> None:
        self._rows.clear()

    def add_heading(self, text: str, note: str = "") -> None:
        self._rows.add(Row(text, note))

    def add_entry(self, entry: SearchEntry, also: str = "") -> None:
        self._rows.add(Row(entry.title, also, entry))

    def currentRow(self) -> int:
        return self.currentIndex().row()

    def setCurrentRow(self, row: int) -> None:
        self.setCurrentIndex(self._rows.index(row))

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
        return self.current


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
        self._list.taken.connect(self._take)
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
                self._take(self._list.current)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _take(self, entry: SearchEntry | None) -> None:
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
        painter.setBrush(current.tint("shadow_popup.color", current.value("shadow_popup", "alpha") / _SHADES))
        for shade in range(_SHADES):
            spread = (SHADOW - 4) * (shade / _SHADES) ** 1.5
            painter.drawRoundedRect(
                body.adjusted(-spread, -spread + 4, spread, spread + 4), round + spread, round + spread
            )
        painter.setPen(QPen(current.color("background.border_strong"), 1))
        painter.setBrush(current.color("background.overlay"))
        painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), round, round)
