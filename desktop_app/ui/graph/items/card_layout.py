"""How large a card is and which words fit on it, worked out once for a face after the tokens of cards.

Knows faces, not workflows; nothing is painted here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPixmap

from desktop_app.i18n import catalogue
from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.graph.items.card_text import readable
from desktop_app.ui.theme import theme

NODE = theme.tokens()["node_card"]
RESOURCE = theme.tokens()["resource_card"]
LINE = 16.0
_CHINESE = "\u2e80"
_CLOSING, _OPENING = "，。、；：？！）】》”’…%", "（【《“‘"
PADDING = 10.0
_TITLE_FORMS = ((12.5, 9.0, 1), (10.5, 7.5, 2), (9.0, 7.0, 2))
_CHINESE_FORMS = ((12.5, 10.5, 1), (10.5, 8.0, 2), (9.0, 7.5, 2))
"""How a title may be set, the best first: pixels of its letters on the card, the least of them on screen, and lines."""
_BOLD_FROM = 11.5
"""Pixels on screen from which Chinese letters are bold: smaller ones have their strokes run together."""
PLATE = 22.0
"""What a line on a plate (a notice, how many more) takes of the result area: words and waveforms leave it free."""


@dataclass
class CardLook:
    """The measured form of a face. Rectangles are in the card's own pixels, origin at its top left corner."""

    face: CardModel
    width: float = 0.0
    height: float = 0.0
    thumb: QRectF = field(default_factory=QRectF)
    ports_top: float = 0.0
    said: str = ""
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
    def well(self) -> QRectF:
        """The part of the result area that no plate covers. A picture fills all of it, below the plates."""
        face = self.face
        has_notice = bool(face.notice) and face.state != "running"
        above = PLATE if has_notice and face.more else 0.0
        return self.thumb.adjusted(0, above, 0, -PLATE if has_notice or face.more else 0.0)

    @property
    def thumb_size(self) -> QSize:
        """Whole pixels of the result area."""
        return self.thumb.size().toSize()


def measure(face: CardModel, bare: bool = False) -> CardLook:
    """The look of a face, as yet without words: see `cut_words`. A `bare` one has no result area."""
    look = CardLook(face)
    if face.is_resource:
        look.width = float(RESOURCE["width"])
        if not bare:
            look.thumb = QRectF(8, RESOURCE["header"] + 4, look.width - 16, RESOURCE["thumb_height"])
        look.ports_top = RESOURCE["header"] if bare else look.thumb.bottom() + 1
        look.height = look.ports_top + RESOURCE["port_row"] + RESOURCE["bottom"]
    else:
        look.width = float(NODE["width"])
        inset = NODE["thumb_inset"]
        high = NODE["thumb_height"] if face.tall else NODE["thumb_height_compact"]
        if not bare:
            look.thumb = QRectF(inset, NODE["header"], look.width - 2 * inset, high)
        look.ports_top = NODE["header"] if bare else look.thumb.bottom() + NODE["gap_below_thumb"]
        rows = max(1, len(face.inputs), len(face.outputs))
        look.height = look.ports_top + NODE["port_row"] * rows + NODE["footer"]
    return look


def cut_words(look: CardLook) -> None:
    """Cuts the texts of the look's face to fit, which takes much longer than all else here."""
    look.excerpt = None
    current, face = theme.current(), look.face
    if face.is_resource:
        return
    footer = QFontMetricsF(current.font("node_footer"))
    look.words = footer.elidedText(face.word, Qt.TextElideMode.ElideRight, look.width * 0.55)
    room = look.width - 32 - footer.horizontalAdvance(look.words)
    whole = footer.horizontalAdvance(face.left) <= room
    shown = face.left if whole else face.left.rpartition(" · ")[0] or face.left  # rather no lane than half of one
    look.left = footer.elidedText(shown, Qt.TextElideMode.ElideRight, room)
    look.said = footer.elidedText(face.said, Qt.TextElideMode.ElideRight, _title_room(face, 1.0))
    set_lines(look, face.headline, face.text)


def same_words(face: CardModel, before: CardModel) -> bool:
    """True when the step only got further: nothing that `cut_words` cuts is another, nor the room for it."""
    return shows_percent(face) == shows_percent(before) and replace(face, fraction=before.fraction) == before


def title_at(face: CardModel, zoom: float) -> tuple[QFont, str]:
    """The title of a node or file as it is written in the header at that scale on screen, in one line or two: whole
    where that can be, and from afar in larger letters, so that it stays the last thing to be read.
    """
    zoom = round(min(zoom, 1.0), 2)
    known = _CHINESE_FORMS if is_chinese(face.title) else _TITLE_FORMS
    forms = tuple((max(near, far / zoom), most) for near, far, most in known)
    if face.is_resource:
        return _set_name(face.title, RESOURCE["width"] - 40, tuple(pixels for pixels, _ in forms), zoom)
    return set_title(face.title, _title_room(face, zoom), forms, zoom)


def _title_room(face: CardModel, zoom: float) -> float:
    """How wide the words in the header of a node may be."""
    footer = theme.current().font("node_footer")
    percent = shows_percent(face) and readable(footer, zoom)
    taken = QFontMetricsF(footer).horizontalAdvance("100 %") + 8 if percent else 0
    return NODE["width"] - NODE["title_x"] - 30 - taken


@lru_cache(4096)
def set_title(text: str, room: float, forms: tuple[tuple[float, int], ...], zoom: float) -> tuple[QFont, str]:
    """Font and lines of a title: the first of the `forms` (pixels on the card, lines) in which it is whole, else the
    last. `zoom` is the scale on screen.
    """
    font, lines = QFont(), list[str]()
    for pixels, most in forms:
        font = _sized(pixels, text, zoom)
        lines = wrapped(text, QFontMetricsF(font), room, most)
        if _is_whole(text, lines):
            break
    return font, "\n".join(lines)


@lru_cache(4096)
def _set_name(name: str, room: float, sizes: tuple[float, ...], zoom: float) -> tuple[QFont, str]:
    """Font and line of a file's name: the first of the `sizes` (pixels) in which it is whole, else cut in the last."""
    font = QFont()
    for pixels in sizes:
        font = _sized(pixels, name, zoom)
        if QFontMetricsF(font).horizontalAdvance(name) <= room:
            break
    return font, QFontMetricsF(font).elidedText(name, Qt.TextElideMode.ElideMiddle, room)


theme.signals().changed.connect(set_title.cache_clear)
theme.signals().changed.connect(_set_name.cache_clear)


def is_chinese(text: str) -> bool:
    """True when some of it is written in Chinese letters."""
    return max(text, default="") >= _CHINESE


def _sized(pixels: float, text: str, zoom: float) -> QFont:
    font = theme.current().font("node_title")
    font.setPointSizeF(pixels * 72 / 96)
    if is_chinese(text) and pixels * zoom < _BOLD_FROM:
        font.setWeight(QFont.Weight.Normal)
    return font


def _is_whole(text: str, lines: list[str]) -> bool:
    """True when nothing of the text is left out and no word of it is broken."""
    for line in lines:
        if not text.startswith(line) or not _may_end(text, len(line)):
            return False
        text = text[len(line) :].lstrip()
    return not text


def line_height() -> float:
    """Pixels from one line of text on a card to the next; Chinese gets one more."""
    return LINE + 1 if catalogue.language() == "zh" else LINE


def set_lines(look: CardLook, headline: str, text: str) -> None:
    """Cuts what stands in the result area to lines that fit."""
    metrics = QFontMetricsF(theme.current().font("node_label"))
    room = look.thumb.width() - 2 * PADDING
    most = int((look.well.height() - 8) // line_height())
    below = wrapped(text, metrics, room, most)
    head = wrapped(headline, metrics, room, max(min(2, most), most - len(below))) if headline else []
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
    """How many characters fit, up to the last place among them where a line may end."""
    low, high = 1, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if metrics.horizontalAdvance(line[:middle]) <= room else (low, middle - 1)
    return next((end for end in range(low, 0, -1) if _may_end(line, end)), low)


def _may_end(line: str, at: int) -> bool:
    """At a space, at the end, and between Chinese characters, but not before or within their punctuation."""
    before, after = line[at - 1], line[at : at + 1]
    if after in ("", " "):
        return True
    return after not in _CLOSING and before not in _OPENING and max(before, after) >= _CHINESE


def shows_percent(face: CardModel) -> bool:
    """True when the header says how far the node is."""
    return face.state == "running" and face.fraction > 0
