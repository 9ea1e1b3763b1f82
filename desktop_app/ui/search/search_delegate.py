"""Paints the rows of the search: headings, and entries with their icon, words and ports."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.ui.search.search_entry import SearchEntry
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, shapes, theme

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
        current = theme.current()
        painter.setFont(current.font("caption"))
        painter.setPen(current.color("text.tertiary"))
        area = area.adjusted(current.px(9), current.px(4), -current.px(6), 0)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), str(index.data()))
        count = str(index.data(NOTE) or "")
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), count)

    def _entry(
        self, painter: QPainter, area: QRectF, entry: SearchEntry, index: _Index, option: QStyleOptionViewItem
    ) -> None:
        current = theme.current()
        state = option.state  # type: ignore[attr-defined]
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(current.color("accent.line"), 1))
            painter.setBrush(current.color("accent.soft"))
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), current.px(8), current.px(8))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current.color("background.hover"))
            painter.drawRoundedRect(area, current.px(8), current.px(8))
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
        ground = QColor(color)
        ground.setAlphaF(0.18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(tile, theme.current().px(6), theme.current().px(6))
        gap = tile.width() * 0.22
        icons.paint(painter, tile.adjusted(gap, gap, -gap, -gap), entry.icon, color)

    def _words(self, painter: QPainter, area: QRectF, title: str, detail: str, lack: str) -> None:
        current = theme.current()
        half = area.height() / 2
        below = area.top() + half - current.px(2)
        if lack:
            painter.setFont(current.font("caption"))
            painter.setPen(current.color("state.input"))
            place = QRectF(area.left(), below, area.width(), half)
            cut = painter.fontMetrics().elidedText(lack, Qt.TextElideMode.ElideRight, int(area.width()))
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), cut)
            detail = ""
        line = (area.top() + current.px(3), half) if lack or detail else (area.top(), area.height())
        for text, role, token, top, height, side in (
            (title, "control", "text.primary", *line, Qt.AlignmentFlag.AlignVCenter),
            (detail, "caption", "text.tertiary", below, half, Qt.AlignmentFlag.AlignVCenter),
        ):
            painter.setFont(current.font(role))
            painter.setPen(current.color(token))
            room = QRectF(area.left(), top, area.width(), height)
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
            painter.drawText(room, int(side | Qt.AlignmentFlag.AlignLeft), elided)

    def _keys(self, painter: QPainter, area: QRectF, keys: str) -> float:
        """The keys that do the same; returns where they begin."""
        current, px = theme.current(), theme.current().px
        painter.setFont(current.font("key"))
        wide = painter.fontMetrics().horizontalAdvance(keys) + px(12)
        frame = QRectF(area.right() - wide - px(9), area.center().y() - px(9), wide, px(18))
        painter.setPen(QPen(current.color("background.border_strong"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        painter.setPen(current.color("text.tertiary"))
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), keys)
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
