"""When no tool here will do: wishes that no tool speaks of, and why, in plain words."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from desktop_app.plan.language.discourse import KINDS_OF_PICTURES
from desktop_app.plan.language.lexicon import UnsupportedRequest, lexicon
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import plain_words, stem
from desktop_app.plan.language.types import KIND_WEIGHT, Intent, Term
from desktop_app.plan.ranking.explanations import CANNOT, MOST_SAID, NOT_FROM, article, cannot, cause_of, said
from desktop_app.plan.ranking.mismatch import Misfits
from desktop_app.plan.ranking.port_fit import MEDIA, asks
from desktop_app.plan.ranking.question_tools import is_question
from desktop_app.plan.ranking.selection import Choice
from desktop_app.plan.tools.rewiring import files
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import PortSpec, Request, Solution, ToolSpec
from nodes.phrase import Phrase, parts

SPOKEN_OF = 0.6
"""A tool serves a firm wish when its title, its words or its first sentence name it."""

ABLE = 0.4
"""A tool that does nearly everything serves a firm wish of which it does not speak; not one that only tries to."""

_CANNOT_DO = "No tool here can {what}."
_SHORT_WORD = 3
_EDITING = "change"

UNDERSTOOD = 0.15
"""If no chosen tool speaks of so much of the wording, the request is beyond this tool set."""

GROUNDLESS = 0.5
"""So much is asked for where nothing is there to work on either."""

_EMPTY = frozenset(("someth", "anyth", "thing", "stuff"))
_ASKING = frozenset(("what", "who", "which", "how", "when", "where", "why", "is", "are", "does", "do", "will"))
_MAKING = frozenset(("make", "turn", "give"))
_FROM = frozenset(("from", "in", "of", "within"))
_SEEN = frozenset(("image", "video", "audio"))
_INTO = frozenset(("into", "as", "to"))
_THE = frozenset(("the", "this", "that", "my", "our", "these", "those"))


def says_why(cause: str) -> bool:
    """True for a refusal that names what is beyond the tools; false where it says only that nothing fits."""
    return getattr(cause, "template", cause) not in (NOT_FROM, CANNOT)


def is_outside(cause: str) -> bool:
    """True for a refusal of what is to be done in the world, or known of today."""
    first = Phrase.of(next(iter(parts(cause)), ""))
    firm = lexicon().firm.values()
    return first.template in {_CANNOT_DO, *(wish.refusal for wish in firm if not wish.shape.takes)}


class Refuser:
    """Says why a request is not planned, "" where it is. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index, answering: Collection[str] = ()) -> None:
        """`answering` are the types about which a tool answers any question."""
        self.graph = graph
        self.index = index
        self._answering = frozenset(answering)
        self.misfits = Misfits(graph, index)
        firm = index.lexicon.firm
        self._unserved = frozenset(key for key, wish in firm.items() if not self._is_served(key, wish))

    def _is_served(self, key: str, wish: UnsupportedRequest) -> bool:
        if wish.shape.takes & self._answering and "text" in wish.shape.gives:
            return True
        for id, profile in self.index.profiles.items():
            tool = self.graph.tools[id]
            keys = {key} if _is_told(tool) or not wish.told else set()
            if tool.quality >= ABLE and (_is_told(tool) or _EDITING not in wish.spoken):
                keys |= wish.spoken
            if any(profile.weights.get(key, 0.0) >= SPOKEN_OF for key in keys) and (
                _fitting(tool.inputs, wish.shape.takes) and _fitting(tool.outputs, wish.shape.gives)
            ):
                return True
        return False

    def beyond(self, intent: Intent) -> str:
        """The class of a firm wish that no tool serves, when the intent is about nothing nearer; or ""."""
        if intent.stating:
            return ""
        words = [token.word for token in intent.tokens]
        inside = any(
            token.type in _SEEN and set(words[max(0, place - 4) : place]) & _FROM
            for place, token in enumerate(intent.tokens)
        )
        for term in sorted(intent.terms, key=lambda t: (t.first, t.key not in self._unserved)):
            if term.kind in ("action", "exact"):
                continue
            if term.kind == "word":  # a stem may be spelt like a class
                return ""
            if term.key in self._unserved and self._is_meant_otherwise(term.key, intent, inside):
                continue
            if term.key in self._unserved and term.key in intent.meanings:
                return term.key
            aims = [t.first for t in intent.terms if t.key in self._unserved]
            if term.kind == "type" and any(set(words[max(0, aim - 2) : aim + 1]) & _INTO for aim in aims):
                continue  # "turn the picture into a 3D model"
            return ""
        return ""

    def _is_meant_otherwise(self, key: str, intent: Intent, inside: bool) -> bool:
        """ "Delete the cup from the a.png file"; "replace the background with a beach"; "describe" said of a table."""
        wish = self.index.lexicon.firm[key]
        named = {token.type for token in intent.mentions("file")} or {*intent.takes}
        wanted = wish.shape.takes
        elsewhere = bool(wanted and named) and not any(fits(type, want) for type in named for want in wanted)
        elsewhere |= bool(wish.spoken) and not named and not intent.pronoun
        return (wish.whole and inside) or elsewhere or bool(wish.unless & intent.meanings.keys())

    def is_firm(self, intents: Sequence[Intent]) -> bool:
        """True when something is to be done in the world, or known of today, for which words are no help."""
        keys = {self.beyond(intent) for intent in intents} - {""}
        return any(not self.index.lexicon.firm[key].shape.takes for key in keys)

    def cause(self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request) -> str:
        """Why the request is beyond these tools, as a sentence; "" when it is not."""
        kind = next((kind for intent in intents if (kind := self._unmade(intent, request))), "")
        if kind:
            return Phrase(NOT_FROM, type=_called(kind), source=article("image"))
        for intent in intents:
            key = self.beyond(intent)
            if key:
                return self._firm_cause(key, intent, request)
            if any(choice.intent.index == intent.index for choice in choices):
                break
        unknown = self.misfits.unknown(intents, choices, request)
        if unknown:
            return unknown
        turned = next((intent for intent in intents if self.misfits.is_turned(intent, choices)), None)
        if turned is not None:
            return cannot(turned, request)
        if not any(choice.best.alike or self._is_understood(choice, request) for choice in choices):
            return cause_of(intents, request, self.graph)
        return ""

    def _firm_cause(self, key: str, intent: Intent, request: Request) -> str:
        wish = self.index.lexicon.firm[key]
        commanding = any(t.key == key and t.first == 0 for t in intent.terms) and intent.tokens[0].word not in _ASKING
        words = said(intent, request)
        plain = commanding and len(words) <= MOST_SAID and not _is_broken_off(words, request)
        if wish.shape.takes or not plain or _language(request) != "english":
            return Phrase.of(wish.refusal)
        return Phrase(_CANNOT_DO, what=words[:1].lower() + words[1:])

    def _unmade(self, intent: Intent, request: Request) -> str:
        """The kind of picture that is to be derived of another (its depth, a pose), which no tool here does; or ""."""
        there = {given.type for given in request.resources}
        if intent.stating and "same" not in {token.word for token in intent.tokens}:
            return ""
        pictures = [token for token in intent.mentions("file") if token.type == "image"]
        kinds = [t for t in intent.terms if t.kind == "type" and t.key in KINDS_OF_PICTURES - there]
        for term in kinds:
            others = {t.key for t in kinds if t.key != term.key}
            reach = self.graph.reachable({"image", "text", "points", *others})
            wanted = bool(pictures) or term.key in intent.gives
            if wanted and term.key not in reach and _is_noun(term, intent) and not self._is_spoken_of(term.key):
                return term.key
        return ""

    def _is_spoken_of(self, kind: str) -> bool:
        """True when a tool for any picture speaks of the kind, whatever type it gives it."""
        speaking = (id for id, profile in self.index.profiles.items() if profile.weights.get(kind, 0.0) >= SPOKEN_OF)
        return any(port.type == "image" for id in speaking for port in main_inputs(self.graph.tools[id]))

    def ignores(self, solution: Solution, intents: Sequence[Intent], request: Request) -> str:
        """ "Fix the grammar in a.txt", where the only way leaves out the file that is named and asks for another: the
        cause, or "".
        """
        asked = [intent for intent in intents if not intent.stating]
        if len(asked) != 1 or asked[0].gives:
            return ""
        named = {token.text for token in asked[0].mentions("file")}
        used = {item.name for step in solution.steps for item in files(step)}
        asks = any(question.kind == "file" and not question.resource for question in solution.questions)
        return cause_of(intents, request, self.graph) if asks and named and not named & used else ""

    def undescribed(self, solution: Solution, intents: Sequence[Intent]) -> str:
        """ "A story about a.jpg", where no step tells what the picture shows: the cause, or ""."""
        if not self.misfits.is_undescribed(intents, solution):
            return ""
        return Phrase.of(self.index.lexicon.firm["depiction"].refusal)

    def needs_itself(self, solution: Solution, intents: Sequence[Intent], request: Request) -> str:
        """ "Make a video of a dog", where the only way works on a video that nobody spoke of: the cause, or ""."""
        tools = {step.id: self.graph.tools[step.tool] for step in solution.steps}
        open_ = [(q.step, q.port) for q in solution.questions if q.step in tools and q.kind == "file"]
        missing = {port.type for step, name in open_ for port in tools[step].inputs if port.name == name}
        asked = [intent for intent in intents if not intent.stating]
        if len(asked) != 1 or asked[0].takes or any(t.kind == "task" for t in asked[0].terms):
            return ""
        made = set(asked[0].gives) if "make" in asked[0].meanings else set()
        wanted = sorted(made & missing & _SEEN)
        if not wanted or request.resources:
            return ""
        return Phrase(NOT_FROM, type=article(wanted[0]), source=article("text"))

    def kept(self, choices: Sequence[Choice]) -> list[Choice]:
        """The choices without those for wishes that no tool serves."""
        return [choice for choice in choices if not self.beyond(choice.intent)]

    def _is_understood(self, choice: Choice, request: Request) -> bool:
        """True when the tool speaks of enough of the special words, known to any tool or not."""
        intent, weights = choice.intent, self.index.profiles[choice.best.tool].weights
        outputs = {port.type for port in self.graph.tools[choice.best.tool].outputs}
        if is_question(intent) and asks(intent) and outputs and all(t in MEDIA or fits(t, "image") for t in outputs):
            return False  # a picture is no answer
        special = {k: w for k, w in intent.meanings.items() if w > KIND_WEIGHT["type"] and k not in _EMPTY}
        if not special:
            return True
        share = sum(w for k, w in special.items() if weights.get(k, 0.0) >= 0.3) / sum(special.values())
        if KINDS_OF_PICTURES & {*intent.gives} & {port.type for port in self.graph.tools[choice.best.tool].outputs}:
            return True  # "the mask of the dog": the dog is known to no tool
        tasks = {t.key for t in intent.terms if t.kind in ("task", "thing")} & set(special)
        if not any(weights.get(key, 0.0) >= 0.3 for key in tasks) and self._is_groundless(choice, request):
            return share >= GROUNDLESS and self._does_verb(choice)
        verbs = {t.key for t in intent.terms if t.kind == "action"}
        return share >= UNDERSTOOD or any(weights.get(verb, 0.0) >= 0.5 for verb in verbs)

    def _is_groundless(self, choice: Choice, request: Request) -> bool:
        """True when there is nothing to work on and nothing is spoken of, and the tool does not live on words."""
        if request.resources or choice.intent.takes or choice.intent.mentions("file", "url", "quote"):
            return False
        if self._names_input(choice):
            return False
        return not any(port.required and port.type == "text" for port in self.graph.tools[choice.best.tool].inputs)

    def _names_input(self, choice: Choice) -> bool:
        """ "Move the plate", for a tool with an input called plate: what it works on is spoken of."""
        words = [token.word for token in choice.intent.tokens]
        definite = {stem(after) for word, after in itertools.pairwise(words) if word in _THE}
        ports = main_inputs(self.graph.tools[choice.best.tool])
        names = {stem(word) for port in ports for word in plain_words(f"{port.name} {port.type}")}
        return bool(definite & names)

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


def _called(kind: str) -> Phrase:
    """ "a depth map", "a pose"."""
    name = article(kind)
    is_map = kind in ("depth", "normal", "edge", "line", "segmentation")
    return Phrase(kind, "types", spelled=f"{name} map") if is_map else name


def _is_told(tool: ToolSpec) -> bool:
    """True for a tool that does with a thing whatever a text says."""
    return any(port.type == "text" and not port.choices for port in main_inputs(tool))


def _is_noun(term: Term, intent: Intent) -> bool:
    """ "The depth of a.png", "her pose": not the depth of field, nor a verb."""
    words = [token.word for token in intent.tokens]
    after = words[term.last + 1 : term.last + 3]
    before = words[max(0, term.first - 1)]
    return after != ["of", "field"] and before not in ("to", "will", "should", "this", "that", "these", "my")


def _is_broken_off(words: str, request: Request) -> bool:
    """ "E-mail this to Mr": what follows the full stop of a short word may be no other sentence."""
    after = request.text.partition(words)[2]
    return after.startswith(".") and bool(after[1:].strip()) and len(words.split()[-1]) <= _SHORT_WORD


def _language(request: Request) -> str:
    return read(request.text).language


def _fitting(ports: Sequence[PortSpec], types: Collection[str]) -> bool:
    return not types or any(fits(port.type, type) or fits(type, port.type) for port in ports for type in types)
