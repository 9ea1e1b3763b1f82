"""Going back: a change undone, an earlier step, the file as it was, another of the ways."""

from __future__ import annotations

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.modes.edits import BackTo, Edit, Present, Redo, Remove, Undo, UseWay
from desktop_app.plan.modes.follow_up_words import NAMED, Look, StepWords


class GoingBack(StepWords):
    """Reads where the graph shall go back to."""

    def _undo(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        for idea, edit in (("undo", Undo()), ("redo", Redo())):
            if said.has(idea) and not said.left((idea, "filler", "no", "thanks", "step"), self._counts(said)):
                times = [int(q.value) for q in Clause.of(said.text).quantities if 1 <= q.value <= 20 and not q.one]
                return Undo(times[0]) if times and idea == "undo" else edit
        return None

    def _back_to(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        if not said.has("restore"):
            return None
        tools = {step.tool for step in present.steps} | {*present.earlier}
        weights = {tool: self._spoken_of(tool, reading) for tool in sorted(tools) if tool in self._graph.tools}
        best = max(weights.values(), default=0.0)
        known = [said.at(start, end) for term, start, end in reading.terms
                 if any(self._weight(tool, term.key) >= NAMED for tool in tools)]  # fmt: skip
        rest = said.left(("restore", "filler", "no", "picture"), [span for span in known if span])
        if best < NAMED or len(rest) > 1:
            return None
        return BackTo(max(weights, key=lambda tool: weights[tool]))

    def _to_the_file(self, reading: Look, present: Present) -> Edit | None:
        """ "Use the first picture again" where no other is used, "back to the original": all steps go."""
        said, used = reading.said, present.used()
        if len(used) != 1 or not present.steps or present.brought or reading.named or reading.foreign:
            return None
        names, spans = self._files(said, present)
        first = [(i, i) for i, word in enumerate(said.words) if word.text in tables().small["original"]]
        meant = names == used if names else bool(first) or said.has("restore")
        anew = said.has("anew", "restore") or (first and said.has("choose") and not said.has("show"))
        rest = said.left(("anew", "restore", "choose", "picture", "filler", "instead", "no"), [*spans, *first])
        return Remove(tuple(step.id for step in present.steps)) if meant and anew and not rest else None

    def _spoken_of(self, tool: str, reading: Look) -> float:
        """How strongly the words speak of a tool; its title counts most."""
        titled = self._graph.tools[tool].title.lower() in reading.said.text.lower()
        return 2.0 * titled + sum(self._weight(tool, term.key) for term, *_ in reading.terms)

    def _way(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        if not said.has("way") or present.ways < 1 or said.has("opposite"):
            return None
        if said.left(("way", "other", "ordinals", "filler", "choose", "no", "instead")):
            return None
        places = [int(one) for one in said.meanings("ordinals")]
        if places:
            return UseWay(places[0] - 1 if places[0] > 0 else present.ways - 1)
        return UseWay((present.chosen + 1) % max(present.ways, 2)) if said.has("other") else None
