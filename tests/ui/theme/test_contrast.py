"""Text can be read: contrast by WCAG 2.2, of the tokens and of what is really painted, in both themes.

The colour of a text is the one that it is painted with, not what its thin letters make of it on pixels: that depends on
where they fall between the pixels. The ground is looked at, as it may be painted by anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from desktop_app.storage.examples import load_examples
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.start import example_preview
from desktop_app.ui.theme import theme
from tests.ui import states
from tests.ui.conftest import served
from tests.ui.every_screen import SCREENS, shown
from tests.ui.fakes import finish
from tests.ui.painted_text import Text, painted_texts, texts_of

LEAST = 4.5
GROUPS = {"bg": "background", "type": "resource_type"}


@pytest.fixture
def themed(qapp) -> Iterator[None]:
    """For tests that change the theme: the dark one afterwards."""
    yield
    theme.apply(qapp, "dark")


def luminance(color: QColor) -> float:
    """Relative luminance, 0..1."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: QColor, other: QColor) -> float:
    """1..21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_21():
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_every_pair_of_the_tokens_is_as_readable_as_they_say(name):
    shown_theme = theme.Theme(name)

    def of(path: str) -> QColor:
        group, _, key = path.partition(".")
        return shown_theme.color(f"{GROUPS.get(group, group)}.{key}")

    said = theme.tokens()["contrast"][name]
    for kind, least in (("text", 4.5), ("non_text", 3.0)):
        for pair, value in said[kind].items():
            front, _, ground = pair.partition(" on ")
            found = contrast(of(front), of(ground))
            assert found >= least - 0.01 and found == pytest.approx(value, abs=0.06), pair


def seen(text: Text, widget: QWidget, window: QWidget) -> QRect:
    """Where the text is in the window, as far as nothing lies over it; empty when it cannot be seen."""
    area = text.area.toAlignedRect() & widget.visibleRegion().boundingRect()
    if area.width() < 4 or area.height() < 8 or window.childAt(widget.mapTo(window, area.center())) is not widget:
        return QRect()
    return QRect(widget.mapTo(window, area.topLeft()), area.size())


def ground(picture: QImage, area: QRect) -> QColor:
    """The commonest colour there, of the commonest of 4,096 kinds, as a picture under a plate makes many of one kind.

    Letters fill less than half of their line, and their edges are blends.
    """
    colors = Counter(picture.pixel(x, y) for y in _span(area.y(), area.height()) for x in _span(area.x(), area.width()))
    kinds: Counter[int] = Counter()
    for color, count in colors.items():
        kinds[color & 0xF0F0F0] += count
    kind = kinds.most_common(1)[0][0]
    return QColor(max((color for color in colors if color & 0xF0F0F0 == kind), key=colors.__getitem__))


def _span(start: int, length: int) -> range:
    return range(start, start + length)


def over(front: QColor, below: QColor) -> QColor:
    """What is seen of a colour that may let another through."""
    part = front.alphaF()
    return QColor.fromRgbF(
        *(a * part + b * (1 - part) for a, b in zip(front.getRgbF()[:3], below.getRgbF()[:3], strict=True))
    )


@dataclass(frozen=True)
class Found:
    """A text whose colour is too like its ground."""

    contrast: float
    words: str
    by: str
    color: str
    ground: str


def weak(text: Text, below: QColor, by: object) -> list[Found]:
    """The text when it cannot be read, else nothing."""
    found = contrast(over(text.color, below), below)
    if found >= LEAST:
        return []
    return [Found(round(found, 2), text.words[:40], type(by).__name__, text.color.name(), below.name())]


def unreadable(window: QWidget) -> tuple[int, list[Found]]:
    """How many texts of the window were looked at, and those that cannot be read.

    What is disabled may be faint, and what is dimmed as a whole: bypassed cards, what both ways of a comparison share.
    """
    picture = window.grab().toImage()
    looked, found = 0, []
    for widget in shown(window):
        for text in painted_texts(widget) if widget.isEnabled() else ():
            area = seen(text, widget, window)
            if text.words.strip() and not text.dimmed and not area.isEmpty():
                looked += 1
                found += weak(text, ground(picture, area), widget)
    return looked, found


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("screen", SCREENS)
def test_painted_text_can_be_read(qtbot, qapp, session, themed, name, screen):
    theme.apply(qapp, name)
    fill, act = SCREENS[screen]
    if fill is not None:
        fill(session)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    qtbot.waitExposed(window)
    act(window)
    served()
    window.grab()  # the first painting may still move things
    served()
    looked, found = unreadable(window)
    window.close()
    assert looked >= 15
    assert not found


@pytest.mark.parametrize("name", ["dark", "light"])
def test_words_on_the_faces_of_examples_can_be_read(qapp, themed, name):
    """They are painted into pictures that the cards keep."""
    theme.apply(qapp, name)
    size, looked = QSize(360, 160), 0
    for example in load_examples():
        face = partial(
            example_preview.paint, area=QRectF(0, 0, 360, 160), example=example, content=example_preview.read(example)
        )
        picture = QImage(size, QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        face(painter)
        painter.end()
        for text in texts_of(face, size):
            looked += 1
            assert not weak(text, ground(picture, text.area.toAlignedRect() & picture.rect()), example)
    assert looked


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("picture", ["black", "white"])
def test_words_on_pictures_can_be_read_whatever_the_picture(name, picture):
    shown_theme = theme.Theme(name)
    plate = over(shown_theme.color("on_picture.background"), QColor(picture))
    assert contrast(shown_theme.color("on_picture.text"), plate) >= LEAST


class Painting(QWidget):
    """Writes by hand, in `ink`."""

    ink = QColor("white")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#18191e"))
        painter.setPen(self.ink)
        painter.drawText(self.rect(), "Words")
        painter.end()


def _styled(ink: str) -> QWidget:
    made = QLabel("Words")
    made.setStyleSheet(f"color: {ink}; background: #18191e")
    return made


def _field(ink: str) -> QWidget:
    made = QLineEdit()
    made.setPlaceholderText("Words")
    made.setStyleSheet(f"placeholder-text-color: {ink}; background: #18191e")
    return made


def _hand(ink: str) -> QWidget:
    made = Painting()
    made.ink = QColor(ink)
    return made


@pytest.mark.parametrize("make", [_styled, _field, _hand])
@pytest.mark.parametrize(("ink", "fails"), [("#55565a", True), ("#40ffffff", True), ("#818287", False)])
def test_the_check_finds_what_cannot_be_read(qtbot, qapp, make, ink, fails):
    """Contrasts of 2.4, 2.3 and 4.6 at 11 pixels, where no stroke covers a pixel whole."""
    outside = QWidget()
    qtbot.addWidget(outside)
    inside = make(ink)
    inside.setFont(theme.Theme("dark").font("caption"))
    inside.setParent(outside)
    inside.resize(120, 40)
    outside.resize(140, 60)
    outside.show()
    qtbot.waitExposed(outside)
    looked, found = unreadable(outside)
    assert looked == 1 and bool(found) is fails, found


def test_the_check_finds_a_colour_of_the_theme_that_is_too_faint(qtbot, qapp, session, themed, monkeypatch):
    states.planned(session)
    faint = theme.tokens()["themes"]["light"]["background"]["border_strong"]
    monkeypatch.setitem(theme.tokens()["themes"]["light"]["text"], "tertiary", faint)
    theme.apply(qapp, "light")
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    qtbot.waitExposed(window)
    found = unreadable(window)[1]
    window.close()
    assert {one.color for one in found} == {QColor(faint).name()}
    assert len({one.by for one in found}) >= 3, found
