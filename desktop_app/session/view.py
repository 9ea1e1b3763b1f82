"""What a window is given of a session: what can be read of it, and the verbs, which not every session has.

A `Session` has both. A `Replay` can only be read; `ReadOnly` stands in for its verbs and says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.models.downloads import Downloads
from desktop_app.plan.types import Plan, Question
from desktop_app.run.events.run_record import Run
from desktop_app.run.maintenance import Upkeep
from desktop_app.session.consent import Consent
from desktop_app.session.messages import Alternative, Change, Message
from desktop_app.storage.resources import Resource, Store
from desktop_app.storage.usage_statistics import Done, Join
from nodes.api import Point, Tool

if TYPE_CHECKING:
    from desktop_app.session.drawn_masks import HandDrawnMask
    from desktop_app.session.snapshot_codec import Snapshot


class SessionView(Protocol):
    """One conversation, to be read. Whoever `listen`s hears what changed, on the thread of the window."""

    @property
    def tools(self) -> Mapping[str, Tool]: ...
    @property
    def store(self) -> Store:
        """Where the files of resources are."""
        ...

    @property
    def upkeep(self) -> Upkeep | None:
        """Tells which models are in memory, and gives that back; None where nothing can run."""
        ...

    @property
    def downloads(self) -> Downloads | None:
        """What is being fetched; None where nothing can be."""
        ...

    @property
    def position(self) -> float | None:
        """Of a recorded run, the moment that is shown, in seconds since it began; None for what goes on now."""
        ...

    # The conversation

    @property
    def id(self) -> str:
        """Another one in each conversation."""
        ...

    @property
    def title(self) -> str: ...
    @property
    def busy(self) -> str:
        """ "" or what goes on ("Planning")."""
        ...

    @property
    def messages(self) -> tuple[Message, ...]: ...
    @property
    def resources(self) -> dict[str, Resource]: ...
    @property
    def agreed(self) -> Consent: ...
    @property
    def spent(self) -> Spent:
        """The tokens that planning and answering have cost in this conversation."""
        ...

    @property
    def language_model(self) -> str:
        """The name of the language model that plans and answers, "" when there is none or it has no name."""
        ...

    # The graph

    @property
    def workflow(self) -> Workflow:
        """The graph that is shown and would run."""
        ...

    @property
    def plan(self) -> Plan | None: ...
    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The ways that the planner found, best first."""
        ...

    @property
    def chosen(self) -> int:
        """The index of the alternative that is shown."""
        ...

    @property
    def points(self) -> Mapping[str, tuple[Point, ...]]:
        """The clicks by resource name."""
        ...

    @property
    def can_undo(self) -> bool: ...
    @property
    def can_redo(self) -> bool: ...
    @property
    def shows_masks(self) -> bool:
        """True when `preview_mask` can find any."""
        ...

    # Its runs

    @property
    def run(self) -> Run:
        """The record of the latest run, as it stands to the graph: what would come to something else now is out of
        date. What came of a run at its time is told by `ran`.
        """
        ...

    @property
    def going(self) -> Run:
        """The run that goes on, be it of another alternative than the one shown; else the latest."""
        ...

    @property
    def running_way(self) -> int | None:
        """The alternative whose run goes on, None when none does."""
        ...

    @property
    def next_way(self) -> int | None:
        """After a run that failed, the index of the best alternative that has not failed yet, None when all have."""
        ...

    @property
    def recording(self) -> Path | None:
        """The file in which the latest run is recorded, or None when nothing ran; it may be gone."""
        ...

    @property
    def proposed(self) -> str:
        """The node of the step that waits for the user's word or input, "" when none does."""
        ...

    @property
    def can_go_on(self) -> bool:
        """True when `go_on` would do something."""
        ...

    def listen(self, listener: Callable[[Change], None]) -> None: ...
    def find(self, name: str) -> Resource | None: ...
    def path_of(self, resource: Resource) -> Path:
        """Raises StorageError when the file is gone."""
        ...

    def waiting_for(self, name: str) -> str: ...
    def workflow_of(self, index: int) -> Workflow: ...
    def results_of(self, workflow: Workflow) -> Run: ...
    def ran(self, id: str) -> Run | None: ...
    def holds(self, message: Message) -> bool: ...
    def origin(self, resource: Resource) -> Workflow | None: ...
    def seconds_of(self, workflow: Workflow) -> dict[str, float]: ...
    def usual_seconds(self, tool: str, backend: str) -> float | None: ...
    def joins(self) -> tuple[Join, ...]: ...
    def done(self) -> tuple[Done, ...]: ...
    def save(self, path: Path) -> None: ...
    def save_script(self, path: Path) -> None: ...


class SessionVerbs(Protocol):
    """What the user can do in a live session. All but `stop` may raise AppError."""

    def attach(self, path: Path) -> Resource: ...
    async def bring(self, path: Path) -> Resource: ...
    async def ask(self, text: str, names: Sequence[str] = ()) -> None: ...
    def reply(self, question: Question, text: str) -> None: ...
    async def answer_consent(self, question: Question, choice: str) -> None: ...
    async def answer_fetch(self, question: Question, choice: str) -> None: ...
    async def get_for(self, node: str) -> None: ...
    def look_again(self) -> None: ...
    async def answer_files(self, question: Question, choice: str) -> None: ...
    def choose(self, index: int) -> None: ...
    def edit(self, workflow: Workflow) -> None: ...
    def amend(self, workflow: Workflow) -> None: ...
    def move(self, positions: Mapping[str, tuple[float, float]]) -> None: ...
    def undo(self) -> None: ...
    def redo(self) -> None: ...
    def point(self, name: str, points: Sequence[Point]) -> None: ...
    async def use_drawn(self, name: str, what: HandDrawnMask, node: str = "", port: str = "") -> None: ...
    async def preview_mask(
        self, name: str, marks: Sequence[Sequence[Any]], node: str = "", reading: str = ""
    ) -> Any: ...
    def warm_masks(self) -> None: ...
    async def start(self, upto: str | Collection[str] | None = None, again: Collection[str] = ()) -> None: ...
    async def start_from(self, node: str) -> None: ...
    async def try_again(self, node: str) -> None: ...
    async def run_ways(self, *indexes: int) -> None: ...
    def stop(self) -> None: ...
    def stop_item(self, node: str, item: int) -> None: ...
    async def approve(self) -> None: ...
    async def decline(self) -> None: ...
    async def go_on(self) -> None: ...
    def open(self, path: Path, outside: bool = False) -> None: ...
    async def load(self, path: Path, outside: bool = False) -> None: ...
    def new(self) -> None: ...
    def restore(self, kept: Snapshot) -> None: ...


class LiveSession(SessionView, SessionVerbs, Protocol):
    """A session that can be read and worked with."""


_QUIET = frozenset(("move", "undo", "redo", "new", "warm_masks"))
"""Verbs that do nothing where nothing can be changed: cards may be moved about, which is not kept."""


class ReadOnly:
    """A view where a live session is expected: it reads as `view`, and verbs that `view` has not raise BadRequest."""

    def __init__(self, view: SessionView) -> None:
        self._view = view

    def __getattr__(self, name: str) -> Any:
        verb = getattr(SessionVerbs, name, None)
        if verb is None or hasattr(self._view, name):
            return getattr(self._view, name)
        if name in _QUIET:
            return lambda *_: None
        return _refuse_later if inspect.iscoroutinefunction(verb) else _refuse


def read_only(view: SessionView) -> LiveSession:
    """The view as a session in which nothing can be changed."""
    return cast(LiveSession, ReadOnly(view))


def _refuse(*_: object, **__: object) -> NoReturn:
    raise BadRequest("This is a replay: nothing can be changed or run in it.", "Close it to go on with your work.")


async def _refuse_later(*_: object, **__: object) -> NoReturn:
    _refuse()
