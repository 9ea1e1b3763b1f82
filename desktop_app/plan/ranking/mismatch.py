"""When the tool that was chosen would do something else than was asked: the wrong way round, or from nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desktop_app.plan.language.types import Intent, Term
from desktop_app.plan.ranking.question_tools import is_about_the_world, reader_of
from desktop_app.plan.ranking.selection import Choice
from desktop_app.plan.tools.tool_graph import INLINE, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Request, Solution
from nodes.phrase import Phrase

_INTO = frozenset(("into", "to"))
_ABOUT = frozenset(("about", "on", "of", "for", "from", "to", "based", "inspired", "by"))
_MADE = 0.6
"""A tool makes what its title, its words or its first sentence name; an example may only happen to name it."""

_SEEN = frozenset(("image", "video"))
_ABLE = 0.3
_MOST = 0.6
_TOLD = ("caption", "depiction", "answer")
_GENERAL = frozenset(("type", "action", "exact"))

KNOWS_NOTHING = Phrase("No tool here knows the answer by itself.")
LOOKS_UP = Phrase("No tool here knows the answer by itself. Attach a text that tells it, and ask again.")
"""Where a tool answers from a text that is given."""


class Misfits:
    """Tells where a chosen tool would do something else than was asked. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index

    # Turned the wrong way -------------------------------------------------------------------------------------------

    def is_turned(self, intent: Intent, choices: Sequence[Choice]) -> bool:
        """True for "turn day.jpg into night" and "convert my sketch a.png to a photo" where no tool that was chosen
        makes that: what "into" leads to is what is wanted, and what stands before it is what there is.
        """
        tools = [c.best.tool for c in choices if c.intent.index == intent.index and not c.best.alike]
        found = _source_and_goal(intent)
        if not tools or found is None or not intent.mentions("file"):
            return False
        source, goal = found
        wanted = [t for t in goal if t.kind not in _GENERAL]
        if wanted:
            strange = all(t.kind == "word" for t in wanted)
            return strange and not any(self._speaks(tool, t.key, _MADE) for tool in tools for t in wanted)
        types = [t.key for t in goal if t.kind == "type"]
        nouns = [t for t in source if t.kind == "task" and self._is_said_of_source(t, intent)]
        alike = any(fits(token.type, type) for token in intent.mentions("file") for type in types)
        if alike and not intent.complains and all(t.kind in _GENERAL for t in (*source, *goal)):
            return True  # "convert a.wav to mp3": only the way it is stored would change
        return alike and any(self._speaks(tool, t.key, _MADE) for tool in tools for t in nouns)

    @staticmethod
    def _is_said_of_source(term: Term, intent: Intent) -> bool:
        """ "My *sketch* a.png": what the file is, told right before or behind its name."""
        places = [i for i, token in enumerate(intent.tokens) if token.kind == "file"]
        return any(0 < place - term.last <= 2 for place in places)

    def _speaks(self, tool: str, key: str, least: float) -> bool:
        return self.index.profiles[tool].weights.get(key, 0.0) >= least

    # Nothing to answer from -----------------------------------------------------------------------------------------

    def unknown(self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request) -> str:
        """ "What is the capital of France?", where nothing is there that could tell it, and the tools that were chosen
        have only a word in common with it: the cause, or "".
        """
        asked = [intent for intent in intents if not intent.stating]
        if len(asked) != 1 or request.resources or not is_about_the_world(asked[0]):
            return ""
        if any(self._is_for(choice) for choice in choices):
            return ""
        return LOOKS_UP if reader_of(self.graph, self.index) else KNOWS_NOTHING

    def _is_for(self, choice: Choice) -> bool:
        """True for a tool that answers, or knows without being given anything."""
        tool = self.graph.tools[choice.best.tool]
        answers = any(self._speaks(tool.id, key, _MADE) for key in ("answer", "chat", "internet"))
        return choice.best.alike or answers or not main_inputs(tool) or self._knows(choice)

    def _knows(self, choice: Choice) -> bool:
        """True for a tool that speaks of most of what is asked, if that is more than one word."""
        asked = {t.key for t in choice.intent.terms if t.kind == "word"}
        known = [key for key in asked if self._speaks(choice.best.tool, key, _ABLE)]
        return len(known) > 1 and len(known) >= _MOST * len(asked)

    # Told of a picture ----------------------------------------------------------------------------------------------

    def is_undescribed(self, intents: Sequence[Intent], solution: Solution) -> bool:
        """True for "a story about a.jpg" where no step tells what the picture shows: what is written in it is no
        description.
        """
        if not any("compose_text" in i.meanings and _is_about(i, _SEEN) for i in intents if not i.stating):
            return False
        tools = {step.tool for step in solution.steps}
        return not any(self._speaks(tool, key, _ABLE) and self._sees(tool) for tool in tools for key in _TOLD)

    def _sees(self, tool: str) -> bool:
        return any(fits(type, port.type) for port in main_inputs(self.graph.tools[tool]) for type in _SEEN)


def _source_and_goal(intent: Intent) -> tuple[list[Term], list[Term]] | None:
    """The terms before and behind the first "into" or "to" after a verb of turning; None where there is none."""
    verbs = [t.last for t in intent.terms if t.kind == "action" and t.key == "turn"]
    words = [token.word for token in intent.tokens]
    start = min(verbs, default=len(words))
    place = next((i for i, word in enumerate(words) if i > start and word in _INTO), None)
    if place is None or any(token.kind != "word" for token in intent.tokens[place + 1 :]):
        return None  # "convert a.wav to 16 kHz", "to b.png"
    source = [t for t in intent.terms if start < t.first and t.last < place]
    return source, [t for t in intent.terms if t.first > place]


def _is_about(intent: Intent, types: Collection[str]) -> bool:
    """True when "about", "for" or the like leads to a file of one of these types, and no other thing is named."""
    words = [token.word for token in intent.tokens]
    files = [(i, token.type) for i, token in enumerate(intent.tokens) if token.kind in ("file", "url")]
    if any(type not in types for _, type in files) or intent.mentions("quote"):
        return False
    named = any(set(words[max(0, i - 4) : i]) & _ABOUT for i, _ in files)
    shown = set(intent.takes) - {*INLINE}
    return named or (not files and bool(shown) and shown <= {*types} and bool(_ABOUT & set(words)))
