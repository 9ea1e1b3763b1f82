"""How well a tool serves a wish (1 to 5), and how good a whole solution is (0 to 1), without a language model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from desktop_app.plan.decompose import Intent
from desktop_app.plan.request import Solution
from desktop_app.plan.retrieval import KIND_WEIGHT, Index
from desktop_app.plan.toolgraph import ToolGraph, fits, main_inputs



@dataclass
class Weights:
    """What each kind of evidence counts; found by coordinate search on half of the development requests."""

    threshold: float = 1.0  # evidence below this does not make a wish of a piece of text
    title: float = 0.8
    gives: float = 0.6
    gives_not: float = -0.7
    takes: float = 0.5
    takes_not: float = -0.6
    converts: float = 0.5
    missing: float = -0.5
    alone: float = -0.4
    continues: float = 0.4
    least_words: float = 0.3  # types alone say little: so much must come from special words
    second: float = 2.5  # so much wording must be left over for a second tool in one piece of text


WEIGHTS = Weights()


def _converts(intent: Intent) -> bool:
    """ "an image from the video": the wording itself names another type to come out than goes in."""
    return bool(intent.gives) and bool(intent.takes) and not set(intent.gives) & set(intent.takes)


@dataclass(frozen=True)
class Rated:
    """A tool with the evidence that it serves an intent; `words` is the part that comes from wording."""

    tool: str
    evidence: float
    words: float


def grade(evidence: float) -> float:
    """Evidence as the paper's score, 1 (not related) to 5 (directly related)."""
    return max(1.0, min(5.0, 1.0 + 1.6 * evidence))


class Assessor:
    """Rates tools for intents by wording (through the index), title and types."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index

    def rate(self, intent: Intent, at_hand: Collection[str] = (), last: Collection[str] = ()) -> list[Rated]:
        """Tools for the intent, best first.

        `at_hand` are the types that files, quotes and earlier results offer, `last` those of the result before.
        """
        found = self.index.match(intent.meanings)
        general = self.index.match({k: w for k, w in intent.meanings.items() if w <= KIND_WEIGHT["type"]})
        rated = [
            self._rated(tool, words, words - general.get(tool, 0.0), intent, at_hand, last)
            for tool, words in _best(found.items())
        ]
        return sorted(rated, key=lambda r: (-r.evidence, r.tool))

    def _rated(
        self,
        tool: str,
        words: float,
        special: float,
        intent: Intent,
        at_hand: Collection[str],
        last: Collection[str],
    ) -> Rated:
        """`special` is the part of `words` that comes from more than general verbs."""
        if special < WEIGHTS.least_words and not self._does(tool, intent):
            return Rated(tool, 0.0, words)
        evidence = words + WEIGHTS.title * self.index.titled(tool, intent.meanings)
        evidence += self._types(tool, intent, at_hand) + self._continues(tool, intent, last)
        if intent.stating:
            evidence *= 0.5
        return Rated(tool, evidence, words)

    def _continues(self, tool: str, intent: Intent, last: Collection[str]) -> float:
        """A little for a tool that goes on with the result before, where the wording does not say with what."""
        if set(intent.takes) - {"text"} or not last:
            return 0.0
        takes = [port.type for port in self.graph.tools[tool].inputs]
        return WEIGHTS.continues * any(fits(given, own) for given in last for own in takes)

    def _does(self, tool: str, intent: Intent) -> bool:
        """With general verbs only: the tool does that ("generates"), to or towards the types that are named."""
        spec = self.graph.tools[tool]
        gives = any(fits(port.type, want) for port in spec.outputs for want in intent.gives)
        takes = any(fits(have, port.type) for port in spec.inputs for have in intent.takes)
        if _converts(intent) and gives and takes:
            return True
        weights = self.index.profiles[tool].weights
        acts = any(k in weights and weights[k] >= 0.5 for k, w in intent.meanings.items() if w == KIND_WEIGHT["action"])
        return acts and (gives or (takes and not intent.gives))

    def _types(self, tool: str, intent: Intent, at_hand: Collection[str]) -> float:
        spec = self.graph.tools[tool]
        takes = {port.type for port in spec.inputs}
        gives = [port.type for port in spec.outputs]
        total = 0.0
        if intent.gives:
            fit = any(fits(own, want) for own in gives for want in intent.gives)
            total += WEIGHTS.gives if fit else WEIGHTS.gives_not
        if intent.takes and not ("load" in intent.meanings and "url" in takes):
            fit = any(fits(have, own) for own in takes for have in intent.takes)
            total += WEIGHTS.takes if fit else WEIGHTS.takes_not
        if _converts(intent) and any(fits(own, want) for own in gives for want in intent.gives):
            total += WEIGHTS.converts * any(fits(have, own) for own in takes for have in intent.takes)
        needed = {port.type for port in main_inputs(spec) if port.type not in ("text", "number", "flag", "url")}
        if at_hand and needed:
            missing = [n for n in needed if not any(fits(have, n) for have in at_hand)]
            total += WEIGHTS.missing * bool(missing)
        elif at_hand and "text" not in at_hand and all(port.type == "text" for port in main_inputs(spec)):
            total += WEIGHTS.alone * (len(main_inputs(spec)) > 1)
        return total


def _best(found: Iterable[tuple[str, float]], most: int = 40) -> list[tuple[str, float]]:
    return sorted(found, key=lambda pair: -pair[1])[:most]


def ranked(solutions: Sequence[Solution], most: int = 5) -> tuple[Solution, ...]:
    """The solution expert: best first, those at 3 of 5 or above (but always the first given), at most `most`."""
    first = solutions[0]
    rest = [s for s in solutions[1:] if s.score >= 0.5]
    ordered = sorted(rest, key=lambda solution: -solution.score)
    return tuple([first, *ordered][:most])
