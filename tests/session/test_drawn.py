"""What is drawn by hand in a workflow: kept, joined where it is wanted, run, taken back, shown again."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.types import FromResource, Plan, Solution, Step
from desktop_app.run.engine import Engine
from desktop_app.services.mask_preview import MaskFinder, drawn_port, reading_port
from desktop_app.session import drawn_masks
from desktop_app.session.drawn_masks import HandDrawnMask
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import load_tools
from nodes._support.imaging.mask_edge import edged
from nodes.api import Point
from tests.fakes import FakePlanner

ALL = load_tools().tools
TOOLS = {id: ALL[id] for id in ("segment_points", "segment_box", "grow_mask", "warp_points")}
SIZE = (48, 64)
SEGMENT = Solution("Select", "", 0.9, (Step("seg", "segment_points", {"image": FromResource("photo.png")}),))


def scene() -> np.ndarray:
    """A red square on green."""
    picture = np.full((*SIZE, 3), (60, 140, 60), np.uint8)
    picture[10:30, 10:30] = (200, 40, 40)
    return picture


def by_hand(grey: int = 128) -> np.ndarray:
    """The corner below on the right selected, the left half of the square not; the rest `grey`."""
    mask = np.full(SIZE, grey, np.uint8)
    mask[40:, 56:] = 255
    mask[10:30, 10:20] = 0
    return mask


class World:
    """One loop with a session on real tools and its engines."""

    def __init__(self, folder) -> None:
        self.runner = asyncio.Runner()
        self.store, self.history = Store(folder / "store"), History(folder / "history.sqlite")
        engines = [Engine(self.store, self.history, TOOLS, 1) for _ in range(2)]
        planner = FakePlanner(Plan((SEGMENT,)))
        finder = MaskFinder(engines[1], self.store)
        self.session = Session(TOOLS, planner, engines[0], self.store, self.history, None, finder)
        Image.fromarray(scene()).save(folder / "photo.png")
        self.photo = self.session.attach(folder / "photo.png")

    def wants(self, tool: str = "segment_points", **values) -> None:
        link = Link("photo.png", RESOURCE_OUTPUT, "seg", "image")
        self.session.edit(Workflow((self.photo,), (Node("seg", tool, values),), (link,)))

    def use(self, what: HandDrawnMask, node: str = "", port: str = "") -> None:
        self.runner.run(self.session.use_drawn("photo.png", what, node, port))

    def mask(self) -> np.ndarray:
        self.runner.run(self.session.start())
        return np.asarray(self.session.value_of(self.session.run.nodes["seg"].outputs["mask"]))


@pytest.fixture
def world(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    made = World(own_home)
    yield made
    made.runner.run(made.session.close())
    made.runner.close()
    made.history.close()


def test_what_was_painted_counts_over_what_the_tool_finds(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20),), "", by_hand()))
    mask = world.mask()
    assert mask[45, 60] == 255 and mask[20, 25] == 255
    assert not mask[10:30, 10:20].any() and not mask[5, 40:].any()


def test_points_stay_points_and_the_rest_goes_beside_them(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20), Point(2, 2, False)), "large", by_hand()))
    node = world.session.workflow.node("seg")
    assert node.values == {"points": [[20, 20, True], [2, 2, False]], "reading": "large"}
    (link,) = [k for k in world.session.workflow.links_into("seg") if k.port == "drawn"]
    assert link.source == "photo_mask.png" and world.session.workflow.missing(TOOLS) == ()
    assert world.session.points["photo.png"] == (Point(20, 20), Point(2, 2, False))


def test_painting_alone_is_enough(world):
    world.wants()
    world.use(HandDrawnMask((), "", by_hand(), Point(60, 45)))
    assert world.session.questions() == ()
    mask = world.mask()
    assert mask[45, 60] == 255 and (mask > 0).sum() == 8 * 8
    assert world.session.points["photo.png"] == (Point(60, 45),)


def test_using_a_drawing_is_one_undo_step(world):
    world.wants()
    before = world.session.workflow
    world.use(HandDrawnMask((Point(20, 20),), "small", by_hand()))
    world.session.undo()
    assert world.session.workflow == before and "photo.png" not in world.session.points
    world.session.redo()
    assert world.session.workflow.resource("photo_mask.png") is not None


def test_a_drawing_that_is_replaced_or_given_up_leaves_no_resource_behind(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20),), "small", by_hand()))
    world.use(HandDrawnMask((Point(20, 20),), "", by_hand(0)))
    assert [r.name for r in world.session.workflow.resources] == ["photo.png", "photo_mask-2.png"]
    world.use(HandDrawnMask((Point(20, 20),)))
    assert [r.name for r in world.session.workflow.resources] == ["photo.png"]
    assert world.session.workflow.node("seg").values == {"points": [[20, 20, True]]}


def test_the_edge_is_a_value_of_the_node_and_the_same_after_saving_and_opening(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20),)))
    plain = world.mask()
    world.use(HandDrawnMask((Point(20, 20),), grow=4, feather=2))
    node = world.session.workflow.node("seg")
    assert node.values == {"points": [[20, 20, True]], "grow": 4, "feather": 2}
    grown = world.mask()
    assert (grown == edged(plain, 4, 2)).all() and (grown != plain).any()
    again = Workflow.from_json(world.session.workflow.to_json())
    assert again.node("seg").values == node.values
    world.session.undo()
    assert world.session.workflow.node("seg").values == {"points": [[20, 20, True]]}
    assert (world.mask() == plain).all()


def test_a_preview_is_that_of_the_mask_before_its_edge_is_changed(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20),)))
    plain = world.mask()
    world.use(HandDrawnMask((Point(20, 20),), grow=8))
    assert (world.runner.run(world.session.preview_mask("photo.png", [[20, 20, True]], "seg")) == plain).all()


def test_the_edge_of_a_drawing_comes_along_into_the_next_plan(world):
    world.use(HandDrawnMask((Point(20, 20),), "small", by_hand(0), grow=3))
    world.runner.run(world.session.ask("select this"))
    assert world.session.workflow.node("seg").values == {"points": [[20, 20, True]], "reading": "small", "grow": 3}


def test_a_port_for_masks_is_joined_to_the_mask(world):
    world.session.edit(Workflow((world.photo,), (Node("grow", "grow_mask"),)))
    world.use(HandDrawnMask((), "", by_hand(0), Point(60, 45)), "grow", "mask")
    assert world.session.workflow.links_into("grow") == (Link("photo_mask.png", RESOURCE_OUTPUT, "grow", "mask"),)


def test_a_drawing_can_be_shown_again_from_a_saved_workflow(world):
    world.wants()
    marks = [{"number": 1, "name": "Cup", "reading": "best", "marks": []}]
    world.use(HandDrawnMask((Point(20, 20),), "", by_hand(), drawing=marks))
    again = Workflow.from_json(world.session.workflow.to_json())
    assert drawn_masks.drawing_of(again, "seg") == marks
    assert drawn_masks.drawing_of(replace(again, links=()), "seg") is None


def test_what_was_drawn_before_the_request_is_used_in_its_plan(world):
    world.use(HandDrawnMask((Point(20, 20),), "small", by_hand(0)))
    assert world.session.workflow == Workflow()
    world.runner.run(world.session.ask("select this"))
    links = {k.port: k.source for k in world.session.workflow.links_into("seg")}
    assert links == {"image": "photo.png", "drawn": "photo_mask.png"}
    assert world.session.workflow.node("seg").values == {"points": [[20, 20, True]], "reading": "small"}


def test_points_set_after_a_drawing_are_what_the_plan_uses(world):
    world.use(HandDrawnMask((Point(20, 20),), "small", by_hand(0)))
    world.session.point("photo.png", (Point(5, 5),))
    world.runner.run(world.session.ask("select this"))
    assert [k.port for k in world.session.workflow.links_into("seg")] == ["image"]
    assert world.session.workflow.node("seg").values == {"points": [[5, 5, True]]}


def test_a_drawing_outside_the_picture_is_refused(world):
    world.wants()
    with pytest.raises(BadRequest, match="outside"):
        world.use(HandDrawnMask((Point(200, 20),)))
    assert world.session.workflow.node("seg").values == {}


def test_a_preview_leaves_out_what_was_painted_and_takes_the_reading(world):
    world.wants()
    world.use(HandDrawnMask((Point(20, 20),), "large", by_hand()))
    mask = world.runner.run(world.session.preview_mask("photo.png", [[20, 20, True]]))
    assert mask[20, 12] == 255 and mask[45, 60] == 0
    small = world.runner.run(world.session.preview_mask("photo.png", [[20, 20, True]], "", "small"))
    assert small.shape == SIZE


def test_where_the_node_makes_no_mask_another_tool_shows_one(world):
    world.session.edit(Workflow((world.photo,), (Node("grow", "grow_mask"),)))
    mask = world.runner.run(world.session.preview_mask("photo.png", [[20, 20, True]], "grow"))
    assert mask[20, 20] == 255 and mask[45, 60] == 0


def test_only_tools_that_say_so_take_drawings_and_readings():
    segment, boxes = TOOLS["segment_points"], TOOLS["segment_box"]
    assert drawn_port(segment).name == "drawn" and reading_port(segment).name == "reading"
    assert drawn_port(boxes) is None and reading_port(boxes) is None


def test_the_planner_is_not_told_of_what_is_set_by_hand():
    from desktop_app.plan.tools.tool_specs import from_tools

    spec = next(tool for tool in from_tools(TOOLS) if tool.id == "segment_points")
    assert [port.name for port in spec.inputs] == ["image", "points"]
