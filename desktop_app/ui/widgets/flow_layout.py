"""A layout that sets widgets side by side and goes on in the next line when the width is used up."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, top to bottom; the height follows the width."""

    def __init__(self, gap: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _place(self, rect: QRect, move: bool) -> int:
        margins = self.contentsMargins()
        inner = rect.adjusted(margins.left(), margins.top(), -margins.right(), -margins.bottom())
        x, y, line = inner.x(), inner.y(), 0
        begun: list[tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            hint, room = item.sizeHint(), max(1, inner.width())
            if hint.width() > room:
                hint = QSize(room, item.heightForWidth(room) if item.hasHeightForWidth() else hint.height())
            if x > inner.x() and x + hint.width() > inner.right() + 1:
                _put(begun, line)
                x, y, line = inner.x(), y + line + self._gap, 0
            if move:
                begun.append((item, QRect(QPoint(x, y), hint)))
            x += hint.width() + self._gap
            line = max(line, hint.height())
        _put(begun, line)
        return y + line - rect.y() + margins.bottom()


def _put(begun: list[tuple[QLayoutItem, QRect]], high: int) -> None:
    """Gives the items of one line their places, at half its height, and forgets them."""
    for item, place in begun:
        item.setGeometry(place.translated(0, (high - place.height()) // 2))
    begun.clear()
