"""The offline planner: wording to intents, intents to tools, tools to graphs. No network, no model, no download."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.decompose import Intent, by_need, intents_of, subtasks_of
from desktop_app.plan.lexicon import lexicon
from desktop_app.plan.reading import read
from desktop_app.plan.request import FromNode, Plan, Request, Solution, ToolSpec
from desktop_app.plan.retrieval import Index
from desktop_app.plan.score import WEIGHTS, Assessor, Rated, ranked
from desktop_app.plan.toolgraph import INLINE, ToolGraph, fits
from desktop_app.plan.weave import REGIONS, Draft, Value, Weaver
from desktop_app.plan.wording import cause_of, reason_for, title_of

MOST = 5
"""Solutions in a plan, at most."""


@dataclass(frozen=True)
class Choice:
    """An intent with the tool that is to serve it, and the tools that might as well."""

    intent: Intent
    best: Rated
    others: tuple[Rated, ...] = ()


class OfflinePlanner:
    """Plans over a fixed set of tools. Construction reads every tool once; planning changes nothing."""

    def __init__(self, tools: Sequence[ToolSpec], strategy: str = "adaptive") -> None:
        self.strategy = strategy
        self.graph = ToolGraph(tools)
        self.index = Index(tools, lexicon())
        self.assessor = Assessor(self.graph, self.index)

    def plan(self, request: Request) -> Plan:
        """Solutions best first, or the causes why there is none. Never raises for odd text."""
        if not request.text.strip():
            return Plan((), causes=("The request is empty.",))
        intents = intents_of(read(request.text))
        choices = self._choose(intents, request)
        wanted = {c.intent.index: tuple(p.type for p in self.graph.tools[c.best.tool].outputs) for c in choices}
        subtasks = subtasks_of(intents, [wanted.get(intent.index, intent.gives) for intent in intents])
        if not choices:
            return Plan((), causes=(cause_of(intents, request),), subtasks=subtasks)
        return Plan(self._solutions(intents, choices, request), subtasks=subtasks)

    # Which tool serves which intent -----------------------------------------------------------------------------

    def _choose(self, intents: Sequence[Intent], request: Request) -> list[Choice]:
        """A tool for each intent that asks for one; what is merely stated counts only when nothing is asked."""
        asked = self._choose_among([i for i in by_need(intents) if not i.stating], intents, request)
        return asked or self._choose_among(intents, intents, request)

    def _choose_among(self, asking: Sequence[Intent], intents: Sequence[Intent], request: Request) -> list[Choice]:
        at_hand = {given.type for given in request.resources}
        at_hand |= {token.type for intent in intents for token in intent.mentions("file") if token.type}
        if any(intent.mentions("url") for intent in intents):
            at_hand.add("url")
        choices: list[Choice] = []
        last: tuple[str, ...] = ()
        for intent in asking:
            if choices and intent.pronoun and not intent.takes:
                intent.takes = tuple(p.type for p in self.graph.tools[choices[-1].best.tool].outputs[:1])
            rated = [r for r in self.assessor.rate(intent, at_hand, last) if r.evidence >= WEIGHTS.threshold]
            rated = [r for r in rated if self._connects(intent, r.tool, at_hand)]
            if not rated or self._repeats(rated[0], intent, choices):
                continue
            others = tuple(r for r in rated[1:4] if r.evidence >= 0.6 * rated[0].evidence)
            choice = Choice(intent, rated[0], others)
            if choices and self._says_how(intent, choice, choices[-1]):
                choices.pop()
            extra = self._second(choice, choices, at_hand)
            choices += _in_order(choice, extra, self.graph, self.index.profiles[choice.best.tool].weights)
            last = tuple(port.type for port in self.graph.tools[choices[-1].best.tool].outputs)
            at_hand |= {port.type for c in (choice, extra) if c for port in self.graph.tools[c.best.tool].outputs}
        return choices

    def _second(self, choice: Choice, before: Sequence[Choice], at_hand: Collection[str]) -> Choice | None:
        """A second operation in the same piece, when the first tool leaves one of its words unexplained."""
        intent = choice.intent
        profile = self.index.profiles[choice.best.tool]
        tasks = {t.key for t in intent.terms if t.kind == "task" and self._operates(t.key)}
        left = {k: w for k, w in intent.meanings.items() if k in tasks and profile.weights.get(k, 0.0) < 0.5}
        if not left:
            return None
        part = replace(intent, meanings=left, gives=(), takes=(), refers=())
        rated = [r for r in self.assessor.rate(part, at_hand) if r.words >= WEIGHTS.second and not self._qualifies(r, choice)]
        if not rated or rated[0].tool in (c.best.tool for c in (choice, *before)):
            return None
        return Choice(part, rated[0])

    def _says_how(self, intent: Intent, choice: Choice, before: Choice) -> bool:
        """ "make a picture that joins ...": the general wish is only put into words by the special one after it."""
        if intent.joint not in ("that", "which", "by") or intent.sentence != before.intent.sentence:
            return False
        if any(t.kind in ("task", "thing", "word") for t in before.intent.terms if t.key in before.intent.meanings):
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

    # Solutions --------------------------------------------------------------------------------------------------

    def _solutions(self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request) -> tuple[Solution, ...]:
        first = self._solve(intents, choices, request)
        found = [first]
        for changed, detour, loss in self._variants(choices, first):
            solution = self._solve(intents, changed, request, detour)
            kinds = {frozenset(step.tool for step in other.steps) for other in found}
            if frozenset(step.tool for step in solution.steps) not in kinds and solution.score >= first.score - 0.2:
                found.append(solution)
            if len(found) >= MOST:
                break
        return ranked(found)

    def _variants(self, choices: Sequence[Choice], first: Solution) -> Iterable[tuple[list[Choice], int, float]]:
        """The choice with one tool replaced, the closest rival first; then with a gap filled in another way."""
        rivals = [
            (choice.best.evidence - other.evidence, place, other)
            for place, choice in enumerate(choices)
            for other in choice.others
        ]
        for loss, place, other in sorted(rivals, key=lambda r: (r[0], r[1])):
            changed = list(choices)
            changed[place] = Choice(choices[place].intent, other)
            yield changed, -1, loss
        for gap in range(min(2, len(first.steps) - len(choices))):
            yield list(choices), gap, 0.5

    def _solve(
        self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request, detour: int = -1
    ) -> Solution:
        weaver = Weaver(self.graph, self.index, request, intents, self.strategy, detour)
        homes = _homes(intents, [choice.intent for choice in choices])
        for intent in intents:
            weaver.hear(intent, homes.get(intent.index, intent.index))
        results = [(c, weaver.apply(c.intent, self.graph.tools[c.best.tool])) for c in choices]
        sums = [s for c, value in results if (s := self._total(weaver, c, value)) is not None]
        draft = weaver.draft
        wanted = _wanted(draft, [value for _, value in results], sums)
        unserved = _unserved(intents, choices)
        return Solution(
            title_of(draft.steps, choices[-1].best.tool, self.graph),
            reason_for(draft.steps, unserved, self.graph),
            self._score(choices, weaver, len(unserved)),
            tuple(draft.steps),
            wanted,
            tuple(draft.questions),
        )

    def _score(self, choices: Sequence[Choice], weaver: Weaver, unserved: int) -> float:
        """Mostly how much of the wording the tools speak of; less for tools put in, open questions, unserved wishes."""
        covered = sum(self._coverage(choice, weaver.serving[choice.intent.index]) for choice in choices) / len(choices)
        strength = sum(min(choice.best.evidence, 5.0) / 5.0 for choice in choices) / len(choices)
        open_texts = sum(question.kind == "text" for question in weaver.draft.questions)
        lost = 0.02 * weaver.draft.bridges + 0.08 * open_texts + 0.15 * unserved
        return max(0.05, min(1.0, 0.2 + 0.6 * covered + 0.2 * strength - lost))

    def _coverage(self, choice: Choice, tools: Collection[str]) -> float:
        """The part (0..1) of an intent's meanings, by weight, that the texts of its tools hold."""
        meanings = {k: w * self.index.rarity(k) for k, w in choice.intent.meanings.items()}
        best = {k: max(self.index.profiles[t].weights.get(k, 0.0) for t in tools) for k in meanings}
        whole = sum(meanings.values())
        return sum(meanings[k] * min(1.0, 1.5 * best[k]) for k in meanings) / whole if whole else 0.5

    def _total(self, weaver: Weaver, choice: Choice, value: Value) -> Value | None:
        """ "How many are in these three?": the counts, and their sum where a tool adds numbers."""
        if len(value.items) < 2 or value.type != "number" or "count" not in choice.intent.meanings:
            return None
        matches = self.index.match({"total": 1.0, "count": 0.2})
        for id in sorted(matches, key=lambda id: -matches[id]):
            tool = self.graph.tools[id]
            required = [port for port in tool.inputs if port.required]
            if len(required) == 1 and required[0].many and required[0].type == "number" and tool.outputs:
                if tool.outputs[0].type == "number":
                    return weaver.gather(tool, choice.intent, required[0], value)
        return None


def _homes(intents: Sequence[Intent], chosen: Sequence[Intent]) -> dict[int, int]:
    """For a piece that got no tool of its own, the intent in the same sentence that its files and quotes belong to."""
    homes: dict[int, int] = {}
    served = {intent.index for intent in chosen}
    last: Intent | None = None
    for intent in intents:
        if intent.index in served:
            last = intent
        elif last is not None and (intent.sentence == last.sentence or intent.joint == ":") and not intent.stating:
            homes[intent.index] = last.index
    return homes


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


def _wanted(draft: Draft, results: Sequence[Value], sums: Sequence[Value]) -> tuple[tuple[str, str], ...]:
    """The results that nothing takes further, and the parts of a sum."""
    taken = {
        (item.node, item.port)
        for step in draft.steps
        for argument in step.arguments.values()
        for item in (argument if isinstance(argument, tuple) else (argument,))
        if isinstance(item, FromNode)
    }
    summed = {(item.node, item.port) for value in results for item in value.items if sums and len(value.items) > 1}
    pairs = [(item.node, item.port) for value in (*results, *sums) for item in value.items]
    kept = [pair for pair in dict.fromkeys(pairs) if pair not in taken or pair in summed]
    return tuple(kept)


def _unserved(intents: Sequence[Intent], choices: Sequence[Choice]) -> list[Intent]:
    """Intents that ask for an operation for which no tool was found."""
    served = {choice.intent.index for choice in choices}
    return [
        intent
        for intent in intents
        if intent.index not in served
        and not intent.stating
        and any(t.kind == "task" for t in intent.terms)
        and intent.joint in ("", "then")
    ]
