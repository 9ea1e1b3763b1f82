"""The first screen: examples, facts, the large composer."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from desktop_app.storage.examples import Example, load_examples
from desktop_app.ui.start import example_preview
from desktop_app.ui.start.example_preview import Content
from desktop_app.ui.start.start_page import FactRow, FirstScreen
from tests.ui.conftest import served
from tests.ui.fakes import COFFEE

Left = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Fact:
    name: str
    text: str
    ok: bool | None
    fix: str = ""


@pytest.fixture
def screen(qtbot, ui):
    example = Example("Remove the object I point at", (COFFEE,), COFFEE, ("image", "points"))
    made = FirstScreen(ui, (example, *load_examples()[1:]))
    qtbot.addWidget(made)
    made.resize(1440, 820)
    made.show()
    return made


def test_a_card_attaches_its_files_and_plans_its_request(screen, session):
    QTest.mouseClick(screen.cards[0], Left)
    assert session.called("attach") == [(COFFEE,)]
    assert session.called("ask") == [("Remove the object I point at", ("coffee.jpg",))]
    assert session.called("start") == []


def test_a_card_can_be_taken_by_key(screen, session):
    screen.cards[0].setFocus()
    QTest.keyClick(screen.cards[0], Qt.Key.Key_Space)
    assert len(session.called("ask")) == 1


def test_a_card_whose_file_is_gone_says_so_and_plans_nothing(qtbot, ui, session, tmp_path):
    made = FirstScreen(ui, (Example("Do it", (tmp_path / "gone.png",), None, ("image",)),))
    qtbot.addWidget(made)
    made.take(made.cards[0].example)
    assert session.called("ask") == []
    assert "gone.png" in made.composer._trouble.text()
    assert made.composer.field.toPlainText() == "Do it"


def test_what_does_not_work_is_said_with_its_remedy(screen):
    facts = (Fact("Device", "8 CPU cores", True), Fact("Speech", "espeak-ng is missing", False, "Install it."))
    screen.show_facts(facts)
    said = " ".join(x.text() for x in screen.findChildren(QLabel))
    assert "8 CPU cores" in said and "Install it." in said and "Almost ready" in said
    screen.show_facts(facts[:1])
    assert "Ready on this computer" in " ".join(x.text() for x in screen.findChildren(QLabel))


def test_what_holds_tools_back_is_said_only_where_something_does_not(screen):
    device, held = Fact("Device", "8 CPU cores", True), Fact("Bounds of tools", "all are in force", True)
    screen.show_facts((device, held))
    assert not any("in force" in x.text() for x in screen.findChildren(QLabel))
    screen.show_facts((device, Fact("Bounds of tools", "nothing holds tools back here", None, "Take care.")))
    assert any("holds tools back" in x.text() for x in screen.findChildren(QLabel))


def test_cards_wrap_to_fewer_columns(screen, qtbot):
    assert screen._columns == 4
    screen.resize(1040, 680)
    qtbot.waitUntil(lambda: screen._columns == 2)


def test_the_plan_button_waits_for_words(screen, session):
    assert not screen.composer.send_button.isEnabled()
    QTest.keyClicks(screen.composer.field, "blur it")
    QTest.mouseClick(screen.composer.send_button, Left)
    assert session.called("ask") == [("blur it", ())]


def test_every_bundled_example_has_a_card(qtbot, ui):
    made = FirstScreen(ui, load_examples())
    qtbot.addWidget(made)
    assert [card.accessibleName() for card in made.cards] == [example.request for example in load_examples()]


# What is shown of the examples


@pytest.fixture
def bundled(qtbot, ui):
    """The first screen with the bundled examples, all of their pictures read."""
    made = FirstScreen(ui, load_examples())
    qtbot.addWidget(made)
    made.resize(1440, 1000)
    made.show()
    qtbot.waitUntil(lambda: all(card.content is not None for card in made.cards))
    return made


def test_nothing_is_read_before_the_first_paint(qtbot, ui):
    made = FirstScreen(ui, load_examples())
    qtbot.addWidget(made)
    ui.loader.wait()
    QApplication.processEvents()
    assert all(card.content is None for card in made.cards)


def test_no_card_is_empty_while_its_picture_is_read(qtbot, ui):
    made = FirstScreen(ui, load_examples())
    qtbot.addWidget(made)
    for card in made.cards:
        card.resize(220, card.height())
        face = card._face_pixmap().toImage()
        place = QRect(face.width() // 4, face.height() // 4, face.width() // 2, face.height() // 2)
        seen = {
            face.pixel(x, y) for x in range(place.left(), place.right()) for y in range(place.top(), place.bottom())
        }
        assert card.content is None and len(seen) > 1, card.example.request


def test_a_card_shows_left_what_was_and_right_what_came_of_it(bundled):
    split = [card for card in bundled.cards if card.content.after is not None and not card.example.points]
    assert split
    for card in split:
        both = card.grab().toImage()
        card._came(Content(card.content.before))
        card._face = None
        before = card.grab().toImage()
        y, middle = 60, card.width() // 2
        if not card.example.result.film:  # else the left half is a part of the picture, not its left
            assert all(both.pixel(x, y) == before.pixel(x, y) for x in range(20, middle - 3))
        assert sum(both.pixel(x, y) != before.pixel(x, y) for x in range(middle + 3, card.width() - 20)) > 40


def test_the_number_that_came_is_said_to_those_who_cannot_see_it(bundled):
    card = next(card for card in bundled.cards if card.example.result.number)
    assert "24" in card.accessibleDescription()


def test_the_card_with_the_keyboard_and_the_card_under_the_mouse_look_different(bundled, qtbot):
    card = bundled.cards[5]
    plain = card.grab().toImage()
    with qtbot.waitActive(bundled):
        bundled.activateWindow()
    card.setFocus()
    assert card.hasFocus() and card.grab().toImage() != plain


def test_the_shape_under_the_mouse_says_its_type(bundled):
    card = bundled.cards[0]
    type, place = card._places()[2]
    spot = place.center().toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, spot, card.mapToGlobal(spot))
    assert card.event(event) and QToolTip.text() == "audio" and type == "audio"
    QToolTip.hideText()


def test_wide_cards_have_higher_pictures(screen, qtbot):
    screen.resize(1100, 900)
    low = screen.cards[0].height()
    screen.resize(1920, 1000)
    qtbot.waitUntil(lambda: screen.cards[0].height() > low)


@pytest.mark.parametrize("size", [(1440, 826), (1920, 1006), (2560, 1366)])
def test_a_large_screen_is_filled_and_nothing_has_to_be_scrolled(bundled, size):
    bundled.resize(*size)
    served()
    bottom = max(card.mapTo(bundled, card.rect().bottomLeft()).y() for card in bundled.cards)
    assert 0.9 * size[1] < bottom < size[1]
    assert bundled._scroll.verticalScrollBar().maximum() == 0


def test_the_right_side_goes_below_where_the_buttons_need_the_room(screen):
    for width in range(860, 1300, 20):
        screen.resize(width, 700)
        QApplication.processEvents()
        beside = screen._side.x() > 0
        right = screen._side.mapTo(screen, screen._side.rect().topRight()).x()
        assert right <= screen.width(), width
        assert beside or screen._side.y() > 0
    assert beside


def test_a_workflow_can_be_opened_from_here(screen, qtbot):
    with qtbot.waitSignal(screen.open_wanted):
        QTest.mouseClick(screen.open_workflow, Left)


def test_what_works_is_told_below_what_it_belongs_to_and_what_does_not_stands_alone(screen):
    device, memory = Fact("Device", "8 CPU cores", True), Fact("Memory", "3 GB free", True)
    tools, speech = Fact("Tools", "156 tools", True), Fact("Speech", "espeak-ng is missing", False, "Install it.")
    screen.show_facts((device, memory, speech, tools))
    rows = [row.accessibleName() for row in screen.findChildren(FactRow)]
    assert [name.split(":")[0] for name in rows] == ["Device", "Speech", "Tools"]
    assert "3 GB free" in rows[0]
    screen.show_facts((device, Fact("Memory", "0.2 GB free", False, "Close other programs.")))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [row.accessibleName().split(":")[0] for row in screen.findChildren(FactRow)] == ["Device", "Memory"]


def test_the_first_screen_itself_loads_nothing_heavy():
    """Of what its own two files import; what the composer needs is its own affair."""
    code = (
        "import sys; import desktop_app.ui.start.example_card, desktop_app.storage.examples;"
        " print(sorted(m for m in sys.modules if m in ('numpy', 'av', 'cv2', 'PIL.Image')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_page_that_is_read_is_shown_whole_and_not_cut_at_its_sides(qapp):
    page = QImage(200, 100, QImage.Format.Format_RGB32)
    page.fill(QColor("white"))
    for y in range(40, 60):
        for x in range(6):
            page.setPixelColor(x, y, QColor("red"))
            page.setPixelColor(199 - x, y, QColor("blue"))
    seen = QImage(100, 200, QImage.Format.Format_RGB32)
    painter = QPainter(seen)
    example_preview._whole(painter, QRectF(seen.rect()), page)
    painter.end()
    found = [seen.pixelColor(x, 100) for x in range(100)]
    assert any(c.red() > c.blue() + 40 for c in found[:5])
    assert any(c.blue() > c.red() + 40 for c in found[-5:])
    assert seen.pixelColor(50, 10) == QColor("white")
