"""What becomes of the strip of alternatives when the user builds another graph; and in little room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.graph.user_edits import is_own
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session.session import Change
from desktop_app.storage.resources import Resource
from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
from nodes.api import ResourceType
from tests.ui import states

Left = Qt.MouseButton.LeftButton
PHOTO, OTHER = (Resource(f"{name}.png", ResourceType.IMAGE, name * 32, ".png") for name in ("ab", "cd"))
WAY = Workflow(
    (PHOTO,), (Node("seg", "segment"), Node("rem", "remove"), Node("paint", "paint")),
    (
        Link(PHOTO.name, RESOURCE_OUTPUT, "seg", "image"), Link(PHOTO.name, RESOURCE_OUTPUT, "rem", "image"),
        Link("seg", "mask", "rem", "mask"), Link("rem", "image", "paint", "image"),
    ),
)  # fmt: skip


# What is the user's own


@pytest.mark.parametrize(
    "filled",
    [
        WAY,
        WAY.with_value("seg", "points", [[1, 2, True]]),
        WAY.with_node(replace(WAY.node("paint"), backend="other", position=(3.0, 4.0))),
        WAY.with_resource(OTHER).with_link(Link(OTHER.name, RESOURCE_OUTPUT, "paint", "style")),
        replace(WAY, positions={PHOTO.name: (5.0, 5.0)}, wanted=(("paint", "image"),)),
    ],
    ids=["nothing", "a value", "a back end", "a file in an open port", "places"],
)
def test_what_is_only_filled_in_is_no_other_graph(filled):
    assert not is_own(WAY, filled)


def test_another_file_in_the_same_port_is_no_other_graph():
    links = [replace(link, source=OTHER.name) if link.source == PHOTO.name else link for link in WAY.links]
    assert not is_own(WAY, replace(WAY, resources=(OTHER,), links=tuple(links)))


@pytest.mark.parametrize(
    "built",
    [
        WAY.with_node(Node("new", "blur")),
        WAY.without("paint"),
        WAY.with_node(Node("paint", "oil")),
        WAY.with_node(replace(WAY.node("paint"), mode="bypass")),
        WAY.without_link(WAY.links[3]),
        WAY.without_link(WAY.links[0]),
        WAY.without_link(WAY.links[2]).with_link(Link(PHOTO.name, RESOURCE_OUTPUT, "rem", "mask")),
    ],
    ids=["added", "removed", "another tool", "switched", "cut", "cut from the file", "a file for a result"],
)
def test_what_is_built_otherwise_is_the_users_own(built):
    assert is_own(WAY, built)


# In the strip


@pytest.fixture
def panel(qtbot, ui, session):
    states.planned(session)
    made = AlternativesPanel(ui)
    qtbot.addWidget(made)
    made.resize(834, 138)
    made.show()
    return made


def heading(panel) -> str:
    return f"{panel._heading.text()}: {panel._note.accessibleName()}"


def test_a_change_by_hand_makes_the_graph_the_users_own(panel, session):
    title = session.alternatives[0].solution.title
    assert panel.height() == 138 and panel.others.isHidden()
    session.edit(session.workflow.without("paint"))
    n = len(session.workflow.nodes)
    assert heading(panel) == f"Your own graph: changed from “{title}” · {n} nodes · Undo takes the change back"
    assert panel.height() == 40 and not panel.cards[0].isVisible()
    assert panel.others.isVisible() and panel.others.accessibleName() == "3 other ways"


def test_a_value_leaves_the_strip_as_it_is(panel, session):
    session.edit(session.workflow.with_value("paint", "strength", 0.9))
    assert panel.height() == 138 and not panel.own and panel.cards[0].property("surface") == "accent"


def test_undo_brings_the_ways_back(panel, session):
    session.edit(session.workflow.without("paint"))
    session.undo()
    assert heading(panel) == "3 ways to do this: best first" and panel.height() == 138
    assert panel.cards[0].isVisible() and panel.cards[0].property("surface") == "accent"


def test_one_click_shows_the_ways_and_another_chooses(panel, session):
    session.edit(session.workflow.without("paint"))
    QTest.mouseClick(panel.others, Left)
    assert panel.height() == 138 and panel.cards[0].isVisible()
    assert "Undo brings your graph again" in heading(panel)
    assert [card.property("surface") for card in panel.cards] == ["raised"] * 3  # none of them is shown
    QTest.mouseClick(panel.cards[0], Left)
    assert session.called("choose") == [(0,)] and not panel.own
    assert panel.cards[0].property("surface") == "accent" and panel.others.isHidden()


def test_the_ways_can_be_hidden_again(panel, session):
    session.edit(session.workflow.without("paint"))
    QTest.keyClick(panel.others, Qt.Key.Key_Space)
    assert panel.others.accessibleName() == "Hide the ways"
    QTest.keyClick(panel.others, Qt.Key.Key_Space)
    assert panel.height() == 40


def test_with_the_next_change_the_ways_are_folded_again(panel, session):
    session.edit(session.workflow.without("paint"))
    QTest.mouseClick(panel.others, Left)
    QTest.mouseClick(panel.cards[1], Left)
    session.edit(session.workflow.without("rem"))
    assert panel.height() == 40 and session.alternatives[1].solution.title in heading(panel)


def test_in_a_low_window_the_ways_are_a_menu(panel, session):
    panel.set_compact(True)
    assert panel._steps[0].isVisible()
    session.edit(session.workflow.without("paint"))
    assert panel.height() == 40 and panel.others.isVisible() and not panel._steps[0].isVisible()
    menu = panel.others_menu()
    assert [action.text() for action in menu.actions()] == [way.solution.title for way in session.alternatives]
    menu.actions()[2].trigger()
    assert session.called("choose") == [(2,)]


# Room


def many(session, count: int) -> None:
    ways = session.alternatives
    session.alternatives = tuple(replace(ways[i % 3], seconds=20.0 + i) for i in range(count))
    session.tell(Change.PLAN)
    for _ in range(3):
        QApplication.processEvents()  # cards ask for room, then the strip does


def seen(panel) -> list[bool]:
    """Which cards are wholly seen."""
    view = panel._strip.viewport()
    spans = [(card.mapTo(view, QPoint()).x(), card.width()) for card in panel.cards]
    return [left >= 0 and left + wide <= view.width() for left, wide in spans]


@pytest.mark.parametrize("width", [834, 796])
def test_four_ways_fit_side_by_side(panel, session, width):
    """In a window of 1440, and in one of 1100 without the inspector."""
    many(session, 4)
    panel.resize(width, 138)
    QApplication.processEvents()
    assert all(seen(panel)) and not any(button.isVisible() for button in panel._strip.more)
    for card in panel.cards:
        inside = card.contentsRect()
        assert all(inside.contains(part.geometry()) for part in card.children() if hasattr(part, "geometry")
                   and part.isWidgetType())  # fmt: skip


def test_in_a_wide_strip_the_picture_stands_beside_the_title(panel):
    card = panel.cards[0]
    assert card._picture.width() == 86 and card._title.x() > card._picture.x()
    panel.resize(600, 138)
    QApplication.processEvents()
    assert card._picture.width() == 62 and card._title.x() == card._picture.x()


def test_what_is_out_of_sight_is_counted_and_one_click_away(panel, session):
    many(session, 6)
    left, right = panel._strip.more
    assert right.isVisible() and not left.isVisible()
    hidden = seen(panel).count(False)
    assert right.accessibleName() == f"{hidden} more to the right" and right.text().strip() == f"+{hidden}"
    for _ in range(hidden):
        assert right.isVisible()
        QTest.mouseClick(right, Left)
    assert seen(panel)[-1] and not right.isVisible() and left.isVisible()
    assert right.height() >= 24 and left.width() >= 24
    QTest.mouseClick(left, Left)
    assert not seen(panel)[-1]


def test_the_wheel_still_goes_along_the_cards(panel, session):
    many(session, 6)
    view = panel._strip.viewport()
    place = QPointF(200, 40)
    event = QWheelEvent(
        place, view.mapToGlobal(place), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)
    assert panel._strip.horizontalScrollBar().value() == 120 and panel._strip.more[0].isVisible()


def test_the_way_that_is_shown_is_in_sight(panel, session):
    many(session, 6)
    session.choose(5)
    assert seen(panel)[5]
