"""From the picker to the session: what is painted, or is several things, reaches its port, and comes back."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session import drawn_masks
from desktop_app.ui.graph.outline.outline_text import PortRow, rows
from desktop_app.ui.inspector.inspector_panel import Inspector
from desktop_app.ui.pointing.controller import Pointing
from desktop_app.ui.pointing.pointing_view import PointPicker
from desktop_app.ui.support.context import make_context
from nodes import load_tools
from nodes.api import Point
from tests.ui.conftest import until, use_theme
from tests.ui.fakes import COFFEE, FakeSession
from tests.ui.pointing.test_picker import Left, click, screen
from tests.ui.pointing.test_picker_tools import draw

TOOLS = load_tools().tools
WIDE, HIGH = 600, 400


class Session(FakeSession):
    """With the real tools, and masks of ten pixels around each click; what is used goes into the workflow."""

    shows_masks = True

    async def preview_mask(self, name, marks, node="", reading=""):
        mask = np.zeros((HIGH, WIDE), np.uint8)
        for x, y, include in marks:
            mask[max(0, int(y) - 5) : int(y) + 5, max(0, int(x) - 5) : int(x) + 5] = 255 * include
        return mask

    def waiting_for(self, name: str) -> str:
        return next((n.id for n in self.workflow.nodes if n.tool == "segment_points"), "")

    async def use_drawn(self, name, what, node="", port="") -> None:
        self.calls.append(("use_drawn", name, what, node, port))
        mask = drawn_masks.keep(self.store, name, what)
        targets = [(node or "seg", port or "points")]
        self._set(drawn_masks.with_drawn(self.workflow, self.tools, targets, what, mask))


@pytest.fixture
def world(qtbot, qapp, loop, tmp_path):
    use_theme(qapp)
    session = Session(tmp_path / "store")
    session.tools = TOOLS
    coffee = session.attach(COFFEE)
    image = [Link(coffee.name, RESOURCE_OUTPUT, id, "image") for id in ("seg", "rem")]
    session.edit(Workflow((coffee,), (Node("seg", "segment_points"), Node("rem", "remove_object")), tuple(image)))
    picker = PointPicker()
    qtbot.addWidget(picker)
    picker.resize(1100, 800)
    picker.show()
    ui = make_context(session, picker)  # type: ignore[arg-type]
    pointing = Pointing(ui, picker, picker)
    yield session, picker, pointing, loop
    picker._mask.use(None, (1, 1))
    ui.loader.wait()


def opened(world, node: str, port: str) -> PointPicker:
    _, picker, pointing, loop = world
    seen = []
    pointing.opened.connect(lambda: seen.append(1))

    async def act():
        pointing.pick_port(node, port)
        await until(lambda: seen)

    loop.run_until_complete(act())
    return picker


def used(world) -> drawn_masks.HandDrawnMask:
    session, picker, pointing, loop = world
    done = []
    pointing.used.connect(lambda: done.append(1))

    async def act():
        QTest.mouseClick(picker.use, Left)
        await until(lambda: done)

    loop.run_until_complete(act())
    return session.called("use_drawn")[-1][1]


def test_what_was_painted_goes_beside_the_points_of_the_node(world):
    picker = opened(world, "seg", "points")
    click(picker, screen(picker, 100, 100))
    QTest.keyClick(picker.view, "B")
    draw(picker, [(200, 200), (220, 200)])
    what = used(world)
    assert what.points == (Point(100, 100),) and what.reading == ""
    assert what.mask[200, 210] == 255 and what.mask[100, 100] == 128 and not (what.mask == 0).any()
    assert world[0].workflow.missing(TOOLS)[0].node == "rem"


def test_clicks_for_what_finds_things_by_itself_put_what_goes_by_clicks_in_its_place(world):
    session = world[0]
    session.edit(session.workflow.with_node(Node("seg", "segment_subject")))
    picker = opened(world, "seg", "points")
    assert session.workflow.node("seg").tool == "segment_points"
    assert [link.port for link in session.workflow.links_into("seg")] == ["image"]
    click(picker, screen(picker, 100, 100))
    QTest.mouseClick(picker.use, Left)
    assert session.workflow.node("seg").values["points"] == [[100.0, 100.0, True]], session.calls


def test_what_waited_for_its_mask_when_the_picture_was_left_is_not_used(world):
    """It was used then, in the size of the picture that was no longer there: none."""
    session, picker, _, loop = world
    opened(world, "seg", "points")
    plain, free, used = session.preview_mask, asyncio.Event(), []
    picker.drawn.connect(used.append)

    async def late(*of, **more):
        await free.wait()
        return await plain(*of, **more)

    async def act():
        session.preview_mask = late
        click(picker, screen(picker, 100, 100))
        QTest.keyClick(picker.view, "B")
        draw(picker, [(200, 200), (220, 200)])
        QTest.mouseClick(picker.use, Left)
        assert picker._accepting
        QTest.mouseClick(picker.cancel, Left)
        free.set()
        await until(lambda: picker._found is not None and picker._found.drawing == picker.drawing)

    loop.run_until_complete(act())
    assert used == [] and session.called("use_drawn") == []


def test_the_tool_looks_at_the_picture_while_that_is_read_and_it_is_let_go_afterwards(world):
    session, picker, pointing, loop = world
    asked = []
    plain = session.preview_mask

    async def preview_mask(name, marks, node="", reading=""):
        asked.append((node, picker.view.picture_size.isEmpty()))
        return await plain(name, marks, node, reading)

    session.preview_mask = preview_mask

    async def act():
        pointing.pick_port("seg", "points")
        await until(lambda: not picker.view.picture_size.isEmpty())

    loop.run_until_complete(act())
    assert asked == [("seg", True)]
    QTest.mouseClick(picker.cancel, Left)
    assert picker.view.picture_size.isEmpty()


def test_a_drawing_comes_back_when_the_port_is_pointed_at_again(world):
    picker = opened(world, "seg", "points")
    QTest.keyClick(picker.view, "L")
    draw(picker, [(200, 200), (250, 200), (250, 250)])
    picker.add_thing()
    QTest.keyClick(picker.view, "V")
    click(picker, screen(picker, 100, 100))
    before = picker.drawing
    used(world)
    again = opened(world, "seg", "drawn")
    assert [t.marks for t in again.drawing.things] == [t.marks for t in before.things]


def test_several_things_are_one_mask_and_this_is_the_last(world):
    picker = opened(world, "seg", "points")
    click(picker, screen(picker, 100, 100))
    QTest.keyClick(picker.view, "N")
    click(picker, screen(picker, 300, 200))
    what = used(world)
    assert set(np.unique(what.mask)) == {0, 255} and (what.mask > 0).sum() == 200
    assert what.said == (Point(300, 200),)


def test_points_alone_after_a_drawing_take_it_away(world):
    picker = opened(world, "seg", "points")
    QTest.keyClick(picker.view, "B")
    draw(picker, [(200, 200), (220, 200)])
    what = used(world)
    assert what.points == () and what.place.y == 200 and 200 <= what.place.x <= 220
    picker = opened(world, "seg", "points")
    picker.remove(0)
    QTest.keyClick(picker.view, "V")
    click(picker, screen(picker, 100, 100))
    what = used(world)
    assert what.mask is None and what.points == (Point(100, 100),)
    assert [k.port for k in world[0].workflow.links_into("seg")] == ["image"]


def test_a_port_for_masks_gets_the_mask_itself(world):
    picker = opened(world, "rem", "mask")
    click(picker, screen(picker, 100, 100))
    assert "mask" in picker.use.text()
    what = used(world)
    assert (what.mask > 0).sum() == 100 and world[0].called("use_drawn")[-1][2:] == ("rem", "mask")
    assert any(k.port == "mask" for k in world[0].workflow.links_into("rem"))


def test_a_plain_point_is_still_a_value_of_the_port(world, qtbot):
    session, picker, pointing, _ = world
    opened(world, "seg", "points")
    click(picker, screen(picker, 100, 100))
    with qtbot.waitSignal(pointing.used):
        QTest.keyClick(picker.view, Qt.Key.Key_Return)
    assert session.workflow.node("seg").values == {"points": [[100, 100, True]]} and not session.called("use_drawn")


def test_a_drawing_in_place_of_clicks_is_not_called_needed(world, qtbot):
    """Neither in the inspector nor in the outline."""
    session, picker, *_ = world
    inspector = Inspector(make_context(session, picker))
    qtbot.addWidget(inspector)
    inspector.resize(300, 800)
    inspector.show()
    inspector.show_item(("seg",))

    def told() -> str:
        inspector.refresh()
        QApplication.processEvents()
        return " ".join(w.text() for w in inspector.values.findChildren(QLabel) if w.isVisible())

    def row() -> PortRow:
        card = next(card for card in rows(session.workflow, TOOLS) if card.id == "seg")
        return next(port for port in card.ports if port.name == "points")

    assert "needed" in told() and row().state == "needed"
    opened(world, "seg", "points")
    QTest.keyClick(picker.view, "B")
    draw(picker, [(200, 200), (220, 200)])
    assert used(world).points == ()
    picker._mask.use(None, (1, 1))
    world[3].run_until_complete(asyncio.sleep(0))  # what looked for the mask ends
    assert all(gap.node != "seg" for gap in session.workflow.missing(TOOLS))
    assert "needed" not in told() and "by hand" in told()
    assert (row().state, row().text) == ("value", "points: drawn by hand")
    session.undo()
    assert "needed" in told() and row().state == "needed"


def test_a_step_that_is_gone_is_told_and_nothing_opens(world):
    """The button of a question in an earlier message, when another way is shown now."""
    session, _, pointing, _ = world
    told, opened = [], []
    pointing._ui.calls.failed.connect(lambda *words: told.append(words))
    pointing.opened.connect(lambda: opened.append(1))
    session.edit(Workflow(session.workflow.resources, ()))
    pointing.pick_port("seg", "points")
    assert len(told) == 1 and "not in the graph" in told[0][0] and opened == []


def test_the_picker_closes_when_the_step_that_is_pointed_for_goes_and_nothing_of_it_is_used(world):
    session, picker, pointing, _ = world
    told, closed = [], []
    pointing._ui.calls.failed.connect(lambda *words: told.append(words))
    pointing.closed.connect(lambda: closed.append(1))
    opened(world, "seg", "points")
    click(picker, screen(picker, 100, 100))
    session.edit(Workflow(session.workflow.resources, ()))
    assert closed == [1] and told == []
    QTest.mouseClick(picker.use, Left)
    assert closed == [1] and session.called("use_drawn") == []
