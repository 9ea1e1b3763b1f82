"""A Session for the tests of the window: canned state, a real store, verbs that change the state and are recorded.

That it has all that a window is given of one is checked by tests/session/test_view.py, and as to types by basedpyright.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, BadRequest
from desktop_app.core.paths import RESOURCES, home
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.models.downloads import Downloads
from desktop_app.plan.types import Plan, Question, Solution
from desktop_app.run.engine import Loaded
from desktop_app.run.events.run_record import Run
from desktop_app.session.consent import Consent
from desktop_app.session.drawn_masks import HandDrawnMask
from desktop_app.session.session import Alternative, Change, Message
from desktop_app.session.snapshot_codec import Snapshot
from desktop_app.storage.resources import Resource, Store, attach, attach_all
from nodes._support.files import codecs
from nodes.api import Backend, Point, Port, ResourceType, Tool

if TYPE_CHECKING:
    from desktop_app.session.view import SessionView

T = ResourceType
COFFEE = RESOURCES / "examples" / "coffee.jpg"


def _does_nothing() -> None:
    raise AssertionError("no tool runs in tests of the window")


def _tool(id: str, title: str, icon: str, inputs, outputs, *backends: Backend) -> Tool:
    built_in = Backend("built-in", "Built-in", _does_nothing, memory_bytes=200_000_000)
    return Tool(id, title, "image", title, tuple(inputs), tuple(outputs), backends or (built_in,), icon=icon)


def _model(id: str, title: str, memory: float, download: float = 0.0, **more) -> Backend:
    return Backend(
        id, title, _does_nothing, "model", "gpu", round(memory * 1e9), round(download * 1e9), **{"quality": 0.9, **more}
    )


IMAGE_IN = Port("image", T.IMAGE, "the picture")
STYLES = ("watercolour", "ink", "pencil")
TOOLS = {
    tool.id: tool
    for tool in (
        _tool(
            "segment_points", "Segment by points", "mouse-pointer-2",
            [IMAGE_IN, Port("points", T.POINTS, "where it is", picked_on="image")],
            [Port("mask", T.MASK, "the thing")], _model("sam", "SAM base", 0.8, 0.0),
        ),
        _tool(
            "remove_object", "Remove object", "eraser",
            [IMAGE_IN, Port("mask", T.MASK, "what goes")], [Port("image", T.IMAGE, "the rest")],
        ),
        _tool(
            "watercolour", "Watercolour", "palette",
            [
                IMAGE_IN,
                Port("prompt", T.TEXT, "what it shows", default=""),
                Port("style", T.TEXT, "the style", default="watercolour", choices=STYLES),
                Port("strength", T.NUMBER, "how much", default=0.6, minimum=0.0, maximum=1.0),
                Port("steps", T.NUMBER, "how often", default=24, minimum=1, maximum=50, integer=True),
                Port("keep_size", T.FLAG, "the size stays", default=True),
                Port("seed", T.NUMBER, "start of chance", default=41207, integer=True, advanced=True),
            ],
            [Port("image", T.IMAGE, "the painting")],
            _model("sdxl", "SDXL 1.0", 6.9),
            Backend("opencv", "OpenCV stylisation", _does_nothing, quality=0.5),
            _model("flux", "FLUX.1-schnell", 22, 23.8),
            Backend("hosted", "Hosted endpoint", _does_nothing, "endpoint", "network", requires=("python:no_such",)),
        ),
        _tool("caption", "Caption", "text", [IMAGE_IN], [Port("text", T.TEXT, "what is in it")]),
        _tool("describe", "Describe result", "eye", [IMAGE_IN], [Port("text", T.TEXT, "what is in it")]),
        _tool(
            "speak", "Text to speech", "volume-2",
            [Port("text", T.TEXT, "words")], [Port("audio", T.AUDIO, "speech")],
        ),
    )
}  # fmt: skip


def finish(coroutine) -> None:
    """Runs a coroutine that never waits to its end: the `spawn` of tests without a loop."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise AssertionError("a coroutine of the fake session waited")


class FakeUpkeep:
    """The models in memory, and which were freed."""

    tidying = False

    def __init__(self) -> None:
        self.loaded: list[Loaded] = []
        self.freed: list[str] = []
        self.used = 3_000_000_000

    def used_bytes(self) -> int:
        return self.used

    def forget_results(self) -> None:
        self.used = 0

    def models(self) -> tuple[Loaded, ...]:
        return tuple(self.loaded)

    def free(self, model: str) -> None:
        self.freed.append(model)
        self.loaded = [loaded for loaded in self.loaded if loaded.model != model]


class FakeSession:
    """The fields and verbs of Session. `calls` holds ("verb", arguments...) in order."""

    id = "fake"

    def __init__(self, folder: Path) -> None:
        self.tools: Mapping[str, Tool] = TOOLS
        self.store = Store(folder)
        self.calls: list[tuple[Any, ...]] = []
        self.listeners: list[Callable[[Change], None]] = []
        self.past: list[Workflow] = []
        self.future: list[Workflow] = []
        self.next_way: int | None = None
        self.seconds: dict[tuple[str, str], float] = {}
        self.upkeep: Any = FakeUpkeep()
        self.downloads = Downloads()
        self.empty()

    def empty(self) -> None:
        self.agreed = Consent()
        self.messages: tuple[Message, ...] = ()
        self.resources: dict[str, Resource] = {}
        self.points: dict[str, tuple[Point, ...]] = {}
        self.plan: Plan | None = None
        self.alternatives: tuple[Alternative, ...] = ()
        self.chosen = 0
        self.saved_as = ""
        self.workflow = Workflow()
        self.run = Run()
        self.aside = Run()
        self.records: dict[int, Run] = {}
        self.outdated: set[int] = set()
        self.went: dict[str, Run] = {}
        self.busy = ""
        self.title = ""

    def tell(self, change: Change) -> None:
        for listener in self.listeners:
            listener(change)

    def listen(self, listener: Callable[[Change], None]) -> None:
        self.listeners.append(listener)

    def origin(self, resource: Resource) -> Workflow | None:
        return None

    def ran(self, id: str) -> Run | None:
        return self.run if id == self.run.id else self.went.get(id)

    def holds(self, message: Message) -> bool:
        return message.id not in self.outdated

    def path_of(self, resource: Resource) -> Path:
        return self.store.path_of(resource)

    def unused(self) -> str:
        return ""

    def find(self, name: str) -> Resource | None:
        return self.resources.get(name) or self.workflow.resource(name)

    def put(self, name: str, value, type: ResourceType, made_by: str = "", **facets) -> Resource:
        """A result in the store."""
        return self._named(name, type, *self.store.put_value(value, type), made_by, facets)

    def put_bytes(self, name: str, data: bytes, type: ResourceType, made_by: str = "", **facets) -> Resource:
        """As `put`, of what is written already."""
        suffix = codecs.SUFFIX[type]
        return self._named(name, type, self.store.put_bytes(data, suffix), suffix, made_by, facets)

    def _named(self, name: str, type: ResourceType, digest: str, suffix: str, made_by: str, facets: dict) -> Resource:
        resource = Resource(name, type, digest, suffix, facets, made_by)
        self.resources = {**self.resources, name: resource}
        return resource

    def attach(self, path: Path) -> Resource:
        self.calls.append(("attach", path))
        resource = attach(path, self.store)
        self.resources = {**self.resources, resource.name: resource}
        self.tell(Change.RESOURCES)
        return resource

    async def bring_all(self, paths: Sequence[Path]) -> tuple[tuple[Resource, ...], AppError | None]:
        self.calls.append(("attach", *paths))
        found, fault = attach_all(paths, self.store)
        self.resources = {**self.resources, **{one.name: one for one in found}}
        self.tell(Change.RESOURCES)
        return found, fault

    async def ask(self, text: str, names: Sequence[str] = ()) -> None:
        self.calls.append(("ask", text, tuple(names)))
        self.say(Message(len(self.messages) + 1, "user", text, resources=tuple(names)))

    def say(self, message: Message) -> None:
        known = [m.id for m in self.messages]
        if message.id in known:
            self.messages = tuple(message if m.id == message.id else m for m in self.messages)
        else:
            self.messages = (*self.messages, message)
        self.tell(Change.MESSAGES)

    async def respond(self, question: Question, text: str) -> None:
        self.reply(question, text)

    def reply(self, question: Question, text: str) -> None:
        self.calls.append(("reply", question, text))
        if question.step in self.workflow.ids():
            self.edit(self.workflow.with_value(question.step, question.port, text))

    spent = Spent()
    language_model = ""
    shows_masks = False
    proposed = ""
    can_go_on = False

    async def approve(self) -> None:
        self.calls.append(("approve",))

    async def decline(self) -> None:
        self.calls.append(("decline",))

    async def go_on(self) -> None:
        self.calls.append(("go_on",))

    async def answer_fetch(self, question: Question, choice: str) -> None:
        self.calls.append(("answer_fetch", question, choice))

    async def answer_time(self, question: Question, choice: str) -> None:
        self.calls.append(("answer_time", question, choice))

    def to_decide(self, node: str) -> Question | None:
        return None

    async def get_for(self, node: str) -> None:
        self.calls.append(("get_for", node))

    def look_again(self) -> None:
        self.calls.append(("look_again",))

    async def answer_consent(self, question: Question, choice: str) -> None:
        self.calls.append(("answer_consent", question, choice))

    async def answer_files(self, question: Question, choice: str) -> None:
        self.calls.append(("answer_files", question, choice))

    async def use_drawn(self, name: str, what: HandDrawnMask, node: str = "", port: str = "") -> None:
        self.calls.append(("use_drawn", name, what, node, port))

    async def preview_mask(self, name: str, marks: Sequence[Sequence[Any]], node: str = "", reading: str = "") -> Any:
        self.calls.append(("preview_mask", name, marks, node, reading))

    def restore(self, kept: Snapshot) -> None:
        self.calls.append(("restore", kept))

    def warm_masks(self) -> None:
        self.calls.append(("warm_masks",))

    def waiting_for(self, name: str) -> str:
        return next((n.id for n in self.workflow.nodes if n.tool == "segment_points"), "")

    def point(self, name: str, points: Sequence[Point]) -> None:
        self.calls.append(("point", name, points))
        self.points = {**self.points, name: tuple(points)}
        self.tell(Change.RESOURCES | Change.PLAN)

    def choose(self, index: int) -> None:
        self.calls.append(("choose", index))
        self.chosen = index
        self._set(self.alternatives[index].workflow)

    def edit(self, workflow: Workflow) -> None:
        self.calls.append(("edit", workflow))
        self._set(workflow)

    def amend(self, workflow: Workflow) -> None:
        self.calls.append(("amend", workflow))
        self.workflow = workflow
        self.tell(Change.WORKFLOW)

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None:
        self.calls.append(("move", dict(positions)))

    def _set(self, workflow: Workflow) -> None:
        self.past.append(self.workflow)
        self.future.clear()
        self.workflow = workflow
        self.tell(Change.WORKFLOW)

    def undo(self) -> None:
        self.calls.append(("undo",))
        if self.past:
            self.future.append(self.workflow)
            self.workflow = self.past.pop()
            self.tell(Change.WORKFLOW)

    def come_back(self, plan: int) -> None:
        self.calls.append(("come_back", plan))

    def knows_plan(self, plan: int) -> bool:
        return False

    def rename(self, title: str) -> None:
        self.calls.append(("rename", title))
        self.title = title
        self.tell(Change.MESSAGES)

    def redo(self) -> None:
        self.calls.append(("redo",))
        if self.future:
            self.past.append(self.workflow)
            self.workflow = self.future.pop()
            self.tell(Change.WORKFLOW)

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    @property
    def can_redo(self) -> bool:
        return bool(self.future)

    @property
    def going(self) -> Run:
        return self.aside if self.aside.running else self.run

    @property
    def running_way(self) -> int | None:
        return self.chosen if self.run.running else 1 if self.aside.running else None

    def workflow_of(self, index: int) -> Workflow:
        return self.workflow if index == self.chosen else self.alternatives[index].workflow

    def results_of(self, workflow: Workflow) -> Run:
        index = next((i for i, way in enumerate(self.alternatives) if way.workflow == workflow), self.chosen)
        return self.records.get(index, self.run if index == self.chosen else Run())

    def seconds_of(self, workflow: Workflow) -> dict[str, float]:
        return {id: node.seconds for id, node in self.results_of(workflow).nodes.items() if node.state == "done"}

    async def run_ways(self, *indexes: int) -> None:
        self.calls.append(("run_ways", *indexes))

    async def start(self, upto: str | Collection[str] | None = None, again: Collection[str] = ()) -> None:
        self.calls.append(("start", upto, tuple(again)) if again else ("start", upto))

    async def try_again(self, node: str) -> None:
        self.calls.append(("try_again", node))

    def stop_item(self, node: str, item: int) -> None:
        self.calls.append(("stop_item", node, item))

    async def start_or_tell(self, upto: str | None = None) -> None:
        await self.start(upto)

    async def start_from(self, node: str) -> None:
        self.calls.append(("start_from", node))

    @property
    def recording(self) -> Path | None:
        return home() / "runs" / f"{self.run.id}.jsonl" if self.run.id else None

    def usual_seconds(self, tool: str, backend: str, node: str = "") -> float | None:
        return self.seconds.get((tool, backend))

    def stop(self) -> None:
        self.calls.append(("stop",))

    def begin(self) -> None:
        self.calls.append(("begin",))

    def new(self) -> None:
        self.calls.append(("new",))
        self.empty()
        self.tell(Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY)

    def save(self, path: Path) -> None:
        self.calls.append(("save", path))

    def save_script(self, path: Path) -> None:
        self.calls.append(("save_script", path))

    async def load(self, path: Path, outside: bool = False) -> None:
        self.calls.append(("open", path))
        if "broken" in path.name:
            raise BadRequest("The file is broken.", "Take another.")

    def called(self, verb: str) -> list[tuple]:
        """The arguments of each call of a verb."""
        return [call[1:] for call in self.calls if call[0] == verb]


def _is_one(session: FakeSession) -> SessionView:
    return session  # which basedpyright checks


def coffee_workflow(coffee: Resource, points: bool = True) -> Workflow:
    """Segment, remove, paint and describe, on a picture."""
    clicked = {"points": [[289, 60, True], [242, 215, True], [366, 283, False]]} if points else {}
    nodes = (
        Node("seg", "segment_points", clicked),
        Node("rem", "remove_object"),
        Node("paint", "watercolour", {"strength": 0.62}),
        Node("cap", "caption"),
        Node("desc", "describe"),
    )
    links = (
        Link(coffee.name, RESOURCE_OUTPUT, "seg", "image"),
        Link(coffee.name, RESOURCE_OUTPUT, "rem", "image"),
        Link("seg", "mask", "rem", "mask"),
        Link("rem", "image", "paint", "image"),
        Link(coffee.name, RESOURCE_OUTPUT, "cap", "image"),
        Link("cap", "text", "paint", "prompt"),
        Link("paint", "image", "desc", "image"),
    )
    return Workflow((coffee,), nodes, links, (("paint", "image"), ("desc", "text")))


def three_ways(workflow: Workflow) -> tuple[Alternative, ...]:
    """Three alternatives of decreasing score."""
    short = workflow.without("seg", "cap", "desc")
    other = short.without("rem")
    return (
        Alternative(
            Solution("Point and paint", "Exact mask from your click; keeps the spoon", 0.92, ()),
            workflow, 20.0, 0, 8_100_000_000,
        ),
        Alternative(
            Solution("Find and paint", "Finds “cup” by itself; may take the saucer with it, and the spoon", 0.84, ()),
            short, 24.0, 196_000_000, 8_700_000_000,
        ),
        Alternative(
            Solution("One instruction", "One model does both; shapes may change", 0.61, ()),
            replace(other), None, 23_800_000_000, 22_000_000_000,
        ),
    )  # fmt: skip
