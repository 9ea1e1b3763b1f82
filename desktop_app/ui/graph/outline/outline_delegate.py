"""Paints the rows of the outline: cards with the glyph and word of their state, ports with the shape of their type."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.graph.outline.outline_text import PortRow
from desktop_app.ui.theme import icons, shapes, theme
from desktop_app.ui.widgets.glyphs import write

CARD = Qt.ItemDataRole.UserRole
PORT = Qt.ItemDataRole.UserRole + 1
FACE = Qt.ItemDataRole.UserRole + 2
DRAWN = Qt.ItemDataRole.UserRole + 3
_ICONS = {"note": "message-square", "frame": "group"}
_HEIGHT = 28
_QUIET = ("idle", "waiting", "skipped", "cancelled", "bypassed", "muted", "")
_Index = QModelIndex | QPersistentModelIndex


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
