"""Paints cards after the tokens node_card, resource_card and simple_card. Knows faces, not workflows.

`CardLook` holds what is worked out once for a face: sizes, elided titles, wrapped lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.ui import card_simple, icons, shapes, theme
from desktop_app.ui.card_face import PICTURES, Face
from desktop_app.ui.result_pictures import ResultPictures

_NODE = theme.tokens()["node_card"]
_RESOURCE = theme.tokens()["resource_card"]
_SMALLEST_TEXT = theme.tokens()["font"]["smallest_on_screen"]["text_hidden_below_px"]
_TITLE_PIXELS = 9.0
_LINE = 16.0
_PADDING = 10.0
_LOUD = frozenset({"running", "input", "failed"})
_DASHED = frozenset({"skipped", "cancelled", "bypassed"})
_TEXT_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


@dataclass
class CardLook:
    """The measured form of a face. Rectangles are in the card's own pixels, origin at its top left corner."""

    face: Face
    width: float = 0.0
    height: float = 0.0
    thumb: QRectF = field(default_factory=QRectF)
    ports_top: float = 0.0
    title: str = ""
    left: str = ""
    words: str = ""
    lines: list[str] = field(default_factory=list)
    headlines: int = 0
    excerpt: str | None = None
    picture: QPixmap | None = None

    @property
    def body(self) -> QRectF:
        """The card without shadow and ring."""
        return QRectF(0, 0, self.width, self.height)

    @property
    def thumb_size(self) -> QSize:
        """Whole pixels of the result area."""
        return self.thumb.size().toSize()


def size_of(face: Face) -> tuple[float, float]:
    """Width and height of a face's card."""
    look = measure(face, words=False)
    return look.width, look.height


def measure(face: Face, words: bool = True) -> CardLook:
    """The look of a face; `words` says whether its texts are to be cut to fit as well."""
    look = CardLook(face)
    if face.is_resource:
        look.width = float(_RESOURCE["width"])
        look.thumb = QRectF(8, _RESOURCE["header"] + 4, look.width - 16, _RESOURCE["thumb_height"])
        look.ports_top = look.thumb.bottom() + 1
        look.height = look.ports_top + _RESOURCE["port_row"] + _RESOURCE["bottom"]
    else:
        look.width = float(_NODE["width"])
        inset = _NODE["thumb_inset"]
        high = _NODE["thumb_height"] if face.tall else _NODE["thumb_height_compact"]
        look.thumb = QRectF(inset, _NODE["header"], look.width - 2 * inset, high)
        look.ports_top = look.thumb.bottom() + _NODE["gap_below_thumb"]
        rows = max(1, len(face.inputs), len(face.outputs))
        look.height = look.ports_top + _NODE["port_row"] * rows + _NODE["footer"]
    if words:
        _cut_words(look)
    return look


def _cut_words(look: CardLook) -> None:
    current, face = theme.current(), look.face
    title = QFontMetricsF(current.font("node_title"))
    if face.is_resource:
        look.title = title.elidedText(face.title, Qt.TextElideMode.ElideMiddle, look.width - 44)
        return
    percent = QFontMetricsF(current.font("node_footer")).horizontalAdvance("100 %") + 8 if _shows_percent(face) else 0
    room = look.width - _NODE["title_x"] - 30 - percent
    look.title = title.elidedText(face.title, Qt.TextElideMode.ElideRight, room)
    footer = QFontMetricsF(current.font("node_footer"))
    look.words = footer.elidedText(face.word, Qt.TextElideMode.ElideRight, look.width * 0.55)
    room = look.width - 32 - footer.horizontalAdvance(look.words)
    look.left = footer.elidedText(face.left, Qt.TextElideMode.ElideRight, room)
    _set_lines(look, face.headline, face.text)


def _set_lines(look: CardLook, headline: str, text: str) -> None:
    metrics = QFontMetricsF(theme.current().font("node_label"))
    room = look.thumb.width() - 2 * _PADDING
    most = int((look.thumb.height() - 8) // _LINE)
    head = wrapped(headline, metrics, room, min(2, most)) if headline else []
    look.headlines = len(head)
    look.lines = head + wrapped(text, metrics, room, most - len(head))


def wrapped(text: str, metrics: QFontMetricsF, room: float, most: int) -> list[str]:
    """The text in at most `most` lines that fit into `room`; the last one elided when there is more."""
    lines: list[str] = []
    rest = [line for line in text.split("\n") if line.strip()]
    while rest and len(lines) < most:
        line = rest.pop(0).strip()
        if metrics.horizontalAdvance(line) <= room:
            lines.append(line)
            continue
        fitting = _fitting(line, metrics, room)
        if len(lines) == most - 1:
            return [*lines, metrics.elidedText(line, Qt.TextElideMode.ElideRight, room)]
        lines.append(line[:fitting].rstrip())
        rest.insert(0, line[fitting:])
    if rest and lines:
        lines[-1] = metrics.elidedText(lines[-1] + "…", Qt.TextElideMode.ElideRight, room)
    return lines


def _fitting(line: str, metrics: QFontMetricsF, room: float) -> int:
    """How many characters fit, up to the last space among them (Chinese breaks anywhere)."""
    low, high = 1, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if metrics.horizontalAdvance(line[:middle]) <= room else (low, middle - 1)
    space = line.rfind(" ", 1, low + 1)
    return space if space > 0 else low


def _shows_percent(face: Face) -> bool:
    return face.state == "running" and face.fraction > 0


def paint(
    painter: QPainter, look: CardLook, zoom: float, results: ResultPictures, selected: bool, outlined: bool,
    hovered: bool,
) -> None:  # fmt: skip
    """Paints the card at (0, 0). `zoom` is the scale on screen; below 45 % the simple card is painted."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _ring(painter, look, selected, outlined)
    if zoom < card_simple.SIMPLE_BELOW:
        card_simple.paint(painter, look.face, look.body, max(zoom, 0.05))
        return
    if look.face.state == "bypassed":
        painter.setOpacity(0.7)
    _body(painter, look, hovered)
    if look.face.is_resource:
        _resource_header(painter, look, zoom)
    else:
        _header(painter, look, zoom)
    _result(painter, look, zoom, results)
    _labels(painter, look, zoom)
    painter.setOpacity(1.0)


def _radius(face: Face) -> float:
    return float(_RESOURCE["radius"] if face.is_resource else _NODE["radius"])


def _ring(painter: QPainter, look: CardLook, selected: bool, outlined: bool) -> None:
    if not (selected or outlined):
        return
    offset, line = _NODE["selection"]["offset"], theme.current().color("accent.line")
    pen = QPen(line, _NODE["selection"]["width"] if selected else 1.8)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if selected:
        fill = QColor(line)
        fill.setAlphaF(_NODE["selection"]["fill_alpha"])
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
        edge = QColor(current.type_color(face.type))
        edge.setAlphaF(1.0 if hovered else _RESOURCE["border_alpha"])
        pen = QPen(edge, 1.2)
    elif face.state in _LOUD:
        pen = QPen(shapes.state_color(face.state), 1.5)
    elif face.state in _DASHED:
        pen = QPen(current.color("background.border_strong"), 1.2)
        pen.setDashPattern([3.2, 2.6])
    painter.setPen(pen)
    painter.setBrush(current.color("background.card"))
    half = pen.widthF() / 2 if face.state in _LOUD else 0.5
    painter.drawRoundedRect(look.body.adjusted(half, half, -half, -half), radius, radius)


def _readable(font: QFont, zoom: float) -> bool:
    return font.pointSizeF() * 96 / 72 * zoom >= _SMALLEST_TEXT


def _write(
    painter: QPainter, rect: QRectF, text: str, role: str, color: QColor, zoom: float, right: bool = False
) -> None:
    font = theme.current().font(role)
    if not text or not _readable(font, zoom):
        return
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, int(side | _TEXT_FLAGS), text)


def _write_title(painter: QPainter, look: CardLook, left: float, high: float, color: QColor, zoom: float) -> None:
    """The title, from afar in larger letters, so that it stays the last thing to be read."""
    font, text = theme.current().font("node_title"), look.title
    pixels = font.pointSizeF() * 96 / 72
    if pixels * zoom < _TITLE_PIXELS:
        font.setPointSizeF(font.pointSizeF() * _TITLE_PIXELS / (pixels * zoom))
        room = look.width - left - (_NODE["state_glyph_center_from_right"] + 12 if not look.face.is_resource else 8)
        text = QFontMetricsF(font).elidedText(look.face.title, Qt.TextElideMode.ElideRight, room)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QRectF(left, 0, look.width, high), int(Qt.AlignmentFlag.AlignLeft | _TEXT_FLAGS), text)


def _header(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    color = current.type_color(face.type)
    tile = QRectF(_NODE["icon_tile_inset"], _NODE["icon_tile_inset"], _NODE["icon_tile"], _NODE["icon_tile"])
    ground = QColor(color)
    ground.setAlphaF(0.18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(tile, 5, 5)
    gap = (_NODE["icon_tile"] - _NODE["icon"]) / 2
    icons.paint(painter, tile.adjusted(gap, gap, -gap, -gap), face.icon, color)
    ink = current.color("text.secondary" if face.state in _DASHED else "text.primary")
    _write_title(painter, look, _NODE["title_x"], _NODE["header"] + 1, ink, zoom)
    glyph = _NODE["state_glyph"]
    middle = look.width - _NODE["state_glyph_center_from_right"]
    if face.state != "idle":
        place = QRectF(middle - glyph / 2, (_NODE["header"] - glyph) / 2, glyph, glyph)
        shapes.paint_state(painter, place, face.state, face.fraction)
    if _shows_percent(face):
        text = f"{face.fraction * 100:.0f} %"
        place = QRectF(0, 0, middle - glyph / 2 - 5, _NODE["header"])
        _write(painter, place, text, "node_footer", current.color("accent.text"), zoom, right=True)


def _resource_header(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    tint = QColor(current.type_color(face.type))
    tint.setAlphaF(_RESOURCE["header_tint_alpha"])
    radius, high = _radius(face) - 1, float(_RESOURCE["header"])
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


def _result(painter: QPainter, look: CardLook, zoom: float, results: ResultPictures) -> None:
    face, area = look.face, look.thumb
    picture = None
    if face.preview:
        picture = results.preview(face.preview, look.thumb_size)
    elif face.result is not None and theme.base_type(face.result.type) in PICTURES:
        picture = results.picture(face.result, look.thumb_size, face.under)
    if face.preview or face.result is not None:
        picture = look.picture = picture or look.picture  # the last one stays until the next has been read
    if picture is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(area, picture, QRectF(picture.rect()))
    else:
        _well(painter, look, zoom, results)
    if face.state == "running":
        _progress(painter, area, face.fraction, picture is not None)
        if face.preview:
            _plate(painter, area.left() + 6, area.top() + 6, face.note, zoom)
    if face.more:
        _plate(painter, area.left() + 6, area.bottom() - 22, f"+ {face.more}", zoom)


def _well(painter: QPainter, look: CardLook, zoom: float, results: ResultPictures) -> None:
    current, face = theme.current(), look.face
    faint = face.is_resource or face.result is not None
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current.color("background.canvas" if current.name == "light" else "background.field"))
    painter.drawRoundedRect(look.thumb, _NODE["thumb_radius"], _NODE["thumb_radius"])
    if face.result is not None and face.type == "audio":
        peaks = results.waveform(face.result)
        if peaks:
            paint_waveform(painter, look.thumb.adjusted(_PADDING, 8, -_PADDING, -8), peaks, current.type_color("audio"))
        return
    if face.result is not None and theme.base_type(face.type) not in PICTURES:
        _take_excerpt(look, results.text(face.result))
    ink = current.color("text.secondary" if faint or face.state != "waiting" else "text.tertiary")
    if look.lines and not _readable(current.font("node_label"), zoom):
        side = min(34.0, look.thumb.height() * 0.5)
        place = QRectF(0, 0, side, side)
        place.moveCenter(look.thumb.center())
        icons.paint(painter, place, face.icon or "file-text", current.color("text.disabled"))
        return
    top = look.thumb.top() + 7
    for i, line in enumerate(look.lines):
        color = current.color("state.failed") if i < look.headlines else ink
        place = QRectF(look.thumb.left() + _PADDING, top + i * _LINE, look.thumb.width(), _LINE)
        _write(painter, place, line, "node_label", color, zoom)


def _take_excerpt(look: CardLook, text: str | None) -> None:
    if text is not None and text != look.excerpt:
        look.excerpt = text
        _set_lines(look, "", text)


def paint_waveform(painter: QPainter, area: QRectF, peaks: tuple[float, ...], color: QColor) -> None:
    """Bars about the middle, one for each peak (0..1)."""
    step = area.width() / len(peaks)
    painter.setPen(QPen(color, max(1.0, step * 0.5), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    middle, half = area.center().y(), area.height() / 2
    for i, peak in enumerate(peaks):
        x, reach = area.left() + (i + 0.5) * step, max(0.5, peak * half)
        painter.drawLine(QPointF(x, middle - reach), QPointF(x, middle + reach))


def _progress(painter: QPainter, area: QRectF, fraction: float, on_picture: bool) -> None:
    current = theme.current()
    high = _NODE["progress_on_thumb"]
    clip = QPainterPath()
    clip.addRoundedRect(area, _NODE["thumb_radius"], _NODE["thumb_radius"])
    painter.save()
    painter.setClipPath(clip, Qt.ClipOperation.IntersectClip)
    bar = QRectF(area.left(), area.bottom() - high, area.width(), high)
    painter.fillRect(bar, current.color("on_picture.background" if on_picture else "background.hover"))
    bar.setWidth(area.width() * fraction)
    painter.fillRect(bar, current.color("accent.line"))
    painter.restore()


def _plate(painter: QPainter, x: float, y: float, text: str, zoom: float) -> None:
    font = theme.current().font("node_badge")
    if not text or not _readable(font, zoom):
        return
    plate = QRectF(x, y, QFontMetricsF(font).horizontalAdvance(text) + 14, 17)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().tint("on_picture.background", 0.78))
    painter.drawRoundedRect(plate, 8.5, 8.5)
    _write(painter, plate.adjusted(7, 0, 0, 0), text, "node_badge", theme.current().color("on_picture.text"), zoom)


def _labels(painter: QPainter, look: CardLook, zoom: float) -> None:
    current, face = theme.current(), look.face
    ink, inset, row = current.color("text.secondary"), _NODE["port_label_inset"], _NODE["port_row"]
    room = look.width - 2 * inset
    for i, port in enumerate(face.inputs):
        _write(painter, QRectF(inset, look.ports_top + i * row, room, row), port.label, "node_label", ink, zoom)
    for i, port in enumerate(face.outputs):
        _write(painter, QRectF(inset, look.ports_top + i * row, room, row), port.label, "node_label", ink, zoom, True)
    faint = current.color("text.tertiary")
    if face.is_resource:
        _write(painter, QRectF(12, look.ports_top, look.width, row), face.left, "node_footer", faint, zoom)
        return
    top = look.height - _NODE["footer"]
    painter.setPen(QPen(current.color("background.border"), 1))
    painter.drawLine(QPointF(9, top + 0.5), QPointF(look.width - 9, top + 0.5))
    footer = QRectF(12, top, look.width - 24, _NODE["footer"])
    _write(painter, footer, look.left, "node_footer", faint, zoom)
    quiet = face.state in ("idle", "waiting", "skipped", "cancelled", "bypassed")
    color = (
        faint if quiet else current.color("accent.text") if face.state == "running" else shapes.state_color(face.state)
    )
    _write(painter, footer, look.words, "node_footer", color, zoom, right=True)
