"""A planner, an engine and a history that do as they are told, for tests of the session and of the window."""

from __future__ import annotations

import asyncio
import hashlib
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.graph.workflow import Link, Workflow
from desktop_app.llm.token_usage import Tally
from desktop_app.plan.modes.replying.reply_words import VALUE, WISH, Asked, Reply
from desktop_app.plan.types import Plan, Request, ToolSpec
from desktop_app.run.events import events
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.run.result_names import WHOLE, Names
from desktop_app.session.comparison.traces import traces
from desktop_app.session.session import Session
from desktop_app.storage.resources import Resource, Store, type_of_name
from nodes._support.files import codecs
from nodes.api import Audio, Box, Label, NodeError, Point, ResourceType, Table, Tool


class Unversed:
    """What the session asks of a planner beside plans: this one takes every message for a wish, and knows no tools."""

    async def follow_up(self, *_: object) -> None:
        return None

    async def reply(self, text: str, asked: Asked) -> Reply:
        return Reply(VALUE if asked.direct else WISH, text, further=True)

    async def named(self, *_: object) -> frozenset[str]:
        return frozenset()

    async def unserved(self, *_: object) -> tuple[str, ...]:
        return ()

    async def speaking_of(self, *_: object) -> list[ToolSpec]:
        return []

    nearest = speaking_of

    async def offline(self, *_: object) -> Plan:
        return Plan(())

    def warm(self) -> None:
        """There is nothing to read."""


class FakePlanner(Unversed):
    """Answers each request with the next plan, and keeps the requests."""

    def __init__(self, *plans: Plan) -> None:
        self.plans = list(plans)
        self.requests: list[Request] = []

    async def plan(
        self, request: Request, draft: Callable[[Plan], None] | None = None, tally: Tally | None = None
    ) -> Plan:
        self.requests.append(request)
        return self.plans.pop(0) if len(self.plans) > 1 else self.plans[0]


class FakeHistory:
    """Knows how long the tools took that it is told of."""

    def __init__(self, **seconds: float) -> None:
        self._seconds = seconds

    def seconds(self, tool: str, backend: str, size: float = 0.0, grows: bool = True) -> float | None:
        return self._seconds.get(tool)

    def growth(self, *_: object) -> None:
        return None


class FakeEngine:
    """Gives each node the values in `made` (by tool), or lets it fail with a NodeError given there."""

    def __init__(self, store: Store, tools: Mapping[str, Tool], made: Mapping[str, Any]) -> None:
        self.store, self.tools, self.made = store, tools, made
        self.runs: list[tuple[Workflow, str | None]] = []
        self.cancelled = False

    async def run(
        self, workflow: Workflow, listener: Callable[[Sequence[events.Event]], None], upto: str | None = None, again=()
    ) -> Run:
        self.runs.append((workflow, upto))
        self.again = again
        run = Run()
        batch: list[events.Event] = [events.RunStarted(f"run{len(self.runs)}", workflow.order(), 0.0)]
        failed: set[str] = set()
        for id in workflow.order():
            bad = next((k.source for k in workflow.links_into(id) if k.source in failed), None)
            batch += [events.NodeSkipped(id, bad)] if bad else self._run_node(workflow, id)
            if not isinstance(batch[-1], events.NodeFinished):
                failed.add(id)
        batch.append(events.RunFinished("run", "failed" if failed else "ok", 0.1))
        for event in batch:
            await asyncio.sleep(0)
            run = fold_all(run, [event])
            listener([event])
        return run

    def models(self) -> tuple[()]:
        return ()

    def _run_node(self, workflow: Workflow, id: str) -> list[events.Event]:
        tool = self.tools[workflow.node(id).tool]
        value = self.made[tool.id]
        started = events.NodeStarted(id, "CPU 1", 0.0)
        if isinstance(value, NodeError):
            return [started, events.NodeFailed(id, value.message, value.port, value.fix)]
        outputs = {}
        for port, one in zip(tool.outputs, value if isinstance(value, list) else [value], strict=True):
            digest, suffix = self.store.put_value(one, port.type)
            facets = {"width": one.shape[1], "height": one.shape[0]} if isinstance(one, np.ndarray) else {}
            outputs[port.name] = Resource(f"{id}_{port.name}{suffix}", port.type, digest, suffix, facets, id)
        return [started, events.NodeFinished(id, outputs, 0.05, False, 0.1, tool.backends[0].id)]

    def cancel(self, node: str | None = None) -> None:
        self.cancelled = True

    async def close(self) -> None:
        pass


class TracingEngine(FakeEngine):
    """Gives each node something of every type that its tool makes: the same for the same trace, another for another.

    Results are named as the engine names them.
    """

    def __init__(self, store: Store, tools: Mapping[str, Tool]) -> None:
        super().__init__(store, tools, {})

    def _run_node(self, workflow: Workflow, id: str) -> list[events.Event]:
        tool, trace = self.tools[workflow.node(id).tool], traces(workflow, self.tools)[id]
        into: dict[str, list[Link]] = {node: list(workflow.links_into(node)) for node in workflow.ids()}
        names = Names(workflow, workflow.order(), into, self.tools)
        outputs = {}
        for port in tool.outputs:
            data, suffix = made_up(port.type, f"{trace} {port.name}")
            kept = [self.store.put_bytes(data, suffix), suffix, str(port.type), {}, 0]
            (made,) = names.made(id, replace(port, many=False), WHOLE, kept)
            outputs[port.name] = (made,) if port.many else made
        started = events.NodeStarted(id, "CPU 1", 0.0)
        return [started, events.NodeFinished(id, outputs, 0.05, False, 0.1, tool.backends[0].id)]


def made_up(type: ResourceType, seed: str) -> tuple[bytes, str]:
    """A value of the type that depends on the seed, as its file, with the suffix."""
    number = int(hashlib.sha256(seed.encode()).hexdigest()[:6], 16)
    if type in codecs.FILE_TYPES:
        return seed.encode(), ".mp4" if type is ResourceType.VIDEO else ".bin"
    if type in codecs.IMAGE_TYPES:
        shape = (4, 4, 3) if type in (ResourceType.IMAGE, ResourceType.POSE, ResourceType.NORMAL) else (4, 4)
        value = np.full(shape, number % 256, np.uint8)
        if type is ResourceType.MASK:
            value = np.where(np.arange(16).reshape(4, 4) == number % 16, 255, 0).astype(np.uint8)
        return codecs.encode(value, type)
    value = {
        ResourceType.TEXT: f"words {number}",
        ResourceType.HTML: f"<p>{number}</p>",
        ResourceType.URL: f"https://example.org/{number}",
        ResourceType.NUMBER: number % 1000,
        ResourceType.FLAG: bool(number % 2),
        ResourceType.POINTS: (Point(number % 4, 1),),
        ResourceType.BOXES: (Box(0, 0, 1 + number % 3, 2, "thing", 0.5),),
        ResourceType.LABELS: (Label(f"thing {number}", 0.5),),
        ResourceType.TABLE: Table(("n",), ((number,),)),
        ResourceType.AUDIO: Audio(np.full((80, 1), number % 100 / 100, np.float32), 8000),
    }[type]
    return codecs.encode(value, type)


def kept_conversation(name: str) -> str:
    """One that was kept by a former version."""
    return lzma.decompress((Path(__file__).parent / "data" / "conversations" / name).read_bytes()).decode()


def brought(session: Session, name: str) -> str:
    """Attaches a made-up file of that name."""
    type = type_of_name(name)
    data, suffix = made_up(type, name)
    facets = {"width": 4, "height": 4} if type == "image" else {}
    return session.state.hold(Resource(name, type, session.store.put_bytes(data, suffix), suffix, facets)).name


def picture(width: int = 64, height: int = 48) -> np.ndarray:
    """A grey picture, uint8 (height, width, 3)."""
    return np.full((height, width, 3), 128, np.uint8)
