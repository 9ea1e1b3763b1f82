"""What a conversation consists of, as values, and the log into which messages are said. Read through Session."""

from __future__ import annotations

import enum
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from math import ceil

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.llm.token_usage import Spent
from desktop_app.models import estimates, store
from desktop_app.models.offers import ModelOffer, both
from desktop_app.plan.types import Question, Solution
from desktop_app.run.backends.selection import Backends, SelectedBackend, machine
from desktop_app.run.scheduling.durations import made_with, seconds_with, sizes_in
from desktop_app.storage.database import History
from nodes.api import Backend, Tool


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
    """A piece of an answer that rests on a node: characters `start` to `end` of the message's text.

    It stands `aside` where it tells of what lay on the way to what was wanted, which is shown when it is asked for.
    """

    start: int
    end: int
    node: str
    aside: bool = False


@dataclass(frozen=True)
class Offer:
    """Something that would help, to be clicked. `action` is "ask" (send `value` as a request), "show" (show the
    alternative of that number, from 0), "way" (and run it), "models" (open the models) or "connect" (connect a language
    model).
    """

    text: str
    action: str = "ask"
    value: str = ""


@dataclass(frozen=True)
class ResultCheck:
    """One wanted thing compared with what was made. `wanted` says what was asked for; `made` what there is instead,
    where it is not `ok`. `node` made it, "" for none. Where nothing surely tells whether it is so, it is not `ok`
    and not `checked`; `made` is "" then for what nobody looked at.
    """

    wanted: str
    ok: bool
    made: str = ""
    node: str = ""
    checked: bool = True


@dataclass(frozen=True)
class Message:
    """One message. `resources` are names. `questions` wait for an answer while `open` is true; where they `lapsed` none
    came, and none is wanted any more. `answered` are those of it that were, while others still wait.

    `kind` is "text", "plan" (a plan was made, or changed as `why` tells), "run" (the progress of the run shown live),
    "answer" or "error". A message of kind "step" is about the `node`, which was chosen because of `why`; `state` is
    "chosen", "proposed" (it waits for the user), "running", "done", "failed", "stopped" or "declined".
    `streaming` is true while text still arrives; the message is replaced as it grows (same `id`).
    `language` is that of the request that it answers, "" where that is not known: its phrases are shown in that one.
    `told` are the names of results that stand in the text itself, and can be kept as files.
    `run` is the id of the run that it tells of, "" for none. `offers` can be clicked; `checks` of an answer compare
    what was made with the request. `spent` is what a language model has cost for the request so far.
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
    node: str = ""
    state: str = ""
    why: str = ""
    run: str = ""
    offers: tuple[Offer, ...] = ()
    checks: tuple[ResultCheck, ...] = ()
    spent: Spent = field(default_factory=Spent)
    language: str = ""
    lapsed: bool = False
    answered: tuple[Question, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Alternative:
    """A solution with the workflow that it makes. `seconds` is by history; where some of it never ran here and has a
    model, `rough`ly by that model's size; None when it is not known yet.
    """

    solution: Solution
    workflow: Workflow
    seconds: float | None = None
    download_bytes: int = 0
    memory_bytes: int = 0
    rough: bool = False


def priced(
    solution: Solution,
    workflow: Workflow,
    tools: Mapping[str, Tool],
    history: History,
) -> Alternative:
    """The alternative with what it costs; `history` tells how long tools took with back ends, if they ever ran."""
    costs = costs_by_node(workflow, tools, history).values()
    known = [cost.seconds for cost in costs if cost.seconds is not None]
    return Alternative(
        solution,
        workflow,
        sum(known) if known and len(known) == len(costs) else None,
        both(cost.offer for cost in costs).size_bytes,
        max((cost.backend.memory_bytes for cost in costs), default=0),
        any(cost.rough for cost in costs),
    )


@dataclass(frozen=True)
class NodeCost:
    """The back end that a run would take, what has to be fetched for it first, and how long all of its items take, by
    history, else `rough`ly by the size of its model; None when nothing is known.
    """

    backend: Backend
    offer: ModelOffer
    seconds: float | None
    rough: bool


@store.one_look()
def costs_by_node(workflow: Workflow, tools: Mapping[str, Tool], history: History) -> dict[str, NodeCost]:
    """What each node of a known tool costs. Without a graphics card as many of its items as there are cores are worked
    on at a time.
    """
    backends = Backends()
    known = [(node, tools[node.tool]) for node in workflow.nodes if node.tool in tools and tools[node.tool].backends]
    used = {node.id: _used(tool, node, backends) for node, tool in known}

    def made(node: Node) -> float:
        return made_with(history, node.tool, used[node.id][0]) if node.id in used else 0.0

    try:
        sizes = sizes_in(workflow, tools, made)
        counts = items(workflow, tools)
    except BadWorkflow:  # a circle, which is told where it can be mended
        sizes, counts = {}, {}
    found = {}
    for id, (backend, offer) in used.items():
        usual = seconds_with(history, workflow.node(id).tool, backend, sizes.get(id, 0.0))
        seconds = usual if usual is not None else estimates.seconds(backend, machine())
        turns = ceil(counts.get(id, 1) / (1 if backend.device == "gpu" else os.cpu_count() or 1))
        found[id] = NodeCost(backend, offer, None if seconds is None else seconds * turns, usual is None)
    return found


def items(workflow: Workflow, tools: Mapping[str, Tool]) -> dict[str, int]:
    """By node, how often it runs for what is linked to it, as far as that is known before: once for each of several
    values at a port that takes one. Raises BadWorkflow for a circle.
    """
    counts = dict.fromkeys(workflow.ids(), 1)
    for id in workflow.order():
        brought = Counter[str]()
        for link in workflow.links_into(id):
            tool = tools.get(workflow.node(id).tool)
            port = tool.input(link.port) if tool is not None else None
            if port is not None and not port.many:
                brought[link.port] += counts.get(link.source) or workflow.count(link.source)
        counts[id] = max(brought.values(), default=1)
    return counts


def _used(tool: Tool, node: Node, backends: Backends) -> tuple[Backend, ModelOffer]:
    """The back end that a run would take, and what has to be fetched for it first."""
    choice = backends.choose(tool, node.backend, node.values)
    if isinstance(choice, SelectedBackend):
        return choice.backend, ModelOffer()
    offer = backends.offer(tool, node.backend, node.values)
    wanted = backends.wanted(tool, node.backend, node.values) if offer else None
    return wanted or tool.backend(node.backend) or tool.backends[0], offer


@store.one_look()
def looked_at_again(ways: tuple[Alternative, ...], tools: Mapping[str, Tool]) -> tuple[Alternative, ...]:
    """Alternatives of an earlier time with what has to be downloaded now; the same tuple when nothing changed."""
    backends = Backends()
    new = []
    for way in ways:
        taking = (_used(tools[n.tool], n, backends) for n in way.workflow.nodes if n.tool in tools)
        new.append(replace(way, download_bytes=both(offer for _, offer in taking).size_bytes))
    return tuple(new) if new != list(ways) else ways


def reason_for(way: Alternative, workflow: Workflow, node: str) -> str:
    """Why the planner chose the back end of a node, in a sentence; "" where it had no choice, or where the `workflow`
    that came of it has another back end there by now.
    """
    before, now = way.workflow.find(node), workflow.find(node)
    same = before is not None and now is not None and (before.tool, before.backend) == (now.tool, now.backend)
    return way.solution.reasons.get(node, "") if same else ""


def brought_last(messages: Sequence[Message]) -> tuple[str, ...]:
    """The files that came with the latest request."""
    return next((message.resources for message in reversed(messages) if message.role == "user"), ())


def waiting(messages: Sequence[Message]) -> Message | None:
    """The message since the latest request whose questions wait for an answer, None when nothing does."""
    for message in reversed(messages):
        if message.open and message.questions:
            return message
        if message.role == "user":
            break
    return None


def main_length(message: Message) -> int:
    """So many characters of the text are about what was wanted; what follows stands aside."""
    asides = [reference.start for reference in message.references if reference.aside]
    return len(message.text[: min(asides)].rstrip("\n")) if asides else len(message.text)


def inserted(message: Message, more: str) -> Message:
    """The message with more text after what was wanted, before what stands aside."""
    at = main_length(message)
    moved = tuple(
        replace(one, start=one.start + len(more), end=one.end + len(more)) if one.aside else one
        for one in message.references
    )
    return replace(message, text=message.text[:at] + more + message.text[at:], references=moved)


class MessageLog:
    """`told` hears of every change of `messages`; `language` is that of the request that is being answered."""

    def __init__(self, told: Callable[[], None], messages: tuple[Message, ...] = ()) -> None:
        self.messages = messages
        self.language = messages[-1].language if messages else ""
        self._told = told
        self._number = max((message.id for message in messages), default=0)

    def say(self, role: str, text: str, **more: object) -> Message:
        """Adds a message; `more` are further fields of Message."""
        self._number += 1
        message = Message(self._number, role, text, language=self.language, **more)  # type: ignore[arg-type]
        self.messages = (*self.messages, message)
        self._told()
        return message

    def replace(self, message: Message, **fields: object) -> Message:
        """Puts `message`, with these fields changed, in the place of the one of its id."""
        newer = replace(message, **fields)  # type: ignore[arg-type]
        self.messages = tuple(newer if old.id == newer.id else old for old in self.messages)
        self._told()
        return newer

    def answer_in(self, language: str) -> None:
        """From now on, the latest request is answered in that language; its own message is shown in it, too."""
        self.language = language
        asked = next((message for message in reversed(self.messages) if message.role == "user"), None)
        if asked is not None and asked.language != language:
            self.replace(asked, language=language)

    def speaking(self) -> AbstractContextManager[None]:
        """What is put into words within is said in the language of the request that is being answered."""
        return catalogue.speaking(self.language)

    def last_request(self) -> str:
        return next((m.text for m in reversed(self.messages) if m.role == "user"), "")
