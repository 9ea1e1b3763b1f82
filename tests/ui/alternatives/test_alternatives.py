"""The strip of alternatives: clicks, keys, costs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.graph.workflow import Workflow
from desktop_app.session.session import Change
from desktop_app.ui.alternatives.alternative_card import AlternativeCard, Fact
from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel, difference
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.glyphs import ClampedText
from tests.ui import states
from tests.ui.conftest import served

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


def test_a_new_conversation_leaves_the_changed_graph_of_the_one_before(panel, session):
    session.workflow = session.workflow.without(session.workflow.ids()[-1])
    session.tell(Change.WORKFLOW)
    assert panel.own
    session.alternatives, session.workflow = (), Workflow()
    panel.set_compact(True)  # the window grows narrow before the panel hears of it
    session.tell(Change.WORKFLOW | Change.PLAN)
    assert not panel.own and not panel.isVisibleTo(None)


@pytest.mark.parametrize(("width", "shown"), [(300, 4), (194, 3)])
def test_what_has_no_room_on_a_card_is_left_out_and_not_cut(qtbot, ui, session, width, shown):
    """It said "603 …", "1.8 …" and "≈ 3…"."""
    states.planned(session)
    way = replace(session.alternatives[0], download_bytes=603_000_000, memory_bytes=1_800_000_000, seconds=31.0)
    card = AlternativeCard(ui, way, ())
    qtbot.addWidget(card)
    card.set_dense(True)
    card.resize(width, card.height())
    card.show()
    facts = [fact for fact in card.findChildren(Fact) if fact.isVisible()]
    assert len(facts) == shown
    qtbot.waitUntil(lambda: not [fact for fact in facts if "…" in fact._words.text()])


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


def test_a_way_says_nothing_that_only_the_planner_understands(panel, session):
    session.alternatives = tuple(replace(way, seconds=None) for way in session.alternatives)
    session.tell(Change.PLAN)
    words = [one.text() for card in panel.cards for one in card.findChildren(QLabel)]
    assert words and not [word for word in words if word == "?" or re.fullmatch(r"[\d.]+", word)]


def test_a_way_says_in_percent_how_sure_the_planner_is(panel, session):
    shown = [f"{100 * way.solution.score:.0f} %" for way in session.alternatives]
    facts = [one for card in panel.cards for one in card.findChildren(Fact) if "sure" in one.toolTip()]
    assert [one.findChild(QLabel).text() for one in facts] == shown


@pytest.mark.parametrize("width", [560, 840, 1400])
def test_a_long_title_is_read_whole_in_two_lines_and_the_strip_makes_room(panel, session, width):
    long = "Crop, then brightness and contrast"
    ways = session.alternatives
    session.alternatives = tuple(replace(way, solution=replace(way.solution, title=long)) for way in ways)
    session.tell(Change.PLAN)
    panel.resize(width, panel.height())
    served()
    assert [_lines(card._title, long) for card in panel.cards] == [long.split()] * len(ways)
    for card in panel.cards:
        parts = [card._title, card._reason, card._picture]
        assert all(card.rect().contains(QRect(part.mapTo(card, QPoint()), part.size())) for part in parts)
        others = [QRect(part.mapTo(card, QPoint()), part.size()) for part in parts[1:]]
        assert not any(card._title.geometry().intersects(other) for other in others)


def _lines(shown: ClampedText, text: str) -> list[str]:
    """The words that are seen where it is painted over the lines that it has room for."""
    metrics = shown._metrics()
    layout = QTextLayout(text, theme.current().font("heading"))
    layout.beginLayout()
    words: list[str] = []
    for _ in range(int(shown.height() // metrics.lineSpacing())):
        line = layout.createLine()
        if line.isValid():
            line.setLineWidth(shown.width())
            words += text[line.textStart() : line.textStart() + line.textLength()].split()
    layout.endLayout()
    return words
