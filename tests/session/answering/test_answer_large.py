"""Answers to large graphs: told within bounds, put together off the loop, in a time that grows as the graph does."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable

import pytest

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session import follow_up
from desktop_app.session.answering import answer, findings, statements
from desktop_app.session.answering.answer_check import AnswerChecker
from desktop_app.session.inputs import open_ports
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType, Table
from tests.session.answering.test_answer import TOOLS, World, face

T = ResourceType


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def chain(length: int) -> tuple[Workflow, Run]:
    """A picture, boxes on it, and numbers one after the other, each of which may be told."""
    nodes = [Node("f", "faces"), Node("n0", "count"), *(Node(f"n{i}", "sum") for i in range(1, length))]
    links = [Link("a.jpg", "value", "f", "image"), Link("f", "out", "n0", "boxes")]
    links += [Link(f"n{i}", "out", f"n{i + 1}", "number") for i in range(length - 1)]
    files = (Resource("a.jpg", T.IMAGE, "0" * 64, ".jpg"),)
    made = {n.id: Resource(f"{n.id}.json", T.NUMBER, f"{i:064}", ".json") for i, n in enumerate(nodes)}
    made["f"] = Resource("f.json", T.BOXES, "f" * 64, ".json")
    runs = {id: NodeRun("done", outputs={"out": resource}) for id, resource in made.items()}
    return Workflow(files, tuple(nodes), tuple(links)), Run("r", 0.0, runs, "ok")


def value_of(resource: Resource):
    return (face(1),) if resource.type is T.BOXES else int(resource.digest)


def composed(workflow: Workflow, run: Run) -> statements.Reply:
    return statements.reply_of(
        statements.statements(workflow, run, TOOLS, findings.findings(workflow, run, TOOLS, value_of))
    )


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python are run, each round of a loop counted: the same on every machine."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "work",
    [
        lambda workflow, run: composed(workflow, run),
        lambda workflow, run: workflow.part(workflow.nodes[-1].id, "out"),
        lambda workflow, run: follow_up.grown(workflow, workflow, {"a.jpg": (workflow.nodes[-1].id, "out")}),
        lambda workflow, run: answer.plan_text(workflow, TOOLS, "", 0),
        lambda workflow, run: open_ports.of(workflow, TOOLS, {}),
    ],
    ids=["answer", "part", "follow-up", "plan", "questions"],
)
def test_twice_the_graph_takes_twice_the_steps(work):
    small, large = (steps(lambda length=length: work(*chain(length))) for length in (150, 300))
    assert large / small < 2.3


def test_every_value_is_read_once(world):
    read: list[str] = []
    workflow, run = chain(100)

    def counted(resource):
        read.append(resource.digest)
        return value_of(resource)

    findings.findings(workflow, run, TOOLS, counted)
    assert len(read) == len(set(read)) == 101


def test_files_are_read_on_a_thread():
    threads = set()
    workflow, run = chain(3)

    def told(resource):
        threads.add(threading.current_thread())
        return value_of(resource)

    async def last():
        return [reply async for reply in answer.stream("how?", workflow, run, TOOLS, told)][-1]

    asyncio.run(last())
    assert threads and threading.main_thread() not in threads


def test_so_many_results_are_told_and_how_many_more_there_are():
    workflow, run = chain(1520)
    text, references = composed(workflow, run)
    assert text.endswith("… and 1,480 more results.") and len(references) == findings.MOST_SAID
    assert "There are 1,520 faces in a.jpg." in text, "what was asked for is told, whatever else is not"


def test_so_many_failures_are_told_and_how_many_more_there_are():
    nodes = tuple(Node(f"n{i}", "sum") for i in range(500))
    run = Run("r", 0.0, {node.id: NodeRun("failed", message="It broke.") for node in nodes}, "failed")
    text, _ = statements.reply_of(statements.statements(Workflow(nodes=nodes), run, TOOLS, ()))
    assert text.endswith("… and 480 more nodes that made nothing.") and text.count("It broke.") == 20


def test_so_many_files_are_named_and_how_many_more_there_are(world):
    for n in range(30):
        world.file(f"{n}.jpg")
    world.node("f", "faces", (face(1),), *(f"{n}.jpg" for n in range(30)))
    text, _ = world.reply((("f", "out"),))
    assert text == "There is 1 face in all."
    world.node("r", "read", "", *(f"{n}.jpg" for n in range(30)))
    assert "0.jpg, 1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, 6.jpg, 7.jpg and 22 more." in world.reply((("r", "out"),))[0]


def test_a_table_is_told_by_its_first_rows_and_columns(world):
    world.file("a.png")
    row = tuple(range(1000))
    world.node("t", "table", Table(tuple(f"c{n}" for n in row), (row,) * 50), "a.png")
    text, _ = world.reply()
    assert "… and 20 more rows." in text and "… and 991 more columns." in text
    assert len(text) < 5000


class Says:
    """A language model that writes pieces, and keeps what it was sent."""

    name = "says"

    def __init__(self, *pieces: str) -> None:
        self.pieces, self.sent = pieces, ""

    async def stream(self, messages, schema=None):
        self.sent = messages[-1].text
        for piece in self.pieces:
            yield piece


def replied(chat, workflow: Workflow, run: Run) -> str:
    async def last():
        return [reply async for reply in answer.stream("how?", workflow, run, TOOLS, value_of, chat)][-1]

    return asyncio.run(last())[0]


def test_a_language_model_is_told_as_little():
    chat = Says("Fine.")
    assert replied(chat, *chain(2000)).startswith("Fine.")
    assert len(chat.sent) < 20_000 and '"more findings": 19' in chat.sent


@pytest.mark.parametrize("pieces", [(), ("",), (" ", "\n") * 50_000, ("[[n0]]", " [[n1]] ")])
def test_a_language_model_that_writes_nothing_leaves_the_composed_answer_and_a_word(pieces):
    text = replied(Says(*pieces), *chain(2))
    assert "There is 1 face in a.jpg." in text
    assert "wrote no answer" in text and "put together without it" in text


def test_many_blanks_between_marks_take_no_time_of_their_own():
    """Where blanks are sought from each of their places on, this takes minutes."""
    text, references = AnswerChecker({}, [], {"n0"}).checked("a  [[n0]] b" + " " * 200_000, whole=True)
    assert text.startswith("a b") and references[0].start == 0
