"""Random conversations: a planner that proposes anything, and walks through a session that check it at every step.

`python -m tests.walks FIRST COUNT LENGTH` walks on; a walk that fails is named by its seed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from desktop_app.core.errors import AppError
from desktop_app.graph import edit
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Tally
from desktop_app.plan.types import Argument, FromNode, FromResource, Plan, Request, Solution, Step
from desktop_app.run.events import events
from desktop_app.session.comparison.traces import traces
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.session.state import GraphState, StepSettings
from desktop_app.storage.resources import Store
from nodes.api import Point, ResourceType, Tool
from tests.fakes import FakeHistory, TracingEngine, Unversed, made_up
from tests.session.test_session import TOOLS

WAYS, STEPS = 3, 4
EDITS = ("remove", "change", "paste", "point")
"""What changes nodes that are there; after anything else, a new node has a new id."""
NAMES = ("photo.png", "other.png", "blur", "photo_blur.png")
"""What files are called: also like a node, and like a result."""


class AnyPlanner(Unversed):
    """Answers each request with a random plan; one in eight of its arguments makes no sense."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    async def plan(self, request: Request, draft: Callable[[Plan], None] | None = None, tally: Tally | None = None):
        if draft is not None and self._dice.random() < 0.3:
            draft(self._made(request))
        return self._made(request)

    async def offline(self, request: Request) -> Plan:
        return self._made(request)

    def _made(self, request: Request) -> Plan:
        ways = tuple(self._way(request) for _ in range(self._dice.randint(0, WAYS)))
        return Plan(ways, causes=() if ways else ("There is no way.",))

    def _way(self, request: Request) -> Solution:
        steps: list[Step] = []
        for _ in range(self._dice.randint(1, STEPS)):
            tool = self._dice.choice(list(TOOLS.values()))
            same = sum(step.tool == tool.id for step in steps)
            id = tool.id if not same else f"{tool.id}_{same + 1}"
            found = {port.name: self._argument(port.type, steps, request) for port in tool.inputs}
            steps.append(Step(id, tool.id, {name: value for name, value in found.items() if value is not None}))
        last = steps[-1]
        wanted = ((last.id, TOOLS[last.tool].outputs[0].name),) if self._dice.random() < 0.8 else ()
        return Solution("A way", "It may work.", self._dice.random(), tuple(steps), wanted)

    def _argument(self, type: ResourceType, steps: list[Step], request: Request) -> Argument:
        if type is ResourceType.NUMBER:
            return self._dice.randint(0, 10)
        if self._dice.random() < 0.02:
            return self._dice.choice((FromNode("nobody", "image"), FromNode("blur", "nothing"), FromResource("gone")))
        any_type = self._dice.random() < 0.05
        found: list[Argument] = [FromResource(g.name) for g in request.resources if any_type or fits(g.type, type)]
        found += [
            FromNode(step.id, port.name)
            for step in steps
            for port in TOOLS[step.tool].outputs
            if any_type or fits(port.type, type)
        ]
        return self._dice.choice(found) if found else None


def fits(given: str, wanted: ResourceType) -> bool:
    return ResourceType(given).is_a(wanted)


class FailingEngine(TracingEngine):
    """One node in ten fails."""

    def __init__(self, store: Store, tools: dict[str, Tool], dice: random.Random) -> None:
        super().__init__(store, tools)
        self._dice = dice

    def _run_node(self, workflow: Workflow, id: str) -> list[events.Event]:
        if self._dice.random() < 0.1:
            return [events.NodeStarted(id, "CPU 1", 0.0), events.NodeFailed(id, "It broke.", "", "")]
        return super()._run_node(workflow, id)


class Walk:
    """One conversation, closed and opened again now and then. Whatever should not be is an AssertionError."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._dice = random.Random(seed)
        self._folder = folder
        self._store = Store(folder / "store")
        self._traces: dict[str, set[str]] = {}
        self._contents: dict[str, str] = {}
        self._tools: dict[str, str] = {}
        self.session = self._new()

    def _new(self) -> Session:
        engine = FailingEngine(self._store, TOOLS, self._dice)
        return Session(TOOLS, AnyPlanner(self._dice), engine, self._store, FakeHistory())  # type: ignore[arg-type]

    async def go(self, length: int) -> None:
        await self.attach()
        acts = [self.ask, self.ask, self.ask, self.run, self.run, self.undo, self.redo, self.choose, self.remove,
                self.change, self.paste, self.save_and_open, self.point, self.attach, self.again,
                self.steps]  # fmt: skip
        for _ in range(length):
            act = self._dice.choice(acts)
            with contextlib.suppress(AppError):
                await act()
            self.check(act.__name__)

    # What is done

    async def attach(self) -> None:
        path = self._folder / self._dice.choice(NAMES)
        grey = self._dice.randrange(3)
        if path.suffix:
            Image.fromarray(np.full((4, 4, 3), grey * 90, np.uint8)).save(path)
        else:
            path.write_bytes(bytes((grey + 1,)))
        self.session.attach(path)

    async def ask(self) -> None:
        self.session.use_steps(StepSettings())
        names = list(self.session.resources)
        some = tuple(self._dice.sample(names, min(len(names), self._dice.randrange(3))))
        await self.session.ask(f"wish {self._dice.randrange(99)}", some)

    async def steps(self) -> None:
        approve = self._dice.random() < 0.3
        self.session.use_steps(StepSettings(True, 3, approve=approve))
        await self.session.ask(f"steps {self._dice.randrange(99)}", ())
        if self.session.proposed:
            await self._dice.choice((self.session.approve, self.session.decline))()

    async def run(self) -> None:
        ids = self.session.workflow.ids()
        await self.session.start(self._dice.choice(ids) if ids and self._dice.random() < 0.3 else None)

    async def undo(self) -> None:
        self.session.undo()

    async def redo(self) -> None:
        self.session.redo()

    async def choose(self) -> None:
        self.session.choose(self._dice.randrange(WAYS))

    async def remove(self) -> None:
        if ids := self.session.workflow.ids():
            self.session.edit(self.session.workflow.without(self._dice.choice(ids)))

    async def change(self) -> None:
        shown = self.session.workflow
        scaled = [node.id for node in shown.nodes if node.tool == "scale"]
        if scaled:
            self.session.edit(shown.with_value(self._dice.choice(scaled), "amount", self._dice.randint(0, 10)))

    async def paste(self) -> None:
        """Copies from any state of the conversation into the present one."""
        source = self._dice.choice(list(self._states())).workflow
        cards = [*source.ids(), *(r.name for r in source.resources)]
        if cards:
            text = edit.copied(source, self._dice.sample(cards, self._dice.randint(1, len(cards))))
            self.session.edit(edit.pasted(self.session.workflow, text)[0])

    async def save_and_open(self) -> None:
        path = self._folder / "saved.json"
        if self._dice.random() < 0.5 or not path.exists():
            self.session.save(path)
        else:
            self.session.open(path)

    async def point(self) -> None:
        pictures = [r.name for r in self.session.resources.values() if r.facets.get("width")]
        if pictures:
            self.session.point(self._dice.choice(pictures), (Point(1, self._dice.randrange(4)),))

    async def again(self) -> None:
        """Closes and opens the conversation; now and then there is another one in between."""
        kept = self.session.snapshot()
        read = from_text(to_text(kept))
        assert not read.lost, read.lost
        other = self._new()
        other.restore(read)
        self._same(shown_of(other), shown_of(self.session))
        self.session = other
        if self._dice.random() < 0.3:
            self.session.new()
            self._traces, self._contents = {}, {}
            await self.attach()

    # What has to be so

    def _same(self, now: dict[str, Any], before: dict[str, Any]) -> None:
        other = [f"{name}: {before[name]} became {now[name]}" for name in now if now[name] != before[name]]
        assert not other, "; ".join(other)

    def _states(self) -> Iterator[GraphState]:
        yield from (*self.session.state.history.done, self.session.state.graph, *self.session.state.history.undone)

    def check(self, after: str) -> None:
        for state in self._states():
            for workflow in (state.workflow, *(way.workflow for way in state.alternatives)):
                workflow.check(TOOLS)
                assert Workflow.from_json(workflow.to_json()).ids() == workflow.ids()
                for id, trace in traces(workflow, TOOLS).items():
                    known = self._traces.setdefault(id, {trace})
                    assert trace in known or after in EDITS, f"{id} stands for another node after {after}"
                    known.add(trace)
                self._tools |= {node.id: node.tool for node in workflow.nodes}
        made = (value for node in self.session.run.nodes.values() for value in node.outputs.values())
        results = (one for value in made for one in (value if isinstance(value, tuple) else (value,)))
        for resource in (*self.session.resources.values(), *results):
            known = self._contents.setdefault(resource.name, resource.digest)
            assert known == resource.digest, f"{resource.name} stands for something else after {after}"
        for name, (node, output) in self.session.tracker.made.items():
            traces_of = self._traces.get(node, set())
            if len(traces_of) == 1:  # a node that was edited may make something else by now
                port = TOOLS[self._tools[node]].output(output)
                made = made_up(port.type, f"{next(iter(traces_of))} {output}")[0] if port else b""
                digest = hashlib.sha256(made).hexdigest()
                assert self._contents.get(name, digest) == digest, f"{name} is not of {node} after {after}"
        assert not self.session.busy


def shown_of(session: Session) -> dict[str, Any]:
    """All that a conversation shows, to be compared."""
    fields = ("id", "title", "messages", "resources", "workflow", "chosen", "points", "can_undo", "can_redo")
    run = {id: (node.state, node.outputs) for id, node in session.run.nodes.items()}
    ways = [(way.solution.title, way.workflow) for way in session.alternatives]
    return {name: getattr(session, name) for name in fields} | {"run": run, "ways": ways}


def walk(seed: int, length: int) -> None:
    """Raises AssertionError that names the seed."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            asyncio.run(Walk(seed, Path(folder)).go(length))
        except Exception as error:
            raise AssertionError(f"walk {seed}: {type(error).__name__}: {error}") from error


if __name__ == "__main__":
    first, count, steps = map(int, sys.argv[1:])
    for number in range(first, first + count):
        walk(number, steps)
    print(f"{count} walks of {steps} steps")
