"""A recorded run as a session that can be looked at like any other, at any moment of the run, and not be changed.

The session of the user's work is not touched by it. Must not know the window.
"""

from __future__ import annotations

import bisect
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import home
from desktop_app.graph import port_values
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events import events, recording
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.session.consent import Consent
from desktop_app.session.session import Message, Session
from desktop_app.session.undo import Edits, State
from desktop_app.storage.resources import Resource, Store, check_ordinary
from nodes.api import Tool
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.plan.planner import Planner
    from desktop_app.run.engine import Engine
    from desktop_app.storage.database import History

_STRIDE = 200


@dataclass(frozen=True)
class Tape:
    """A recording as it was read. `batches` hold what was told at `times`, in seconds since the first of them."""

    path: Path
    workflow: Workflow
    times: tuple[float, ...]
    batches: tuple[tuple[Event, ...], ...]

    @property
    def started(self) -> events.RunStarted:
        """How it began."""
        return next(e for e in self.batches[0] if isinstance(e, events.RunStarted))

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.times[-1]


def read(path: Path) -> Tape:
    """Reads a recording; waits for the disk. Raises BadRequest, or BadWorkflow when its workflow is damaged."""
    try:
        check_ordinary(path)
        paced = [(at, tuple(map(_kept, batch))) for at, batch in recording.paced(path)]
        graph = recording.workflow_of(path)
    except OSError as error:
        said = Phrase("The recording {path} cannot be read: {error}.", path=path.name, error=error.strerror or error)
        raise BadRequest(said, "Check the name and the folder.") from error
    if not paced or not any(isinstance(event, events.RunStarted) for event in paced[0][1]):
        raise BadRequest(
            Phrase("{path} is no recording of a run.", path=path.name), "Choose a file of the folder 'runs'."
        )
    if graph is None:
        said = Phrase("The recording {path} does not say what ran: an older Graphwright made it.", path=path.name)
        raise BadRequest(said, "Record the run again.")
    return Tape(path, Workflow.from_json(graph), tuple(at for at, _ in paced), tuple(batch for _, batch in paced))


def _kept(event: Event) -> Event:
    """The event without the picture of a step, which lasts no longer than its run."""
    return replace(event, preview="") if isinstance(event, events.NodeProgress) and event.preview else event


class Replay(Session):
    """Shows the run as it was `position` seconds after it began; its clock is that of the replay.

    `advance` is to be called again and again while `playing`. Verbs that would change something raise BadRequest.
    """

    def __init__(self, tape: Tape, tools: Mapping[str, Tool], store: Store, speed: float = 1.0) -> None:
        """`speed` is how many recorded seconds pass in one. Results are looked for in `store`.

        Raises BadWorkflow when a node of the workflow holds what its tool cannot take.
        """
        port_values.check(tape.workflow, tools)
        nobody = _Nobody()
        super().__init__(tools, cast("Planner", nobody), cast("Engine", nobody), store, cast("History", nobody))
        self.tape = tape
        if tape.path.resolve().parent != (home() / "runs").resolve():
            self.agreed = Consent(tape.path.name)
        self.speed = speed
        self.playing = False
        self.position = 0.0
        self._index = 0
        self._earlier: dict[int, Run] = {0: Run()}
        self._edits = Edits(State(tape.workflow))
        self.resources = {resource.name: resource for resource in tape.workflow.resources}
        self._talk.say("assistant", "", kind="run")
        self.seek(0.0)

    @property
    def run(self) -> Run:
        """The record at this moment, as if the run had begun `position` seconds ago."""
        run = self._running.run
        return replace(run, time=time.time() - self.position) if run.running else run

    @property
    def recording(self) -> Path | None:
        """The file that is replayed."""
        return self.tape.path

    @property
    def ended(self) -> bool:
        """True at the end of the recording."""
        return self.position >= self.tape.seconds

    def seek(self, position: float) -> None:
        """Goes to the moment, in seconds since the run began."""
        self.position = min(max(0.0, position), self.tape.seconds)
        index = bisect.bisect_right(self.tape.times, self.position)
        if index == self._index:
            return
        run, begin = (self._running.run, self._index) if index > self._index else self._before(index)
        for stop in (*range((begin // _STRIDE + 1) * _STRIDE, index, _STRIDE), index):
            run = fold_all(run, itertools.chain.from_iterable(self.tape.batches[begin:stop]))
            begin = stop
            if stop % _STRIDE == 0:
                self._earlier[stop] = run
        self._index, self._running.run = index, run
        self._ran()

    def advance(self, seconds: float) -> None:
        """Lets so much time pass, while it plays; it stops at the end."""
        if self.playing:
            self.seek(self.position + seconds * self.speed)
            self.playing = not self.ended

    def play(self) -> None:
        """Goes on, or at the end begins again."""
        if self.ended:
            self.seek(0.0)
        self.playing = True

    def stop(self) -> None:
        """Pauses."""
        self.playing = False

    def _before(self, index: int) -> tuple[Run, int]:
        """The latest kept record that is not after so many batches, and after how many it was."""
        at = max(known for known in self._earlier if known <= index)
        return self._earlier[at], at

    # What a replay does not do

    def ran(self, id: str) -> Run | None:
        """The one that is replayed, as it is at this moment."""
        return self.run

    def holds(self, message: Message) -> bool:
        """Nothing changes here."""
        return True

    def origin(self, resource: Resource) -> Workflow | None:
        """The part of the recorded workflow that made a result."""
        node, output = self._running.made.get(resource.name, ("", ""))
        return self.workflow.part(node, output) if node in self.workflow.ids() else None

    def usual_seconds(self, tool: str, backend: str) -> float | None:
        """Nothing is known of the computer on which it was recorded."""
        return None

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None:
        """Cards may be moved about; that is not kept."""

    def _change(self, **fields: Any) -> NoReturn:
        _refuse()

    def _hold(self, resource: Resource) -> NoReturn:
        _refuse()

    async def ask(self, text: str, names: Sequence[str] = ()) -> NoReturn:
        """Raises BadRequest."""
        _refuse()

    async def start(self, *_: Any, **__: Any) -> NoReturn:
        """Raises BadRequest."""
        _refuse()

    def amend(self, workflow: Workflow) -> NoReturn:
        """Raises BadRequest."""
        _refuse()

    def stop_item(self, node: str, item: int) -> NoReturn:
        """Raises BadRequest."""
        _refuse()

    def new(self) -> None:
        """Does nothing: there is nothing to begin anew."""

    def restore(self, kept: Any) -> NoReturn:
        """Raises BadRequest."""
        _refuse()


def _refuse() -> NoReturn:
    raise BadRequest("This is a replay: nothing can be changed or run in it.", "Close it to go on with your work.")


class _Nobody:
    """Stands for planner, engine and history, of which a replay needs none."""

    def cancel(self, node: str | None = None) -> None:
        """Nothing runs."""

    def models(self) -> tuple[()]:
        """Nothing is loaded."""
        return ()

    def free(self, model: str) -> None:
        """Nothing is loaded."""

    async def close(self) -> None:
        """There are no lanes."""
