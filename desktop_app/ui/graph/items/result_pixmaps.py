"""Pictures, excerpts and waveforms of results for cards: read on threads, scaled, rounded, kept.

Must not know cards or the Session: what can be shown comes from three callables.
"""

from __future__ import annotations

import html
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPixmap

from desktop_app.core.errors import StorageError
from desktop_app.i18n import catalogue
from desktop_app.session.answering import answer_tables
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import media_reader
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.theme import theme
from desktop_app.ui.theme.shapes import paint_board
from nodes.api import ResourceType, Table

Pictures = Callable[[Resource], QImage | None]
Texts = Callable[[Resource], str]
Peaks = Callable[[Resource], Sequence[float]]

DENSITY = 2.0
EXCERPT = 400
_MOST_READ = 200_000
_UNSEEN = re.compile(r"<(head|style|script)\b.*?</\1>|<!--.*?-->|<[^>]+>", re.IGNORECASE | re.DOTALL)
"""What of a page nobody reads."""
_KEPT = 200
_LONGEST = 640
_OUTSIDE_MASK = 110


class ResultPictures(QObject):
    """`ready(key)` tells that what was asked for has come; keys are digests of resources or files of previews.

    The callables are called on threads; they must touch no widget, and may raise: then nothing is shown.
    """

    ready = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pictures: Pictures | None = None
        self.texts: Texts | None = None
        self.peaks: Peaks | None = None
        self._loader = BackgroundReader(self)
        self._found: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._asked: set[tuple[Any, ...]] = set()

    def use_files(self, path_of: Callable[[Resource], Path]) -> None:
        self.pictures = lambda resource: _read_picture(path_of(resource), resource.type)
        self.texts = lambda resource: _told(path_of(resource), resource)
        self.peaks = lambda resource: media_reader.outline(path_of(resource), 42).peaks

    def keep(self, shown: set[str]) -> None:
        """Forgets all but what is about these keys, as `ready` tells them."""
        for key in [key for key in self._found if key[1] not in shown]:
            del self._found[key]

    def wait(self) -> None:
        """Waits for the threads; for the end of the program and for tests."""
        self._loader.wait()

    def picture(self, resource: Resource, size: QSize, under: Resource | None = None) -> QPixmap | None:
        """A picture as large as `size` lets it be, at twice that many pixels; None while it is read.

        With `under`, `resource` is a mask and is laid over that picture.
        """
        if self.pictures is None:
            return None
        key = ("picture", resource.digest, under.digest if under else "", size.width(), size.height())
        return self._get(key, partial(_compose, self.pictures, resource, under, size), resource.digest)

    def preview(self, path: str, size: QSize) -> QPixmap | None:
        """The picture in a file, in the same form."""
        key = ("preview", path, size.width(), size.height())
        return self._get(key, partial(_whole_file, path, size), path)

    def text(self, resource: Resource) -> str | None:
        """The beginning of a text; None while it is read."""
        if self.texts is None:
            return None
        return self._get(("text", resource.digest, str(resource.type)), partial(self.texts, resource), resource.digest)

    def waveform(self, resource: Resource) -> tuple[float, ...] | None:
        """Peaks 0..1 of a sound; None while it is read."""
        if self.peaks is None:
            return None
        return self._get(("peaks", resource.digest), partial(_peaks, self.peaks, resource), resource.digest)

    def _get(self, key: tuple[Any, ...], work: Callable[[], Any], about: str) -> Any:
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        if key not in self._asked:
            self._asked.add(key)
            self._loader.run(partial(_tagged, key, about, work), self._keep)
        return None

    def _keep(self, outcome: Any) -> None:
        key, about, value = outcome
        if isinstance(value, Exception):
            return
        self._asked.discard(key)
        self._found[key] = _rounded(value) if isinstance(value, QImage) else value
        while len(self._found) > _KEPT:
            self._found.popitem(last=False)
        self.ready.emit(about)


def _tagged(key: tuple[Any, ...], about: str, work: Callable[[], Any]) -> tuple[Any, str, Any]:
    try:
        return key, about, work()
    except Exception as error:  # an edge: a result that cannot be shown must not end the thread
        return key, about, error


def _read_picture(path: Path, type: ResourceType) -> QImage | None:
    if type is ResourceType.VIDEO:
        return media_reader.frame(path, _LONGEST)
    return media_reader.picture(path, type, _LONGEST) if type in media_reader.PICTURES else None


def _told(path: Path, resource: Resource) -> str:
    """A file of which there is nothing to read is told by its own name: in the store it has another."""
    if resource.type is not ResourceType.FILE:
        return excerpt(path, resource.type)
    try:
        return _excerpt_of(media_reader.value(path, resource.type))
    except StorageError:
        return resource.name


def excerpt(path: Path, type: ResourceType) -> str:
    """The value in a file as a few words. Raises NodeError when it cannot be read."""
    if type in (ResourceType.FILE, ResourceType.VIDEO):
        return path.name
    return _words_of(media_reader.value(path, type), type)


def _words_of(value: Any, type: ResourceType) -> str:
    if type is ResourceType.HTML:
        value = html.unescape(_UNSEEN.sub(" ", value[:_MOST_READ]))
    if isinstance(value, str | Table):
        return _excerpt_of(value)
    if type is ResourceType.LABELS:
        return "\n".join(f"{_word(label.name)}  {label.score:.0%}" for label in value[:6])
    if type is ResourceType.POINTS:
        return "\n".join(f"{'+' if p.include else '−'} {p.x:.0f}, {p.y:.0f}" for p in value[:6])
    if type is ResourceType.BOXES:
        return "\n".join(
            f"{_word(b.label or 'box')}  {b.x0:.0f}, {b.y0:.0f} – {b.x1:.0f}, {b.y1:.0f}" for b in value[:6]
        )
    if isinstance(value, bool):
        return catalogue.say("yes" if value else "no")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _excerpt_of(value: str | Table) -> str:
    """The first rows of a table, the first lines of a text."""
    if isinstance(value, str):
        lines = (" ".join(line.split()) for line in value[:_MOST_READ].splitlines())
        return "\n".join(filter(None, lines))[:EXCERPT]
    table = answer_tables.in_words(Table(value.columns, value.rows[:4]), False)
    rows = [" · ".join("" if c is None else str(c) for c in row) for row in table.rows]
    return "\n".join([" · ".join(table.columns), *rows])


def _word(label: str) -> str:
    """What a tool calls a thing, in the language of the window."""
    return catalogue.find(label, "things", "types") or label


def _peaks(source: Peaks, resource: Resource) -> tuple[float, ...]:
    return tuple(source(resource))


def _compose(source: Pictures, resource: Resource, under: Resource | None, size: QSize) -> QImage:
    image = source(resource)
    if image is None:
        return QImage()
    base = source(under) if under is not None else None
    if base is None or base.isNull():
        return _whole(image, size)
    return _whole(_overlaid(base, image), size)


def _overlaid(base: QImage, mask: QImage) -> QImage:
    """The picture, darkened where the mask is not, coloured where it is."""
    result = base.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    alpha = mask.convertToFormat(QImage.Format.Format_Grayscale8).scaled(
        base.size(), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    inside, outside = QImage(result.size(), QImage.Format.Format_ARGB32), QImage(alpha)
    outside.invertPixels()
    values = theme.tokens()["themes"]["dark"]["mask_overlay"]
    inside.fill(QColor(values["fill"]))
    inside.setAlphaChannel(alpha)
    shade = QImage(result.size(), QImage.Format.Format_ARGB32)
    shade.fill(Qt.GlobalColor.black)
    shade.setAlphaChannel(outside)
    painter = QPainter(result)
    painter.setOpacity(_OUTSIDE_MASK / 255)
    painter.drawImage(0, 0, shade)
    painter.setOpacity(values["fill_alpha"])
    painter.drawImage(0, 0, inside)
    painter.end()
    return result


def _whole_file(path: str, size: QSize) -> QImage:
    return _whole(media_reader.picture(Path(path), ResourceType.IMAGE, _LONGEST), size)


def _whole(image: QImage, size: QSize) -> QImage:
    """The picture in `size` at DENSITY, transparency on a board. Nothing is cut: a frame is at the edge."""
    if image.isNull():
        return image
    wanted = size * DENSITY
    scaled = image.scaled(wanted, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    result = QImage(wanted, QImage.Format.Format_ARGB32_Premultiplied)
    result.fill(Qt.GlobalColor.transparent)
    left, top = (wanted.width() - scaled.width()) // 2, (wanted.height() - scaled.height()) // 2
    painter = QPainter(result)
    if image.hasAlphaChannel():
        paint_board(painter, QRect(left, top, scaled.width(), scaled.height()) & result.rect(), round(8 * DENSITY))
    painter.drawImage(left, top, scaled)
    painter.end()
    return result


def _rounded(image: QImage) -> QPixmap | None:
    if image.isNull():
        return None
    result = QPixmap(image.size())
    result.fill(Qt.GlobalColor.transparent)
    path = QPainterPath()
    radius = theme.tokens()["node_card"]["thumb_radius"] * DENSITY
    path.addRoundedRect(QRectF(0, 0, image.width(), image.height()), radius, radius)
    painter = QPainter(result)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(path)
    painter.drawImage(0, 0, image)
    painter.end()
    return result
