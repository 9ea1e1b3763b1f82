"""The strip of alternatives: clicks, keys, costs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.session.session import Change
from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel, difference
from tests.ui import states

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, ui, session):
    states.planned(session)
    made = AlternativesPanel(ui)
    qtbot.addWidget(made)
    made.resize(840, 138)
    made.show()
    return made


def test_it_is_hidden_while_there_is_only_one_way(panel, session):
    assert panel.isVisibleTo(None)
    session.alternatives = session.alternatives[:1]
    session.tell(Change.PLAN)
    assert not panel.isVisibleTo(None)


def test_a_click_chooses(panel, session):
    QTest.mouseClick(panel.cards[1], Left)
    assert session.called("choose") == [(1,)]
    assert panel.cards[1].property("surface") == "accent"
    assert panel.cards[0].property("surface") == "raised"


def test_enter_chooses_the_focused_card(panel, session):
    panel.cards[2].setFocus()
    QTest.keyClick(panel.cards[2], Qt.Key.Key_Return)
    assert session.called("choose") == [(2,)]


def test_steps_go_around_the_ends(panel, session):
    panel.step(-1)
    panel.step(1)
    assert session.called("choose") == [(2,), (0,)]


def test_costs_are_told_and_unknown_times_are_not_invented(panel):
    said = [" ".join(x.text() for x in card.findChildren(QLabel)) for card in panel.cards]
    assert "On disk" in said[0] and "20 s" in said[0]
    assert "196 MB" in said[1]
    assert "23.8 GB" in said[2] and " s" not in said[2].replace("shapes", "")


def test_choosing_keeps_the_cards(panel, session):
    before = list(panel.cards)
    QTest.mouseClick(panel.cards[1], Left)
    assert panel.cards == before


def test_the_difference_names_only_other_tools(session):
    states.planned(session)
    first, second, _ = session.alternatives
    assert difference(second, first) == ("seg", "cap", "desc")
    assert difference(first, second) == ()


def test_a_card_says_why_its_models_were_chosen(panel, session):
    assert panel.cards[0].toolTip() == ""
    first, *others = session.alternatives
    reasons = {"paint": "SDXL 1.0: the first of 2 that fit this computer.", "gone": "Nobody sees this."}
    session.alternatives = (replace(first, solution=replace(first.solution, reasons=reasons)), *others)
    session.tell(Change.PLAN)
    card = panel.cards[0]
    assert card.toolTip() == f"Why these models:\nWatercolour – {reasons['paint']}"
    assert reasons["paint"] in card.accessibleDescription() and panel.cards[1].toolTip() == ""
