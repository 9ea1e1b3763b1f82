"""One thing in the place of another: "the cat rather than the dog", "change the dog to a horse"."""

from __future__ import annotations

from desktop_app.plan.arguments.fill import describes
from desktop_app.plan.language.file_choice import word_form
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Edit, Present, Rephrase, SetValues
from desktop_app.plan.modes.follow_up_words import FOREIGN, Look, StepWords

_RATHER, _THAN = ("rather", "lieber", "eher", "plutôt", "mejor", "más bien"), ("than", "als", "que")


class Swaps(StepWords):
    """Reads what takes the place of what."""

    def _replaced(self, reading: Look, present: Present) -> Edit | None:
        """ "The cat rather than the dog", "I meant the cat", "change the dog to a horse"."""
        said = reading.said
        if reading.foreign or said.has("up", "down", "opposite") or self._files(said, present)[0]:
            return None
        new, old = self._swapped(said)
        if not new or len(new.split()) > 8:
            return None
        for step in reversed(present.steps):
            for port in self._spec(step).inputs:
                value = step.arguments.get(port.name)
                if not isinstance(value, str) or port.choices or "colour" in port.name:
                    continue
                if old and word_form(old).search(value):
                    return SetValues({(step.id, port.name): word_form(old).sub(new, value, count=1)})
                if not old and len(value.split()) <= 3 and describes(port):
                    return SetValues({(step.id, port.name): new})
        target = old if old and word_form(old).search(present.wish) else self._thing_in(present) if not old else ""
        if target:
            return Rephrase(word_form(target).sub(lambda _: new, present.wish, count=1))
        return None

    def _swapped(self, said: MessageWords) -> tuple[str, str]:
        """The new thing and the old one, "" where it is not said."""
        words = said.words
        end = len(words)
        for first, last in said.spans("instead"):
            left, right = self._core(said, 0, first), self._core(said, last + 1, end)
            if left and right:
                return left, right
            comma = next((i for i in range(last + 1, end) if words[i].text in ",，;、"), None)
            if not left and comma is not None:
                return self._core(said, comma + 1, end), self._core(said, last + 1, comma)
        for opening in said.spans("rather"):
            for first, last in said.spans("rather"):
                opened = said.piece(*opening).lower() in _RATHER and opening[1] < first
                new = self._core(said, opening[1] + 1, first) if opened else ""  # none in "lieber als Kuchendiagramm"
                if new and said.piece(first, last).lower() in _THAN:
                    return new, self._core(said, last + 1, end)
        for first, last in said.spans("swap"):
            for middle in said.spans("for"):
                old, new = self._core(said, last + 1, middle[0]), self._core(said, middle[1] + 1, end)
                if middle[0] > last and old and new and first <= 3:
                    return new, old
        if said.has("mean") or (said.has("no") and any(word.text in ",，.。!" for word in words)):
            start = max((last for _, last in said.spans("mean", "no")), default=-1) + 1
            return self._core(said, start, end), ""
        return "", ""

    def _core(self, said: MessageWords, start: int, end: int) -> str:
        """The words between two places without fillers around them."""
        filler = {i for a, b in said.spans("filler", "no", "mean", "picture") for i in range(a, b + 1)}
        kept = [i for i in range(start, end) if i not in filler and said.words[i].kind not in ("break", "sign")]
        if not kept or kept[-1] - kept[0] > 8:
            return ""
        return said.piece(kept[0], kept[-1])

    def _thing_in(self, present: Present) -> str:
        """What the wish before was about, where it is a thing that no step's own words explain."""
        chunks = read(present.wish).chunks
        found = ""
        for chunk in chunks:
            for term in chunk.terms:
                token = chunk.tokens[term.last]
                own = max((self._weight(step.tool, term.key) for step in present.steps), default=0.0)
                if term.kind in ("word", "thing") and token.kind == "word" and own < FOREIGN:
                    found = present.wish[chunk.tokens[term.first].start : token.end]
        return found
