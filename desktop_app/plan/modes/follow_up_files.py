"""Which file: the same for others, one in the place of another, what a step takes."""

from __future__ import annotations

from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Edit, Present, Relink, Repeat, SetValues, UseFile
from desktop_app.plan.modes.follow_up_inputs import (
    faded,
    faded_at_an_end,
    grounded,
    is_for_a_part,
    other_part,
    reordered,
)
from desktop_app.plan.modes.follow_up_kind import others_of_kind, spoken_files
from desktop_app.plan.modes.follow_up_words import Look, StepWords


class WhichFile(StepWords):
    """Reads which files the steps shall take."""

    def _fed(self, reading: Look, present: Present) -> Relink | SetValues | None:
        """What steps take, in another order, or with a fade between."""
        said, specs = reading.said, {step.id: self._spec(step) for step in present.steps}
        files, spans = self._files(said, present)
        return (
            reordered(specs, present, said, files, spans, reading.named)
            or other_part(specs, present, said, files, spans)
            or faded(specs, present, said)
            or faded_at_an_end(specs, present, said)
            or grounded(specs, present, said)
        )

    def _is_for_a_part(self, said: MessageWords, present: Present) -> bool:
        kinds = {given.name: given.type for given in present.files}
        return any(
            is_for_a_part(self._graph.tools.values(), said, kinds[name]) for name in self._files(said, present)[0]
        )

    def _repeat(self, reading: Look, present: Present) -> Edit | None:
        said, used = reading.said, present.used()
        if reading.foreign or not used or said.has("up", "down", "remove") or self._is_for_a_part(said, present):
            return None
        kind = next((given.type for given in present.files if given.name == used[0]), "")
        names, spans = self._files(said, present)
        around = ("filler", "same", "picture", "thanks")
        if not names and said.has("all", "others"):
            names = [given.name for given in present.files if given.type == kind]
            around += ("all", "others")
        elif not names and present.brought and said.has("same"):
            names = list(present.brought)
        swaps = said.has("instead", "mean", "opposite", "no") or (said.has("choose") and not said.has("same"))
        named = [span for found in reading.named.values() for span in found]
        if not names or swaps or said.left(around, [*spans, *named]) or self._asks_for_another_type(reading, kind):
            return None
        if reading.named and not said.has("same"):
            return None  # "blur b.jpg": a wish of its own, which says what it wants
        new = tuple(name for name in names if name not in used)
        return Repeat(used[0], new) if new or said.has("same") else None

    def _asks_for_another_type(self, reading: Look, kind: str) -> bool:
        """ "Make a video from all the pictures" is a wish, and repeats nothing that was done to a picture."""
        return any(term.kind == "type" and term.key not in (kind, "file") for term, *_ in reading.terms)

    def _file(self, reading: Look, present: Present) -> Edit | None:
        """ "Use the first picture again", "b.jpg, not a.jpg", "no, on the other photo"."""
        said, used = reading.said, present.used()
        if reading.foreign or not used or self._is_for_a_part(said, present):
            return None
        names, spans = self._files(said, present)
        kind = next((given.type for given in present.files if given.name == used[0]), "")
        around = ("filler", "picture", "instead", "mean", "choose", "no", "ordinals")
        if not names and said.has("other"):
            names = [given.name for given in present.files if given.type == kind and given.name not in used]
            names = names if len(names) == 1 else []
            around += ("other",)
            if names and not said.has("picture") and said.left(("other", "filler", "no", "choose")):
                return None
        named = [span for found in reading.named.values() for span in found]
        if said.left(around, [*spans, *named]) or not names or self._asks_for_another_type(reading, kind):
            return None
        if named and not said.has("instead", "mean", "choose", "no", "other"):
            return None  # "make a cartoon of b.jpg": a wish of its own, which takes nothing from the steps before
        new = next((name for name in names if name not in used), "")
        old = next((name for name in names if name in used), used[0])
        return UseFile(old, new) if new else None

    def _files_meant(self, look: Look, present: Present) -> Edit | None:
        others = others_of_kind(present)
        names = spoken_files(look.said.text, present)[:1] or (others if len(others) == 1 else [])
        names = names or [name for name in self._files(look.said, present)[0] if name in others]
        if not names:
            return None
        if look.said.has("instead", "mean", "no") and not look.said.has("same"):
            return UseFile(present.used()[0], names[0])
        return Repeat(present.used()[0], tuple(names[:1]))
