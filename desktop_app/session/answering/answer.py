"""From a request and its finished run to the reply in the chat; every statement rests on a node's result.

Without a language model the reply is put together from the results. With one, the model words it from the same
findings and names the nodes it speaks of; what is not in them is not shown (answer_check.py).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.core.values import several, shortened
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import original
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import finding_budget
from desktop_app.session.answering.asked_measures import Measured, asked_measures
from desktop_app.session.answering.finding_budget import AnswerLimits, Finding
from desktop_app.session.answering.findings import MOST_SAID, MOST_TROUBLES, TOLD, findings
from desktop_app.session.answering.request_words import asked_facts, asked_thing, plain_thing
from desktop_app.session.answering.statements import (
    Reply,
    Statement,
    foremost,
    is_of_facts,
    reply_of,
    statements,
    troubles_with_nodes,
)
from desktop_app.storage.resources import Resource
from nodes.api import ANSWERS, NodeError, ResourceType, Tool
from nodes.phrase import Phrase, joined, listed

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel

_ANYTHING = frozenset(("thing", "things", "object", "blob", "plain", "place"))
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
            text=shortened(value, _MOST_WRITTEN),
            title=Phrase(tools[node.tool].title, "tools") if node.tool in tools else node.tool,
        )
        for node in workflow.nodes
        for port in node.origins
        if isinstance(value := node.values.get(port), str)
    ]
    return Phrase("Written by the language model: {texts}.", texts=listed(told)) if told else ""


def results(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """The names of the made resources that the user asked for and that the text of the answer cannot hold."""
    return tuple(dict.fromkeys(one.name for _, one in _made(workflow, run, tools) if one.type not in TOLD))


def told_results(
    said: Sequence[str], workflow: Workflow, run: Run, tools: Mapping[str, Tool], value_of: Callable[[Resource], Any]
) -> tuple[str, ...]:
    """The names of those that the text tells and that may be wanted as files too, in the order in which it tells of
    them: no empty text, nor what is an answer, and said with that, unless one of the requests `said` speaks of keeping
    it. Reads files.
    """
    made = ((node, one) for node, one in _made(workflow, run, tools) if one.facets.get("characters") != 0)
    told = [(node, one) for node, one in made if one.type in TOLD]
    if any(_speaks_of_keeping(text) for text in said):
        return tuple(dict.fromkeys(one.name for _, one in told))
    answering = workflow.doing(ANSWERS, tools)
    kept = (one.name for node, one in told if node not in answering and not _is_said(said, one, value_of))
    return tuple(dict.fromkeys(kept))


def _made(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> Iterator[tuple[str, Resource]]:
    """What was asked for and is there, each with its node."""
    places = {id: place for place, id in enumerate(workflow.order())}
    for node, output in sorted(execution_modes.results(workflow, tools), key=lambda pair: places[pair[0]]):
        for one in several(run.nodes.get(node, NodeRun()).outputs.get(output)):
            if one is not None:
                yield node, one


def _speaks_of_keeping(text: str) -> bool:
    """ "Save that as a file", and not "how long is this file"."""
    words = MessageWords(text)
    return bool(words.covered(("save",)) - words.covered(("picture",)))


def _is_said(said: Sequence[str], one: Resource, value_of: Callable[[Resource], Any]) -> bool:
    """True for a number, a yes or no, and a table of which only some facts or measures were asked for."""
    if one.type is not ResourceType.TABLE:
        return one.type in (ResourceType.NUMBER, ResourceType.FLAG)
    try:
        table = value_of(one)
    except (AppError, NodeError):
        return False
    if is_of_facts(table):
        return any({str(row[0]) for row in table.rows} & {*asked_facts(text)} for text in said)
    return any(asked_measures(text, table.columns, table.rows) for text in said)


async def stream(
    request: str,
    workflow: Workflow,
    run: Run,
    tools: Mapping[str, Tool],
    value_of: Callable[[Resource], Any],
    chat: ChatModel | None = None,
    limits: AnswerLimits = AnswerLimits(),
    wish: str = "",
    named: Callable[[Resource], str] = lambda made: made.name,
    language: str = "",
) -> AsyncIterator[Reply]:
    """The reply as it grows: each item is the whole text so far with its references. Files are read on a thread.

    `wish` is what the graph was first made for, where the request only changed it; `named` tells the name that a
    result gets as a file; it is said in that `language`, "" for the one in use.
    """
    asked, facts = asked_thing(request) or asked_thing(wish), asked_facts(request) or asked_facts(wish)
    with catalogue.speaking(language):
        found, said = await asyncio.to_thread(
            _composed, (request, wish), asked, facts, workflow, run, tools, value_of, named
        )
        plain = reply_of(said)
    if chat is None or not found:
        yield plain
        return
    from desktop_app.llm import answer_wording
    from desktop_app.session.answering.answer_check import AnswerChecker

    first = sorted(foremost(found, MOST_SAID), key=lambda finding: not finding.wanted)
    troubles = [(one.text, one.node) for one in troubles_with_nodes(run, workflow, tools)[:MOST_TROUBLES]]
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
        with catalogue.speaking(language):
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
    named: Callable[[Resource], str],
) -> tuple[tuple[Finding, ...], list[Statement]]:
    known = findings(workflow, run, tools, value_of)
    foreign = {one.thing for one in known} - _ANYTHING - {""}
    foreign = {thing for thing in foreign if catalogue.find("thing", "things") and not catalogue.find(thing, "things")}
    nameless = _ANYTHING | (foreign if len(foreign) == 1 else set())

    def about(one: Finding) -> Finding:
        thing = plain_thing(asked, workflow) if one.thing in nameless else ""
        measured = next((m for text in said if (m := _measures(one, text))), ())
        made = one.resource
        if one.wanted and made.type not in TOLD:
            made = replace(made, name=named(made))
        return replace(one, asked=thing, facts=facts, measured=measured, resource=made)

    found = tuple(map(about, known))
    return found, statements(workflow, run, tools, found)


def _measures(one: Finding, text: str) -> tuple[Measured, ...]:
    if one.resource.type is not ResourceType.TABLE or one.value is None:
        return ()
    return asked_measures(text, one.value.columns, one.value.rows)
