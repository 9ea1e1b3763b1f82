"""Questions that a tool answers in words: about a picture or a film that is there, or out of what a tool knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.language.types import KIND_WEIGHT, Intent
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.ranking.tool_scores import WEIGHTS, Rated
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import READY, Request, Solution, Step, ToolSpec

_SPEAKS = 0.6
"""A tool answers when its title, its words or its first sentence say so."""

_DONE = 0.5
"""A tool that speaks of so much of what is asked answers the question itself ("how many" is counted)."""

_ANSWERING = ("answer", "chat")
_MEDIA = ("image", "video", "audio")
_POLITE = frozenset(("please", "so", "and", "also", "then", "now", "kindly", "hi", "hello", "ok", "okay", "but"))
_OPENING = frozenset((
    "how", "what", "what's", "which", "who", "whose", "where", "why", "when", "is", "are", "was", "were", "does", "do",
    "did", "has", "have", "should", "isn't", "aren't", "doesn't",
))  # fmt: skip
_MODAL = frozenset(("can", "could", "would", "will", "may", "might"))
_ASKED_TO = frozenset(("you", "we", "u", "i"))
_KNOWING = frozenset((
    "tell", "know", "explain", "say", "check", "confirm", "verify", "determine", "see", "find", "figure", "indicate",
    "curious", "wonder", "wondering", "sure", "understand", "describe",
))  # fmt: skip
_ASKED = frozenset(("if", "whether", "what", "how", "why", "who", "which", "when", "where"))
_POSSIBLE = frozenset(("possible", "feasible", "doable", "okay", "ok", "achievable", "viable", "practical"))
_NO_QUESTION = (
    "do a ",
    "do an ",
    "do this",
    "do it",
    "do that",
    "do the same",
    "do the following",
    "have the",
    "have it",
    "what about",
)
_UNDERSTOOD = 0.4
"""With less of a wish explained by the tools chosen, one that answers out of what it knows does better."""

_CERTAIN = 0.75
"""So much has to be explained where a tool needs something of which nobody spoke."""

_SAYING = frozenset(("provide", "suggest", "explain", "describe", "give", "elaborate", "tell"))


class Answers:
    """Immutable after construction. `about` has the tool that answers questions about each type; "" is for those
    about nothing in particular.
    """

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self.about: Mapping[str, str] = self._answering()
        self.reader = reader_of(graph, index)

    def _answering(self) -> dict[str, str]:
        best: dict[str, tuple[float, str]] = {}
        for id, tool in self.graph.tools.items():
            kind = _asked_about(tool)
            weights = self.index.profiles[id].weights
            worth = max((weights.get(key, 0.0) for key in _ANSWERING), default=0.0)
            if kind is None or worth < _SPEAKS or tool.quality < READY:
                continue
            rank = worth + sum(weights.get(key, 0.0) for key in _ANSWERING)
            if rank > best.get(kind, (0.0, ""))[0]:
                best[kind] = (rank, id)
        return {kind: id for kind, (_, id) in best.items()}

    def preferred(self, rated: list[Rated], intent: Intent, at_hand: Collection[str], request: Request) -> list[Rated]:
        """The ratings with the tool that answers about what is there before tools that do something else; unchanged
        where nothing is asked, or a tool for just that is there.
        """
        if intent.stating or not is_question(intent):
            return rated
        kind = self._kind(intent, at_hand, request)
        tool = self.about.get(kind) if kind else self._read(intent, request)
        if tool is None:
            return rated
        telling = [r for r in rated if r.evidence >= WEIGHTS.threshold and self._tells(r.tool, intent)]
        own = next((r for r in rated if r.tool == tool), Rated(tool, 0.0, 0.0))
        rest = [r for r in rated if r.tool != tool]
        top = max((r.evidence for r in rated), default=0.0)
        if telling and telling[0] is rated[0] and telling[0].tool != tool:
            return [rated[0], replace(own, evidence=0.95 * top, words=max(own.words, rated[0].words)), *rest[1:]]
        return [replace(own, evidence=max(top, WEIGHTS.threshold) + 1.0, words=max(own.words, 1.0), alike=True), *rest]

    def _read(self, intent: Intent, request: Request) -> str | None:
        """The tool that looks it up in the text that alone is attached, for a question about the world."""
        attached = [given.type for given in request.resources if not given.earlier]
        return self.reader or None if attached == ["text"] and is_about_the_world(intent) else None

    def _kind(self, intent: Intent, at_hand: Collection[str], request: Request) -> str:
        """The kind of thing that is asked about; "" when there is none, or several."""
        named = {token.type for token in intent.mentions("file")} & {*_MEDIA}
        if not named:
            named = {given.type for given in request.resources if not given.earlier} & {*_MEDIA}
        return next(iter(named)) if len(named) == 1 else ""

    def _tells(self, tool: str, intent: Intent) -> bool:
        """True when the tool gives words or figures, and speaks of most of what is asked."""
        outputs = {port.type for port in self.graph.tools[tool].outputs}
        if not outputs & {"text", "labels", "number", "table"}:
            return False
        special = {t.key for t in intent.terms if t.kind in ("task", "thing") and t.key in intent.meanings}
        if not special:
            return False
        weights = self.index.profiles[tool].weights
        return sum(weights.get(key, 0.0) >= 0.5 for key in special) >= _DONE * len(special)

    def in_words(self, intents: Sequence[Intent], request: Request, solution: Solution | None) -> Solution | None:
        """The whole request put to the tool that answers out of what it knows, where there is nothing to work on and
        `solution` leaves most of the wording unexplained or asks for things that nobody spoke of; else None.
        """
        tool = self.graph.tools.get(self.about.get("", ""))
        if tool is None or any(given.type not in ("url", "file") for given in request.resources):
            return None
        if solution is not None:
            if any(set(intent.gives) & {*_MEDIA, "html"} for intent in intents if not intent.stating):
                return None
            spoken = {type for intent in intents for type in (*intent.takes, *intent.gives)}
            least = _CERTAIN if self._missing(solution) - spoken else _UNDERSTOOD
            if self._explained(intents, solution) >= least:
                return None
        port = next(port for port in main_inputs(tool) if port.type == "text")
        output = next(port for port in tool.outputs if port.type == "text")
        step = Step("answer", tool.id, {port.name: " ".join(request.text.split())})
        return Solution("", reason_for([step], (), self.graph), 0.6, (step,), (("answer", output.name),))

    def _missing(self, solution: Solution) -> set[str]:
        """The types that somebody would have to attach."""
        tools = {step.id: self.graph.tools[step.tool] for step in solution.steps}
        open_ = [(q.step, q.port) for q in solution.questions if q.step in tools and q.kind != "text"]
        return {port.type for step, name in open_ for port in tools[step].inputs if port.name == name}

    def _explained(self, intents: Sequence[Intent], solution: Solution) -> float:
        """The part (0..1) of the special words that the tools of the solution speak of."""
        tools = {step.tool for step in solution.steps}
        whole = known = 0.0
        for intent in intents:
            for key, weight in intent.meanings.items():
                if weight > KIND_WEIGHT["type"] and not key.startswith("="):
                    whole += weight
                    known += weight * any(self.index.profiles[tool].weights.get(key, 0.0) >= 0.3 for tool in tools)
        return known / whole if whole else 1.0


def is_question(intent: Intent) -> bool:
    """True when something is to be told, in whatever way it is asked; not for "is it possible to cut ...?"."""
    words = [token.word for token in intent.tokens]
    while words and words[0] in _POLITE:
        words = words[1:]
    if not words:
        return False
    if words[0] in ("is", "would") and _POSSIBLE & set(words[1:4]):
        return False
    if words[0] in _OPENING or (words[0] in ("on", "in", "at", "from", "for") and words[1:2] in (["what"], ["which"])):
        return " ".join(words[:3]).startswith(_NO_QUESTION) is False
    if words[0] in _MODAL and words[1:2] and words[1] not in _ASKED_TO:
        return True
    told = [place for place, word in enumerate(words[:8]) if word in _KNOWING]
    if any(_ASKED & set(words[place + 1 : place + 3]) for place in told):
        return not any(words[place + 1 : place + 2] == ["where"] and words[place] == "see" for place in told)
    return words[0] in _MODAL and words[1:2] == ["you"] and bool(_SAYING & set(words[2:4])) and not intent.gives


def is_about_the_world(intent: Intent) -> bool:
    """True for a question of which only words that no list knows tell what it is about, and that quotes nothing."""
    if not is_question(intent) or intent.pronoun or intent.takes or intent.gives:
        return False
    if any(token.kind != "word" for token in intent.tokens):
        return False
    special = [t for t in intent.terms if t.kind in ("task", "thing", "word", "type")]
    return bool(special) and all(t.kind == "word" for t in special)


def reader_of(graph: ToolGraph, index: Index) -> str:
    """The tool that answers a question from a text that is given beside it; "" where there is none."""
    best = (0.0, "")
    for id, tool in graph.tools.items():
        texts = [port for port in main_inputs(tool) if port.type == "text" and not port.choices and not port.many]
        worth = index.profiles[id].weights.get("answer", 0.0)
        alone = len(texts) == len(main_inputs(tool)) == 2 and "text" in {port.type for port in tool.outputs}
        if alone and tool.quality >= READY and worth >= _SPEAKS:
            best = max(best, (worth, id))
    return best[1]


def _asked_about(tool: ToolSpec) -> str | None:
    """What a tool is asked about, besides the question itself: a type, or "" for nothing; None for other tools."""
    inputs = main_inputs(tool)
    texts = [port for port in inputs if port.type == "text" and not port.choices and not port.many]
    others = [port.type for port in inputs if port not in texts]
    outputs = {port.type for port in tool.outputs}
    if len(texts) != 1 or len(others) > 1 or "text" not in outputs or any(t not in _MEDIA for t in others):
        return None
    return others[0] if others else ""
