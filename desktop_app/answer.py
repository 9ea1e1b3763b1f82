"""From a request and its finished run to the reply in the chat; every statement rests on a node's result.

Without a language model the reply is put together from the results. With one, the model words it from the same
findings and names the nodes it speaks of; what it names and is not there is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_app import modes, wording
from desktop_app.conversation import Reference
from desktop_app.errors import AppError
from desktop_app.resource import Resource
from desktop_app.run.record import NodeRun, Run
from desktop_app.tool_words import original
from desktop_app.workflow import Workflow
from nodes.api import NodeError, ResourceType, Tool

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel

Reply = tuple[str, tuple[Reference, ...]]
READABLE = frozenset({ResourceType.TEXT, ResourceType.NUMBER, ResourceType.LABELS, ResourceType.FLAG, ResourceType.URL})
TOLD = READABLE | {ResourceType.BOXES, ResourceType.TABLE}
LONGEST_QUOTE = 1200


@dataclass(frozen=True)
class Finding:
    """One result as the reply speaks of it. `value` is decoded for short types, else None. `about` names inputs."""

    node: str
    title: str
    output: str
    resource: Resource
    value: Any
    about: tuple[str, ...]
    wanted: bool
    thing: str = ""


def plan_text(workflow: Workflow, tools: Mapping[str, Tool], notice: str, missing: int) -> str:
    """What will be done, in one or two sentences, before anything runs. `missing` counts the open questions."""
    titles = [tools[n.tool].title if n.tool in tools else n.tool for n in (workflow.node(i) for i in workflow.order())]
    steps = [title if count == 1 else f"{title} (x{count})" for title, count in Counter(titles).items()]
    if missing:
        one = missing == 1
        state = wording.say("One thing is missing:") if one else wording.say("{n} things are missing:", n=missing)
    else:
        state = wording.say("Ready to run.")
    return f"{wording.shown(notice)} {wording.say('{steps}. {state}', steps=' → '.join(steps), state=state)}".strip()


def results(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """The names of the made resources that the user asked for and that the text of the answer cannot hold."""
    found = []
    for node, output in modes.results(workflow, tools):
        value = run.nodes.get(node, NodeRun()).outputs.get(output)
        found += [
            r.name for r in (value if isinstance(value, tuple) else (value,)) if r is not None and r.type not in TOLD
        ]
    return tuple(dict.fromkeys(found))


async def stream(
    request: str,
    workflow: Workflow,
    run: Run,
    tools: Mapping[str, Tool],
    value_of: Callable[[Resource], Any],
    chat: ChatModel | None = None,
) -> AsyncIterator[Reply]:
    """The reply as it grows: each item is the whole text so far with its references."""
    found = findings(workflow, run, tools, value_of)
    plain = compose(workflow, run, tools, found)
    if chat is not None and found:
        from desktop_app.llm import worded

        try:
            async for text in worded.answer(chat, request, [_described(f) for f in found], _troubles(run, workflow)):
                yield _with_references(text, workflow, run)
            return
        except AppError as error:
            text, references = plain
            why = wording.say("({why} The answer was put together without it.)", why=wording.shown(error.message))
            yield f"{text}\n\n{why}", references
            return
    yield plain


def findings(
    workflow: Workflow, run: Run, tools: Mapping[str, Tool], value_of: Callable[[Resource], Any]
) -> tuple[Finding, ...]:
    """What was asked for, and the short results met on the way, in the order in which they were made."""
    wanted = set(modes.results(workflow, tools))
    found: list[Finding] = []
    for id in workflow.order():
        node = run.nodes.get(id, NodeRun())
        tool = tools.get(workflow.node(id).tool)
        if tool is None or node.state != "done":
            continue
        for output, made in node.outputs.items():
            for resource in made if isinstance(made, tuple) else (made,):
                value = _short_value(resource, value_of)
                none_found = resource.type is ResourceType.BOXES and value == ()
                if (id, output) in wanted or resource.type in READABLE or none_found:
                    about = _sources(workflow, id)
                    counts = resource.type in (ResourceType.NUMBER, ResourceType.BOXES)
                    thing = _thing(workflow, run, id, tools, value_of) if counts else ""
                    found.append(Finding(id, tool.title, output, resource, value, about, (id, output) in wanted, thing))
    return tuple(found)


def _short_value(resource: Resource, value_of: Callable[[Resource], Any]) -> Any:
    if resource.type not in TOLD:
        return None
    try:
        return value_of(resource)
    except (AppError, NodeError):
        return None


def _sources(workflow: Workflow, id: str) -> tuple[str, ...]:
    """The resources that the user brought and that the node rests on, by name."""
    names, waiting, seen = [], [id], {id}
    while waiting:
        target = waiting.pop(0)
        for link in workflow.links_into(target):
            if workflow.resource(link.source):
                names.append(link.source)
            elif link.source not in seen:
                seen.add(link.source)
                waiting.append(link.source)
    return tuple(dict.fromkeys(names))


def _thing(
    workflow: Workflow, run: Run, id: str, tools: Mapping[str, Tool], value_of: Callable[[Resource], Any]
) -> str:
    """What a number counts: the commonest label of the boxes behind it ("face").

    Where no box was found, the last word of the tool that looked for them ("Find faces"); "" without boxes.
    """
    labels: Counter[str] = Counter()
    sought = ""
    own = [(id, r) for r in run.nodes[id].outputs.values() if isinstance(r, Resource)]
    for node, made in (*own, *_behind(workflow, run, id)):
        if made.type is ResourceType.BOXES:
            labels.update(box.label for box in _short_value(made, value_of) or () if box.label)
            tool = original(tools).get(workflow.node(node).tool)
            sought = sought or (tool.title.split()[-1].lower() if tool else "")
    common = labels.most_common(1)
    if common:
        return common[0][0] if len(common[0][0]) < 24 else ""
    return sought


def _behind(workflow: Workflow, run: Run, id: str) -> list[tuple[str, Resource]]:
    """The results that a node rests on, nearest first, with the nodes that made them."""
    found: list[tuple[str, Resource]] = []
    waiting, seen = [id], {id}
    while waiting:
        for link in workflow.links_into(waiting.pop(0)):
            made = run.nodes.get(link.source, NodeRun()).outputs.get(link.output)
            if isinstance(made, Resource):
                found.append((link.source, made))
            if link.source not in seen and workflow.resource(link.source) is None:
                seen.add(link.source)
                waiting.append(link.source)
    return found


def compose(workflow: Workflow, run: Run, tools: Mapping[str, Tool], found: tuple[Finding, ...]) -> Reply:
    """The reply without a language model."""
    builder = _Builder()
    for sentence, node in {_sentence(finding): finding.node for finding in _worth_saying(found)}.items():
        builder.say(sentence, node)
    for trouble, node in _troubles_with_nodes(run, workflow, tools):
        builder.say(trouble, node)
    if not builder.parts:
        builder.say(wording.say("Nothing was made."), "")
    return builder.reply()


def _worth_saying(found: tuple[Finding, ...]) -> list[Finding]:
    """All that was wanted, and on the way only what is not repeated by it."""
    wanted_texts = {f.resource.digest for f in found if f.wanted}
    said = [f for f in found if f.wanted or (f.resource.digest not in wanted_texts and _has_content(f))]
    wordless = {f.node for f in said if f.resource.type is ResourceType.TEXT and f.value is not None and not f.value}
    return [f for f in said if f.node not in wordless or f.value != ()]  # no text, so no places of text either


def _has_content(finding: Finding) -> bool:
    """That no box was found matters to whoever asked for something to be done with them."""
    return finding.resource.type is ResourceType.BOXES or finding.value not in (None, "", ())


def _sentence(finding: Finding) -> str:
    kind, value = finding.resource.type, finding.value
    of = wording.say(" in {names}", names=_listed(finding.about)) if finding.about else ""
    if kind is ResourceType.NUMBER and value is not None:
        return _number_sentence(finding, value, of)
    if kind is ResourceType.TEXT and value is not None:
        return _text_sentence(finding, value)
    if kind is ResourceType.LABELS and value is not None:
        names = ", ".join(f"{label.name} ({label.score:.2f})" for label in value[:10]) or wording.say("none")
        return _fact(finding, of, names)
    if kind is ResourceType.BOXES and value is not None:
        return _number_sentence(replace(finding, thing=finding.thing or "place"), len(value), of)
    if kind is ResourceType.FLAG:
        return _fact(finding, of, wording.say("yes") if value else wording.say("no"))
    if kind is ResourceType.TABLE and value is not None:
        return wording.say("{title}:\n\n{text}\n", title=finding.title, text=_markdown_table(value))
    return _fact(finding, "", f"**{finding.resource.name}**{_size(finding.resource)}")


def _fact(finding: Finding, of: str, value: str) -> str:
    return wording.say("{title}{of}: {value}.", title=finding.title, of=of, value=value)


def _number_sentence(finding: Finding, value: float, of: str) -> str:
    figure = f"{value:,.6g}" if isinstance(value, float) and not float(value).is_integer() else f"{int(value):,}"
    several = len(finding.about) > 1
    if finding.thing:
        total = wording.say(" in all") if several else of
        many = wording.find(finding.thing, "things") or _plural(finding.thing)
        if value == 0:
            return wording.say("No {things}{where}.", things=many, where=total)
        things = many if figure != "1" or wording.language() != "en" else finding.thing
        return wording.say("{n} {things}{where}.", n=figure, things=things, where=total)
    if several:
        return wording.say("{title}: {n} in all.", title=finding.title, n=figure)
    return _fact(finding, of, figure)


def _text_sentence(finding: Finding, value: str) -> str:
    text = value.strip()
    if not text:
        source = wording.say(" in {names}", names=_listed(finding.about)) if finding.about else ""
        return wording.say("{title} found no text{where}.", title=finding.title, where=source)
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    quoted = "\n".join(f"> {line}" if line.strip() else ">" for line in cut.splitlines())
    whole = wording.say("The whole text is in **{name}**.", name=finding.resource.name)
    more = "" if cut == text else f"\n\n{whole}"
    return wording.say("{title}:\n\n{text}\n", title=finding.title, text=f"{quoted}{more}")


def _size(resource: Resource) -> str:
    facets = resource.facets
    parts = []
    if "width" in facets and "height" in facets:
        parts.append(f"{facets['width']} × {facets['height']}")
    if "seconds" in facets:
        parts.append(f"{float(facets['seconds']):.1f} s")
    return f" ({', '.join(parts)})" if parts else ""


def _markdown_table(table: Any) -> str:
    head = [str(c).replace("|", "\\|") for c in table.columns]
    rows = [[("" if c is None else str(c)).replace("|", "\\|").replace("\n", " ") for c in r] for r in table.rows[:30]]
    lines = [head, ["---"] * len(head), *rows]
    left = wording.say("… and {n} more rows.", n=len(table.rows) - 30)
    more = f"\n\n{left}" if len(table.rows) > 30 else ""
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + more


def _plural(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    if noun.endswith(("ch", "sh", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _listed(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return names[0]
    return wording.say("{names} and {last}", names=wording.say(", ").join(names[:-1]), last=names[-1])


def _troubles(run: Run, workflow: Workflow) -> list[str]:
    return [text for text, _ in _troubles_with_nodes(run, workflow, {})]


def _troubles_with_nodes(run: Run, workflow: Workflow, tools: Mapping[str, Tool]) -> list[tuple[str, str]]:
    def title(id: str) -> str:
        node = next((n for n in workflow.nodes if n.id == id), None)
        return tools[node.tool].title if node and node.tool in tools else id

    found = []
    for id, node in run.nodes.items():
        if node.state == "failed":
            why = wording.shown(f"{node.message} {node.fix}".strip())
            found.append((wording.say("{title} failed: {why}", title=title(id), why=why).strip(), id))
        elif node.notice and (node.failed or not node.items):
            found.append((wording.say("{title}: {notice}", title=title(id), notice=wording.shown(node.notice)), id))
        elif node.state == "skipped" and node.cause == modes.BYPASSED:
            said = "{title} was skipped: {cause} is bypassed and has nothing to pass on."
            found.append((wording.say(said, title=title(id), cause=title(node.because)), id))
        elif node.state == "skipped" and node.cause != modes.MUTED:  # the user knows what was muted
            said = "{title} was skipped because {cause} did not finish."
            found.append((wording.say(said, title=title(id), cause=title(node.because)), id))
    if run.outcome == "cancelled":
        found.append((wording.say("Stopped. What was finished is kept."), ""))
    return found


def _described(finding: Finding) -> dict[str, Any]:
    """A finding as the language model sees it: names, types, sizes, short values; never pixels."""
    value = finding.value
    return {
        "node": finding.node,
        "tool": finding.title,
        "output": finding.output,
        "file": finding.resource.name,
        "type": str(finding.resource.type),
        "about": list(finding.about),
        "asked for": finding.wanted,
        "facts": dict(finding.resource.facets),
        "value": value[:LONGEST_QUOTE] if isinstance(value, str) else value,
    }


_MARK = re.compile(r"\s*\[\[([^\[\]]{1,80})\]\]")


def _with_references(text: str, workflow: Workflow, run: Run) -> Reply:
    """Turns the marks [[node]] after statements into references; marks of unknown nodes are dropped."""
    pieces: list[str] = []
    references: list[Reference] = []
    position = start = 0
    for mark in _MARK.finditer(text):
        piece = text[position : mark.start()]
        pieces.append(piece)
        length = sum(map(len, pieces))
        begin = start + (len(text[position : mark.start()]) - len(text[position : mark.start()].lstrip()))
        if mark[1] in run.nodes and length > begin:
            references.append(Reference(begin, length, mark[1]))
        position, start = mark.end(), length
    pieces.append(text[position:])
    return "".join(pieces), tuple(references)


class _Builder:
    """Joins statements and keeps which characters rest on which node."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._references: list[Reference] = []
        self._length = 0

    def say(self, text: str, node: str) -> None:
        """Adds a statement as a paragraph of its own."""
        gap = "\n\n" if self.parts else ""
        start = self._length + len(gap)
        self.parts.append(gap + text)
        self._length = start + len(text)
        if node:
            self._references.append(Reference(start, self._length, node))

    def reply(self) -> Reply:
        """The text and its references."""
        return "".join(self.parts), tuple(self._references)
