"""A recorded run as a session that can be looked at like any other, at any moment of the run, and not be changed.

The session of the user's work is not touched by it. Must not know the window.
"""

from __future__ import annotations

import bisect
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import home
from desktop_app.core.values import several
from desktop_app.export.files import save_workflow
from desktop_app.export.script import write_script
from desktop_app.graph import port_values
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.run.events import events, recording
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.session import questions
from desktop_app.session.consent import Consent
from desktop_app.session.messages import Change, Message
from desktop_app.storage.resources import Resource, Store, check_ordinary
from desktop_app.storage.usage_statistics import Done, Join
from nodes.api import Point, Tool
from nodes.phrase import Phrase

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


class Replay:
    """Shows the run as it was `position` seconds after it began; its clock is that of the replay. A SessionView.

    `advance` is to be called again and again while `playing`.
    """

    id = "replay"
    busy = proposed = language_model = saved_as = ""
    can_undo = can_redo = can_go_on = shows_masks = False

    def knows_plan(self, plan: int) -> bool:
        return False

    chosen, alternatives, points = 0, (), MappingProxyType[str, tuple[Point, ...]]({})
    plan = next_way = upkeep = downloads = None
    spent = Spent()

    def __init__(self, tape: Tape, tools: Mapping[str, Tool], store: Store, speed: float = 1.0) -> None:
        """`speed` is how many recorded seconds pass in one. Results are looked for in `store`.

        Raises BadWorkflow when a node of the workflow holds what its tool cannot take.
        """
        port_values.check(tape.workflow, tools)
        self.tape, self.tools, self.store = tape, tools, store
        self.workflow, self.recording, self.title = tape.workflow, tape.path, ""
        own = tape.path.resolve().parent == (home() / "runs").resolve()
        self.agreed = Consent("" if own else tape.path.name)
        self.messages = (Message(1, "assistant", "", "run"),)
        self.listeners: list[Callable[[Change], None]] = []
        self.speed, self.playing, self.position = speed, False, 0.0
        self._run, self._index = Run(), 0
        self._earlier: dict[int, Run] = {0: Run()}
        self._made: dict[str, tuple[Resource, str, str]] = {}
        """By name, what the run has made so far, with node and output."""
        self.seek(0.0)

    # Its time

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
        run, begin = (self._run, self._index) if index > self._index else self._before(index)
        for stop in (*range((begin // _STRIDE + 1) * _STRIDE, index, _STRIDE), index):
            run = fold_all(run, itertools.chain.from_iterable(self.tape.batches[begin:stop]))
            begin = stop
            if stop % _STRIDE == 0:
                self._earlier[stop] = run
        self._index, self._run = index, run
        outputs = ((id, *output) for id, node in run.nodes.items() for output in node.outputs.items())
        self._made = {one.name: (one, id, output) for id, output, value in outputs for one in several(value)}
        for listener in self.listeners:
            listener(Change.RUN)

    def _before(self, index: int) -> tuple[Run, int]:
        """The latest kept record that is not after so many batches, and after how many it was."""
        at = max(known for known in self._earlier if known <= index)
        return self._earlier[at], at

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

    # What is shown

    @property
    def run(self) -> Run:
        """The record at this moment, as if the run had begun `position` seconds ago."""
        return replace(self._run, time=time.time() - self.position) if self._run.running else self._run

    @property
    def going(self) -> Run:
        return self.run

    @property
    def running_way(self) -> int | None:
        return self.chosen if self._run.running else None

    @property
    def resources(self) -> dict[str, Resource]:
        return {**{r.name: r for r in self.workflow.resources}, **{name: made[0] for name, made in self._made.items()}}

    def listen(self, listener: Callable[[Change], None]) -> None:
        self.listeners.append(listener)

    def find(self, name: str) -> Resource | None:
        return self._made[name][0] if name in self._made else self.workflow.resource(name)

    def path_of(self, resource: Resource) -> Path:
        return self.store.path_of(resource)

    def waiting_for(self, name: str) -> str:
        return questions.waiting_for(self.workflow, self.tools, questions.pictures_of(self._run), name)

    def workflow_of(self, index: int) -> Workflow:
        return self.workflow

    def results_of(self, workflow: Workflow) -> Run:
        return self.run

    def ran(self, id: str) -> Run | None:
        return self.run

    def holds(self, message: Message) -> bool:
        return True

    def origin(self, resource: Resource) -> Workflow | None:
        _, node, output = self._made.get(resource.name, (resource, "", ""))
        return self.workflow.part(node, output) if self.workflow.find(node) is not None else None

    def seconds_of(self, workflow: Workflow) -> dict[str, float]:
        return {id: node.seconds for id, node in self._run.nodes.items() if node.state == "done" and not node.cached}

    # Nothing is known of the computer on which it was recorded

    def usual_seconds(self, tool: str, backend: str) -> float | None:
        return None

    def joins(self) -> tuple[Join, ...]:
        return ()

    def done(self) -> tuple[Done, ...]:
        return ()

    def save(self, path: Path) -> None:
        save_workflow(self.workflow, path)

    def save_script(self, path: Path) -> None:
        write_script(self.workflow, self.tools, self.store, path)
