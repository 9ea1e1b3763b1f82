"""What goes into the planner and what comes out, as values. Every planning mode speaks them.

The planner sees tools only as ToolSpecs, whose types are plain strings, so that it plans over tool sets that it
has never seen as well as over our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from desktop_app.core.values import unused_name


@dataclass(frozen=True)
class PortSpec:
    """An input or output as the planner sees it. `required` is false when there is a default; `usual` is the number
    that the tool starts from where the port is left empty; `least` how many files a port that takes `many` needs; of a
    number, `offered` are values to choose from where it is asked for; `question` asks for it in plain words, if any.
    Nobody is asked for what is `advanced`. A file of `any_kind` is whatever there is, results too.
    """

    name: str
    type: str
    description: str = ""
    required: bool = True
    many: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    picked_on: str = ""
    unit: str = ""
    integer: bool = False
    said: bool = False
    usual: float | None = None
    least: int = 1
    offered: tuple[str, ...] = ()
    advanced: bool = False
    question: str = ""
    any_kind: bool = False


READY = 0.25
"""A tool of less quality has no way to work now: all it has are models that are not here."""


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the planner sees it. `quality` 0..1 is that of its best back end that works now.

    `outside` is true for a tool that looks at or changes what lies outside of the workflow, such as the network. Of the
    inputs `any_of`, none of which is required, it needs at least one. `does` is what its declaration says (nodes.api).
    """

    id: str
    title: str
    description: str
    inputs: tuple[PortSpec, ...]
    outputs: tuple[PortSpec, ...]
    domain: str = ""
    examples: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    quality: float = 0.5
    outside: bool = False
    any_of: tuple[str, ...] = ()
    does: str = ""

    @cached_property
    def required(self) -> tuple[PortSpec, ...]:
        """The inputs that it cannot run without."""
        return tuple(port for port in self.inputs if port.required)

    def input(self, name: str) -> PortSpec:
        """The input of a name that it has."""
        return next(port for port in self.inputs if port.name == name)


@dataclass(frozen=True)
class Given:
    """A resource of the conversation. `points` are what the user clicked on it: ((x, y, include), ...).

    `earlier` is true for what came in or was made in an earlier turn; newest last. `called` is what the user calls it
    while another name stands for it, `by` the tool that made it ("" where that is not known). `rows` is the beginning
    of a table that was read.
    """

    name: str
    type: str
    points: tuple[tuple[float, float, bool], ...] = ()
    earlier: bool = False
    text: str = ""
    called: str = ""
    by: str = ""
    rows: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class HistoryMessage:
    """One message of the conversation so far; `role` is "user" or "assistant".

    `made` are the results that it tells of; None where nobody knows: then all names in the text are taken for results.
    """

    role: str
    text: str
    made: tuple[str, ...] | None = None

    def gives(self, name: str) -> bool:
        """True where it is an answer with that result."""
        return self.role == "assistant" and name in (self.text if self.made is None else self.made)


@dataclass(frozen=True)
class FromNode:
    """An argument that is the output of an earlier step."""

    node: str
    port: str


@dataclass(frozen=True)
class FromResource:
    """An argument that is a resource, by name."""

    name: str


Argument = Any
"""A literal (str, int, float, bool, list of points), a FromNode, a FromResource, or a tuple of these (many)."""


def clicks(tool: ToolSpec, arguments: Mapping[str, Argument], given: Mapping[str, Given]) -> dict[str, Argument]:
    """The points that the user has clicked in what the tool gets, for the ports that wait for them and have none.

    `given` are the resources of the conversation by name.
    """
    found: dict[str, Argument] = {}
    for port in tool.inputs:
        on = arguments.get(port.picked_on) if port.picked_on else None
        resource = given.get(on.name) if isinstance(on, FromResource) else None
        if resource is not None and resource.points and port.name not in arguments:
            found[port.name] = [list(point) for point in resource.points]
    return found


@dataclass(frozen=True)
class Subtask:
    """One wish of the request. `wanted` are types; `dependencies` indexes of earlier subtasks."""

    id: int
    description: str
    domains: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]
    wanted: tuple[str, ...]
    dependencies: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """A tool in a solution, with what feeds each input."""

    id: str
    tool: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)


def step_id(tool: str, steps: Iterable[Step]) -> str:
    """An id for one more step with the tool, that none of these has."""
    stem = re.sub(r"\W+", "_", tool.lower()).strip("_") or "step"
    return unused_name(stem, {step.id for step in steps}.__contains__)


@dataclass(frozen=True)
class Placed:
    """A node of the graph that is shown, as a step, before a follow-up. `state` is that of its run ("" for none);
    `results` are the names of what it made, by output.
    """

    step: Step
    state: str = ""
    results: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What the user asks, with what there is. Named files in `text` need not be in `resources`.

    `graph` is the one that is shown, each node after those that feed it; `ways` are the titles of the alternatives to
    it, the first of them the one that is shown. `spared` says which of the things in a picture that the text speaks of
    are to stay as they are ("all but leftmost"). The tools `avoided` have been tried for this wish, and were wrong.
    """

    text: str
    resources: tuple[Given, ...] = ()
    history: tuple[HistoryMessage, ...] = ()
    graph: tuple[Placed, ...] = ()
    ways: tuple[str, ...] = ()
    spared: str = ""
    avoided: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """Input that is missing. `kind` is "point" (click on `resource`), "box" (draw boxes in it), "file" (attach one)
    or "text"; of a plan "confirm": it is a guess.

    `choices` are offered as chips; `port` and `step` say what the reply fills, when it fills a port.
    """

    text: str
    kind: str = "text"
    choices: tuple[str, ...] = ()
    step: str = ""
    port: str = ""
    resource: str = ""


@dataclass(frozen=True)
class Solution:
    """One way to do it. `score` is 0..1; `wanted` the (step, port) pairs that answer the request.

    `backends` says by step on which back end it runs, where that was chosen; `reasons` why, in a sentence. `origins`
    says by (step, port) where a value comes from that the user has not said: WRITTEN or FOUND. `kept` are the steps
    that are nodes of the graph that is shown, by their ids there.
    """

    title: str
    reason: str
    score: float
    steps: tuple[Step, ...]
    wanted: tuple[tuple[str, str], ...] = ()
    questions: tuple[Question, ...] = ()
    backends: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[tuple[str, str], str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()


WRITTEN, FOUND = "written", "found"
"""A value that a language model made up for the purpose; one that stands in what tools have found."""
WEAK = 0.6
"""A solution of less is a guess: its score is below 3 of 5."""
SAID = 0.85
"""Of a solution that words ask for outright, whatever the judgement made of it: no doubt is told of it, and what the
judgement itself is certain of (0.9) stands before it.
"""


@dataclass(frozen=True)
class Plan:
    """All that planning gave: solutions best first; questions; or the causes why there is none, as sentences.

    `mode` says who planned ("offline", "llm", "task list", "pipeline"), `notice` what the user should know about it
    ("The language model did not answer; planned offline."). `left_out` names what no tool here can do of the request.
    `command` is "undo", or "way 2" for the second of the request's `ways`: then nothing is planned.
    """

    solutions: tuple[Solution, ...]
    questions: tuple[Question, ...] = ()
    causes: tuple[str, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    mode: str = "offline"
    notice: str = ""
    left_out: str = ""
    command: str = ""
