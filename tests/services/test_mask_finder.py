"""Masks while pointing, on real lanes with toy tools: the newest wins, repeats cost nothing, failures are told."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from PIL import Image

from desktop_app.core.errors import AppError, BadRequest
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.types import Plan
from desktop_app.run.engine import Engine
from desktop_app.services.mask_preview import MaskFinder
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes.api import Point
from tests.fakes import FakePlanner, picture
from tests.mask_toys import TOOLS
from tests.waiting import until


class World:
    """One loop with a session and its engines."""

    def __init__(self, folder) -> None:
        self.runner = asyncio.Runner()
        self.store, self.history = Store(folder / "store"), History(folder / "history.sqlite")
        self.engine = Engine(self.store, self.history, TOOLS, 1)
        small = Engine(self.store, self.history, TOOLS, 1)
        finder = MaskFinder(small, self.store)
        self.session = Session(TOOLS, FakePlanner(Plan(())), self.engine, self.store, self.history, None, finder)
        Image.fromarray(picture()).save(folder / "photo.png")
        self.photo = self.session.attach(folder / "photo.png")

    def wants(self, tool: str, **values) -> None:
        link = Link("photo.png", RESOURCE_OUTPUT, "seg", "image")
        self.session.edit(Workflow((self.photo,), (Node("seg", tool, values),), (link,)))

    def find(self, marks, node=""):
        return self.runner.run(self.session.preview_mask("photo.png", marks, node))


@pytest.fixture
def world(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    made = World(own_home)
    yield made
    made.runner.run(made.session.close())
    made.runner.close()
    made.history.close()


def test_the_mask_is_that_of_the_tool_that_waits_for_the_clicks(world):
    world.wants("squares")
    mask = world.find([[10, 20, True]])
    assert mask.shape == (48, 64) and mask[20, 10] == 255
    assert np.count_nonzero(mask) == 25


def test_boxes_are_shown_for_a_port_that_takes_boxes(world):
    world.wants("frames")
    assert np.count_nonzero(world.find([[4, 5, 14, 25]], "seg")) == 200


def test_without_a_graph_a_tool_is_chosen_and_nothing_is_put_into_the_graph(world):
    assert world.find([[10, 20, True]])[20, 10] == 255
    assert world.session.workflow == Workflow()
    assert not world.session.run.nodes


def test_the_same_clicks_again_and_the_run_itself_compute_nothing(world, tmp_path):
    mark = tmp_path / "calls"
    world.wants("squares", mark=str(mark))
    world.find([[10, 20, True]])
    world.find([[30, 20, True]])
    world.find([[10, 20, True]])
    world.session.point("photo.png", (Point(10, 20),))
    world.runner.run(world.session.start())
    assert world.session.run.nodes["seg"].cached
    assert mark.read_text() == "1\n1\n"


def test_a_newer_request_overtakes_and_the_older_gives_nothing(world, tmp_path):
    mark = tmp_path / "calls"
    world.wants("squares", mark=str(mark), seconds=3000.0)

    async def act():
        first = asyncio.ensure_future(world.session.preview_mask("photo.png", [[10, 20, True]]))
        await until(mark.exists)
        world.wants("squares", mark=str(mark), seconds=0.0)
        rest = [asyncio.ensure_future(world.session.preview_mask("photo.png", [[10, 20, True]] * n)) for n in (2, 3, 4)]
        return await asyncio.gather(first, *rest)

    *older, newest = world.runner.run(act())
    assert older == [None, None, None]
    assert newest[20, 10] == 255
    assert mark.read_text() == "1\n4\n"


def test_a_tool_that_fails_says_why_and_the_next_clicks_work(world):
    world.wants("squares")
    with pytest.raises(AppError, match="Five clicks are too many") as caught:
        world.find([[n, n, True] for n in range(5)])
    assert caught.value.fix == "Take one away."
    assert world.find([[10, 20, True]]) is not None


def test_what_is_not_made_yet_is_said_and_then_used(world):
    world.wants("squares")
    half = Link("photo.png", RESOURCE_OUTPUT, "half", "image")
    workflow = Workflow(
        (world.photo,), (Node("half", "halve"), Node("seg", "squares")), (half, Link("half", "image", "seg", "image"))
    )
    world.session.edit(workflow)
    with pytest.raises(BadRequest, match="not made yet"):
        world.find([[3, 4, True]], "seg")
    world.runner.run(world.session.start("half"))
    assert world.find([[3, 4, True]], "seg").shape == (24, 32)


def test_previews_leave_no_run_behind(world, own_home):
    world.wants("squares")
    world.find([[10, 20, True]])
    assert list((own_home / "runs").glob("*.jsonl")) == []


def test_previews_go_on_beside_a_run(world):
    world.wants("squares", seconds=0.5)
    world.session.point("photo.png", (Point(10, 20),))

    async def act():
        run = asyncio.ensure_future(world.session.start())
        await asyncio.sleep(0)
        other = Workflow((world.photo,), (Node("p", "squares"),), (Link("photo.png", RESOURCE_OUTPUT, "p", "image"),))
        world.session.edit(other)
        mask = await world.session.preview_mask("photo.png", [[5, 5, True]])
        await run
        return mask

    assert world.runner.run(act())[5, 5] == 255
    assert world.session.run.outcome == "ok"


def test_the_best_back_end_is_looked_up_once_until_the_next_picture(world, monkeypatch):
    from desktop_app.services import mask_preview

    asked = []
    shown = mask_preview.selection.shown
    monkeypatch.setattr(mask_preview.selection, "shown", lambda tool, id: asked.append(id) or shown(tool, id))
    world.wants("squares")
    for n in range(3):
        world.find([[10 + n, 20, True]])
    assert asked == [None]
    world.runner.run(_warmed(world))
    world.find([[30, 20, True]])
    assert asked == [None, None]


async def _warmed(world) -> None:
    world.session.warm_masks()


def test_of_a_large_picture_a_mask_is_found_as_large_as_a_screen(world, own_home):
    Image.new("RGB", (3400, 102)).save(own_home / "wide.png")
    world.session.attach(own_home / "wide.png")
    world.photo = world.session.find("wide.png")
    link = Link("wide.png", RESOURCE_OUTPUT, "seg", "image")
    world.session.edit(Workflow((world.photo,), (Node("seg", "squares"),), (link,)))
    mask = world.runner.run(world.session.preview_mask("wide.png", [[3000, 60, True]]))
    assert mask.shape == (34, 1133) and mask[20, 1000] == 255 and mask[20, 300] == 0
