"""When no tool here will do: wishes that no tool speaks of, and why, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desktop_app.plan.choosing import Choice
from desktop_app.plan.decompose import Intent
from desktop_app.plan.lexicon import Firm
from desktop_app.plan.reading import read
from desktop_app.plan.request import PortSpec, Request, Solution
from desktop_app.plan.retrieval import KIND_WEIGHT, Index
from desktop_app.plan.toolgraph import ToolGraph, fits
from desktop_app.plan.wording import MOST_SAID, cause_of, said

SPOKEN_OF = 0.6
"""A tool serves a firm wish when its title, its words or its first sentence name it."""

UNDERSTOOD = 0.15
"""If no chosen tool speaks of so much of the wording, the request is beyond this tool set."""

GROUNDLESS = 0.5
"""So much is asked for where nothing is there to work on either."""

_EMPTY = frozenset(("someth", "anyth", "thing", "stuff"))
_ASKING = frozenset(("what", "who", "which", "how", "when", "where", "why", "is", "are", "does", "do", "will"))
_MAKING = frozenset(("make", "turn", "give"))
_INTO = frozenset(("into", "as", "to"))


class Refuser:
    """Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        firm = index.lexicon.firm
        self._unserved = frozenset(key for key, wish in firm.items() if not self._is_served(key, wish))

    def _is_served(self, key: str, wish: Firm) -> bool:
        for id, profile in self.index.profiles.items():
            tool = self.graph.tools[id]
            if profile.weights.get(key, 0.0) >= SPOKEN_OF and (
                _fitting(tool.inputs, wish.shape.takes) and _fitting(tool.outputs, wish.shape.gives)
            ):
                return True
        return False

    def beyond(self, intent: Intent) -> str:
        """The class of a firm wish that no tool serves, when the intent is about nothing nearer; or ""."""
        if intent.stating:
            return ""
        words = [token.word for token in intent.tokens]
        for term in sorted(intent.terms, key=lambda t: (t.first, t.key not in self._unserved)):
            if term.kind in ("action", "exact"):
                continue
            if term.kind == "word":  # a stem may be spelt like a class
                return ""
            if term.key in self._unserved and term.key in intent.meanings:
                return term.key
            aims = [t.first for t in intent.terms if t.key in self._unserved]
            if term.kind == "type" and any(set(words[max(0, aim - 2) : aim + 1]) & _INTO for aim in aims):
                continue  # "turn the picture into a 3D model"
            return ""
        return ""

    def cause(self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request) -> str:
        """Why the request is beyond these tools, as a sentence; "" when it is not."""
        for intent in intents:
            key = self.beyond(intent)
            if key:
                return self._firm_cause(key, intent, request)
            if any(choice.intent.index == intent.index for choice in choices):
                break
        if not any(choice.best.alike or self._is_understood(choice, request) for choice in choices):
            return cause_of(intents, request, self.graph)
        return ""

    def _firm_cause(self, key: str, intent: Intent, request: Request) -> str:
        wish = self.index.lexicon.firm[key]
        commanding = any(t.key == key and t.first == 0 for t in intent.terms) and intent.tokens[0].word not in _ASKING
        words = said(intent, request)
        if wish.shape.takes or not commanding or len(words) > MOST_SAID or _language(request) != "english":
            return f"No tool here {wish.does}."
        return f"No tool here can {words[:1].lower()}{words[1:]}."

    def kept(self, choices: Sequence[Choice]) -> list[Choice]:
        """The choices without those for wishes that no tool serves."""
        return [choice for choice in choices if not self.beyond(choice.intent)]

    def _is_understood(self, choice: Choice, request: Request) -> bool:
        """True when the tool speaks of enough of the special words, known to any tool or not."""
        intent, weights = choice.intent, self.index.profiles[choice.best.tool].weights
        special = {k: w for k, w in intent.meanings.items() if w > KIND_WEIGHT["type"] and k not in _EMPTY}
        if not special:
            return True
        share = sum(w for k, w in special.items() if weights.get(k, 0.0) >= 0.3) / sum(special.values())
        tasks = {t.key for t in intent.terms if t.kind in ("task", "thing")} & set(special)
        if not any(weights.get(key, 0.0) >= 0.3 for key in tasks) and self._is_groundless(choice, request):
            return share >= GROUNDLESS and self._does_verb(choice)
        verbs = {t.key for t in intent.terms if t.kind == "action"}
        return share >= UNDERSTOOD or any(weights.get(verb, 0.0) >= 0.5 for verb in verbs)

    def _is_groundless(self, choice: Choice, request: Request) -> bool:
        """True when there is nothing to work on and nothing is spoken of, and the tool does not live on words."""
        if request.resources or choice.intent.takes or choice.intent.mentions("file", "url", "quote"):
            return False
        return not any(port.required and port.type == "text" for port in self.graph.tools[choice.best.tool].inputs)

    def _does_verb(self, choice: Choice) -> bool:
        """True when the tool speaks of the first verb, if there is one."""
        verbs = [t.key for t in choice.intent.terms if t.kind == "action"]
        return not verbs or self.index.profiles[choice.best.tool].weights.get(verbs[0], 0.0) >= 0.3

    def unused_source(self, intents: Sequence[Intent], solution: Solution, request: Request) -> str:
        """ "make audio from a table", where the way leaves out the table: the cause, or ""."""
        if len(intents) != 1:
            return ""
        verbs = {t.key for t in intents[0].terms if t.kind == "action"}
        if not verbs <= _MAKING or any(t.kind in ("task", "word", "thing") for t in intents[0].terms):
            return ""
        sources = set(intents[0].takes) - set(intents[0].gives)
        ports = [port for step in solution.steps for port in self.graph.tools[step.tool].inputs]
        if not sources or not intents[0].gives or any(fits(type, port.type) for type in sources for port in ports):
            return ""
        return cause_of(intents, request, self.graph)


def _language(request: Request) -> str:
    return read(request.text).language


def _fitting(ports: Sequence[PortSpec], types: Collection[str]) -> bool:
    return not types or any(fits(port.type, type) or fits(type, port.type) for port in ports for type in types)
