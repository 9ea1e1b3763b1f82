"""Reads a follow-up as an edit of the graph that is there: another value, one step less, another file, a way back.

A message is an edit when the names of the steps that are there, values of their ports, the files and a few ideas
(resources/conversation.toml) explain it; what speaks of an operation that is not there is a new wish, and no edit.
Must not know who keeps the graph: it gets the steps, and says what should become of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.modes.conversation import MessageWords, Talk
from desktop_app.plan.modes.edits import (
    Another,
    AskValue,
    Edit,
    Insert,
    Present,
    Remove,
    SaveAs,
    SetValues,
    Undo,
    UseTool,
)
from desktop_app.plan.modes.follow_up_back import GoingBack
from desktop_app.plan.modes.follow_up_degrees import is_of_the_whole, is_said
from desktop_app.plan.modes.follow_up_files import WhichFile
from desktop_app.plan.modes.follow_up_further import one_more, one_too
from desktop_app.plan.modes.follow_up_inserts import narrowed, resized, retouched, shortened
from desktop_app.plan.modes.follow_up_kind import KindReader, kind_of, tools_meant
from desktop_app.plan.modes.follow_up_questions import (
    asked_of_found,
    asked_of_rows,
    asks_statistics,
    counted,
    of_other_column,
)
from desktop_app.plan.modes.follow_up_removal import Removal
from desktop_app.plan.modes.follow_up_saving import Saving
from desktop_app.plan.modes.follow_up_values import Values, is_worded
from desktop_app.plan.modes.follow_up_words import Look, is_about_another_file
from desktop_app.plan.ranking.joint_selection import Reading as Tagged
from desktop_app.plan.tools.tool_graph import main_inputs
from desktop_app.plan.types import Request, Step

_SURE, _OVERRULED, _CERTAIN = 0.5, 0.25, 0.95
"""A kind that was learned has to be so probable; what the rules read stands where its kind is more probable."""
_BEYOND_DOUBT = 0.998  # chosen: so probable is the tool of a further wish that overrules a value
_PLAINLY, _ALSO = 0.9, 0.05
"""A part of a request plainly asks for a tool that is so probable, and may also ask for one that is so probable. Of 19
requests (tests/data/requests_fresh) without their last tool 17 are found to lack one; of 54 with all theirs, 2."""
_MAYBE = 0.25  # chosen: so probably another tool is meant where "instead" says so
_CORRECTIONS = ("rather", "instead", "no", "mean", "swap", "choose", "other", "opposite")
"""One of these is said where a tool is to take the place of another."""


class FollowUpReader(GoingBack, WhichFile, Removal, Values, Saving):
    """Over one tool set; immutable. The rules of each kind are in the files of these."""

    def read(self, text: str, present: Present) -> Edit | Talk | None:
        """The edit that the message means; None for a new wish, and where there is no graph. Where several files go
        the same way it is made on the way of each, unless the message speaks of one.
        """
        said = MessageWords(text)
        found = self._read(text, present) or self._plainly_further(said, present)
        if not found or isinstance(found, SaveAs) or found == SetValues({}):
            tagged = self.kinds.reading(text, present) if present.steps and KindReader.is_ready() else None
            if tagged is None or not self._is_another_operation(tagged, present):
                found = self._already(self._look(said, present), present, found == SetValues({})) or found
        if asks_statistics(self._graph, present, found):
            return None
        if (other := of_other_column(present, text)) is not None:
            return other
        if isinstance(found, SetValues) and (asked := asked_of_rows(self._graph, present, text)) is not None:
            return asked
        if said.has("ordinals", "other", "others") or self._files(said, present)[0]:
            return found
        match found:
            case SetValues(values):
                return SetValues(self._for_alike(values, present))
            case Remove(steps):
                return Remove(tuple(dict.fromkeys(one for step in steps for one in present.alike(step))))
            case UseTool(step) | AskValue(step):
                found = replace(found, others=tuple(one for one in present.alike(step) if one != step))
                return (
                    replace(found, also=self._for_alike(found.also, present)) if isinstance(found, AskValue) else found
                )
        return found

    @staticmethod
    def _for_alike(values: Mapping[tuple[str, str], Any], present: Present) -> dict[tuple[str, str], Any]:
        """The values for each step that does the same to another file, too."""
        return {(one, port): value for (step, port), value in values.items() for one in present.alike(step)}

    def _plainly_further(self, said: MessageWords, present: Present) -> Insert | None:
        """A wish that says so little else that nothing has to be planned."""
        original = {word.text for word in said.words} & tables().small["original"]
        if not present.steps or present.brought or original or not KindReader.is_ready():
            return None
        ways = (resized, retouched, counted)
        return next((found for way in ways if (found := way(self._graph, present, said))), None)

    def _read(self, text: str, present: Present) -> Edit | Talk | None:
        """What no rule explains is read by what was learned, where the networks are on."""
        found = self.by_rules(text, present)
        if not present.steps or len(MessageWords(text).words) > 30 or not kind_of(found) or not KindReader.is_ready():
            return found
        look = self._look(MessageWords(text), present)
        if isinstance(found, Insert | Another) or (
            isinstance(found, Remove) and found == self._to_the_file(look, present)
        ):
            return found
        if isinstance(found, SetValues | AskValue):
            specs = {step.id: self._spec(step) for step in present.steps}
            outright = found in (
                self._asked_further(look, present),
                self._fed(look, present),
                self._narrowed(look, present),
                self._said_anew(look, present),
            )
            outright = outright or self._is_put_right(found, look, present)
            outright = outright or self._is_more_and_other(found, look, present)
            if outright or is_said(found, specs, look.said):
                return found
        if found is None and self._is_of_the_whole(look, present):
            return None
        tagged = self.kinds.reading(text, present)
        foreign = isinstance(found, SetValues) and not look.said.has(*_CORRECTIONS)
        foreign = foreign and (not look.named or max(tools_meant(tagged).values(), default=0.0) > _BEYOND_DOUBT)
        if (foreign or self._is_a_text(found, present)) and self._is_another_operation(tagged, present):
            found = None  # "turn it upside down" writes no "upside down", "red frame 12 px" makes nothing so wide
        shares = self.kinds.kinds(text, present, tagged, look.named, kind_of(found))
        likeliest = max(shares, key=lambda kind: shares[kind])
        if isinstance(found, SetValues) and likeliest == "wish" and not look.named and self._is_sure(tagged, present):
            return None  # "take a still at 3 seconds"
        if found is not None and shares[kind_of(found)] > _OVERRULED:
            return found
        if found is None and likeliest == "wish" and shares["tool"] > _MAYBE and look.said.has("instead", "rather"):
            return self._tool_meant(look, present, tagged)  # "pixelate them instead"
        if likeliest == "wish" or shares[likeliest] < _SURE:
            return found
        meant = self._meant(likeliest, look, present, tagged)
        if isinstance(meant, UseTool) and not look.said.has(*_CORRECTIONS):
            further = self._is_another_operation(tagged, present)
            return None if further else found  # "a red frame", after another step: a further one
        if found is None and meant is None and likeliest == "value" and self._is_of_a_named_step(look, present, tagged):
            return SetValues({})  # "in a round frame", with a frame that is there: nothing of that can be set
        return meant or found

    def _is_of_a_named_step(self, look: Look, present: Present, tagged: Tagged) -> bool:
        """True where the words surely are for a tool that is there, and name its step."""
        shares = tools_meant(tagged)
        best = max(shares, key=lambda tool: shares[tool], default="")
        return bool(best) and shares[best] >= _CERTAIN and best in {
            step.tool for step in present.steps if step.id in look.named
        }  # fmt: skip

    def _is_a_text(self, found: Edit | None, present: Present) -> bool:
        """True for an edit that only puts other words in the place of a text."""
        if not isinstance(found, SetValues):
            return False
        ports = [(port, step.id) for step in present.steps for port in self._spec(step).inputs]
        return all(is_worded(port) for port, step in ports if (step, port.name) in found.values)

    def _is_another_operation(self, tagged: Tagged, present: Present) -> bool:
        """True where the words are surely for a tool that is not there."""
        meant = tools_meant(tagged)
        best = max(meant, key=lambda tool: meant[tool], default="")
        return bool(best) and meant[best] >= _CERTAIN and best not in {step.tool for step in present.steps}

    def _is_sure(self, tagged: Tagged, present: Present) -> bool:
        """True where that is beyond doubt."""
        return self._is_another_operation(tagged, present) and max(tools_meant(tagged).values()) > _BEYOND_DOUBT

    @cached_property
    def kinds(self) -> KindReader:
        """Made when first used: it reads the networks' weights."""
        return KindReader(self._graph, self._joint())

    def _meant(self, kind: str, look: Look, present: Present, tagged: Tagged) -> Edit | Talk | None:
        """The edit of a known kind; None where it is not clear what it is to change."""
        text = look.said.text
        match kind:
            case "undo":
                return Undo()
            case "talk":
                asks = "?" in text or "？" in text
                return Talk("thanks") if not asks else Talk("why", text) if look.said.has("why", "which") else None
            case "file":
                return self._files_meant(look, present)
            case "remove" if self._is_further(look, present):
                return None
            case "remove":
                return Remove((self._step_meant(look, present, tagged).id,))
            case "tool":
                return self._tool_meant(look, present, tagged)
        return self._value_meant(look, present, tagged) or (
            self._tool_meant(look, present, tagged) if self._swapped(look.said)[1] else None
        )

    def _step_meant(self, look: Look, present: Present, tagged: Tagged) -> Step:
        """The step of which the words speak most; the last of those of which they speak alike."""
        return max(reversed(present.steps), key=lambda step: self._spoken(step, look, tagged))

    def _spoken(self, step: Step, look: Look, tagged: Tagged) -> float:
        own = sum(self._weight(step.tool, term.key) for term, *_ in look.terms)
        return (step.id in look.named) + min(own, 1.0) + tagged.support(step.tool)

    def _tool_meant(self, look: Look, present: Present, tagged: Tagged) -> Edit | None:
        there = {step.tool for step in present.steps}
        meant = {tool: share for tool, share in tools_meant(tagged).items() if tool not in there}
        pairs = [
            (share + 0.5 * self.kinds.makes_the_same(tool, step.tool) + 0.3 * (step.id in look.named), tool, step)
            for tool, share in meant.items() for step in reversed(present.steps)
            if self.kinds.stands_in(tool, step.tool) and not self._asks_anew(tool, step)
        ]  # fmt: skip
        if not pairs:
            return None
        _, tool, old = max(pairs, key=lambda pair: pair[0])
        spec = self._graph.tools[tool]
        main = {port.name for port in main_inputs(spec)}
        values = fill(spec, [port for port in spec.inputs if port.name not in main], Clause.of(look.said.text)).values
        return UseTool(old.id, tool, values)

    def _asks_anew(self, tool: str, step: Step) -> bool:
        """True for a question, which takes the place of no step that makes something."""
        return self._graph.tools[tool].does == "answers" != self._spec(step).does

    def _value_meant(self, look: Look, present: Present, tagged: Tagged) -> Edit | None:
        steps = sorted(present.steps, key=lambda step: self._spoken(step, look, tagged), reverse=True)
        ways = (self._turned, self._scaled, self._plainly_filled, self._renumbered, self._filled_in)
        spans = [(0, len(look.said.words) - 1)]
        found = (way(step, look.said, spans) for way in ways for step in steps)
        return next((one for one in found if isinstance(one, SetValues)), None)

    def by_rules(self, text: str, present: Present) -> Edit | None:
        """The edit that ideas, names of steps, values and files explain word for word."""
        if not present.steps and not present.earlier:
            return None
        said = MessageWords(text)
        if len(said.words) > 30 or not said.words:
            return None
        reading = self._look(said, present)
        rules = [
            self._asked_further,
            self._name,
            self._undo,
            self._back_to,
            self._to_the_file,
            self._way,
            self._save,
            self._fed,
            self._repeat,
            self._file,
        ]
        rules += [self._narrowed, self._further, self._shortened]
        if self._is_of_the_whole(reading, present):
            rules += [self._remove, self._resized]
        elif not is_about_another_file(said.text, present):
            rules += [self._remove, self._said_anew, self._value, self._replaced]
        for rule in rules:
            found = rule(reading, present)
            if found is not None:
                return found
        return None

    def _is_of_the_whole(self, reading: Look, present: Present) -> bool:
        return not reading.named and is_of_the_whole(map(self._spec, present.steps), reading.said)

    def named(self, text: str, present: Present) -> frozenset[str]:
        """The steps that a text names."""
        return frozenset(self._look(MessageWords(text), present).named)

    def unserved(self, text: str, present: Present) -> tuple[str, ...]:
        """The pieces of a request that surely ask for what no step does: by the networks, or where they are off by the
        words for operations, which are heard in a reason, too ("I want to paint my wall to match").
        """
        found: list[str] = []
        if not KindReader.is_ready():
            look = self._look(MessageWords(text), present)
            named = [span for spans in look.named.values() for span in spans]
            found = [look.said.piece(*span) for span in look.foreign if not self._is_beside(span, named, look.said)]
        else:
            here = {step.tool for step in present.steps}
            given = tuple(one for one in present.files if one.name in present.used()) or present.files
            for clause in self._joint().read(Request(text, given)).clauses:
                meant = {clause.tool, *(tool for tool, share in clause.others if share >= _ALSO)}
                if clause.tool and clause.probability >= _PLAINLY and not meant & here:
                    found.append(text[clause.start : clause.end].strip(" ,.;"))
        told = {word for step in present.steps for value in step.arguments.values() if isinstance(value, str)
                for word in re.findall(r"\w{3,}", value.lower())}  # fmt: skip
        kept = [one for one in dict.fromkeys(found) if one and not told & {*re.findall(r"\w{3,}", one.lower())}]
        return tuple(one for one in kept if not any(one != other and one in other for other in kept))

    @staticmethod
    def _is_beside(span: tuple[int, int], named: Sequence[tuple[int, int]], said: MessageWords) -> bool:
        """True for words in one clause with some that name a step: the receipt of "read the table in this receipt"."""
        clauses = [(chunk.tokens[0].start, chunk.tokens[-1].end) for chunk in read(said.text).chunks if chunk.tokens]
        places = [said.at(*clause) for clause in clauses]
        own = next((place for place in places if place and place[0] <= span[0] <= place[1]), None)
        return own is not None and any(own[0] <= first <= own[1] for first, _ in named)

    def _narrowed(self, reading: Look, present: Present) -> Insert | SetValues | None:
        return narrowed(self._graph, present, reading.said)

    def _asked_further(self, reading: Look, present: Present) -> Insert | SetValues | None:
        return asked_of_found(self._graph, present, reading.said) if present.steps else None

    def _shortened(self, reading: Look, present: Present) -> Insert | None:
        return shortened(self._graph, present, reading.said) if KindReader.is_ready() else None

    def _further(self, reading: Look, present: Present) -> Insert | Another | None:
        if self._files(reading.said, present)[0] or present.brought:
            return None
        more = one_more(self._graph, present, reading.said, reading.named)
        return more or one_too(self._graph, present, reading.said)

    def _resized(self, reading: Look, present: Present) -> Insert | None:
        return resized(self._graph, present, reading.said)
