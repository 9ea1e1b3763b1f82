"""Paints the rows of the search: headings, and entries with their icon, words and ports."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.ui.search.entries import SearchEntry
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, shapes, theme
from desktop_app.ui.widgets.glyphs import paint_key, paint_row_ground, write

ENTRY = Qt.ItemDataRole.UserRole
NOTE = Qt.ItemDataRole.UserRole + 1
BARE_ROWS = (
    "QTreeView { selection-background-color: transparent; }"
    " QTreeView::item, QTreeView::item:selected, QTreeView::item:hover { background: transparent; }"
)
"""For trees whose rows paint their own ground: else Qt also colours the place of the arrows."""
_Index = QModelIndex | QPersistentModelIndex


def type_icon(type: str) -> QIcon:
    if not type:
        return QIcon()
    density, px = icons.density(), theme.current().px
    pixmap = QPixmap(QSize(px(16), px(16)) * density)
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    shapes.paint_type(painter, QRectF(px(3), px(3), px(10), px(10)), type, True)
    painter.end()
    return QIcon(pixmap)


class SearchDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        entry: SearchEntry | None = index.data(ENTRY)
        area = QRectF(option.rect).adjusted(1, 1, -theme.current().px(5), -1)  # type: ignore[attr-defined]
        if entry is None:
            self._heading(painter, area, index)
        else:
            self._entry(painter, area, entry, index, option)
        painter.restore()

    def _heading(self, painter: QPainter, area: QRectF, index: _Index) -> None:
        px = theme.current().px
        area = area.adjusted(px(9), px(4), -px(6), 0)
        write(painter, area, str(index.data()), "caption", "text.tertiary")
        write(painter, area, str(index.data(NOTE) or ""), "caption", "text.tertiary", Qt.AlignmentFlag.AlignRight)

    def _entry(
        self, painter: QPainter, area: QRectF, entry: SearchEntry, index: _Index, option: QStyleOptionViewItem
    ) -> None:
        current = theme.current()
        paint_row_ground(painter, area, option.state, 8)  # type: ignore[attr-defined]
        painter.setOpacity(0.6 if entry.refused else 1.0)
        color = current.type_color(entry.type)
        side = current.px(28)
        tile = QRectF(area.left() + current.px(9), area.center().y() - side / 2, side, side)
        self._tile(painter, tile, entry, color)
        left = self._keys(painter, area, entry.keys) if entry.keys else self._ports(painter, area, entry)
        also = str(index.data(NOTE) or "")
        detail = second_line(entry.detail, also)
        start = tile.right() + current.px(10)
        text = QRectF(start, area.top(), left - start - current.px(8), area.height())
        self._words(painter, text, entry.title, detail, entry.lack)

    def _tile(self, painter: QPainter, tile: QRectF, entry: SearchEntry, color: QColor) -> None:
        ground = theme.faded(color, 0.18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(tile, theme.current().px(6), theme.current().px(6))
        gap = tile.width() * 0.22
        icons.paint(painter, tile.adjusted(gap, gap, -gap, -gap), entry.icon, color)

    def _words(self, painter: QPainter, area: QRectF, title: str, detail: str, lack: str) -> None:
        current = theme.current()
        half = area.height() / 2
        below = area.top() + half - current.px(2)
        second = QRectF(area.left(), below, area.width(), half)
        if lack:
            write(painter, second, lack, "caption", "state.input")
        else:
            write(painter, second, detail, "caption", "text.tertiary")
        top, height = (area.top() + current.px(3), half) if lack or detail else (area.top(), area.height())
        write(painter, QRectF(area.left(), top, area.width(), height), title, "control", "text.primary")

    def _keys(self, painter: QPainter, area: QRectF, keys: str) -> float:
        """The keys that do the same; returns where they begin."""
        current, px = theme.current(), theme.current().px
        painter.setFont(current.font("key"))
        wide = painter.fontMetrics().horizontalAdvance(keys) + px(12)
        frame = QRectF(area.right() - wide - px(9), area.center().y() - px(9), wide, px(18))
        paint_key(painter, frame, keys, "text.tertiary")
        return frame.left() - px(2)

    def _ports(self, painter: QPainter, area: QRectF, entry: SearchEntry) -> float:
        """What goes in, what comes out; returns where it begins."""
        px = theme.current().px
        half, step = px(5), px(18)
        x, y = area.right() - px(16), area.center().y()
        for type in reversed(entry.outputs[:3]):
            shapes.paint_type(painter, QRectF(x - half, y - half, 2 * half, 2 * half), type, True)
            x -= step
        if not entry.inputs:
            return x + px(6)
        painter.setPen(QPen(theme.current().color("text.tertiary"), px(13) / 10))
        arm, tip = px(35) / 10, px(2)
        painter.drawPolyline([QPointF(x - 0.75 * tip, y - arm), QPointF(x + tip, y), QPointF(x - 0.75 * tip, y + arm)])
        x -= step
        for type in reversed(entry.inputs[:3]):
            shapes.paint_type(painter, QRectF(x - half, y - half, 2 * half, 2 * half), type, True)
            x -= step
        return x + px(6)


def second_line(detail: str, also: str) -> str:
    """What stands below the title: the further word that was found, and what the entry is."""
    if also and detail:
        return translate("also: {word} · {detail}").format(word=also, detail=detail)
    return translate("also: {word}").format(word=also) if also else detail
