"""What the program says of itself and of the graph when it is spoken to: greetings, thanks, what it can do, why a step
is there, which tools do something, how long it takes; and what it offers where it cannot do what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import original
from desktop_app.plan.modes.conversation import MessageWords, Talk
from desktop_app.plan.types import READY, PortSpec, ToolSpec
from desktop_app.session.messages import Offer
from desktop_app.session.state import SessionState
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase, listed

if TYPE_CHECKING:
    from desktop_app.plan.planner import Planner

_MOST_TOOLS, _MOST_OFFERS, _FEWEST_OFFERS, MOST_TRIED = 8, 3, 2, 8
_FIRST_EXAMPLES = ("blur_faces", "cartoon", "read_text", "summarise", "speech_to_text", "remove_object", "chart")
_NAMED = re.compile(r"\w\.[a-z][a-z0-9]{1,4}\b")
_MARKS = ".,;:!?。，；：！？"
CONNECT = Offer(Phrase("Connect a language model"), "connect")
Said = tuple[str, tuple[Offer, ...]]


class Conversationalist:
    """Answers without touching the graph. `seconds_of` tells how long each node of a workflow takes, where known."""

    def __init__(self, state: SessionState, seconds_of: Callable[[Workflow], Mapping[str, float]]) -> None:
        self._state, self._seconds_of = state, seconds_of

    async def reply(self, talk: Talk, planner: Planner, steps: Collection[str]) -> Said:
        """What to say. `steps` are the nodes that the message names."""
        match talk.topic:
            case "greeting":
                return Phrase("Hello! Say what you would like to have made or found out."), self.examples()
            case "thanks":
                return Phrase("You are welcome."), ()
            case "able":
                return self._abilities(), self.examples()
            case "long":
                return self._duration(), ()
            case "why":
                return self._reason(steps), ()
            case _:
                return self._tools_for(await planner.speaking_of(talk.rest, _MOST_TOOLS))

    def examples(self, most: int = _MOST_OFFERS, spoken: Sequence[ToolSpec] = ()) -> tuple[Offer, ...]:
        """At most so many requests of tools that work now and take what is there, those for what is spoken of first."""
        types = {resource.type for resource in self._state.resources.values()}
        tools = original(self._state.tools)
        ready = [tool for tool in tools.values() if tool.examples and any(b.quality > READY for b in tool.backends)]
        fitting = [tool for tool in ready if any(p.type in types for p in tool.inputs if p.required)] if types else []
        first = [tools[id] for id in _FIRST_EXAMPLES if id in tools and tools[id] in ready]
        meant = [tool for spec in spoken for tool in fitting if tool.id == spec.id]
        return offers_of([*meant, *fitting[:1], *first, *fitting], types, most)

    def _abilities(self) -> str:
        said = (
            "I make, change and look into pictures, texts, documents, tables, sounds, films and web pages, with {n} "
            "tools. Say what you want in your own words, and I plan which to use."
        )
        return Phrase(said, n=len(self._state.tools))

    def with_kind(self, kind: str, first: Sequence[str]) -> Said:
        """The tools that work on things of that type now, and examples; those of `first` before the others."""
        tools = original(self._state.tools)
        ready = [tool for tool in tools.values() if any(b.quality > READY for b in tool.backends)]
        fitting = [tool for tool in ready if tool.inputs and tool.inputs[0].type == kind]
        fitting.sort(key=lambda tool: tool.id not in first)
        titles = listed(Phrase(tool.title, "tools") for tool in fitting[:_MOST_TOOLS])
        said = "{n} tools here work with this ({kind}), among them: {tools}. Say what you want, or click on an example."
        return Phrase(said, n=len(fitting), kind=Phrase(kind, "types"), tools=titles), offers_of(fitting, (kind,))

    def _duration(self) -> str:
        workflow = self._state.workflow
        if not workflow.nodes:
            return Phrase("There is nothing to run yet.")
        known = self._seconds_of(workflow)
        unknown = [id for id in workflow.order() if id not in known]
        if unknown:
            return Phrase("Not known yet: {steps} never ran here.", steps=listed(dict.fromkeys(self._titles(unknown))))
        return Phrase("About {n} s, as the steps took so far.", n=f"{sum(known.values()):.1f}")

    def _titles(self, ids: Iterable[str]) -> list[str]:
        tools, workflow = original(self._state.tools), self._state.workflow
        used = [workflow.node(id).tool for id in ids]
        return [Phrase(tools[tool].title, "tools") if tool in tools else tool for tool in used]

    def _reason(self, steps: Collection[str]) -> str:
        graph, workflow = self._state.graph, self._state.workflow
        if not workflow.nodes:
            return Phrase("There is no graph yet.")
        shown = [id for id in workflow.order() if id in steps] or list(workflow.order())
        wish = Phrase("for your request “{wish}”", wish=graph.wish) if graph.wish else Phrase("as you put it there")
        said = []
        for id in shown[:_MOST_TOOLS]:
            sources = list(dict.fromkeys(map(self._source, workflow.links_into(id))))
            takers = dict.fromkeys(link.target for link in workflow.links_by_source.get(id, ()))
            (title,) = self._titles((id,))
            about = listed(sources) if sources else Phrase("no file")
            if takers:
                text = "{title} works on {files}; {takers} needs what it makes."
                said.append(Phrase(text, title=title, files=about, takers=listed(self._titles(takers))))
            else:
                said.append(Phrase("{title} works on {files} and makes a result, {wish}.", title=title, files=about,
                                   wish=wish))  # fmt: skip
        return listed(said, " ")

    def _source(self, link: Link) -> str:
        """What a step takes there: a file, or what another step made."""
        if link.output == RESOURCE_OUTPUT:
            return link.source
        return Phrase("the result of {step}", step=self._titles((link.source,))[0])

    def _tools_for(self, found: Sequence[ToolSpec]) -> Said:
        if not found:
            return Phrase("No tool here does that."), self.examples()
        titles = listed(Phrase(tool.title, "tools") for tool in found)
        types = {resource.type for resource in self._state.resources.values()}
        return Phrase("These tools do that: {tools}.", tools=titles), offers_of(found, types)


async def refusal(
    cause: str,
    near: Sequence[ToolSpec],
    understood: Sequence[str],
    files: Sequence[str],
    types: Collection[str],
    model: str,
    works: Callable[[str], Awaitable[bool]],
    instead: Sequence[Offer] | None = None,
    spare: Sequence[Offer] = (),
) -> Said:
    """A refusal with what was understood of the request - wishes that tools do, in its words, and the names of its
    files - and what would work instead with what is there: these wishes, and what is `near`; a model that would have to
    be fetched, or a language model where none is connected (`model` is its name). `works` tells of a request whether it
    is planned with nothing left to ask. Where something is to be done in the world, for which no model is a help, any
    of the examples `instead` are offered; without a file these as they are. Where little else is a help, some of
    `spare` are: nobody is left with one way out.
    """
    known = []
    if understood:
        known.append(
            Phrase("I understood: {words}.", words=listed(Phrase("“{word}”", word=word) for word in understood))
        )
    if files:
        known.append(Phrase("I see {files}.", files=listed(files)))
    text = listed((*known, Phrase.of(cause)), " ") if known else cause
    ready = [tool for tool in near if tool.quality > READY]
    examples = [offer for tool in ready for offer in offers_of((tool,), types)]
    examples = [*(Offer(words, "ask", words) for words in understood), *examples]
    help: list[Offer] = []
    if instead is not None:
        near, model, examples = (), "none", [*examples, *instead]
        if not types:
            return text, tuple(instead[:_MOST_OFFERS])
    lacking = next((tool for tool in near if tool.quality <= READY and can_start(tool, "", types)), None)
    if lacking is not None:
        help.append(Offer(Phrase("Get a model for {tool}", tool=Phrase(lacking.title, "tools")), "models", lacking.id))
    if not model:
        help.append(CONNECT)
    found: list[Offer] = []
    tried = dict.fromkeys(list(dict.fromkeys(examples))[:MOST_TRIED], _MOST_OFFERS)
    for offer, most in [*tried.items(), *((one, _FEWEST_OFFERS) for one in spare if one not in tried)]:
        if len(found) + len(help) < most and _is_there(offer, files) and await works(offer.value):
            found.append(offer)
    if not types:  # what is offered asks for its file then
        found += spare[: max(0, _FEWEST_OFFERS - len(found) - len(help))]
    return text, (*found, *help)


def _is_there(offer: Offer, files: Sequence[str]) -> bool:
    """False for what is said of "this PDF" where the files that are named are none."""
    forms = MessageWords(Phrase.of(offer.text).template).meanings("there")
    return not forms or not files or any(name.lower().endswith(f".{forms[0]}") for name in files)


def as_said(words: str, wish: str) -> str:
    """What a wish says from the first to the last of these words, "" where it is all of it, or has not all of them."""
    places, at = list[int](), 0
    for word in words.split():
        at = wish.find(word, at)
        if at < 0:
            return ""
        places.append(at)
        at += len(word)
    said = wish[places[0] : at].strip() if places else ""
    return said if said.strip(_MARKS) != wish.strip(f"{_MARKS} ") else ""


def can_start(tool: Tool | ToolSpec, text: str, types: Collection[str]) -> bool:
    """True when all that the tool needs is in the request, or is of one of the types that are there."""

    def is_there(port: Port | PortSpec) -> bool:
        return port.said or any(ResourceType(type).is_a(ResourceType(port.type)) for type in types)

    quoted = '"' in text
    return all(is_there(port) or (quoted and port.type == "text") for port in tool.inputs if port.required)


def offers_of(tools: Iterable[Tool | ToolSpec], types: Collection[str], most: int = _MOST_OFFERS) -> tuple[Offer, ...]:
    """An example request of each tool in the language in use, where it has one, those before that take something of
    these types; none of a file by its name, which is not here.
    """
    known = list({tool.id: tool for tool in tools}.values())
    known.sort(key=lambda tool: not any(port.type in types for port in tool.inputs if port.required))
    plain = ([_example(text) for text in tool.examples if not _NAMED.search(text)] for tool in known)
    texts = list(dict.fromkeys(next(filter(None, said), "") for said in plain))
    return tuple(Offer(text, "ask", text) for text in filter(None, texts))[:most]


def _example(text: str) -> str:
    return text if catalogue.language() == "en" else catalogue.find(text, "examples")
