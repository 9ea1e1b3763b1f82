"""The first screen: examples, facts, the large composer."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.examples import Example, load_examples
from desktop_app.ui.first_screen import FirstScreen
from tests.ui.fakes import COFFEE

Left = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Fact:
    name: str
    text: str
    ok: bool | None
    fix: str = ""


@pytest.fixture
def screen(qtbot, desk):
    example = Example("Remove the object I point at", (COFFEE,), COFFEE, ("image", "points"))
    made = FirstScreen(desk, (example, *load_examples()[1:]))
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


def test_a_card_whose_file_is_gone_says_so_and_plans_nothing(qtbot, desk, session, tmp_path):
    made = FirstScreen(desk, (Example("Do it", (tmp_path / "gone.png",), None, ("image",)),))
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


def test_cards_wrap_to_fewer_columns(screen, qtbot):
    assert screen._columns == 4
    screen.resize(1040, 680)
    qtbot.waitUntil(lambda: screen._columns == 2)


def test_the_plan_button_waits_for_words(screen, session):
    assert not screen.composer.send_button.isEnabled()
    QTest.keyClicks(screen.composer.field, "blur it")
    QTest.mouseClick(screen.composer.send_button, Left)
    assert session.called("ask") == [("blur it", ())]


def test_every_bundled_example_has_a_card(qtbot, desk):
    made = FirstScreen(desk, load_examples())
    qtbot.addWidget(made)
    assert [card.accessibleName() for card in made.cards] == [example.request for example in load_examples()]
