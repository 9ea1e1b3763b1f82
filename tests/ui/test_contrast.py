"""Text can be read: contrast by WCAG 2.2, of the tokens and of what is really painted, in both themes."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit

from desktop_app.ui import theme
from desktop_app.ui.main_window import MainWindow
from tests.ui.every_screen import SCREENS, shown
from tests.ui.fakes import finish

LEAST = 4.5
GROUPS = {"bg": "background", "type": "resource_type"}


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


def words_of(widget) -> str:
    """The text that a widget shows, "" when it is none of those that show text."""
    if isinstance(widget, QLabel):
        return "" if not widget.pixmap().isNull() else widget.text()
    if isinstance(widget, QAbstractButton):
        return widget.text()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        return widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText()
    return ""


def painted_contrast(image: QImage) -> float:
    """Between the ground, which is the commonest colour, and what differs most from it on at least a few pixels.

    Edges of letters are blends, so that the letter's own colour is the one farthest from the ground.
    """
    found = Counter(image.pixel(x, y) for y in range(image.height()) for x in range(image.width()))
    ground = QColor(found.most_common(1)[0][0])
    return max(contrast(QColor(color), ground) for color, count in found.items() if count >= 2)


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("screen", SCREENS)
def test_painted_text_can_be_read(qtbot, qapp, session, name, screen):
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
    qtbot.wait(60)
    window.grab()  # the first painting may still move things
    qtbot.wait(20)
    picture = window.grab().toImage()
    ratio = picture.devicePixelRatio()
    weak, looked = [], 0
    for widget in shown(window):
        words = words_of(widget)
        if not words.strip() or not widget.isEnabled():
            continue
        seen = widget.visibleRegion().boundingRect()
        if seen.width() < 8 or seen.height() < 8:
            continue
        if window.childAt(widget.mapTo(window, seen.center())) is not widget:  # something lies over it
            continue
        place = QRect(widget.mapTo(window, seen.topLeft()), seen.size())
        part = picture.copy(QRect(place.topLeft() * ratio, place.size() * ratio))
        looked += 1
        found = painted_contrast(part)
        if found < LEAST - 0.1:
            weak.append((round(found, 2), type(widget).__name__, words[:40]))
    window.close()
    theme.apply(qapp, "dark")
    assert looked >= 5
    assert not weak, sorted(weak)


def test_the_check_finds_what_cannot_be_read(qtbot, qapp):
    faint = QLabel("Words")
    faint.setStyleSheet("color: #55565a; background: #18191e")
    qtbot.addWidget(faint)
    faint.resize(80, 24)
    assert painted_contrast(faint.grab().toImage()) < 4
