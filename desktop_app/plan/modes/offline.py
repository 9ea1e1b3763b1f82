"""The offline planner: wording to intents, intents to tools, tools to graphs. No network, no model, no download."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_app.plan.language.corrections import refined
from desktop_app.plan.language.follow_up import resolved
from desktop_app.plan.language.intents import intents_of, subtasks_of
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking import file_size
from desktop_app.plan.ranking.diversity import is_sound, of_several_kinds
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.ranking.picture_targets import Things
from desktop_app.plan.ranking.refusal import Refuser
from desktop_app.plan.ranking.selection import Choice, Chooser
from desktop_app.plan.ranking.tool_scores import ranked
from desktop_app.plan.ranking.tool_vocabulary import Kinds
from desktop_app.plan.search.graph_builder import Weaver
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.search.wanted_outputs import is_taken, wanted_of
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Plan, Request, Solution, ToolSpec
from nodes.phrase import Phrase

_WORSE = 0.2
"""So much less than the first may an alternative score."""

_TRIES, _ENOUGH = 8, 5
"""Alternatives are looked for in so many variants of the first solution, until so many solutions are found."""


class OfflinePlanner:
    """Plans over a fixed set of tools. Construction reads every tool once; planning changes nothing."""

    def __init__(self, tools: Sequence[ToolSpec], strategy: str = "adaptive") -> None:
        self.strategy = strategy
        self.graph = ToolGraph(tools)
        self.index = Index(tools, lexicon())
        self.kinds = Kinds(self.graph, self.index)
        self.things = Things(self.graph, self.index)
        self.chooser = Chooser(self.graph, self.index)
        self.refuser = Refuser(self.graph, self.index, self.chooser.answers.about)

    def plan(self, request: Request) -> Plan:
        """Solutions best first, or the causes why there is none. Never raises for odd text."""
        if not request.text.strip():
            return Plan((), causes=(Phrase("The request is empty."),))
        request = resolved(request)
        intents = self.kinds.read(refined(intents_of(read(request.text)), request, self.index.lexicon))
        intents = self.things.read(intents, request)
        choices = self.chooser.choose(intents, request)
        wanted = {c.intent.index: tuple(p.type for p in self.graph.tools[c.best.tool].outputs) for c in choices}
        subtasks = subtasks_of(intents, [wanted.get(intent.index, intent.gives) for intent in intents])
        cause = self.refuser.cause(intents, choices, request)
        solutions: tuple[Solution, ...] = () if cause else self._solutions(intents, self.refuser.kept(choices), request)
        firm = bool(cause) and self.refuser.is_firm(intents)
        answer = self.chooser.answers.in_words(intents, request, solutions[0] if solutions else None)
        if answer is not None and not firm:
            return Plan(worded((answer, *solutions), self.graph), subtasks=subtasks)
        for first in solutions[:1]:
            cause = self.refuser.unused_source(intents, first, request)
            cause = cause or self.refuser.needs_itself(first, intents, request)
            cause = cause or self.refuser.ignores(first, intents, request)
            cause = cause or self.refuser.undescribed(first, intents)
        sized = [found for one in solutions if (found := file_size.kept_to(one, request.text, self.graph))]
        if solutions and not sized:
            cause = cause or file_size.refusal(request.text)
        if cause:
            return Plan((), causes=(cause,), subtasks=subtasks)
        return Plan(worded(sized, self.graph) if sized != list(solutions) else solutions, subtasks=subtasks)

    # Solutions --------------------------------------------------------------------------------------------------

    def _solutions(
        self, intents: Sequence[Intent], choices: Sequence[Choice], request: Request
    ) -> tuple[Solution, ...]:
        first = self._solve(intents, choices, request)
        found = [first]
        for tried, (changed, detour, worth) in enumerate(self._variants(choices, first)):
            solution = self._solve(intents, changed, request, detour)
            solution = replace(solution, score=min(first.score, solution.score) * worth)
            if solution.score >= first.score - _WORSE and is_sound(solution, first, self.graph):
                found.append(solution)
            if tried >= _TRIES or len(found) >= _ENOUGH:
                break
        return worded(ranked(of_several_kinds(found, self.graph)), self.graph)

    def _variants(self, choices: Sequence[Choice], first: Solution) -> Iterable[tuple[list[Choice], int, float]]:
        """The choice with one tool replaced, the closest rival first; then with a gap filled in another way. With
        each how much of the score is left (0..1) for a tool that fits the wording less.
        """
        rivals = [
            (choice.best.evidence - other.evidence, place, other)
            for place, choice in enumerate(choices)
            for other in choice.others
        ]
        for _, place, other in sorted(rivals, key=lambda r: (r[0], r[1])):
            changed = list(choices)
            changed[place] = Choice(choices[place].intent, other)
            yield changed, -1, 0.75 + 0.25 * min(1.0, max(0.0, other.evidence) / choices[place].best.evidence)
        for gap in range(min(2, len(first.steps) - len(choices))):
            yield list(choices), gap, 0.97

    def _solve(
        self,
        intents: Sequence[Intent],
        choices: Sequence[Choice],
        request: Request,
        detour: int = -1,
    ) -> Solution:
        """One way, without a title."""
        weaver = Weaver(self.graph, self.index, request, intents, self.strategy, detour)
        heard = [intent for intent in intents if not self.refuser.beyond(intent)]
        homes = _homes(heard, [choice.intent for choice in choices])
        for intent in intents:
            weaver.pool.hear(intent, homes.get(intent.index, intent.index))
        results = [(c, weaver.apply(c.intent, self.graph.tools[c.best.tool])) for c in choices]
        sums = [s for c, value in results if (s := self._total(weaver, c, value)) is not None]
        draft = weaver.draft
        wanted = wanted_of(draft.steps, [value for _, value in results], sums, self.graph.tools)
        unserved = self._unserved(intents, choices)
        return Solution(
            "",
            reason_for(draft.steps, unserved, self.graph),
            self._score(choices, weaver, len(unserved)),
            tuple(draft.steps),
            wanted,
            tuple(draft.questions),
        )

    def _unserved(self, intents: Sequence[Intent], choices: Sequence[Choice]) -> list[Intent]:
        """Intents that ask for an operation for which no tool was found."""
        served = {choice.intent.index for choice in choices}
        left = [
            i for i in intents if i.index not in served and not i.stating and any(t.kind == "task" for t in i.terms)
        ]
        return [intent for intent in left if intent.joint in ("", "then", "also") or self.refuser.beyond(intent)]

    def _score(self, choices: Sequence[Choice], weaver: Weaver, unserved: int) -> float:
        """Mostly how much of the wording the tools speak of; less for tools put in, open questions, unserved wishes."""
        covered = sum(self._coverage(choice, weaver.serving[choice.intent.index]) for choice in choices) / len(choices)
        strength = sum(min(choice.best.evidence, 5.0) / 5.0 for choice in choices) / len(choices)
        questions = weaver.draft.questions
        unfilled = sum(q.kind == "text" or (q.kind == "file" and not q.resource) for q in questions)
        lost = 0.02 * weaver.draft.bridges + 0.1 * unfilled + 0.15 * unserved
        return max(0.05, min(1.0, 0.2 + 0.6 * covered + 0.2 * strength - lost))

    def _coverage(self, choice: Choice, tools: Collection[str]) -> float:
        """The part (0..1) of an intent's meanings, by weight, that the texts of its tools hold."""
        meanings = {k: w * self.index.rarity(k) for k, w in choice.intent.meanings.items()}
        best = {k: max(self.index.profiles[t].weights.get(k, 0.0) for t in tools) for k in meanings}
        whole = sum(meanings.values())
        return sum(meanings[k] * min(1.0, 1.5 * best[k]) for k in meanings) / whole if whole else 0.5

    def _total(self, weaver: Weaver, choice: Choice, value: Value) -> Value | None:
        """ "How many are in these three?": the counts, and their sum where a tool adds numbers."""
        if is_taken(value, weaver.draft.steps) or len(value.items) < 2:
            return None
        if value.type != "number" or "count" not in choice.intent.meanings:
            return None
        matches = self.index.match({"total": 1.0, **choice.intent.meanings})
        for id in sorted(matches, key=lambda id: -matches[id]):
            tool = self.graph.tools[id]
            required = [port for port in tool.inputs if port.required]
            adds = len(required) == 1 and required[0].many and required[0].type == "number"
            if adds and [port.type for port in tool.outputs] == ["number"]:
                return weaver.gather(tool, choice.intent, required[0], value)
        return None


def _homes(intents: Sequence[Intent], chosen: Sequence[Intent]) -> dict[int, int]:
    """For a piece that got no tool of its own, the intent in the same sentence that its files and quotes belong to."""
    homes: dict[int, int] = {}
    served = {intent.index for intent in chosen}
    last: Intent | None = None
    waiting: list[Intent] = []
    for intent in intents:
        if intent.index in served:
            homes.update((w.index, intent.index) for w in waiting if w.sentence == intent.sentence)
            last, waiting = intent, []
        elif last is not None and (intent.sentence == last.sentence or intent.joint == ":") and not intent.stating:
            homes[intent.index] = last.index
        elif not intent.stating:
            waiting.append(intent)  # "Glue a.jpg | and b.jpg into a panorama"
    return homes
