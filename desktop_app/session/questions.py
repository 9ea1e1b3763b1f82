"""What a workflow still needs from the user: questions for open ports, and replies put into ports."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.core.values import several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Gap, Link, Workflow
from desktop_app.models import store
from desktop_app.plan.types import Given, HistoryMessage, Plan, Question, Request
from desktop_app.run.events.run_record import Run
from desktop_app.services import mask_preview
from desktop_app.session import batches, consent, fetching, limits
from desktop_app.session.answering import answer
from desktop_app.session.answering.findings import HIDING
from desktop_app.session.drawn_masks import DRAWN_ON
from desktop_app.session.follow_up import Pending
from desktop_app.session.messages import Message
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from nodes.api import Point, Port, ResourceType, Tool
from nodes.phrase import Phrase, joined

_MOST_WORDS = 8
_OF_FILES = (
    "picture",
    "restore",
    "other",
    "others",
    "all",
    "same",
    "instead",
    "mean",
    "no",
    "undo",
    "ordinals",
    "rather",
)
"""One of these, or more words than so many, may speak of another file than the latest result."""
_QUOTE = re.compile(r"[\"“„«][^\"“”„«»]*[\"“”»]|(?<!\w)['‘][^'‘’]*['’](?!\w)")
_WHAT_IS_SHOWN = re.compile(
    r"\b(?:the|this|das|dieses|l['’]|la|cette|esta|el)\s*(?:whole|entire|full|complete|ganze|gesamte)?\s*"
    r"(?:picture|image|photo|bild|foto|imagen)\b(?! (?:of|from|with|i|you|that|von|mit|de|que)\b)"
    r"|(?:整张|整个)?(?:图片|照片)",
    re.I,
)
_IT = re.compile(r"\b(?:it|its|them|they|their|es|ihn|ihm|sie|ihnen|daraus|davon)\b|-(?:le|la|les|en)\b|它", re.I)
_NEW_THING = re.compile(
    r"\b(?:(?:into|as|als|en|in)\s+)?(?:an?|one|eine?n?|une?|una)\s+(?:\w+\s+)?\w+|[做变转制合]成(?:一[个段张部])?\w{1,3}",
    re.I,
)
"""A kind of file that is still to be made."""
_MOST_FILES = 8
"""So many files are offered for an input; another one can be attached."""
Pictures = Mapping[tuple[str, str], str]
"""Names of results that exist, by (node, output)."""


def of(
    workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, planned: Sequence[Question] = ()
) -> tuple[Question, ...]:
    """One question for each open port: in the port's plain words, else in the planner's where it asked for that."""
    asked: set[str] = set()
    worded = {(q.step, q.port): q for q in planned if q.port}
    found: list[Question] = []
    for gap in workflow.missing(tools):
        question = worded.get((gap.node, gap.port.name)) or _question(gap, workflow, tools, pictures)
        if gap.port.question and (gap.port.choices or not question.choices):  # but not where the columns are offered
            question = replace(question, text=Phrase(gap.port.question, "docs"))
        if question.kind == "point" and gap.port.picked_on:
            on = _pointed_at(workflow, gap.node, gap.port.picked_on, pictures)
            linked_anew = question.resource not in ("", on)
            question = _question(gap, workflow, tools, pictures) if linked_anew else replace(question, resource=on)
        if question.kind == "point":  # two nodes that wait for clicks on one picture need one answer
            if question.resource in asked:
                continue
            asked.add(question.resource)
        if not any(_wants_the_same(question, other) for other in found):
            found.append(question)
    return (*found, *(question for question in planned if _is_open(question, workflow, tools)))


def _wants_the_same(one: Question, other: Question) -> bool:
    """True for two that ask which of the same files is meant, for two steps: what finds faces and what blurs them."""
    return one.kind == other.kind == "file" and one.choices == other.choices != () and one.step != other.step


def _is_open(question: Question, workflow: Workflow, tools: Mapping[str, Tool]) -> bool:
    """True for a question about a setting that has a default and is not set yet: where a cut shall end."""
    if not question.port or question.step not in workflow.ids():
        return False
    node = workflow.node(question.step)
    port = tools[node.tool].input(question.port) if node.tool in tools else None
    linked = any(link.port == question.port for link in workflow.links_into(question.step))
    return port is not None and not port.required and question.port not in node.values and not linked


def pictures_of(run: Run) -> dict[tuple[str, str], str]:
    """Resource name by (node, output), for what is there and not out of date."""
    return {
        (id, output): one.name
        for id, node in run.nodes.items()
        if node.state == "done"
        for output, value in node.outputs.items()
        for one in several(value)
    }


def _question(gap: Gap, workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures) -> Question:
    title, port = Phrase(tools[workflow.node(gap.node).tool].title, "tools"), gap.port
    if port.picked_on:
        name = _pointed_at(workflow, gap.node, port.picked_on, pictures)
        text = Phrase("Where in {name}? Click on it.", name=name or Phrase("the picture"))
        return Question(text, "point", (), gap.node, port.name, name)
    if port.type is ResourceType.BOXES:
        text = Phrase("{title} needs {what}. Draw them in the picture.", title=title, what=_described(port))
        return Question(text, "box", (), gap.node, port.name)
    if port.type in (ResourceType.TEXT, ResourceType.NUMBER, ResourceType.FLAG, ResourceType.URL):
        text = Phrase("{title} needs {what}. What should it be?", title=title, what=_described(port))
        choices = tuple(choice for choice in port.choices if port.required or choice != port.default)
        return Question(text, "text", choices, gap.node, port.name)
    text = Phrase("{title} needs {what}. Which file?", title=title, what=_described(port))
    return Question(text, "file", (), gap.node, port.name)


def _described(port: Port) -> Phrase:
    name = Phrase(port.name, "ports", spelled=port.name.replace("_", " "))
    return Phrase("{port} ({about})", port=name, about=Phrase(port.doc, "docs"))


def _pointed_at(workflow: Workflow, node: str, port: str, pictures: Pictures) -> str:
    """The name of the resource that feeds the picture on which the user points, "" when it is not made yet."""
    link = next((k for k in workflow.links_into(node) if k.port == port), None)
    if link is None:
        return ""
    if link.output == RESOURCE_OUTPUT and workflow.resource(link.source):
        return link.source
    return pictures.get((link.source, link.output), "")


def request(
    text: str,
    names: tuple[str, ...],
    earlier: Sequence[Message],
    resources: Iterable[Resource],
    points: Mapping[str, Sequence[Point]],
    makers: Mapping[str, str] = MappingProxyType({}),
) -> Request:
    """What the planner is asked: the words with the resources `names`, and with what came or was made `earlier`.
    `makers` are the tools of the nodes.

    What the last answer gave comes after what else was there before: after a way back it is not what was made last.
    """
    shown = next((m.resources for m in reversed(earlier) if m.kind == "answer" and m.resources), ())
    resources = sorted(resources, key=lambda one: 2 if one.name in names else int(one.name in shown))
    used = {name for message in earlier for name in message.resources}
    there = [
        resource
        for resource in resources
        if resource.name in names or resource.name in used or resource.made_by or not names
    ]
    given = [
        Given(
            name,
            str(resource.type),
            tuple((p.x, p.y, p.include) for p in points.get(resource.name, ())),
            earlier=resource.name not in names and (resource.name in used or bool(resource.made_by)),
            by=makers.get(resource.made_by, ""),
        )
        for name, resource in batches.given(there, text)
    ]
    turns = tuple(
        HistoryMessage(m.role, m.text, m.resources if m.kind == "answer" else ())
        for m in earlier
        if m.kind in ("text", "answer")
    )
    return Request(text, tuple(given), turns)


def passed_over(
    resources: Iterable[Resource],
    workflow: Workflow,
    made: Mapping[str, tuple[str, str]],
    brought: Collection[str],
    earlier: Sequence[Message],
    goes_on: bool = False,
) -> set[str]:
    """The names of results that "it" never means: what a node of the graph made before it made something else, and
    what lies on the way to the latest answer's result of the same type. With `goes_on` also the user's own file there,
    what lies on the way to any last result of its type, and what a graph of before made, but for the last of a type
    of which there is nothing else. `made` are the results that the nodes have.
    """
    shown = next((set(m.resources) for m in reversed(earlier) if m.kind == "answer" and m.resources), set[str]())
    ids, rest = set(workflow.ids()), [one for one in resources if one.name not in brought]
    own = [one for one in rest if one.made_by in ids]
    left = {one.name for one in own if one.name not in made}
    ends = [one for one in own if one.name in shown or (goes_on and one.name in made)]
    behind = [(one.type, workflow.upstream(one.made_by) - {one.made_by}) for one in ends]

    def is_on_the_way(one: Resource) -> bool:
        place = one.made_by or one.name
        return one.name not in shown and any(one.type == type and place in way for type, way in behind)

    left |= {one.name for one in (rest if goes_on else own) if is_on_the_way(one)}
    gone = [one for one in rest if goes_on and one.made_by and one.made_by not in ids and one.name not in shown]
    here = {one.type for one in ends}
    last = {one.type: one.name for one in gone if one.type not in here}
    return left | {one.name for one in gone if last.get(one.type) != one.name}


def goes_on(text: str, hidden: bool = False) -> bool:
    """ "Much darker", "and a frame", "turn it into a film, too": a short wish that speaks of no file, or one for "it",
    is for what the latest answer gave. So is a question about "it", unless something was hidden there.
    """
    from desktop_app.plan.modes.conversation import MessageWords  # here: the first window does without

    text = _WHAT_IS_SHOWN.sub(" it ", _QUOTE.sub(" x ", text))
    said = MessageWords(text)
    if len(said.words) <= _MOST_WORDS and "?" not in text and not said.has(*_OF_FILES):
        return True
    if not _IT.search(text) or ("?" in text and hidden):
        return False
    return not MessageWords(_NEW_THING.sub(" ", text)).has(
        *(idea for idea in _OF_FILES if idea not in ("same", "rather"))
    )


def _is_spoken_of(one: Resource, text: str) -> bool:
    """True where the text has its name, or a word of what its name says was done ("the sepia one")."""
    said = text.lower()
    done = re.findall(r"[^\W\d_]{4,}", one.name.rpartition(".")[0].partition("_")[2].lower())
    return one.name.lower() in said or any(word in said for word in done)


def present(resources: Iterable[Resource], workflow: Workflow, told: Collection[str], text: str) -> list[Resource]:
    """Without what only a graph that was left knows: its masks and what else lay between, of which no answer tells
    (`told`) and the text does not speak.
    """
    here = {*workflow.ids(), *(resource.name for resource in workflow.resources)}

    def stays(one: Resource) -> bool:
        between = bool(one.made_by) or DRAWN_ON in one.facets
        return not between or one.made_by in here or one.name in here or one.name in told or one.name in text

    return [one for one in resources if stays(one)]


def _told(earlier: Sequence[Message]) -> set[str]:
    return {name for message in earlier if message.kind == "answer" for name in message.resources}


def check_points(resource: Resource | None, name: str, points: Sequence[Point], known: Iterable[str]) -> None:
    """Raises BadRequest when there is no such resource, or a point lies outside of it."""
    if resource is None:
        raise BadRequest(
            Phrase("There is no resource '{name}' to point at.", name=name),
            Phrase("Attached: {names}.", names=", ".join(known) or Phrase("none")),
        )
    width, height = resource.facets.get("width", 0), resource.facets.get("height", 0)
    for x, y, _ in points:
        if not (0 <= x < width and 0 <= y < height):
            raise BadRequest(
                Phrase(
                    "The point {x},{y} lies outside {name} ({width} x {height} pixels).",
                    x=f"{x:g}",
                    y=f"{y:g}",
                    name=name,
                    width=width,
                    height=height,
                ),
                Phrase("x goes from 0 to {width}, y from 0 to {height}.", width=width - 1, height=height - 1),
            )


def waiting_for(workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str) -> str:
    """The first node with a `picked_on` port whose picture is `name`, "" when there is none."""
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        for port in tool.inputs if tool else ():
            if port.picked_on and _pointed_at(workflow, node.id, port.picked_on, pictures) == name:
                return node.id
    return ""


def with_points(
    workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str, points: tuple[Point, ...]
) -> Workflow:
    """The workflow with every `picked_on` port whose picture is `name` filled with the points."""
    clicks = [[p.x, p.y, p.include] for p in points]
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        linked = {link.port for link in workflow.links_into(node.id)}
        for port in tool.inputs if tool else ():
            if port.picked_on and port.name not in linked:
                on = _pointed_at(workflow, node.id, port.picked_on, pictures)
                if on == name and node.values.get(port.name) != clicks:
                    workflow = workflow.with_value(node.id, port.name, clicks)
    return workflow


def pointed(workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str) -> list[tuple[str, str]]:
    """The (node, port) pairs that take clicks on the resource `name`."""
    return [
        (node.id, port.name)
        for node in workflow.nodes
        if node.tool in tools
        for port in tools[node.tool].inputs
        if port.picked_on and _pointed_at(workflow, node.id, port.picked_on, pictures) == name
    ]


def target_of(question: Question, workflow: Workflow) -> tuple[str, str] | None:
    """The (node, port) that a reply fills, None when the question is about no port of the workflow."""
    if question.port and question.step in workflow.ids():
        return question.step, question.port
    return None


def with_reply(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    node: str,
    port_name: str,
    text: str,
    resources: Mapping[str, Resource],
) -> Workflow:
    """The workflow with the reply in the port: a resource's name links it, else the text is read as a literal.

    Raises BadRequest when the text is not a value of the port.
    """
    port = tools[workflow.node(node).tool].input(port_name)
    if port is None:
        raise BadRequest(Phrase("{tool} has no input '{name}'.", tool=node, name=port_name), "")
    resource = resources.get(text)
    if resource is not None and resource.fits(port.type):
        link = Link(resource.name, RESOURCE_OUTPUT, node, port_name)
        return workflow.with_resource(resource).with_link(link, port.many)
    return workflow.with_value(node, port_name, literal(port, text))


def literal(port: Port, text: str) -> object:
    """The text as a value of the port. Raises BadRequest that says what fits."""
    if port.choices and text not in port.choices:
        near = next((c for c in port.choices if c.lower() == text.strip().lower()), None)
        if near is None:
            raise BadRequest(
                Phrase("'{text}' is none of the choices of {port}.", text=text, port=Phrase(port.name, "ports")),
                Phrase("Choose: {names}.", names=", ".join(port.choices)),
            )
        return near
    if port.type is ResourceType.NUMBER:
        return _number(port, text)
    if port.type is ResourceType.FLAG:
        lowered = text.strip().lower()
        if lowered not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            raise BadRequest(
                Phrase("'{text}' is neither yes nor no for {port}.", text=text, port=Phrase(port.name, "ports")),
                "Write yes or no.",
            )
        return lowered in ("true", "yes", "on", "1")
    if port.type in (ResourceType.TEXT, ResourceType.URL, ResourceType.HTML):
        return text
    raise BadRequest(
        Phrase(
            "'{text}' cannot be {port}: it needs a file of type {type}.",
            text=text,
            port=Phrase(port.name, "ports"),
            type=Phrase(port.type, "types"),
        ),
        "Attach such a file.",
    )


def _number(port: Port, text: str) -> float | int:
    try:
        value = float(text.replace(",", ".")) if not port.integer else int(text)
        if not abs(value) < 2**63:  # which NaN is not either
            raise ValueError("it is too large")
    except ValueError as error:
        raise BadRequest(
            Phrase("'{text}' is no number, and {port} needs one.", text=text[:60], port=Phrase(port.name, "ports")),
            "Write it in digits.",
        ) from error
    low, high = port.minimum, port.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        ends = {"low": low if low is not None else "...", "high": high if high is not None else "..."}
        raise BadRequest(
            Phrase("{value} is out of range for {port}.", value=f"{value:g}", port=Phrase(port.name, "ports")),
            Phrase("It goes from {low} to {high}{unit}.", unit=f" {port.unit}" if port.unit else "", **ends),
        )
    return value


class QuestionController:
    """What is asked in a conversation, and what becomes of the questions once they are answered. `history` tells how
    long tools took.
    """

    def __init__(self, state: SessionState, tracker: RunTracker, history: History) -> None:
        self._state, self._tracker, self._history = state, tracker, history

    @store.one_look()
    def open(self) -> tuple[Question, ...]:
        """What the chosen workflow still needs: its planner's questions and every port that nobody filled."""
        graph = self._state.graph
        way = graph.alternatives[graph.chosen] if graph.chosen < len(graph.alternatives) else None
        return (*self.untold(), *self.about(graph.workflow, way.solution.questions if way is not None else ()))

    def untold(self) -> tuple[Question, ...]:
        """One for each step of which the run has shown that it has to be told which thing of its picture is meant."""
        workflow, tools, pictures = self._state.workflow, self._state.tools, self.pictures()
        found = []
        for node, name in mask_preview.untold(workflow, tools, self._tracker.shown):
            tool = tools[workflow.node(node).tool]
            port = tool.input(name)
            on = _pointed_at(workflow, node, mask_preview.picture_port(tool, port), pictures) if port else ""
            if on:
                text = Phrase("It is not clear what is meant in {name}. Click on it.", name=on)
                found.append(Question(text, "point", (), node, name, on))
        return tuple(found)

    def about(self, workflow: Workflow, planned: Sequence[Question] = ()) -> tuple[Question, ...]:
        asked = of(workflow, self._state.tools, self.pictures(), planned)
        worded = (self._otherwise(one, workflow) if one.text in self._state.asked_before else one for one in asked)
        return (*(self._with_files(question, workflow) for question in worded), *self.before_run(workflow))

    def _otherwise(self, question: Question, workflow: Workflow) -> Question:
        """The question in other words, with what an answer looks like."""
        target = target_of(question, workflow)
        port = self._state.tools[workflow.node(target[0]).tool].input(target[1]) if target else None
        about = Phrase("That is: {what}.", what=Phrase(port.doc, "docs")) if port is not None and port.doc else ""
        again = Phrase("I still need to know: {question}", question=Phrase.of(question.text))
        return replace(question, text=joined(again, about, "Or tell me that you want something else."))

    def _with_files(self, question: Question, workflow: Workflow) -> Question:
        """A question for a file offers those of the user that fit and do not go into that node yet."""
        target = target_of(question, workflow)
        if question.kind != "file" or question.choices or target is None:
            return question
        port = self._state.tools[workflow.node(target[0]).tool].input(target[1])
        taken = {link.source for link in workflow.links_into(target[0])}
        own = (one for one in self._state.resources.values() if not one.made_by and one.name not in taken)
        return replace(question, choices=tuple(one.name for one in own if port and one.fits(port.type))[:_MOST_FILES])

    def before(self, asked: Sequence[Question]) -> tuple[str, ...]:
        """The nodes to run before all that is `asked` is told: what does not wait for it, and is not done yet. None
        where something else is asked than what goes into a port.
        """
        workflow = self._state.workflow
        steps = {question.step for question in asked if target_of(question, workflow) is not None}
        if not steps or not all(question.step in steps and question.port for question in asked):
            return ()
        done = {node for node, _ in self.pictures()}
        rest = set(workflow.ids()) - workflow.downstream(*steps) - workflow.idle() - done
        return tuple(sorted(rest))

    def about_consent(self, workflow: Workflow, upto: str | Collection[str] | None = None) -> tuple[Question, ...]:
        """One for each tool that reaches outside and may not yet; of those that run for `upto`."""
        return consent.questions(workflow, self._state.tools, self._state.agreed, consent.needed(workflow, upto))

    @store.one_look()
    def before_run(
        self, workflow: Workflow, upto: str | Collection[str] | None = None, again: Collection[str] = ()
    ) -> tuple[Question, ...]:
        """What has to be allowed and fetched before what runs for `upto`, with the nodes `again` afresh."""
        nodes = consent.needed(workflow, upto)
        fetch = fetching.question(workflow, self._state.tools, self._state.declined, nodes)
        return (*self.about_consent(workflow, upto), *fetch, *self._about_time(workflow, nodes, again))

    def _about_time(
        self, workflow: Workflow, nodes: Collection[str] | None, again: Collection[str]
    ) -> tuple[Question, ...]:
        state, shown = self._state, workflow is self._state.workflow
        if not settings.now().ask_minutes:
            return ()
        run = self._tracker.shown if shown else self._tracker.records.of(workflow)
        made = {id for id, node in run.nodes.items() if node.state == "done"} - set(again)
        expected = limits.estimate(workflow, state.tools, self._history, nodes, made, state.declined)
        return limits.question(expected, state.agreed.seconds)

    def pictures(self) -> dict[tuple[str, str], str]:
        return pictures_of(self._tracker.shown)

    def pending(self, text: str) -> Pending:
        """What the graph has yet to make, where the text is a wish that goes on from it, and the plan was no guess."""
        state = self._state
        guessed = state.plan is not None and any(one.kind == "confirm" for one in state.plan.questions)
        if guessed or not self.goes_on(text):
            return Pending()
        return Pending.of(state.workflow, state.tools, self._tracker.made, {*state.resources, *state.workflow.ids()})

    def request(
        self, text: str, names: tuple[str, ...], earlier: Sequence[Message], pending: Pending | None = None
    ) -> Request:
        """What the planner is asked. What is `pending` counts as the latest answer."""
        coming = pending or Pending()
        if coming.resources:
            earlier = (*earlier, Message(0, "assistant", "", "answer", tuple(coming.resources)))
        known = (*self._state.resources.values(), *coming.resources.values())
        resources = present(known, self._state.workflow, {*names, *_told(earlier)}, text)
        left = passed_over(
            resources,
            self._state.workflow,
            {**self._tracker.made, **coming.places},
            {*names},
            earlier,
            self.goes_on(text),
        )
        resources = [one for one in resources if one.name not in left or _is_spoken_of(one, text)]
        makers = {node.id: node.tool for node in self._state.workflow.nodes}
        return request(text, names, earlier, resources, self._state.graph.points, makers)

    def goes_on(self, text: str) -> bool:
        """Whether the wish is for what the graph that is there makes."""
        return goes_on(text, any(node.tool in HIDING for node in self._state.workflow.nodes))

    def ask(self, missing: tuple[Question, ...]) -> None:
        """Asks, unless that is what was said last. Of what was asked so before, only the words stay."""
        log = self._state.log
        last = log.messages[-1] if log.messages else None
        if last is not None and last.open and last.questions == missing:
            return
        self._leave("text")
        log.say("assistant", joined(*(q.text for q in missing)), questions=missing, open=True)

    def leave_all(self) -> None:
        """Another graph takes the place of the present one: what was asked for that one is no longer open."""
        self._leave("text", "plan")

    def _leave(self, *kinds: str) -> None:
        log = self._state.log
        for message in log.messages:
            asked = message.questions if message.open and message.kind in kinds else ()
            if asked and all(question.port or fetching.told(question) for question in asked):
                log.replace(message, questions=(), open=False)

    def ask_again(self) -> None:
        """What is open is asked as it is now; a picture to point at may have come."""
        self.close_answered()
        if not any(message.open for message in self._state.log.messages):
            self.ask(self.open())

    def reply(self, question: Question, text: str) -> None:
        """Answers a question that fills a port; anything else is a new request (use `ask`). Raises BadRequest."""
        self.reply_with(question, text, {})

    def reply_with(self, question: Question, text: str, more: Mapping[str, Any]) -> None:
        """As `reply`; `more` are values for other ports of the node, put in where nothing is linked."""
        state = self._state
        target = target_of(question, state.workflow)
        if target is None:
            raise BadRequest("This question is no longer open.", "Type your request again.")
        self.typed(text)
        workflow = with_reply(state.workflow, state.tools, *target, text, state.resources)
        linked = {link.port for link in workflow.links_into(target[0])}
        for name, value in more.items():
            workflow = workflow if name in linked else workflow.with_value(target[0], name, value)
        for other in self._of_the_same_file(question):
            workflow = with_reply(workflow, state.tools, *other, text, state.resources)
        node, port = workflow.node(target[0]), target[1]
        for id in self._like(node.id, port) if port in node.values else ():
            workflow = workflow.with_value(id, port, node.values[port])
        state.change(workflow=workflow)
        self.close_answered()

    def _of_the_same_file(self, question: Question) -> list[tuple[str, str]]:
        """The other open inputs, each with its node, of which the plan asks which of the same files is meant."""
        graph, workflow = self._state.graph, self._state.workflow
        if graph.chosen >= len(graph.alternatives):
            return []
        missing = {(gap.node, gap.port.name) for gap in workflow.missing(self._state.tools)}
        planned = graph.alternatives[graph.chosen].solution.questions
        return [place for q in planned if _wants_the_same(question, q) and (place := (q.step, q.port)) in missing]

    def _like(self, node: str, port: str) -> list[str]:
        """The other steps of the plan with the same tool of which that is not known either, nor asked apart."""
        graph, workflow = self._state.graph, self._state.workflow
        if graph.chosen >= len(graph.alternatives):
            return []
        solution = graph.alternatives[graph.chosen].solution
        steps = {step.id for step in solution.steps} & set(workflow.ids())
        known = {
            id for id in steps if port in workflow.node(id).values or workflow.node(id).tool != workflow.node(node).tool
        }
        known |= {link.target for link in workflow.links if link.port == port}
        return sorted(steps - known - {node} - {q.step for q in solution.questions if q.port == port})

    def typed(self, text: str) -> None:
        """The user wrote this: the addresses in it may be contacted."""
        self._agree(typed=self._state.agreed.typed | consent.addresses([text]))

    def allow(self, *tools: str) -> None:
        """The user agrees that these tools reach outside in this conversation."""
        self._agree(tools=self._state.agreed.tools | set(tools))
        self.close_answered()

    def agree_to(self, seconds: float) -> None:
        """Runs of that length are wanted in this conversation."""
        self._agree(seconds=max(seconds, self._state.agreed.seconds))
        self.close_answered()

    def allow_all(self) -> None:
        """The user agrees to whatever a run would ask, but for downloads."""
        self.agree_to(math.inf)
        self.allow(*self._state.tools, *consent.CONNECTED)

    def always_allow(self, tools: Iterable[str]) -> None:
        """These may do so in every conversation, but for what came from someone else."""
        self._agree(always=frozenset(tools))

    def distrust(self, source: str) -> None:
        """A file of that name came from someone else: what was agreed to in this conversation counts no more."""
        self._agree(source=source, tools=frozenset(), seconds=0.0)

    def _agree(self, **fields: Any) -> None:
        self._state.agreed = replace(self._state.agreed, **fields)

    def settle(self, question: Question) -> None:
        for message in self._state.log.messages:
            if message.open and question in message.questions:
                left = tuple(one for one in message.questions if one != question)
                self._state.log.replace(message, questions=left or message.questions, open=bool(left))

    @store.one_look()
    def close_answered(self) -> None:
        """What was asked and is no longer missing is no longer open."""
        log = self._state.log
        if not any(message.open for message in log.messages):
            return
        asked = self.open()
        for message in log.messages:
            if message.open and not any(question.kind == consent.FILES for question in message.questions):
                log.replace(self._asked_again(message, asked))

    @store.one_look()
    def reopen(self) -> None:
        """What an earlier message asked and is missing again, as after undo and redo, is asked there again."""
        log, asked = self._state.log, self.open()
        waiting = {_about(question) for message in log.messages if message.open for question in message.questions}
        for message in reversed(log.messages):
            held = {_about(question) for question in message.questions} - waiting
            again = tuple(question for question in asked if question.step and _about(question) in held)
            if again and not message.open:
                log.replace(self._asked_again(message, again))
                waiting |= held

    @store.one_look()
    def plan_text(self, plan: Plan, asked: Sequence[Question]) -> str:
        """What is said of the plan while that much is asked."""
        doubt = joined(*(question.text for question in plan.questions if question.kind == "confirm"))
        graph, tools = self._state.workflow, self._state.tools
        hindered = fetching.hindrance(graph, tools)
        doubt = joined(doubt, hindered.message, hindered.fix) if hindered is not None else doubt
        return answer.plan_text(graph, tools, plan.notice, len(asked), plan.left_out, doubt)

    def _asked_again(self, message: Message, asked: tuple[Question, ...]) -> Message:
        """An open message with what is still missing; what it said of the plan is said anew."""
        text = message.text
        if message.kind == "plan":
            plan = self._state.plan
            asked = (*(one for one in message.questions if not one.port and one.kind == "text"), *asked)
            text = self.plan_text(plan or Plan(()), asked)
        waiting = {_about(question) for question in asked}
        known = {_about(question): question for question in (*message.answered, *message.questions)}
        known = {about: one for about, one in known.items() if about not in waiting}
        if not asked:
            lapsed = not all(map(self._is_answered, known.values()))
            return replace(message, text=text, questions=(*known.values(),), open=False, lapsed=lapsed, answered=())
        answered = tuple(one for one in known.values() if one.port and self._is_answered(one))
        return replace(message, text=text, questions=asked, open=True, lapsed=False, answered=answered)

    def _is_answered(self, question: Question) -> bool:
        """False where what was asked is no longer wanted: its node went, or never got what it was about."""
        state = self._state
        node = state.workflow.find(question.step)
        if not question.step:
            return True
        if node is None or node.id in state.workflow.idle():
            return False
        if question.kind == consent.KIND:
            tool = state.tools.get(node.tool)
            return tool is not None and state.agreed.has(consent.key_of(tool, node.backend, node.values))
        if question.kind == fetching.KIND:
            return fetching.is_here(question) or set(question.resource.split()) <= set(state.declined)
        if question.kind == limits.KIND:
            return state.agreed.seconds >= float(question.resource)
        return True


def _about(question: Question) -> tuple[str, str, str]:
    """What is asked for, whatever it is called by now."""
    return question.kind, question.step, question.port
