"""Chooses a tool for each wish: rates the candidates, drops repetitions and mere goals, notices second operations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.arguments import fill
from desktop_app.plan.clause import Clause
from desktop_app.plan.decompose import Intent, by_need
from desktop_app.plan.request import Request, ToolSpec
from desktop_app.plan.retrieval import KIND_WEIGHT, Index
from desktop_app.plan.score import WEIGHTS, Assessor, Rated
from desktop_app.plan.suits import Suitor
from desktop_app.plan.toolgraph import INLINE, REGIONS, ToolGraph, fits
from desktop_app.plan.words import Token

CLOSE = 0.6
"""A tool with so much of the best one's evidence might as well be meant."""


_MEDIA = frozenset(("image", "audio", "video", "html"))


@dataclass(frozen=True)
class Choice:
    """An intent with the tool that is to serve it, and the tools that might as well."""

    intent: Intent
    best: Rated
    others: tuple[Rated, ...] = ()


class Chooser:
    """Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self.assessor = Assessor(graph, index)
        self.suitor = Suitor(graph, index)

    def choose(self, intents: Sequence[Intent], request: Request) -> list[Choice]:
        """A tool for each intent that asks for one; what is merely stated counts only when nothing is asked."""
        asked = self._choose_among([i for i in by_need(intents) if not i.stating], intents, request)
        chosen = asked or self._choose_among(intents, intents, request)
        chosen = [*self._from_statements(intents, chosen, request), *chosen]
        return [
            choice for place, choice in enumerate(chosen) if not self._is_umbrella(choice, chosen[place + 1 :], request)
        ]

    def _from_statements(self, intents: Sequence[Intent], chosen: Sequence[Choice], request: Request) -> list[Choice]:
        """Operations that are only stated ("I have a question: '...'", "a shaky film") and that nothing asked for."""
        known = {key for c in chosen for key in (*c.intent.meanings, *c.intent.refers)}
        taken = {choice.best.tool for choice in chosen}
        served = {choice.intent.index for choice in chosen}
        found: list[Choice] = []
        for intent in intents:
            tasks = {t.key for t in intent.terms if t.kind == "task"}
            if not chosen or not intent.stating or intent.index in served or tasks & known:
                continue
            rated = self.assessor.rate(intent, {given.type for given in request.resources})
            least = WEIGHTS.stated_quote if intent.mentions("quote") else WEIGHTS.stated
            if rated and rated[0].evidence >= least and rated[0].tool not in taken:
                found.append(Choice(intent, rated[0]))
                taken.add(rated[0].tool)
        return found

    def _is_umbrella(self, choice: Choice, later: Sequence[Choice], request: Request) -> bool:
        """ "I want to create a video. Take the two pictures ...": the goal, which what follows reaches."""
        intent = choice.intent
        if intent.takes or not intent.gives or intent.mentions("quote", "file", "url") or not self._is_general(intent):
            return False
        goal = {port.type for port in self.graph.tools[choice.best.tool].outputs}
        there = {given.type for given in request.resources} | {t.type for c in later for t in c.intent.mentions("file")}
        for other in later:
            tool = self.graph.tools[other.best.tool]
            if goal & {port.type for port in tool.outputs} and (
                goal & there or not goal & {port.type for port in tool.inputs}
            ):
                return True
        return False

    @staticmethod
    def _is_general(intent: Intent) -> bool:
        """True when only general verbs and types carry its meaning ("create a video")."""
        return not any(t.kind == "task" for t in intent.terms if t.key in intent.meanings)

    def _choose_among(self, asking: Sequence[Intent], intents: Sequence[Intent], request: Request) -> list[Choice]:
        at_hand = {given.type for given in request.resources}
        at_hand |= {token.type for intent in intents for token in intent.mentions("file") if token.type}
        if any(intent.mentions("url") for intent in intents):
            at_hand.add("url")
        if any(intent.mentions("quote") for intent in intents):
            at_hand.add("text")
        choices: list[Choice] = []
        last: tuple[str, ...] = ()
        for place, intent in enumerate(asking):
            if choices and intent.pronoun and not intent.takes:
                intent.takes = tuple(p.type for p in self.graph.tools[choices[-1].best.tool].outputs[:1])
            if self._is_delivery(intent, last):
                continue
            rated = self.suitor.suited(self.assessor.rate(intent, at_hand, last), intent, at_hand, request)
            rated = [r for r in rated if r.evidence >= WEIGHTS.threshold]
            rated = self._beyond_pointing(rated, intent, at_hand, request)
            rated = self._coherent([r for r in rated if self._connects(intent, r.tool, at_hand)], intent)
            rated = self._towards(rated, asking[place + 1 : place + 2])
            if not rated or self._repeats(rated[0], intent, choices):
                continue
            if choices and self._only_tells_how(intent, choices[-1], request):
                continue
            others = tuple(r for r in rated[1:4] if r.evidence >= CLOSE * rated[0].evidence)
            choice = Choice(intent, rated[0], others)
            if choices and self._says_how(intent, choice, choices[-1]):
                choices.pop()
            extra = self._second(choice, choices, at_hand, request)
            choices += _in_order(choice, extra, self.graph, self.index.profiles[choice.best.tool].weights)
            last = tuple(port.type for port in self.graph.tools[choices[-1].best.tool].outputs)
            at_hand |= {port.type for c in (choice, extra) if c for port in self.graph.tools[c.best.tool].outputs}
        return choices

    def _beyond_pointing(
        self, rated: list[Rated], intent: Intent, at_hand: Collection[str], request: Request
    ) -> list[Rated]:
        """ "Outline what I point at": finding the part is only the way to what shall be done with it."""
        if not rated or "point_at" not in intent.meanings or not self._gives_part(rated[0].tool):
            return rated
        left = {key: weight for key, weight in intent.meanings.items() if key != "point_at"}
        again = self.assessor.rate(replace(intent, meanings=left, takes=(), stating=False), at_hand)
        again = self.suitor.suited(again, intent, at_hand, request)
        works = [r for r in again if not self._gives_part(r.tool) and self._takes_part(r.tool)]
        lead = next((r for r in works if r.words >= 1.5 and self._does_lead(r.tool, intent)), None)
        return [replace(lead, evidence=rated[0].evidence + 1.0), *rated] if lead is not None else rated

    def _gives_part(self, tool: str) -> bool:
        return {port.type for port in self.graph.tools[tool].outputs} <= REGIONS

    def _takes_part(self, tool: str) -> bool:
        return any(port.type in REGIONS for port in self.graph.tools[tool].inputs)

    def _does_lead(self, tool: str, intent: Intent) -> bool:
        """True when the tool speaks of the first operation of the wording."""
        lead = next((t.key for t in intent.terms if t.kind == "task" and t.key != "point_at"), "")
        return self.index.profiles[tool].weights.get(lead, 0.0) >= 0.5

    def _only_tells_how(self, intent: Intent, before: Choice, request: Request) -> bool:
        """ "A red frame, 30 pixels thick": words that fill settings of the tool before are no wish of their own."""
        first = before.intent
        if intent.sentence != first.sentence or intent.joint in ("then", "also", "after") or intent.mentions("file"):
            return False
        spoken = self._settings_in(self.graph.tools[before.best.tool], (*first.tokens, *intent.tokens), request)
        return self._leaves_nothing(intent, spoken)

    def _settings_in(self, tool: ToolSpec, tokens: Iterable[Token], request: Request) -> set[int]:
        """Where the words begin from which the settings of the tool are read."""
        clause = Clause.of(request.text, tokens)
        ports = [port for port in tool.inputs if port.type in INLINE]
        return {clause.words[place].start for place in fill(tool, ports, clause).places}

    def _leaves_nothing(self, intent: Intent, spoken: Collection[int]) -> bool:
        """True when the words at these places carry all that the intent means."""
        telling = [t for t in intent.terms if t.kind in ("task", "thing", "word", "action")]
        open_ = [t for t in telling if not any(intent.tokens[i].start in spoken for i in range(t.first, t.last + 1))]
        return bool(telling) and len(open_) < len(telling) and not any(t.kind == "task" for t in open_)

    def _is_delivery(self, intent: Intent, last: Collection[str]) -> bool:
        """ "... and give me the sound", when the step before has just made it."""
        return self._hands_over(intent) and bool(set(intent.gives or intent.takes) & set(last))

    def _coherent(self, rated: list[Rated], intent: Intent) -> list[Rated]:
        """Moves up a tool whose inputs come from a tool that the other words name: counting boxes, and faces."""
        if len(rated) < 2:
            return rated
        tasks = {key for key, weight in intent.meanings.items() if weight >= KIND_WEIGHT["task"]}
        head = [replace(r, evidence=r.evidence + WEIGHTS.coherent * self._is_fed(r, intent, tasks)) for r in rated[:6]]
        return sorted(head, key=lambda r: (-r.evidence, r.tool)) + rated[6:]

    def _towards(self, rated: list[Rated], following: Sequence[Intent]) -> list[Rated]:
        """ "Remove the noise and give me the sound": what is handed over tells what the step before makes."""
        wanted = {t for intent in following if self._hands_over(intent) for t in intent.gives or intent.takes}
        if not wanted:
            return rated
        raised = [
            replace(r, evidence=r.evidence + WEIGHTS.towards)
            if wanted & {port.type for port in self.graph.tools[r.tool].outputs}
            else r
            for r in rated
        ]
        return sorted(raised, key=lambda r: (-r.evidence, r.tool))

    def _hands_over(self, intent: Intent) -> bool:
        verbs = {t.key for t in intent.terms if t.kind == "action"}
        return bool(verbs) and verbs <= {"give", "show"} and self._is_general(intent)

    def _is_fed(self, rated: Rated, intent: Intent, tasks: Collection[str]) -> bool:
        weights = self.index.profiles[rated.tool].weights
        left = {k: w for k, w in intent.meanings.items() if k in tasks and weights.get(k, 0.0) < 0.5}
        wanted = {port.type for port in self.graph.tools[rated.tool].inputs} & REGIONS
        if not left or not wanted:
            return False
        matches = self.index.match(left)
        best = max(matches, key=lambda id: matches[id], default="")
        return (
            bool(best)
            and matches[best] >= 1.5
            and any(fits(port.type, want) for port in self.graph.tools[best].outputs for want in wanted)
        )

    def _second(
        self, choice: Choice, before: Sequence[Choice], at_hand: Collection[str], request: Request
    ) -> Choice | None:
        """A second operation in the same piece, when the first tool leaves one of its words unexplained."""
        intent = choice.intent
        profile = self.index.profiles[choice.best.tool]
        tasks = {t.key for t in intent.terms if t.kind == "task" and self._operates(t.key)}
        left = {
            k: w
            for k, w in intent.meanings.items()
            if k in tasks and (profile.weights.get(k, 0.0) < 0.5 or not self._makes(k, choice.best.tool))
        }
        if not left:
            return None
        spoken = self._settings_in(self.graph.tools[choice.best.tool], intent.tokens, request)
        left = {k: w for k, w in left.items() if not self._is_setting(k, intent, spoken)}
        if not left:
            return None
        part = replace(intent, meanings=left, gives=(), takes=(), refers=())
        rated = [r for r in self.assessor.rate(part, at_hand) if r.words >= WEIGHTS.second]
        rated = self.suitor.suited(rated, part, at_hand, request)
        if not rated or rated[0].tool in (c.best.tool for c in (choice, *before)) or self._qualifies(rated[0], choice):
            return None
        return Choice(part, rated[0])

    def _makes(self, key: str, tool: str) -> bool:
        """False where the operation of this name gives a picture, a sound or a film, and the tool only words."""
        signature = self.index.lexicon.signatures[key]
        if not signature.takes or not signature.gives <= _MEDIA:
            return True
        return any(port.type not in INLINE for port in self.graph.tools[tool].outputs)

    @staticmethod
    def _is_setting(key: str, intent: Intent, spoken: Collection[int]) -> bool:
        terms = [t for t in intent.terms if t.key == key]
        return all(any(intent.tokens[i].start in spoken for i in range(t.first, t.last + 1)) for t in terms)

    def _says_how(self, intent: Intent, choice: Choice, before: Choice) -> bool:
        """ "make a picture that joins ...": the general wish is only put into words by the special one after it."""
        if intent.joint not in ("that", "which", "by") or intent.sentence != before.intent.sentence:
            return False
        if not self._is_general(before.intent):
            return False
        outputs = self.graph.tools[choice.best.tool].outputs
        return any(fits(port.type, want) for port in outputs for want in before.intent.gives)

    def _operates(self, key: str) -> bool:
        """True when the lexicon knows what the operation makes; "faces" only says on what something works."""
        signature = self.index.lexicon.signatures.get(key)
        return signature is not None and bool(signature.gives)

    def _qualifies(self, second: Rated, choice: Choice) -> bool:
        """True when the second tool only says on what the first one works: it makes a region, or feeds an option."""
        first = self.graph.tools[choice.best.tool]
        optional = {port.type for port in first.inputs if not port.required}
        outputs = {port.type for port in self.graph.tools[second.tool].outputs}
        return bool(outputs & (REGIONS | (optional - INLINE)))

    def _repeats(self, best: Rated, intent: Intent, choices: Sequence[Choice]) -> bool:
        """A tool that was chosen before is meant again only for another resource, or when the wording says so."""
        before = [choice for choice in choices if choice.best.tool == best.tool]
        if not before:
            return False
        if any(token.word in ("again", "another", "twice") for token in intent.tokens):
            return False
        named = {token.text for token in intent.mentions("file", "url")}
        known = {token.text for choice in before for token in choice.intent.mentions("file", "url")}
        return not named - known or not known

    def _connects(self, intent: Intent, tool: str, at_hand: Collection[str]) -> bool:
        """False when the intent says out of what ("from this table") and no way leads from there into the tool."""
        named = [t for t in intent.takes if t in at_hand and t not in ("text", "image", *intent.gives)]
        if not named or not intent.gives:
            return True
        ports = self.graph.tools[tool].inputs
        if any(fits(t, port.type) for t in named for port in ports) or any(
            fits(t, port.type) for t in at_hand for port in ports if t not in named
        ):
            return True
        return any(self._one_step(t, port.type) for t in named for port in ports if port.type not in ("number", "flag"))

    def _one_step(self, given: str, wanted: str) -> bool:
        for id in self.graph.giving(wanted):
            inputs = [port for port in self.graph.tools[id].inputs if port.required]
            if len(inputs) == 1 and fits(given, inputs[0].type):
                return True
        return False


def _in_order(choice: Choice, extra: Choice | None, graph: ToolGraph, titled: Collection[str]) -> list[Choice]:
    """What the second operation makes goes into the first one where it fits; else it comes after."""
    if extra is None:
        return [choice]
    first, second = graph.tools[choice.best.tool], graph.tools[extra.best.tool]
    feeds = any(fits(o.type, i.type) for o in second.outputs for i in first.inputs)
    places = {t.key: t.first for t in reversed(choice.intent.terms)}
    main = min((places[k] for k in choice.intent.meanings if k in titled and k in places), default=0)
    later = min((places.get(k, 0) for k in extra.intent.meanings), default=0) > main
    return [extra, choice] if feeds and later else [choice, extra]
