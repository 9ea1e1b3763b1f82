"""The upper half of an example's card: what it works on and what this program made of it, side by side.

Must not know the Session, nor what reads sounds and films: what is shown of those is shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QImageReader, QPainter

from desktop_app.storage.examples import Example
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import color, px
from desktop_app.ui.widgets.glyphs import paint_lines, paint_point
from desktop_app.ui.widgets.picture import paint_play
from nodes.api import ResourceType

_T = ResourceType
_LONGEST = 480
_EXCERPT = 200
_TEXTS = (".txt", ".md")
_ICONS = {_T.AUDIO: "audio-lines", _T.VIDEO: "film", _T.TEXT: "file-text", _T.TABLE: "table"}


@dataclass(frozen=True)
class Content:
    """What was read for a face: the picture before and after, or the beginning of the text it works on."""

    before: QImage | None = None
    after: QImage | None = None
    text: str = ""


def read(example: Example) -> Content:
    """Reads what the face of an example shows; on a thread. What cannot be read is left out."""
    first = example.files[0] if example.files else None
    after = example.result.picture if example.result else None
    if example.picture is None and first is not None and first.suffix in _TEXTS:
        return Content(text=_beginning(first))
    return Content(_picture(example.picture), _picture(after))


def _picture(path: Path | None) -> QImage | None:
    if path is None:
        return None
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > _LONGEST:
        reader.setScaledSize(size.scaled(QSize(_LONGEST, _LONGEST), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image


def _beginning(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return " ".join(file.read(_EXCERPT).split())
    except OSError:
        return ""


def paint(painter: QPainter, area: QRectF, example: Example, content: Content) -> None:
    painter.fillRect(area, color("background.canvas"))
    result, before, after = example.result, content.before, content.after
    if before is not None and after is not None:
        film = result is not None and result.film
        _beside(painter, area, example, before, after) if example.points or film else _split(
            painter, area, before, after
        )
        if film:
            paint_play(painter, QRectF(area.right() - px(40), area.bottom() - px(40), px(36), px(36)))
    elif before is not None and result is not None and result.boxes:
        _counted(painter, area, before, example)
    elif before is not None and result is not None and result.words:
        _spoken(painter, area, before, example)
    elif before is not None:
        _fill(painter, area, before)
    elif result is not None and result.peaks:
        half = len(result.peaks) // 2
        inner = area.adjusted(px(16), px(36), -px(16), -px(36))
        _bars(painter, inner, (*result.before[:half], *result.peaks[half:]), 0.5 if result.before else 0.0)
    elif content.text:
        _told(painter, area, content.text, result.words if result else "")
    else:
        _sign(painter, area, example)


# Pictures


def _window(image: QImage, area: QRectF, x: float = 0.5, y: float = 0.5) -> QRectF:
    """The part of the picture that fills the area, as near to the place (fractions of the picture) as it can be."""
    factor = max(area.width() / image.width(), area.height() / image.height())
    wide, high = area.width() / factor, area.height() / factor
    left = min(max(0.0, x * image.width() - wide / 2), image.width() - wide)
    top = min(max(0.0, y * image.height() - high / 2), image.height() - high)
    return QRectF(left, top, wide, high)


def _fill(painter: QPainter, area: QRectF, image: QImage) -> None:
    painter.drawImage(area, image, _window(image, area))


def _whole(painter: QPainter, area: QRectF, image: QImage) -> None:
    """All of a page, with its own ground where the area is of another shape: a line that is cut cannot be read."""
    painter.fillRect(area, image.pixelColor(0, 0))
    size = QSizeF(image.size()).scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
    target = QRectF(QPointF(), size)
    target.moveCenter(area.center())
    painter.drawImage(target, image)


def _split(painter: QPainter, area: QRectF, before: QImage, after: QImage) -> None:
    """One picture: left as it was, right as it became."""
    _fill(painter, area, before)
    painter.save()
    painter.setClipRect(_halves(area, 0)[1], Qt.ClipOperation.IntersectClip)
    _fill(painter, area, after)
    painter.restore()
    _seam(painter, area)


def _beside(painter: QPainter, area: QRectF, example: Example, before: QImage, after: QImage) -> None:
    """What it is about, twice: as it was, with the points, and as it became."""
    size = QImageReader(str(example.picture)).size()  # points are in pixels of the file
    points = [(x / size.width(), y / size.height(), include) for x, y, include in example.points]
    place = points[0][:2] if points else (0.5, 0.5)
    left, right = _halves(area, 0)
    part = _window(before, left, *place)
    painter.drawImage(left, before, part)
    painter.drawImage(right, after, _window(after, right, *place))
    factor = left.width() / part.width()
    for x, y, include in points:
        spot = QPointF(x * before.width() - part.left(), y * before.height() - part.top()) * factor
        paint_point(painter, left.topLeft() + spot, px(5), include)
    _seam(painter, area)


def _counted(painter: QPainter, area: QRectF, image: QImage, example: Example) -> None:
    assert example.result is not None
    part = _window(image, area)
    painter.drawImage(area, image, part)
    factor = area.width() / part.width()
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, wide in ((QColor(color("marker.glyph")), px(3)), (theme.current().type_color(_T.IMAGE), px(1.6))):
        pen = painter.pen()
        pen.setColor(ink)
        pen.setWidthF(wide)
        painter.setPen(pen)
        for x, y, width, height in example.result.boxes:
            corner = QPointF(x * image.width() - part.left(), y * image.height() - part.top()) * factor
            size = QPointF(width * image.width(), height * image.height()) * factor
            painter.drawRect(QRectF(area.topLeft() + corner, area.topLeft() + corner + size))
    painter.restore()
    _plate(painter, area, example.result.number)


def _plate(painter: QPainter, area: QRectF, text: str) -> None:
    """Words on a picture, on their dark plate, bottom left."""
    font = theme.current().font("title")
    wide, high = QFontMetricsF(font).horizontalAdvance(text) + px(16), px(24)
    plate = QRectF(area.left() + px(8), area.bottom() - px(8) - high, wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color("on_picture.background"))
    painter.drawRoundedRect(plate, px(6), px(6))
    painter.setFont(font)
    painter.setPen(color("on_picture.text"))
    painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), text)


# Words and sounds


def _spoken(painter: QPainter, area: QRectF, image: QImage, example: Example) -> None:
    """Left the picture, right what was read from it, and how it sounds."""
    assert example.result is not None
    left, right = _halves(area, px(1))
    _whole(painter, left, image)
    inner = right.adjusted(px(10), px(10), -px(8), -px(10))
    sound = px(30) if example.result.peaks else 0
    if sound:
        below = QRectF(inner.left(), inner.bottom() - sound, inner.width(), sound)
        _bars(painter, below, example.result.peaks)
    _words(painter, inner.adjusted(0, 0, 0, -sound - px(6) if sound else 0), example.result.words, font="caption")
    _seam(painter, area)


def _told(painter: QPainter, area: QRectF, before: str, after: str) -> None:
    """The beginning of a text, and below it what was made of it."""
    inner = area.adjusted(px(16), px(10), -px(16), -px(8))
    if not after:
        _words(painter, inner, before, "text.secondary")
        return
    line = QFontMetricsF(theme.current().font("small")).lineSpacing()
    above = QRectF(inner.left(), inner.top(), inner.width(), 2 * line + 1)
    _words(painter, above, before, "text.tertiary")
    seam = above.bottom() + px(7)
    painter.fillRect(QRectF(inner.left(), seam, inner.width(), px(1)), color("background.border_strong"))
    _words(painter, QRectF(inner.left(), seam + px(7), inner.width(), inner.bottom() - seam - px(6)), after)


def _words(painter: QPainter, area: QRectF, text: str, token: str = "text.primary", font: str = "small") -> None:
    painter.setFont(theme.current().font(font))
    painter.setPen(color(token))
    paint_lines(painter, area, text)


def _bars(painter: QPainter, area: QRectF, peaks: tuple[float, ...], faint: float = 0.0) -> None:
    """Loudness 0..1 as bars, 3 wide with gaps of 2; those of the first part (a fraction) are faint."""
    step, wide = px(5), px(3)
    count = max(1, int((area.width() + step - wide) // step))
    start = area.left() + (area.width() - (count * step - (step - wide))) / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().type_color(_T.AUDIO))
    for index in range(count):
        first, last = index * len(peaks) // count, (index + 1) * len(peaks) // count
        high = max(px(2), max(peaks[first : max(first + 1, last)]) * area.height())
        painter.setOpacity(0.4 if index / count < faint else 1.0)
        painter.drawRoundedRect(
            QRectF(start + index * step, area.center().y() - high / 2, wide, high), wide / 2, wide / 2
        )
    painter.setOpacity(1.0)


def _sign(painter: QPainter, area: QRectF, example: Example) -> None:
    place = QRectF(0, 0, px(28), px(28))
    place.moveCenter(area.center())
    kind = next((type for type in _ICONS if type in example.types[:1]), None)
    icons.paint(painter, place, _ICONS.get(kind, "image") if kind else "image", color("text.tertiary"))


def _halves(area: QRectF, gap: float) -> tuple[QRectF, QRectF]:
    middle = area.center().x()
    left = QRectF(area.left(), area.top(), middle - area.left() - gap / 2, area.height())
    return left, QRectF(middle + gap / 2, area.top(), area.right() - middle - gap / 2, area.height())


def _seam(painter: QPainter, area: QRectF) -> None:
    painter.fillRect(QRectF(area.center().x() - px(1), area.top(), px(2), area.height()), color("on_picture.text"))
