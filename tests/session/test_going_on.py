"""What is said after a plan, as people get it (networks and all): which graph it leads to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Workflow
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.planner import Planner
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import FakeHistory, TracingEngine, brought

TOOLS = load_tools().tools
SPEECH, COMIC, POSTER, BLOCKS = (
    "read notes.txt aloud", "turn cat.jpg into a cartoon", "make cat.jpg look like a poster", "make a mosaic of cat.jpg"
)  # fmt: skip


@pytest.fixture(scope="module")
def planner() -> Iterator[Planner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        assert sentence_encoder.sentence_encoder().is_ready()
        yield Planner(lambda: TOOLS, "adaptive")


@pytest.fixture
def after(tmp_path: Path, planner: Planner) -> Callable[..., Session]:
    """A conversation: files by name, then what is said; each plan but the last is run, with made-up results."""

    def conversation(files: str, *texts: str) -> Session:
        store = Store(tmp_path / "store")
        session = Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())  # type: ignore[arg-type]
        asyncio.run(_say(session, tuple(brought(session, name) for name in files.split()), texts))
        return session

    return conversation


async def _say(session: Session, names: tuple[str, ...], texts: Sequence[str]) -> None:
    for number, text in enumerate(texts):
        if number:
            await session.start()
        await session.ask(text, () if number else names)
        session.workflow.check(session.tools)


def steps(workflow: Workflow) -> list[str]:
    """The tools, each after those that feed it."""
    return [workflow.node(id).tool for id in workflow.order()]


def values(workflow: Workflow) -> list[dict[str, Any]]:
    return [dict(workflow.node(id).values) for id in workflow.order()]


def taken(workflow: Workflow, tool: str) -> dict[str, list[str]]:
    """What the (first) node of that tool takes, by port: files by name, results by the tool that made them."""
    node = next(id for id in workflow.order() if workflow.node(id).tool == tool)
    found: dict[str, list[str]] = {}
    for link in workflow.links_into(node):
        is_file = link.output == RESOURCE_OUTPUT and workflow.resource(link.source) is not None
        found.setdefault(link.port, []).append(link.source if is_file else workflow.node(link.source).tool)
    return found


@pytest.mark.parametrize(
    ("files", "first", "then", "tool", "value"),
    [
        ("notes.txt", SPEECH, "in a deeper voice", "text_to_speech", {"pitch": 33.333}),
        ("notes.txt", SPEECH, "mit einer tieferen Stimme", "text_to_speech", {"pitch": 33.333}),
        ("notes.txt", SPEECH, "avec une voix plus grave", "text_to_speech", {"pitch": 33.333}),
        ("notes.txt", SPEECH, "con una voz más grave", "text_to_speech", {"pitch": 33.333}),
        ("notes.txt", SPEECH, "声音低沉一点", "text_to_speech", {"pitch": 41.667}),
        ("notes.txt", SPEECH, "a higher voice", "text_to_speech", {"pitch": 75}),
        ("notes.txt", f"{SPEECH} in German", "no, in English", "text_to_speech", {"language": "en"}),
        ("notes.txt", f"{SPEECH} in German", "nein, auf Englisch", "text_to_speech", {"language": "en"}),
        ("notes.txt", f"{SPEECH} in German", "non, en anglais", "text_to_speech", {"language": "en"}),
        ("notes.txt", SPEECH, "no, in English", "text_to_speech", {"language": "en"}),
        ("notes.txt", "translate notes.txt into German", "no, in Spanish", "translate", {"language": "Spanish"}),
        ("cat.jpg", COMIC, "fewer colours", "cartoon", {"tones": 5}),
        ("cat.jpg", COMIC, "less colours", "cartoon", {"tones": 5}),
        ("cat.jpg", COMIC, "weniger Farben", "cartoon", {"tones": 5}),
        ("cat.jpg", COMIC, "moins de couleurs", "cartoon", {"tones": 5}),
        ("cat.jpg", POSTER, "less colors please", "posterise", {"levels": 3}),
        ("cat.jpg", POSTER, "more colours", "posterise", {"levels": 6}),
        ("cat.jpg", POSTER, "menos colores", "posterise", {"levels": 3}),
        ("cat.jpg", POSTER, "颜色少一点", "posterise", {"levels": 3}),
        ("cat.jpg", BLOCKS, "larger tiles", "pixelate", {"block": 2}),
        ("cat.jpg", BLOCKS, "größere Kacheln", "pixelate", {"block": 2}),
    ],
)
def test_more_and_less_are_of_the_value_that_the_words_name(after, files, first, then, tool, value):
    workflow = after(files, first, then).workflow
    assert steps(workflow) == [tool]
    assert values(workflow)[0] == value


def test_fewer_colours_of_a_step_that_has_none_are_a_further_step(after):
    first, *further = steps(after("cat.jpg", "put a red border around cat.jpg", "fewer colours").workflow)
    assert first == "border" and len(further) == 1


def test_a_darker_background_is_not_a_darker_picture(after):
    assert "replace_background" in steps(after("cat.jpg", "brighten cat.jpg", "a darker background").workflow)
