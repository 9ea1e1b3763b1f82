"""Paints cards after the tokens node_card, resource_card and simple_card. Knows faces, not workflows.

What is measured once for a face is in card_measure, the result area in card_result.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_app.ui.graph.items import card_lod, card_result
from desktop_app.ui.graph.items.card_layout import NODE, RESOURCE, CardLook, shows_percent, title_at
from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.graph.items.card_text import readable, write
from desktop_app.ui.graph.items.result_pixmaps import ResultPictures
from desktop_app.ui.theme import icons, shapes, theme

_OFF = frozenset({"bypassed", "muted"})
_DASHED = frozenset({"skipped", "cancelled"}) | _OFF
_TITLE_ABOVE, _SAID_FROM, _SAID_HIGH = 0.66, 0.46, 0.42
"""Parts of a header: in how much of it the title is in the middle, and where what the step was told stands below it."""


def paint(
    painter: QPainter, look: CardLook, zoom: float, results: ResultPictures | None = None, selected: bool = False,
    outlined: bool = False, hovered: bool = False,
) -> None:  # fmt: skip
    """Paints the card at (0, 0). `zoom` is the scale on screen; below 45 % the simple card is painted. Without
    `results` there is no result area.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _ring(painter, look, selected, outlined)
    if zoom < card_lod.SIMPLE_BELOW:
        card_lod.paint(painter, look.face, look.body, max(zoom, 0.05))
        return
    opacity = painter.opacity()
    if look.face.state in _OFF:
        painter.setOpacity(0.7 * opacity)
    _body(painter, look, hovered)
    if look.face.is_resource:
        _resource_header(painter, look, zoom)
    else:
        _header(painter, look, zoom)
    if results is not None:
        card_result.paint(painter, look, zoom, results)
    _labels(painter, look, zoom)
    painter.setOpacity(opacity)


def _radius(face: CardModel) -> float:
    return float(RESOURCE["radius"] if face.is_resource else NODE["radius"])


def _ring(painter: QPainter, look: CardLook, selected: bool, outlined: bool) -> None:
    if not (selected or outlined):
        return
    offset, line = NODE["selection"]["offset"], theme.current().color("accent.line")
    pen = QPen(line, NODE["selection"]["width"] if selected else 1.8)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if selected:
        fill = theme.faded(line, NODE["selection"]["fill_alpha"])
        painter.setBrush(fill)
    else:
        pen.setDashPattern([3, 2])
    painter.setPen(pen)
    radius = _radius(look.face) + offset
    painter.drawRoundedRect(look.body.adjusted(-offset, -offset, offset, offset), radius, radius)


def _body(painter: QPainter, look: CardLook, hovered: bool) -> None:
    current, face = theme.current(), look.face
    radius = _radius(face)
    painter.setPen(Qt.PenStyle.NoPen)
    for layer in current.value("shadow_card", "layers"):
        spread = layer["spread"]
        painter.setBrush(current.tint("shadow_card.color", layer["alpha"]))
        rect = look.body.adjusted(-spread, -spread + layer["y"], spread, spread + layer["y"])
        painter.drawRoundedRect(rect, radius + spread, radius + spread)
    pen = QPen(current.color("background.border_strong" if hovered else "background.border"), 1.0)
    if face.is_resource:
        edge = theme.faded(current.type_color(face.type), 1.0 if hovered else RESOURCE["border_alpha"])
        pen = QPen(edge, 1.2)
    elif face.state in card_lod.LOUD:
        pen = QPen(shapes.state_color(face.state), 1.5)
    elif face.state in _DASHED:
        pen = QPen(current.color("background.border_strong"), 1.2)
        pen.setDashPattern([3.2, 2.6])
    painter.setPen(pen)
    painter.setBrush(current.color("background.card"))
    half = pen.widthF() / 2 if face.state in card_lod.LOUD else 0.5
    painter.drawRoundedRect(look.body.adjusted(half, half, -half, -half), radius, radius)


def _write_title(painter: QPainter, look: CardLook, left: float, high: float, color: QColor, zoom: float) -> None:
    """The title in the middle, or above what the step was told, where both can be read."""
    font, text = title_at(look.face, zoom)
    if look.said and "\n" not in text and readable(theme.current().font("node_footer"), zoom):
        ink = theme.current().color("text.secondary")
        write(
            painter, QRectF(left, high * _SAID_FROM, look.width, high * _SAID_HIGH), look.said, "node_footer", ink, zoom
        )
        high *= _TITLE_ABOVE
    painter.setFont(font)
    painter.setPen(color)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
    painter.drawText(QRectF(left, 0, look.width, high), int(flags), text)


def _header(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    color = current.type_color(face.type)
    tile = QRectF(NODE["icon_tile_inset"], NODE["icon_tile_inset"], NODE["icon_tile"], NODE["icon_tile"])
    ground = theme.faded(color, 0.18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(tile, 5, 5)
    gap = (NODE["icon_tile"] - NODE["icon"]) / 2
    icons.paint(painter, tile.adjusted(gap, gap, -gap, -gap), face.icon, color)
    ink = current.color("text.secondary" if face.state in _DASHED else "text.primary")
    _write_title(painter, look, NODE["title_x"], NODE["header"] + 1, ink, zoom)
    glyph = NODE["state_glyph"]
    middle = look.width - NODE["state_glyph_center_from_right"]
    if face.state != "idle":
        place = QRectF(middle - glyph / 2, (NODE["header"] - glyph) / 2, glyph, glyph)
        shapes.paint_state(painter, place, face.state, face.fraction)
    if shows_percent(face):
        text = f"{face.fraction * 100:.0f} %"
        place = QRectF(0, 0, middle - glyph / 2 - 5, NODE["header"])
        write(painter, place, text, "node_footer", current.color("accent.text"), zoom, right=True)


def _resource_header(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    tint = theme.faded(current.type_color(face.type), RESOURCE["header_tint_alpha"])
    radius, high = _radius(face) - 1, float(RESOURCE["header"])
    path = QPainterPath(QPointF(1, high))
    path.lineTo(1, 1 + radius)
    path.quadTo(1, 1, 1 + radius, 1)
    path.lineTo(look.width - 1 - radius, 1)
    path.quadTo(look.width - 1, 1, look.width - 1, 1 + radius)
    path.lineTo(look.width - 1, high)
    path.closeSubpath()
    painter.fillPath(path, tint)
    shapes.paint_type(painter, QRectF(11, high / 2 - 5.5, 11, 11), face.type, True)
    _write_title(painter, look, 30, high, current.color("text.primary"), zoom)


def _labels(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    ink, inset, row = current.color("text.secondary"), NODE["port_label_inset"], NODE["port_row"]
    room = look.width - 2 * inset
    for i, port in enumerate(face.inputs):
        write(painter, QRectF(inset, look.ports_top + i * row, room, row), port.label, "node_label", ink, zoom)
    for i, port in enumerate(face.outputs):
        write(painter, QRectF(inset, look.ports_top + i * row, room, row), port.label, "node_label", ink, zoom, True)
    faint = current.color("text.tertiary")
    if face.is_resource:
        write(painter, QRectF(12, look.ports_top, look.width, row), face.left, "node_footer", faint, zoom)
        return
    top = look.height - NODE["footer"]
    painter.setPen(QPen(current.color("background.border"), 1))
    painter.drawLine(QPointF(9, top + 0.5), QPointF(look.width - 9, top + 0.5))
    footer = QRectF(12, top, look.width - 24, NODE["footer"])
    write(painter, footer, look.left, "node_footer", faint, zoom)
    quiet = face.state in ("idle", "waiting", "skipped", "cancelled", "bypassed", "muted")
    color = (
        faint if quiet else current.color("accent.text") if face.state == "running" else shapes.state_color(face.state)
    )
    write(painter, footer, look.words, "node_footer", color, zoom, right=True)
