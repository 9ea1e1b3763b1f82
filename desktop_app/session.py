"""Session: one conversation - messages, resources, alternatives, the chosen workflow, its run, undo.

The window and the command line read it and call its verbs; it must not know either.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from desktop_app.plan.request import Plan, Question, Solution
from desktop_app.resource import Resource
from desktop_app.run.record import Run
from desktop_app.workflow import Workflow
from nodes.api import Point, Tool


class Change(enum.Flag):
    """What changed since the last call of a listener."""

    MESSAGES = enum.auto()
    RESOURCES = enum.auto()
    PLAN = enum.auto()
    WORKFLOW = enum.auto()
    RUN = enum.auto()
    BUSY = enum.auto()


@dataclass(frozen=True)
class Reference:
    """A piece of an answer that rests on a node: characters `start` to `end` of the message's text."""

    start: int
    end: int
    node: str


@dataclass(frozen=True)
class Message:
    """One message. `resources` are names. `questions` wait for an answer while `open` is true.

    `kind` is "text", "plan" (a plan was made), "run" (the progress of the run shown live), "answer" or "error".
    `streaming` is true while text still arrives; the message is replaced as it grows (same `id`).
    """

    id: int
    role: str
    text: str
    kind: str = "text"
    resources: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    references: tuple[Reference, ...] = ()
    open: bool = False
    streaming: bool = False
    fix: str = ""


@dataclass(frozen=True)
class Alternative:
    """A solution with the workflow that it makes. `seconds` is estimated from history, None when unknown."""

    solution: Solution
    workflow: Workflow
    seconds: float | None = None
    download_bytes: int = 0
    memory_bytes: int = 0


@dataclass
class Session:
    """Read the fields, call the verbs; never assign the fields from outside.

    `points` are the clicks by resource name. `busy` is "" or what goes on ("Planning"). Listeners are called on
    the loop's thread, at most 30 times a second while a run goes on.
    """

    tools: Mapping[str, Tool] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    resources: Mapping[str, Resource] = field(default_factory=dict)
    points: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    plan: Plan | None = None
    alternatives: tuple[Alternative, ...] = ()
    chosen: int = 0
    workflow: Workflow = field(default_factory=Workflow)
    run: Run = field(default_factory=Run)
    busy: str = ""
    title: str = ""

    def listen(self, listener: Callable[[Change], None]) -> None: ...

    def path_of(self, resource: Resource) -> Path: ...

    def attach(self, path: Path) -> Resource: ...

    async def ask(self, text: str, names: tuple[str, ...] = ()) -> None: ...

    def reply(self, question: Question, text: str) -> None: ...

    def point(self, name: str, points: tuple[Point, ...]) -> None: ...

    def choose(self, index: int) -> None: ...

    def edit(self, workflow: Workflow) -> None: ...

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None: ...

    def undo(self) -> None: ...

    def redo(self) -> None: ...

    @property
    def can_undo(self) -> bool: ...

    @property
    def can_redo(self) -> bool: ...

    async def start(self, upto: str | None = None) -> None: ...

    def stop(self) -> None: ...

    def new(self) -> None: ...

    def save(self, path: Path) -> None: ...

    def open(self, path: Path) -> None: ...
