"""The result area of a card: picture, step preview, waveform, excerpt of a text, or the reason why there is none."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.items.card_layout import NODE, PADDING, PLATE, CardLook, line_height, set_lines
from desktop_app.ui.graph.items.card_model import PICTURES
from desktop_app.ui.graph.items.card_text import plate, readable, write
from desktop_app.ui.graph.items.result_pixmaps import ResultPictures
from desktop_app.ui.support import formatting
from desktop_app.ui.theme import icons, theme

_FAINT = 0.4
_READABLE = 0.7
"""How much is seen of a picture that is out of date, and of what is to be read."""
_SIGN = 11.0
"""How large the sign of a film is, on the card where its length is written, else on screen."""
_SIGN_ROOM = "\u2003 "  # an em wide, where the sign goes


def paint(painter: QPainter, look: CardLook, zoom: float, results: ResultPictures) -> None:
    """Paints the result area of the card; `zoom` is the scale on screen."""
    face, area = look.face, look.thumb
    picture = None
    if face.preview:
        picture = results.preview(face.preview, look.thumb_size)
    elif face.result is not None and theme.base_type(face.result.type) in PICTURES:
        picture = results.picture(face.result, look.thumb_size, face.under)
    if face.preview or face.result is not None:
        picture = look.picture = picture or look.picture  # the last one stays until the next has been read
    opacity = painter.opacity()
    _ground(painter, look)  # behind pictures, too: a white edge of one would be none on a white card
    if face.state == "outdated" and face.result is not None:
        painter.setOpacity((_FAINT if picture is not None else _READABLE) * opacity)
    if picture is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(area, picture, QRectF(picture.rect()))
    else:
        _well(painter, look, zoom, results)
    painter.setOpacity(opacity)
    if face.state == "running":
        _progress(painter, area, face.fraction, picture is not None)
        if face.preview:
            plate(painter, area.left() + 6, area.top() + 6, face.note, zoom)
    elif face.notice:
        top = area.top() + 6 if face.more else area.bottom() - PLATE
        _notice(painter, area, top, formatting.first_sentence(face.notice), zoom)
    if face.more:
        plate(painter, area.left() + 6, area.bottom() - PLATE, f"+ {face.more}", zoom)
    elif picture is not None and face.result is not None and not face.preview:
        _length(painter, area, length_of(face.result), zoom)


def length_of(result: Resource) -> str:
    """How long a film is, as a clock shows it; "" of what does not move."""
    seconds = result.facets.get("seconds")
    return formatting.clock(seconds) if seconds and theme.base_type(result.type) == "video" else ""


def _length(painter: QPainter, area: QRectF, length: str, zoom: float) -> None:
    """That it is a film, and how long where that can be read, at the lower right: the lower left is where what one
    should know stands."""
    if not length:
        return
    font = theme.current().font("node_badge")
    side = _SIGN if readable(font, zoom) else _SIGN / zoom
    words = QFontMetricsF(font).horizontalAdvance(length) + 4 if readable(font, zoom) else 0.0
    ground = QRectF(0, 0, side + words + 12, side + 6)
    ground.moveBottomRight(area.bottomRight() - QPointF(6, 5))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().tint("on_picture.background", 0.78))
    painter.drawRoundedRect(ground, ground.height() / 2, ground.height() / 2)
    ink = theme.current().color("on_picture.text")
    icons.paint(painter, QRectF(ground.left() + 6, ground.top() + 3, side, side), "play-solid", ink)
    write(painter, ground.adjusted(side + 10, 0, 0, 0), length, "node_badge", ink, zoom)


def _notice(painter: QPainter, area: QRectF, top: float, text: str, zoom: float) -> None:
    """What one should know of the result, on a dark plate; it asks for nothing, so its sign is no question."""
    font = theme.current().font("node_badge")
    if not readable(font, zoom):
        return
    room = area.width() - 12 - 30
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
    plate(painter, area.left() + 6, top, f"{_SIGN_ROOM}{shown}", zoom)
    ink = theme.current().color("on_picture.text")
    icons.paint(painter, QRectF(area.left() + 11, top + 2.5, 12, 12), "info", ink)


def _well(painter: QPainter, look: CardLook, zoom: float, results: ResultPictures) -> None:
    current, face = theme.current(), look.face
    faint = face.is_resource or face.result is not None
    if face.result is not None and face.type == "audio":
        peaks = results.waveform(face.result)
        if peaks:
            paint_waveform(painter, look.well.adjusted(PADDING, 8, -PADDING, -8), peaks, current.type_color("audio"))
        return
    if face.result is not None and theme.base_type(face.type) not in PICTURES:
        _take_excerpt(look, results.text(face.result))
    ink = current.color("text.secondary" if faint or face.state != "waiting" else "text.tertiary")
    if look.lines and not readable(current.font("node_label"), zoom):
        side = min(34.0, look.thumb.height() * 0.5)
        place = QRectF(0, 0, side, side)
        place.moveCenter(look.thumb.center())
        icons.paint(painter, place, face.icon or "file-text", current.color("text.disabled"))
        return
    top, height = look.well.top() + 7, line_height()
    for i, line in enumerate(look.lines):
        color = current.color("state.failed") if i < look.headlines else ink
        place = QRectF(look.thumb.left() + PADDING, top + i * height, look.thumb.width(), height)
        write(painter, place, line, "node_label", color, zoom)


def _ground(painter: QPainter, look: CardLook) -> None:
    current = theme.current()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current.color("background.canvas" if current.name == "light" else "background.field"))
    painter.drawRoundedRect(look.thumb, NODE["thumb_radius"], NODE["thumb_radius"])


def _take_excerpt(look: CardLook, text: str | None) -> None:
    if text is not None and text != look.excerpt:
        look.excerpt = text
        set_lines(look, "", text or formatting.translate("Nothing was found."))


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
    high = NODE["progress_on_thumb"]
    clip = QPainterPath()
    clip.addRoundedRect(area, NODE["thumb_radius"], NODE["thumb_radius"])
    painter.save()
    painter.setClipPath(clip, Qt.ClipOperation.IntersectClip)
    bar = QRectF(area.left(), area.bottom() - high, area.width(), high)
    painter.fillRect(bar, current.color("on_picture.background" if on_picture else "background.hover"))
    bar.setWidth(area.width() * fraction)
    painter.fillRect(bar, current.color("accent.line"))
    painter.restore()
