"""What a run found: each result that was asked for or is short, with what it rests on. Words nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

from desktop_app.core.errors import AppError
from desktop_app.core.markdown import literal
from desktop_app.core.values import several
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import original
from desktop_app.run.events.run_record import Run
from desktop_app.session.answering import made_words
from desktop_app.session.answering.finding_budget import Finding
from desktop_app.session.drawn_masks import DRAWN_ON
from desktop_app.storage.resources import Resource
from nodes.api import HIDES, NodeError, Port, ResourceType, Tool
from nodes.phrase import Phrase

READABLE = frozenset({ResourceType.TEXT, ResourceType.NUMBER, ResourceType.LABELS, ResourceType.FLAG, ResourceType.URL})
TOLD = READABLE | {ResourceType.BOXES, ResourceType.TABLE}
LONGEST_QUOTE, ON_THE_WAY = 1200, 240
"""Characters of a text that was asked for, and of one from which that was made."""
MOST_SAID, MOST_TROUBLES, MOST_NAMED = 40, 20, 8
"""So many results, failures and files are told one by one; of the others only how many there are."""
MOST_STEPS = 4
_OF_TEXTS = (ResourceType.NUMBER, ResourceType.LABELS)
_WITH_COLUMNS = (ResourceType.TABLE, ResourceType.FILE, ResourceType.HTML, ResourceType.IMAGE)
_VERB_AND_NOUN = 2
_MOST_BOXES = 16
"""So many results with boxes, the nearest ones, tell what a number counts."""


def findings(
    workflow: Workflow, run: Run, tools: Mapping[str, Tool], value_of: Callable[[Resource], Any]
) -> tuple[Finding, ...]:
    """What was asked for, and the short results met on the way, in the order in which they were made."""
    wanted = set(execution_modes.results(workflow, tools))
    plain = original(tools)
    behind = _Behind(workflow, run, plain, _Values(value_of))
    titles = {id: catalogue.translated(Phrase(plain[id].title, "tools")) for _, id in behind.nodes if id in plain}
    hidden = workflow.upstream(*workflow.doing(HIDES, tools))
    found: list[Finding] = []
    for id, chosen in behind.nodes:
        node, tool = run.nodes.get(id), tools.get(chosen)
        if tool is None or node is None or node.state != "done":
            continue
        for output, made in node.outputs.items():
            for resource in several(made):
                value = behind.values.of(resource)
                if resource.type is ResourceType.TEXT and value and id in hidden and (id, output) not in wanted:
                    continue  # who has it blacked out does not want to read it
                none_found = resource.type is ResourceType.BOXES and value == ()
                if (id, output) in wanted or resource.type in READABLE or none_found:
                    item = behind.item(id, resource) if isinstance(made, tuple) else ""
                    if item and resource.type is ResourceType.BOXES and (id, output) not in wanted:
                        continue
                    about, more = ((item,), 0) if item else behind.sources(id)
                    if resource.type in _OF_TEXTS and (written := behind.written(id)):
                        about, more = (written,), 0
                    counts = resource.type in (ResourceType.NUMBER, ResourceType.BOXES)
                    thing = (behind.thing(id) or _counted_unit(workflow.node(id), tool)) if counts else ""
                    asked = (id, output) in wanted
                    steps = tuple(dict.fromkeys(titles[t] for t in behind.steps(id) if t in titles))
                    port = tool.output(output)
                    title = _name_of(port) or titles.get(chosen, tool.title)
                    found.append(
                        Finding(
                            id, title, output, resource, value, about, asked, thing, more, steps,
                            behind.made(id), item=bool(item), answers=_answers(workflow.node(id), tool),
                            of_table=_asked_of_table(workflow.node(id), tool),
                            phrase=_counted_phrase(workflow.node(id), tool), named=_names_columns(tool),
                            unit=port.unit if port is not None else "",
                        )
                    )  # fmt: skip
    return tuple(found)


def _name_of(port: Port | None) -> str:
    """What a number with a unit is called, "Tempo", in the language in use; "" for others."""
    if port is None or port.type is not ResourceType.NUMBER or not port.unit:
        return ""
    name = catalogue.port(port.name)
    return name[:1].upper() + name[1:]


def _names_columns(tool: Tool) -> bool:
    """True where the columns of its table have names that it gave them, and none that were in a file."""
    taken = {port.type for port in tool.inputs}
    return not taken & {*_WITH_COLUMNS} and tool.input("columns") is None


def _answers(node: Node, tool: Tool) -> bool:
    """True for a tool that was asked a question."""
    return bool(node.values.get("question")) and tool.input("question") is not None


def _asked_of_table(node: Node, tool: Tool) -> str:
    """The questions that the tool answers from a table, a line each; "" for other tools."""
    takes = any(port.type is ResourceType.TABLE for port in tool.inputs)
    return str(node.values["question"]) if takes and _answers(node, tool) else ""


def _counted_unit(node: Node, tool: Tool) -> str:
    """ "word", where a tool counts things of a text by their kind, and no phrase of it."""
    port = tool.input("unit")
    if port is None or not port.choices or any(isinstance(v, str) and v for k, v in node.values.items() if k != "unit"):
        return ""
    return str(node.values.get("unit", port.default)).removesuffix("s")


def _counted_phrase(node: Node, tool: Tool) -> str:
    """The words that a tool counted in a text; "" where it counted nothing of the kind."""
    is_counting = tool.input("phrase") is not None and tool.outputs[0].type is ResourceType.NUMBER
    return str(node.values.get("phrase") or "") if is_counting else ""


def _goes_on(tool: Tool) -> bool:
    """True for a step to a table, and from a text to a text: of it is spoken on the way, where there are words."""
    made = tool.outputs[0].type
    return made is ResourceType.TABLE or (made is ResourceType.TEXT and any(p.type is made for p in tool.inputs[:1]))


class _Values:
    """Short values, each read once."""

    def __init__(self, value_of: Callable[[Resource], Any]) -> None:
        self._value_of = value_of
        self._known: dict[tuple[str, ResourceType], Any] = {}

    def of(self, resource: Resource) -> Any:
        """The value of a type that is TOLD, of a text the beginning; None for others, and for what cannot be read."""
        if resource.type not in TOLD:
            return None
        key = resource.digest, resource.type
        if key not in self._known:
            try:
                value = self._value_of(resource)
            except (AppError, NodeError):
                value = None
            self._known[key] = value.strip()[: 2 * LONGEST_QUOTE] if isinstance(value, str) else value
        return self._known[key]


class _Behind:
    """What each node rests on. Found for all of them in one walk along the links: each asks only what feeds it."""

    def __init__(self, workflow: Workflow, run: Run, tools: Mapping[str, Tool], values: _Values) -> None:
        self.values, self._workflow = values, workflow
        self._tools, self._run = tools, run
        self._used = {node.id: node.tool for node in workflow.nodes}
        self._names = tuple(one.name for one in workflow.resources if DRAWN_ON not in one.facets)
        bits = {name: 1 << place for place, name in enumerate(self._names)}
        self._batches = {resource.name: resource for resource in workflow.resources}
        self._boxes: dict[str, tuple[tuple[str, Resource], ...]] = {}
        self._files = dict(bits)
        """By card, the files that it rests on, a bit for each: to join two sets takes one step for 64 of them."""
        self._labels: dict[str, set[str]] = {}
        order = workflow.order()
        self.nodes = tuple((id, self._used[id]) for id in order)
        for id in order:
            files = 0
            for link in workflow.links_into(id):
                files |= self._files.get(link.source, 0)
            self._files[id] = files
            self._boxes[id] = self._nearest(workflow.links_into(id))

    def sources(self, id: str) -> tuple[tuple[str, ...], int]:
        """The files that the user brought and that the node rests on: the names of the first, how many more."""
        left, names = self._files[id], []
        while left and len(names) < MOST_NAMED:
            lowest = left & -left
            names.append(self._names[lowest.bit_length() - 1])
            left ^= lowest
        return tuple(names), left.bit_count()

    def written(self, id: str) -> str:
        """The name of the text that the node takes, where another step wrote it: a summary is not the file."""
        for link in self._workflow.links_into(id):
            tool, node = self._tools.get(self._used.get(link.source, "")), self._run.nodes.get(link.source)
            made = node.outputs.get(link.output) if node is not None else None
            takes = tool is not None and any(p.type is ResourceType.TEXT and p.required for p in tool.inputs)
            if takes and isinstance(made, Resource) and made.type is ResourceType.TEXT:
                return made.name
        return ""

    def item(self, id: str, made: Resource) -> str:
        """The file of a batch that one of the node's several results comes from, "" where it is of no single one."""
        names, _ = self.sources(id)
        item = self._batches[names[0]].behind(made.name) if len(names) == 1 else None
        return item.name if item else ""

    def steps(self, id: str) -> list[str]:
        """The tools that the node's result went through, in order; of a large graph only the node's own."""
        if len(self.nodes) > MOST_SAID:
            return [self._used[id]]
        needed = self._way(id)
        return [tool for node, tool in self.nodes if node in needed]

    def _way(self, id: str) -> set[str]:
        """The nodes up to this one that rest on a file behind it: a greeting spoken into a film made nothing of it."""
        return {node for node in self._workflow.upstream(id) if self._files.get(node) or not self._files[id]}

    def made(self, id: str) -> tuple[str, ...]:
        """What the steps up to the node made of what they began with, in words; () where they are too many to tell, or
        there are no words for one.
        """
        if len(self.nodes) > MOST_SAID:
            return ()
        needed = self._way(id)
        same = catalogue.say("unchanged")
        idle = [node for node in needed | {id} if self._is_idle(node)]
        told = [
            same if node in idle else words
            for node, used in self.nodes
            if (tool := self._tools.get(used)) and (node == id or node in needed)
            if (words := made_words.made_by(tool, self._workflow.node(node))) or node == id or made_words.changes(tool)
            if node == id or made_words.changes(tool) or _goes_on(tool)
        ]
        words = [one for one in dict.fromkeys(told) if one != same] or told[:1]
        return tuple(words) if len(told) <= MOST_STEPS and all(told) else ()

    def _is_idle(self, id: str) -> bool:
        """True where no box was found to work on, or to make its mask of: the step leaves its picture as it is."""
        into = self._workflow.links_into(id)
        behind = [link for one in into if one.port == "mask" for link in self._workflow.links_into(one.source)]
        return any(self._brings_no_box(link) for link in (*into, *behind))

    def _brings_no_box(self, link: Link) -> bool:
        node = self._run.nodes.get(link.source)
        made = several(node.outputs.get(link.output)) if node is not None else ()
        return bool(made) and all(_are_boxes(one) and self.values.of(one) == () for one in made)

    def thing(self, id: str) -> str:
        """What a number counts: the label of the boxes behind it ("face"), "thing" where these have several.

        Where no box was found, or their labels are what is written there, what the tool that looked for them is called
        after ("Find faces", "Read text"), and not one that chose among them; "thing" where its title says more; ""
        without boxes.
        """
        labels: set[str] = set()
        sought = ""
        outputs = self._run.nodes[id].outputs.values()
        own = [(id, made) for value in outputs for made in several(value)[:_MOST_BOXES] if _are_boxes(made)]
        behind = (*own, *self._boxes[id])
        earlier = {node for other, _ in behind for node, _ in self._boxes[other]}
        for node, made in behind:
            tool = self._tools.get(self._used[node])
            read = tool is not None and any(port.type is ResourceType.TEXT for port in tool.outputs)
            if node not in earlier and not read:
                labels |= self._labels_of(made)
            title = tool.title.lower().split() if tool else []
            last = title[-1] if len(title) == _VERB_AND_NOUN else "things" if title else ""
            if tool is None or not any(port.type is ResourceType.BOXES for port in tool.inputs):
                sought = sought or (last.removesuffix("s") if read or last == "things" else last)
        if len(labels) > 1:
            return "thing"
        return next((literal(label) if len(label) < 24 else "" for label in labels), sought)

    def _labels_of(self, made: Resource) -> set[str]:
        if made.digest not in self._labels:
            self._labels[made.digest] = {box.label for box in self.values.of(made) or () if box.label}
        return self._labels[made.digest]

    def _nearest(self, into: Sequence[Link]) -> tuple[tuple[str, Resource], ...]:
        """The boxes that come along the links, then those behind them, each with the node that made it."""
        found: dict[tuple[str, str], tuple[str, Resource]] = {}
        for link in into[:_MOST_BOXES]:
            node = self._run.nodes.get(link.source)
            for made in several(node.outputs.get(link.output))[:_MOST_BOXES] if node is not None else ():
                if _are_boxes(made):
                    found.setdefault((link.source, made.digest), (link.source, made))
        for link in into:
            if len(found) >= _MOST_BOXES:
                break
            for node, made in self._boxes.get(link.source, ()):
                found.setdefault((node, made.digest), (node, made))
        return tuple(found.values())[:_MOST_BOXES]


def _are_boxes(made: Any) -> TypeGuard[Resource]:
    return isinstance(made, Resource) and made.type is ResourceType.BOXES
