"""The states in which the window is photographed and tested: first screen to error, on a FakeSession."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from desktop_app.plan.types import Plan, Question
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Change, Message, Reference
from nodes._support.files import codecs
from nodes.api import Audio, Point, ResourceType, Table
from tests.ui.fakes import COFFEE, FakeSession, coffee_workflow, three_ways

T = ResourceType
REQUEST = "Remove the cup I point at and make the rest a watercolour"
POINTS = (Point(289, 60), Point(242, 215), Point(366, 283, False))
ALL = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY
ANSWER = (
    "The cup is gone and the spoon is kept. The rest is painted as a **watercolour** on rough paper.\n\n"
    "| what | value |\n|---|---|\n| mask | 21.2 % |\n| score | 0.97 |\n\nThe colours are those of the photograph."
)


def planned(session: FakeSession, asked: bool = True) -> FakeSession:
    """A request, its plan, three ways; when `asked`, the points are still missing."""
    coffee = session.attach(COFFEE)
    session.title = "Coffee without the cup"
    workflow = coffee_workflow(coffee, points=not asked)
    session.alternatives = three_ways(workflow)
    session.workflow = workflow
    session.plan = Plan(tuple(a.solution for a in session.alternatives))
    point = Question("Where in coffee.jpg? Click on the cup.", "point", (), "seg", "points", coffee.name)
    style = Question("Which style do you like?", "text", ("watercolour", "ink", "pencil"), "paint", "style")
    if not asked:
        session.points = {coffee.name: POINTS}
    session.messages = (
        Message(1, "user", REQUEST, resources=(coffee.name,)),
        Message(
            2, "assistant", "Point at the cup and I will take it out, then paint what is left.", "plan",
            questions=(point, style), open=asked,
        ),
    )  # fmt: skip
    return session


def _picture(path: Path, size=(600, 400)) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB").resize(size))


@cache
def _files() -> tuple[tuple[str, str, str, ResourceType, str, dict, bytes], ...]:
    """Of each result: its node and port, its name, its type, what made it, its facets, and its file, written once."""
    photo = _picture(COFFEE)
    mask = np.zeros(photo.shape[:2], np.uint8)
    mask[60:250, 190:390] = 255
    painted = (photo // 48 * 48 + 20).astype(np.uint8)
    turned = photo[:, ::-1].copy()
    tone = np.sin(np.linspace(0, 900, 16000)) * np.abs(np.sin(np.linspace(0, 14, 16000)))
    size = {"width": 600, "height": 400}
    made = (
        ("seg", "mask", "coffee_segment.png", T.MASK, "seg", size, mask),
        ("rem", "image", "coffee_remove.png", T.IMAGE, "rem", size, turned),
        ("cap", "text", "caption.txt", T.TEXT, "cap", {}, "a red saucer with a spoon on a worn wooden table"),
        ("paint", "image", "coffee_watercolour.png", T.IMAGE, "paint", size, painted),
        ("desc", "text", "described.txt", T.TEXT, "desc", {}, "A loose painting of a saucer."),
        ("speak", "audio", "speech.wav", T.AUDIO, "x", {"seconds": 1.0}, Audio(tone[:, None].astype("f4"), 16000)),
    )
    return tuple((*told, codecs.encode(value, told[3])[0]) for *told, value in made)


def _results(session: FakeSession) -> dict[str, dict]:
    return {
        node: {port: session.put_bytes(name, data, type, made_by, **facets)}
        for node, port, name, type, made_by, facets, data in _files()
    }


def running(session: FakeSession) -> FakeSession:
    """In the middle of a run."""
    planned(session, asked=False)
    made = _results(session)
    step = session.store.path_of(made["paint"]["image"])
    session.run = Run("run-3", time.time() - 11.2, {
        "seg": NodeRun("done", "GPU 0", 0.2, cached=True, outputs=made["seg"], fraction=1.0),
        "cap": NodeRun("done", "CPU 1", 0.3, 0.9, outputs=made["cap"], backend="built-in", fraction=1.0),
        "rem": NodeRun("done", "GPU 0", 1.2, 1.4, outputs=made["rem"], backend="built-in", fraction=1.0),
        "paint": NodeRun("running", "GPU 0", 2.9, fraction=0.58, note="step 14 of 24", preview=str(step)),
        "desc": NodeRun("waiting"),
    })  # fmt: skip
    session.busy = "Running"
    session.messages += (Message(3, "assistant", "", "run", run="run-3"),)
    return session


def answered(session: FakeSession) -> FakeSession:
    """A finished run with its answer."""
    running(session)
    made = _results(session)
    nodes = dict(session.run.nodes)
    nodes["paint"] = NodeRun("done", "GPU 0", 2.9, 14.0, 1.0, outputs=made["paint"], backend="sdxl")
    nodes["desc"] = NodeRun("done", "CPU 1", 17.0, 0.6, 1.0, outputs=made["desc"], backend="built-in")
    session.run = replace(session.run, nodes=nodes, outcome="ok", seconds=17.6)
    session.busy = ""
    table = session.put("sizes.json", Table(("thing", "pixels"), (("cup", 50872), ("spoon", 9120))), T.TABLE, "desc")
    session.messages += (
        Message(
            4, "assistant", ANSWER, "answer",
            ("coffee_watercolour.png", "speech.wav", table.name, "described.txt"),
            references=(Reference(0, 39, "rem"), Reference(40, 95, "paint")),
        ),
    )  # fmt: skip
    return session


def failed(session: FakeSession) -> FakeSession:
    """A run in which one node failed and one was skipped."""
    running(session)
    nodes = dict(session.run.nodes)
    nodes["paint"] = NodeRun(
        "failed", "GPU 0", 2.9, 0.7, message="SDXL 1.0 could not be loaded: it needs 6.9 GB and 3.1 GB are free.",
        fix="Close other programs, or take the built-in back end.",
        cause="Traceback (most recent call last):\n  MemoryError", backend="sdxl", other="opencv",
    )  # fmt: skip
    nodes["desc"] = NodeRun("skipped", because="paint")
    session.run = replace(session.run, nodes=nodes, outcome="failed", seconds=4.0)
    session.busy = ""
    session.messages += (
        Message(
            4, "assistant", "Watercolour failed: SDXL 1.0 could not be loaded.", "error",
            fix="Close other programs, or take the built-in back end.",
        ),
    )  # fmt: skip
    return session
