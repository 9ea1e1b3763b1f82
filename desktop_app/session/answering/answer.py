"""From a request and its finished run to the reply in the chat; every statement rests on a node's result.

Without a language model the reply is put together from the results. With one, the model words it from the same
findings and names the nodes it speaks of; what is not in them is not shown (answer_check.py).
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from desktop_app.core.errors import AppError
from desktop_app.core.values import several
from desktop_app.export.files import file_name
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import original
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.modes.conversation import MessageWords, language_of_message
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import finding_budget, made_words, yes_or_no
from desktop_app.session.answering.asked_measures import Measured, asked_measures
from desktop_app.session.answering.finding_budget import AnswerLimits, Finding
from desktop_app.session.messages import Reference
from desktop_app.storage.resources import Resource, seen_as
from nodes.api import NodeError, ResourceType, Table, Tool
from nodes.phrase import Phrase, joined, listed

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel

Reply = tuple[str, tuple[Reference, ...]]
Statement = tuple[str, str]
"""A sentence, and the node it is about."""
READABLE = frozenset({ResourceType.TEXT, ResourceType.NUMBER, ResourceType.LABELS, ResourceType.FLAG, ResourceType.URL})
TOLD = READABLE | {ResourceType.BOXES, ResourceType.TABLE}
HIDING = frozenset(("blur", "pixelate", "redact", "remove_object", "inpaint", "anonymise_text"))
"""Tools after which something that was found is no longer to be seen."""
LONGEST_QUOTE, _ON_THE_WAY = 1200, 240
"""Characters of a text that was asked for, and of one from which that was made."""
MOST_SAID, MOST_TROUBLES, MOST_NAMED = 40, 20, 8
"""So many results, failures and files are told one by one; of the others only how many there are."""
MOST_ROWS, MOST_COLUMNS = 30, 12
_LONGEST_CELL = 200
_MOST_STEPS = 4
_MOST_FACTS = 3
"""So many facts of each file of a batch are told where none was asked for."""
_MOST_BOXES = 16
"""So many results with boxes, the nearest ones, tell what a number counts."""
_MEANS_SOMETHING = re.compile(r"[\\`\[\]<]")
_ESCAPED = re.compile(r"\\([\\`\[\]<])")


_HERE_IS = {
    ResourceType.MASK: "Here is the mask: {name}.",
    ResourceType.IMAGE: "Here is the picture: {name}.",
    ResourceType.VIDEO: "Here is the video: {name}.",
    ResourceType.AUDIO: "Here is the sound: {name}.",
    ResourceType.HTML: "Here is the page: {name}.",
    ResourceType.FILE: "Here is the file: {name}.",
}
"""What an answer begins with, by the kind of what was made; of one that is not here its parent's, else a file's."""
_HERE_ARE = {
    ResourceType.IMAGE: "Here are {n} pictures: {names}.",
    ResourceType.VIDEO: "Here are {n} videos: {names}.",
    ResourceType.AUDIO: "Here are {n} sounds: {names}.",
    ResourceType.FILE: "Here are {n} files: {names}.",
}
_ANYTHING = frozenset(("thing", "things", "object", "blob", "plain", "place"))
_HOW_MANY = re.compile(
    r"\b(?:how many|count(?: up)?(?: all)?(?: of)?(?: the)?|number of(?: the)?|"
    r"(?:more|fewer|less) than \w+|wie ?viele|zähle?(?: alle)?(?: die)?|"
    r"combien d(?:e |')|compte(?:z)?(?: les)?|cuánt[ao]s|cuenta(?: las| los)?)\s*"
    r"(?P<noun>[^\W\d_]{3,}(?: [^\W\d_]{3,})??)"
    r"(?=\s+(?:here|are|is|do|can|in|on|there|lie|you|sind|gibt|liegen|siehst|auf|im|y|sur|dans|vois|hay|en|ves|se)\b"
    r"|[?.!]|$)|多少(?:个|枚|只|张|颗)?(?P<zh>[\u3400-\u9fff]{1,4})|(?:里|中|上)的(?P<zh2>[\u3400-\u9fff]{1,4}?)(?:数一数|的数量)",
    re.I,
)


def asked_thing(request: str) -> str:
    """What a request wants to have counted, in its own words; "" when it says nothing of the kind."""
    match = _HOW_MANY.search(request)
    return (match["noun"] or match["zh"] or match["zh2"] or "") if match else ""


def asked_facts(request: str) -> tuple[str, ...]:
    """Which rows of a table of facts a request asks for, by their names."""
    return tuple(dict.fromkeys(name for names in MessageWords(request).meanings("facts") for name in names.split(",")))


def language_for(request: str) -> str:
    return catalogue.spoken_language(language_of_message(request))


def spoken(text: str, request: str) -> str:
    """A message in the language of the request, where that is not the one in use and the program speaks it; else the
    message as it is, to be translated where it is shown.
    """
    language = language_for(request)
    if language == catalogue.language():
        return text
    with catalogue.speaking(language):
        return catalogue.translated(text)


_MOST_WRITTEN = 120
"""Characters of a text that the language model has written which are shown with the plan."""


def plan_text(
    workflow: Workflow, tools: Mapping[str, Tool], notice: str, missing: int, left_out: str = "", doubt: str = ""
) -> str:
    """What will be done, in a few sentences, before anything runs. `missing` counts the open questions; `left_out` is
    what will not be done, and why; a `doubt` is told, and the plan is not called ready then.
    """
    used, tools = {node.id: node.tool for node in workflow.nodes}, original(tools)
    titles = [tools[used[id]].title if used[id] in tools else used[id] for id in workflow.order()]
    counts = ((Phrase(title, "tools"), count) for title, count in Counter(titles).items())
    steps = [title if count == 1 else Phrase("{title} (x{n})", title=title, n=count) for title, count in counts]
    if missing:
        lacking = Phrase("{n} things are missing:", n=missing) if missing > 1 else "One thing is missing:"
        state = joined(doubt, lacking)
    else:
        state = doubt or "Ready to run."
    missed = Phrase("Left out: {what}", what=left_out) if left_out else ""
    return joined(notice, Phrase("{steps}.", steps=listed(steps, " → ")), _written(workflow, tools), missed, state)


def _written(workflow: Workflow, tools: Mapping[str, Tool]) -> str:
    """The texts in the graph that the language model has written, so that the user reads them before they are used."""
    told = [
        Phrase(
            "“{text}” ({title})",
            text=value if len(value) <= _MOST_WRITTEN else f"{value[:_MOST_WRITTEN].rstrip()}…",
            title=Phrase(tools[node.tool].title, "tools") if node.tool in tools else node.tool,
        )
        for node in workflow.nodes
        for port in node.origins
        if isinstance(value := node.values.get(port), str)
    ]
    return Phrase("Written by the language model: {texts}.", texts=listed(told)) if told else ""


def results(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """The names of the made resources that the user asked for and that the text of the answer cannot hold, in the order
    in which it tells of them.
    """
    found = []
    places = {id: place for place, id in enumerate(workflow.order())}
    for node, output in sorted(execution_modes.results(workflow, tools), key=lambda pair: places[pair[0]]):
        value = run.nodes.get(node, NodeRun()).outputs.get(output)
        found += [r.name for r in several(value) if r is not None and r.type not in TOLD]
    return tuple(dict.fromkeys(found))


async def stream(
    request: str,
    workflow: Workflow,
    run: Run,
    tools: Mapping[str, Tool],
    value_of: Callable[[Resource], Any],
    chat: ChatModel | None = None,
    limits: AnswerLimits = AnswerLimits(),
    wish: str = "",
    saved_as: str = "",
) -> AsyncIterator[Reply]:
    """The reply as it grows: each item is the whole text so far with its references. Files are read on a thread.

    `wish` is what the graph was first made for, where the request only changed it; `saved_as` the name or ending that
    the results get as files.
    """
    asked, facts = asked_thing(request) or asked_thing(wish), asked_facts(request) or asked_facts(wish)
    with catalogue.speaking(language_for(request)):
        found, said = await asyncio.to_thread(
            _composed, (request, wish), asked, facts, workflow, run, tools, value_of, saved_as
        )
        said = yes_or_no.answered(request, found, said)
        plain = reply_of(said)
    if chat is None or not found:
        yield plain
        return
    from desktop_app.llm import answer_wording
    from desktop_app.session.answering.answer_check import AnswerChecker

    first = sorted(_first(found, MOST_SAID), key=lambda finding: not finding.wanted)
    troubles = _troubles_with_nodes(run, workflow, tools)[:MOST_TROUBLES]
    told = await asyncio.to_thread(
        finding_budget.told, request, workflow, run, original(tools), first, troubles, value_of, limits,
        len(found) - len(first),
    )  # fmt: skip
    checker = AnswerChecker(told, said, set(run.nodes))
    try:
        text = ""
        async for text in answer_wording.answer(chat, told):
            if (soon := checker.checked(text, whole=False))[0]:
                yield soon
        yield checker.checked(text, whole=True)
    except AppError as error:
        text, references = plain
        why = catalogue.say("({why} The answer was put together without it.)", why=Phrase.of(error.message))
        yield f"{text}\n\n{why}", references


def _composed(
    said: Sequence[str],
    asked: str,
    facts: tuple[str, ...],
    workflow: Workflow,
    run: Run,
    tools: Mapping[str, Tool],
    value_of: Callable[[Resource], Any],
    saved_as: str,
) -> tuple[tuple[Finding, ...], list[Statement]]:
    def about(one: Finding) -> Finding:
        thing = plain_thing(asked, workflow) if one.thing in _ANYTHING else ""
        measured = next((m for text in said if (m := _measures(one, text))), ())
        made = one.resource
        if saved_as and one.wanted and made.type not in TOLD:
            made = replace(made, name=file_name(made, saved_as))
        return replace(one, asked=thing, facts=facts, measured=measured, resource=made)

    found = tuple(about(one) for one in findings(workflow, run, tools, value_of))
    return found, statements(workflow, run, tools, found)


def _measures(one: Finding, text: str) -> tuple[Measured, ...]:
    if one.resource.type is not ResourceType.TABLE or one.value is None:
        return ()
    return asked_measures(text, one.value.columns, one.value.rows)


def unlooked(asked: str, workflow: Workflow) -> str:
    """The colour of the things that are to be counted ("green things"), where no step was told of it; else ""."""
    first = asked.split(" ")[0].lower()
    told = " ".join(str(value) for node in workflow.nodes for value in node.values.values()).lower()
    return first if " " in asked and first in lexicon().colours and first not in told else ""


def plain_thing(asked: str, workflow: Workflow) -> str:
    """What is to be counted, without a colour that nobody looked at."""
    return asked.partition(" ")[2] if unlooked(asked, workflow) else asked


def findings(
    workflow: Workflow, run: Run, tools: Mapping[str, Tool], value_of: Callable[[Resource], Any]
) -> tuple[Finding, ...]:
    """What was asked for, and the short results met on the way, in the order in which they were made."""
    wanted = set(execution_modes.results(workflow, tools))
    behind = _Behind(workflow, run, original(tools), _Values(value_of))
    hidden = workflow.upstream(*(node.id for node in workflow.nodes if node.tool in HIDING))
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
                    counts = resource.type in (ResourceType.NUMBER, ResourceType.BOXES)
                    thing = (behind.thing(id) or _counted_unit(workflow.node(id), tool)) if counts else ""
                    asked = (id, output) in wanted
                    steps = tuple(dict.fromkeys(tools[t].title for t in behind.steps(id) if t in tools))
                    found.append(
                        Finding(
                            id, tool.title, output, resource, value, about, asked, thing, more, steps,
                            behind.made(id), item=bool(item),
                        )
                    )  # fmt: skip
    return tuple(found)


def _counted_unit(node: Node, tool: Tool) -> str:
    """ "word", where a tool counts things of a text by their kind, and no phrase of it."""
    port = tool.input("unit")
    if port is None or not port.choices or any(isinstance(v, str) and v for k, v in node.values.items() if k != "unit"):
        return ""
    return str(node.values.get("unit", port.default)).removesuffix("s")


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
        self._names = tuple(resource.name for resource in workflow.resources)
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

    def item(self, id: str, made: Resource) -> str:
        """The file of a batch that one of the node's several results comes from, "" where it is of no single one."""
        names, _ = self.sources(id)
        item = self._batches[names[0]].behind(made.name) if len(names) == 1 else None
        return item.name if item else ""

    def steps(self, id: str) -> list[str]:
        """The tools that the node's result went through, in order; of a large graph only the node's own."""
        if len(self.nodes) > MOST_SAID:
            return [self._used[id]]
        needed = self._workflow.upstream(id)
        return [tool for node, tool in self.nodes if node in needed]

    def made(self, id: str) -> tuple[str, ...]:
        """What the steps up to the node made of what they began with, in words; () where they are too many to tell."""
        if len(self.nodes) > MOST_SAID:
            return ()
        needed = self._workflow.upstream(id)
        told = [
            made_words.made_by(tool, self._workflow.node(node))
            for node, used in self.nodes
            if (tool := self._tools.get(used)) and (node == id or (node in needed and made_words.changes(tool)))
        ]
        return tuple(dict.fromkeys(told)) if len(told) <= _MOST_STEPS else ()

    def thing(self, id: str) -> str:
        """What a number counts: the label of the boxes behind it ("face"), "thing" where these have several.

        Where no box was found, or their labels are what is written there, the last word of the tool that looked for
        them ("Find faces", "Read text"); "" without boxes.
        """
        labels: set[str] = set()
        sought = ""
        outputs = self._run.nodes[id].outputs.values()
        own = [(id, made) for value in outputs for made in several(value)[:_MOST_BOXES] if _are_boxes(made)]
        behind = own or self._boxes[id]
        earlier = {node for other, _ in behind for node, _ in self._boxes[other]}
        for node, made in behind:
            tool = self._tools.get(self._used[node])
            read = tool is not None and any(port.type is ResourceType.TEXT for port in tool.outputs)
            if node not in earlier and not read:
                labels |= self._labels_of(made)
            last = tool.title.split()[-1].lower() if tool else ""
            sought = sought or (last.removesuffix("s") if read else last)
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


def compose(workflow: Workflow, run: Run, tools: Mapping[str, Tool], found: tuple[Finding, ...]) -> Reply:
    return reply_of(statements(workflow, run, tools, found))


def statements(workflow: Workflow, run: Run, tools: Mapping[str, Tool], found: tuple[Finding, ...]) -> list[Statement]:
    """What there is to say, each with the node that it is about, "" for none."""
    said: list[Statement] = []
    sentences = {_sentence(alike): alike[0] for alike in _alike(_worth_saying(found))}
    first = _first(tuple(sentences.values()), MOST_SAID)
    chosen = {id(finding) for finding in first}
    said += [(sentence, finding.node) for sentence, finding in sentences.items() if id(finding) in chosen]
    if len(sentences) > len(first):
        said.append((catalogue.say("… and {n} more results.", n=f"{len(sentences) - len(first):,}"), ""))
    troubles = [*_half_used(workflow), *_troubles_with_nodes(run, workflow, tools)]
    said += troubles[:MOST_TROUBLES]
    if len(troubles) > MOST_TROUBLES:
        more = f"{len(troubles) - MOST_TROUBLES:,}"
        said.append((catalogue.say("… and {n} more nodes that made nothing.", n=more), ""))
    return said or [(catalogue.say("Nothing was made."), "")]


def _alike(found: Sequence[Finding]) -> list[tuple[Finding, ...]]:
    """Files of one kind that were made in the same way, one after the other, are told together, and so are the numbers
    of a batch; else each alone."""

    def alike(f: Finding) -> object:
        if f.resource.type not in TOLD:
            return _kind(f), f.steps
        one_table = f.resource.type is ResourceType.TABLE and not f.measured and _is_of_facts(f.value)
        return f.node if f.item and (one_table or (_is_number(f) and f.value is not None)) else id(f)

    return [tuple(group) for _, group in itertools.groupby(found, alike)]


def _kind(finding: Finding) -> ResourceType:
    """The kind by which a result is handed over."""
    made = seen_as(finding.resource)
    return next(kind for kind in (made, made.parent, ResourceType.FILE) if kind and kind in _HERE_IS)


def reply_of(said: Sequence[Statement]) -> Reply:
    """The statements as paragraphs, with references to their nodes."""
    text = ""
    references: list[Reference] = []
    for sentence, node in said:
        start = len(text) + (2 if text else 0)
        text += f"\n\n{sentence}" if text else sentence
        references += [Reference(start, len(text), node)] if node else []
    return text, tuple(references)


def _first(found: tuple[Finding, ...], most: int) -> list[Finding]:
    """At most so many, rather those that were asked for; in the order in which they were made."""
    if len(found) <= most:
        return list(found)
    wanted = sum(finding.wanted for finding in found)
    others = max(0, most - wanted)
    chosen: list[Finding] = []
    for finding in found:
        if finding.wanted or others > 0:
            others -= not finding.wanted
            chosen.append(finding)
    return chosen[:most]


def _worth_saying(found: tuple[Finding, ...]) -> list[Finding]:
    """All that was wanted, and on the way only what is not repeated by it."""
    wanted_texts = {f.resource.digest for f in found if f.wanted}
    said = [f for f in found if f.wanted or (f.resource.digest not in wanted_texts and _has_content(f))]
    wordless = {f.node for f in said if f.resource.type is ResourceType.TEXT and f.value is not None and not f.value}
    return [f for f in said if f.node not in wordless or f.value != ()]  # no text, so no places of text either


def _has_content(finding: Finding) -> bool:
    """That no box was found matters to whoever asked for something to be done with them."""
    return finding.resource.type is ResourceType.BOXES or finding.value not in (None, "", ())


def _sentence(alike: tuple[Finding, ...]) -> str:
    finding = alike[0]
    if len(alike) > 1:
        if finding.resource.type is ResourceType.TABLE:
            return _facts_of(alike)
        return _numbers_of(alike) if _is_number(finding) else _made_alike(alike)
    kind, value = finding.resource.type, finding.value
    of = _inside(finding)
    if kind is ResourceType.NUMBER and value is not None:
        return _number_sentence(finding, value, of)
    if kind is ResourceType.TEXT and value is not None:
        return _text_sentence(finding, value)
    if kind is ResourceType.LABELS and value is not None:
        names = ", ".join(f"{literal(label.name)} ({label.score:.2f})" for label in value[:10]) or catalogue.say("none")
        return _fact(finding, of, names)
    if kind is ResourceType.BOXES and value is not None:
        return _number_sentence(replace(finding, thing=finding.thing or "place"), len(value), of)
    if kind is ResourceType.FLAG:
        return _fact(finding, of, catalogue.say("yes") if value else catalogue.say("no"))
    if kind is ResourceType.TABLE and value is not None:
        if not value.rows:
            return _fact(finding, of, catalogue.say("none"))
        if finding.measured:
            return " ".join(_measure_sentence(one, of) for one in finding.measured)
        if rows := [row for row in value.rows if str(row[0]) in finding.facts]:
            title = _listed(finding.about) if finding.about else finding.title
            return catalogue.translated(Phrase("{title}{of}: {value}.", title=title, of="", value=_asked_rows(rows)))
        return catalogue.say("{title}:\n\n{text}\n", title=f"{finding.title}{of}", text=_markdown_table(value))
    return _made_sentence(finding)


def _measure_sentence(one: Measured, of: str) -> str:
    """ "The sum of revenue in sales.csv is 6,800." """
    measure = catalogue.find(one.measure, "things") or one.measure
    column, value = literal(one.column), one.value
    if value is None:
        return catalogue.say(
            "{column}{where} has no {measure}: it holds no numbers.", column=column, where=of, measure=measure
        )
    shown = literal(value) if isinstance(value, str) else f"{value:,.10g}"
    return catalogue.say(
        "{measure} of {column}{where}: {n}.",
        measure=measure[:1].upper() + measure[1:],
        column=column,
        where=of,
        n=shown,
    )


def _asked_rows(rows: Sequence[Sequence[Any]]) -> str:
    """ "width 600 px, height 400 px"."""
    named = ((catalogue.find(str(name), "things", "ports") or str(name), *rest) for name, *rest in rows)
    return listed([" ".join(_cell(part) for part in row if part not in (None, "")) for row in named])


def _made_alike(alike: tuple[Finding, ...]) -> str:
    """What was made in the same way of several files; the first names."""
    said = _listed([one.resource.name for one in alike[:MOST_NAMED]], len(alike) - MOST_NAMED, "**{}**")
    if alike[0].made:
        made, n = listed(alike[0].made), f"{len(alike):,}"
        return catalogue.translated(Phrase("Here are {n} files, {made}: {names}.", n=n, made=made, names=said))
    kind = _kind(alike[0])
    kind = kind if kind in _HERE_ARE else ResourceType.IMAGE if kind is ResourceType.MASK else ResourceType.FILE
    here = Phrase(_HERE_ARE[kind], n=f"{len(alike):,}", names=said)
    return catalogue.translated(joined(here, Phrase("Made with {steps}.", steps=_steps(alike[0]))))


def _numbers_of(alike: tuple[Finding, ...]) -> str:
    """What was counted in all of a batch, and in each of its files."""
    first = alike[0]
    values = [int(one.value) if float(one.value).is_integer() else one.value for one in alike]
    column = literal(first.asked) or catalogue.find(first.thing, "things") or _plural(first.thing or first.title)
    rows = [(one.about[0], value) for one, value in zip(alike, values, strict=True)]
    table = _markdown_table(Table((catalogue.say("file"), column), tuple(rows)))
    total = _number_sentence(replace(first, more=len(alike)), sum(values), "") if first.thing else f"{first.title}:"
    return f"{total}\n\n{table}\n"


def _is_number(finding: Finding) -> bool:
    return finding.resource.type is ResourceType.NUMBER


def _is_of_facts(table: Any) -> bool:
    """A fact in each row: its name, its value and perhaps a unit."""
    return bool(table and table.rows) and len(table.columns) in (2, 3) and table.columns[0] == "fact"


def _facts_of(alike: tuple[Finding, ...]) -> str:
    """The facts of all files of a batch in one table, a row for each; those that were asked for where some were."""
    names = list(dict.fromkeys(str(row[0]) for one in alike for row in one.value.rows))
    names = [name for name in names if name in alike[0].facts] or names[:_MOST_FACTS]
    units = {str(row[0]): row[2] for row in alike[0].value.rows if len(row) > 2 and row[2]}
    heads = [f"{name} ({units[name]})" if name in units else name for name in names]
    known = [{str(row[0]): row[1] for row in one.value.rows} for one in alike]
    rows = [(one.about[0], *(facts.get(name) for name in names)) for one, facts in zip(alike, known, strict=True)]
    table = _markdown_table(Table((catalogue.say("file"), *heads), tuple(rows)))
    return catalogue.say("{title}:\n\n{text}\n", title=alike[0].title, text=table)


def _steps(finding: Finding) -> str:
    steps = finding.steps or (finding.title,)
    told = steps if len(steps) <= _MOST_STEPS else (steps[0], "…", *steps[2 - _MOST_STEPS :])
    return catalogue.say(", then ").join(told)


def _made_sentence(finding: Finding) -> str:
    """What there is now, of which file it was made, and how."""
    name = f"**{literal(finding.resource.name)}**{_size(finding.resource)}"
    if finding.made and len(finding.about) == 1 and not finding.more:
        file, made = literal(finding.about[0]), listed(finding.made)
        return catalogue.translated(Phrase("Here is {file}, {made}: {name}.", file=file, made=made, name=name))
    here, said = Phrase(_HERE_IS[_kind(finding)], name=name), _steps(finding)
    if not finding.about:
        return catalogue.translated(joined(here, Phrase("Made with {steps}.", steps=said)))
    files = _listed(finding.about, finding.more)
    return catalogue.translated(joined(here, Phrase("Made from {files} with {steps}.", files=files, steps=said)))


def _fact(finding: Finding, of: str, value: str) -> str:
    return catalogue.say("{title}{of}: {value}.", title=finding.title, of=of, value=value)


def _number_sentence(finding: Finding, value: float, of: str) -> str:
    figure = f"{value:,.6g}" if isinstance(value, float) and not float(value).is_integer() else f"{int(value):,}"
    several = len(finding.about) + finding.more > 1
    if finding.thing:
        total = catalogue.say(" in all") if several else of
        many = literal(finding.asked) or catalogue.find(finding.thing, "things") or _plural(finding.thing)
        if value == 0:
            return catalogue.say("There are no {things}{where}.", things=many, where=total)
        if figure == "1":
            thing = _singular(finding) if catalogue.language() == "en" else many
            return catalogue.say("There is 1 {thing}{where}.", thing=thing, where=total)
        return catalogue.say("There are {n} {things}{where}.", n=figure, things=many, where=total)
    if several:
        return catalogue.say("{title}: {n} in all.", title=finding.title, n=figure)
    return _fact(finding, of, figure)


def _text_sentence(finding: Finding, value: str) -> str:
    text = value.strip()
    if not text:
        return catalogue.say("{title} found no text{where}.", title=finding.title, where=_inside(finding))
    most = LONGEST_QUOTE if finding.wanted else _ON_THE_WAY
    cut = text if len(text) <= most else text[:most].rsplit(maxsplit=1)[0] + " …"
    # two spaces keep the line in Markdown: a receipt or a list is no paragraph
    quoted = "  \n".join(f"> {literal(line)}" if line.strip() else ">" for line in cut.splitlines())
    whole = catalogue.say("The whole text is in **{name}**.", name=literal(finding.resource.name))
    more = "" if cut == text else f"\n\n{whole}"
    title = f"{finding.title}{_inside(finding)}" if finding.item else finding.title
    return catalogue.say("{title}:\n\n{text}\n", title=title, text=f"{quoted}{more}")


def _size(resource: Resource) -> str:
    facets = resource.facets
    parts = []
    if "width" in facets and "height" in facets:
        parts.append(f"{facets['width']} × {facets['height']}")
    if "seconds" in facets:
        parts.append(f"{float(facets['seconds']):.1f} s")
    return f" ({', '.join(parts)})" if parts else ""


def _markdown_table(table: Any) -> str:
    """The first rows and columns, and how many more there are of each."""
    head = [_cell(c) for c in table.columns[:MOST_COLUMNS]]
    rows = [[_cell(c) for c in row[:MOST_COLUMNS]] for row in table.rows[:MOST_ROWS]]
    lines = [head, ["---"] * len(head), *rows]
    more = []
    if (left := len(table.rows) - MOST_ROWS) > 0:
        more.append(catalogue.say("… and {n} more rows.", n=f"{left:,}"))
    if (left := len(table.columns) - MOST_COLUMNS) > 0:
        more.append(catalogue.say("… and {n} more columns.", n=f"{left:,}"))
    return "\n\n".join(["\n".join(f"| {' | '.join(line)} |" for line in lines), *more])


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)[:_LONGEST_CELL]
    return " ".join(literal(text).splitlines()).replace("|", "\\|")


def literal(text: str) -> str:
    """What comes from files and tools in a form in which Markdown shows it as it is: no links, pictures or HTML.

    Spaces at the beginning of a line do not make it code, in which what is escaped here would be seen.
    """
    words = text.lstrip(" \t")
    before = "\u00a0" * len(text[: len(text) - len(words)].expandtabs(4)) if len(words) < len(text) else ""
    return before + _MEANS_SOMETHING.sub(r"\\\g<0>", words)


def plain(answer: str) -> str:
    """An answer without the signs that `literal` put in, for where Markdown is not shown."""
    return _ESCAPED.sub(r"\1", answer)


def _plural(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    if noun.endswith(("ch", "sh", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _singular(finding: Finding) -> str:
    """ "Coin", where the request speaks of coins; else what the tool calls it."""
    asked = finding.asked
    return literal(asked[:-1]) if asked.endswith("s") and _plural(asked[:-1]) == asked else asked or finding.thing


def _inside(finding: Finding) -> str:
    """ " in a.jpg and b.jpg", or ""."""
    if not finding.about:
        return ""
    return catalogue.say(" in {names}", names=_listed(finding.about, finding.more))


def _listed(names: Sequence[str], more: int = 0, form: str = "{}") -> str:
    """The names in that form of Markdown, and how many `more` there are."""
    shown = [form.format(literal(name)) for name in names]
    if more > 0:
        return catalogue.say("{names} and {n} more", names=catalogue.say(", ").join(shown), n=f"{more:,}")
    if len(shown) == 1:
        return shown[0]
    return catalogue.say("{names} and {last}", names=catalogue.say(", ").join(shown[:-1]), last=shown[-1])


def _half_used(workflow: Workflow) -> list[Statement]:
    """Tools for pictures take the first of those in a file: of one that moves, or has several pages, that is said."""
    used = {link.source for link in workflow.links}
    most = ((one, one.facets.get("frames", 1)) for one in workflow.resources if one.name in used and not one.made_by)
    said = "This used only the first of the {n} pictures in {name}."
    return [(catalogue.say(said, n=f"{n:,}", name=literal(one.name)), "") for one, n in most if n > 1]


def _troubles_with_nodes(run: Run, workflow: Workflow, tools: Mapping[str, Tool]) -> list[tuple[str, str]]:
    used = {node.id: node.tool for node in workflow.nodes}

    def title(id: str) -> str:
        tool = tools.get(used.get(id, ""))
        return tool.title if tool is not None else id

    found = []
    for id, node in run.nodes.items():
        if node.state == "failed":
            fix = "" if node.model else node.fix  # the window has a button for what is lacking
            why = literal(catalogue.translated(joined(node.message, fix)))
            found.append((catalogue.say("{title} failed: {why}", title=title(id), why=why).strip(), id))
        elif node.notice and (node.failed or not node.items):
            found.append(
                (
                    catalogue.say(
                        "{title}: {notice}", title=title(id), notice=literal(catalogue.translated(node.notice))
                    ),
                    id,
                )
            )
        elif node.state == "skipped" and node.cause == execution_modes.BYPASSED:
            said = "{title} was skipped: {cause} is bypassed and has nothing to pass on."
            found.append((catalogue.say(said, title=title(id), cause=title(node.because)), id))
        elif node.state == "skipped" and node.cause != execution_modes.MUTED:  # the user knows what was muted
            said = "{title} was skipped because {cause} did not finish."
            found.append((catalogue.say(said, title=title(id), cause=title(node.because)), id))
    if run.outcome == "cancelled":
        found.append((catalogue.say("Stopped. What was finished is kept."), ""))
    return found
