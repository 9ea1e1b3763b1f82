"""Two ways that have run, in a FakeSession: for tests of the comparison and for its pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.types import Plan, Solution
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Alternative
from nodes.api import Port, ResourceType
from tests.ui import states
from tests.ui.fakes import COFFEE, FakeSession, _model, _tool

T = ResourceType
FIND = _tool(
    "find_text", "Find by description", "search",
    [Port("image", T.IMAGE, "the picture"), Port("text", T.TEXT, "what to find")],
    [Port("mask", T.MASK, "the thing")], _model("owl", "OWLv2 + SAM", 0.9, 0.196),
)  # fmt: skip


def photo(size=(600, 400)) -> np.ndarray:
    """The photograph, uint8 (height, width, 3)."""
    return np.asarray(Image.open(COFFEE).convert("RGB").resize(size))


def two_ways(session: FakeSession, ran: bool = True) -> FakeSession:
    """Point and paint (shown), find and paint, and a third; when `ran`, the first two have run."""
    states.planned(session, asked=False)
    session.tools = {**session.tools, FIND.id: FIND}
    coffee = session.resources["coffee.jpg"]
    clicked = {"points": [[289, 60, True], [242, 215, True], [366, 283, False]]}
    shared = (Node("rem", "remove_object"), Node("cap", "caption"), Node("paint", "watercolour", {"strength": 0.62}))
    links = (
        Link(coffee.name, RESOURCE_OUTPUT, "seg", "image"), Link(coffee.name, RESOURCE_OUTPUT, "rem", "image"),
        Link("seg", "mask", "rem", "mask"), Link("rem", "image", "paint", "image"),
        Link(coffee.name, RESOURCE_OUTPUT, "cap", "image"), Link("cap", "text", "paint", "prompt"),
    )  # fmt: skip
    wanted = (("paint", "image"),)
    a = Workflow((coffee,), (Node("seg", "segment_points", clicked), *shared), links, wanted)
    b = Workflow((coffee,), (Node("seg", "find_text", {"text": "cup"}), *shared), links, wanted)
    session.alternatives = (
        Alternative(Solution("Point and paint", "Mask from your 3 points, painted by SDXL.", 0.92, ()), a, 17.3, 0,
                    8_100_000_000),
        Alternative(Solution("Find and paint", "Mask found from the word “cup”, painted by SDXL.", 0.84, ()), b, 21.9,
                    196_000_000, 8_700_000_000),
        session.alternatives[2],
    )  # fmt: skip
    session.plan = Plan(tuple(way.solution for way in session.alternatives))
    session.workflow, session.chosen = a, 0
    if ran:
        session.records = {0: run_of(session, "a"), 1: run_of(session, "b")}
        session.run = session.records[0]
    return session


def two_asked_for(session: FakeSession) -> FakeSession:
    """The caption was asked for too; B ended without it."""
    two_ways(session)
    ways = [
        replace(way, workflow=replace(way.workflow, wanted=(("paint", "image"), ("cap", "text"))))
        for way in session.alternatives
    ]
    session.alternatives, session.workflow = tuple(ways), ways[0].workflow
    run = session.records[1]
    failed = replace(run.nodes["cap"], state="failed", outputs={}, message="There is no caption.")
    session.records[1] = replace(run, nodes={**run.nodes, "cap": failed}, outcome="failed")
    return session


def run_of(session: FakeSession, side: str) -> Run:
    """The finished run of a side, with a picture of its own."""
    mask = np.zeros((400, 600), np.uint8)
    mask[60:250, (190 if side == "a" else 210) : 390] = 255
    source = photo()
    painted = (source // 48 * 48 + 20).astype(np.uint8)
    if side == "b":
        painted = np.clip(painted.astype(int) // 2 + np.array([110, 96, 70]), 0, 255).astype(np.uint8)
        painted[200:360, 240:380] = source[200:360, 240:380]
    made = {
        "seg": {"mask": session.put(f"mask_{side}.png", mask, T.MASK, "seg", width=600, height=400)},
        "rem": {
            "image": session.put(f"rest_{side}.png", source[:, ::-1].copy(), T.IMAGE, "rem", width=600, height=400)
        },
        "cap": {"text": session.put("caption.txt", "a red saucer with a spoon on a table", T.TEXT, "cap")},
        "paint": {"image": session.put(f"painting_{side}.png", painted, T.IMAGE, "paint", width=600, height=400)},
    }
    took = {"seg": 0.8, "rem": 1.4, "cap": 0.9, "paint": 14.2} if side == "a" else {
        "seg": 2.6, "rem": 4.8, "cap": 0.9, "paint": 13.9}  # fmt: skip
    lanes = {"seg": "GPU 0", "rem": "GPU 0", "cap": "CPU 1", "paint": "GPU 0"}
    backends = {"seg": "sam" if side == "a" else "owl", "paint": "sdxl"}
    nodes = {
        id: NodeRun("done", lanes[id], 0.1, took[id], 1.0, outputs=made[id], backend=backends.get(id, "built-in"))
        for id in made
    }
    return Run(f"run-{side}", 1.0, nodes, "ok", sum(took.values()))


def running_b(session: FakeSession) -> FakeSession:
    """A has run, B is running beside it."""
    two_ways(session)
    run = session.records.pop(1)
    nodes = {**run.nodes, "paint": replace(run.nodes["paint"], state="running", fraction=0.5, outputs={})}
    session.aside = replace(run, nodes=nodes, outcome="")
    session.busy = "Running"
    return session
