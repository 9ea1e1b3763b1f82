"""Which step goes: the one that is named, and none where something else is to be removed."""

from __future__ import annotations

from desktop_app.plan.modes.edits import Edit, Present, Remove
from desktop_app.plan.modes.follow_up_words import Look, StepWords
from desktop_app.plan.types import Step

_REMOVE = "remove"  # the concept of the lexicon
_CALLED = 0.8
"""Beside a step that removes things, a word names another step only where its tool speaks of it so much."""


class Removal(StepWords):
    """Reads which steps shall go."""

    def _remove(self, reading: Look, present: Present) -> Edit | None:
        said, verbs = reading.said, reading.said.removing()
        if not verbs or not reading.named or reading.foreign or self._is_further(reading, present):
            return None
        spans = [span for found in reading.named.values() for span in found]
        if len([place for place in said.left(("filler", "no"), spans) if place not in verbs]) > 1:
            return None
        counted = self._named_things(reading, present) or reading.named
        most = max(len(found) for found in counted.values())
        best = [step for step in present.steps if len(counted.get(step.id, ())) == most]
        ends = [step for step in best if step.tool == best[-1].tool]
        if said.has("all"):
            return Remove(tuple(step.id for step in ends))
        return Remove((ends[-1].id,))

    def _removers(self, reading: Look, present: Present) -> set[str]:
        """The named steps that remove something themselves."""
        return {step.id for step in present.steps
                if step.id in reading.named and self._weight(step.tool, _REMOVE) >= _CALLED}  # fmt: skip

    def _named_things(self, reading: Look, present: Present) -> dict[str, list[tuple[int, int]]]:
        """Spans of the words that name a step, without those that only ask to remove something. Where a step removes
        things, one that is only an example of what its tool, or another, works on is no name of a step.
        """
        removers = self._removers(reading, present)
        found: dict[str, list[tuple[int, int]]] = {}
        for step in present.steps:
            for span in reading.named.get(step.id, ()):
                named = not removers or self._calls(step, span, reading, step.id in removers)
                if named and not _only_asks(span, reading):
                    found.setdefault(step.id, []).append(span)
        return found

    def _calls(self, step: Step, span: tuple[int, int], reading: Look, only_titles: bool) -> bool:
        """True where the words are in the title of the step, or else speak of little but its tool."""
        if reading.said.piece(*span).lower().rstrip("s") in self._spec(step).title.lower():
            return True
        spoken = [self._weight(step.tool, term.key) for term, start, end in reading.terms
                  if reading.said.at(start, end) == span]  # fmt: skip
        return not only_titles and max(spoken, default=0.0) >= _CALLED

    def _is_further(self, reading: Look, present: Present) -> bool:
        """True where a removal is wished of something else than a step: of a further thing, by the verb of a step that
        removes things itself, or of one "too" that no step is called by.
        """
        said, removers = reading.said, self._removers(reading, present)
        named = self._named_things(reading, present)
        if not said.removing():
            return False
        titled = any(self._spec(step).title.lower() in said.text.lower() for step in present.steps)
        if said.has("besides") and (not named or removers & set(named)):
            return not titled
        return not named and bool(removers) and not said.has("no", "step")


def _only_asks(span: tuple[int, int], reading: Look) -> bool:
    """True where the words of a span ask to remove something and name nothing. A span may be a whole sentence, where
    words are not apart.
    """
    places, verbs = {*range(span[0], span[1] + 1)}, reading.said.removing()
    keys = {
        term.key for term, start, end in reading.terms if term.kind != "exact" and reading.said.at(start, end) == span
    }
    return places <= verbs or bool(places & verbs and keys and keys <= {_REMOVE})
