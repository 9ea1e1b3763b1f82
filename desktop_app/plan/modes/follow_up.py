"""Reads a follow-up as an edit of the graph that is there: another value, one step less, another file, a way back.

A message is an edit when the names of the steps that are there, values of their ports, the files and a few ideas
(resources/conversation.toml) explain it; what speaks of an operation that is not there is a new wish, and no edit.
Must not know who keeps the graph: it gets the steps, and says what should become of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import Filled, describes, fill
from desktop_app.plan.arguments.quantity_match import converted
from desktop_app.plan.arguments.quoted_text import is_colour
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.types import Term
from desktop_app.plan.modes.conversation import IDEAS, MessageWords, Talk
from desktop_app.plan.modes.edits import (
    Another,
    AskValue,
    BackTo,
    Edit,
    Insert,
    Name,
    Present,
    Redo,
    Relink,
    Remove,
    Repeat,
    Rephrase,
    SaveAs,
    SetValues,
    Undo,
    UseFile,
    UseTool,
    UseWay,
    is_fed,
)
from desktop_app.plan.modes.follow_up_degrees import (
    factors,
    is_about_any,
    is_called,
    is_of_the_whole,
    is_said,
    port_words,
    scaled,
    turned,
)
from desktop_app.plan.modes.follow_up_further import one_more, one_too
from desktop_app.plan.modes.follow_up_inputs import faded, grounded, is_for_a_part, other_part, reordered
from desktop_app.plan.modes.follow_up_inserts import narrowed, resized, retouched
from desktop_app.plan.modes.follow_up_kind import KindReader, kind_of, others_of_kind, spoken_files, tools_meant
from desktop_app.plan.ranking.joint_selection import JointSelector
from desktop_app.plan.ranking.joint_selection import Reading as Tagged
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import PortSpec, Request, Step, ToolSpec

_NAMED, _FOREIGN = 0.45, 0.3
"""A word names a step whose tool speaks of it so much; it speaks of another operation where no step does so much."""
_REMOVE = "remove"  # the concept of the lexicon
_CALLED = 0.8
"""Beside a step that removes things, a word names another step only where its tool speaks of it so much."""
_MOST_UNKNOWN = 2
_SURE, _OVERRULED, _CERTAIN = 0.5, 0.25, 0.95
"""A kind that was learned has to be so probable; what the rules read stands where its kind is more probable."""
_BEYOND_DOUBT = 0.999  # chosen: so probable is the tool of a further wish that overrules a value
_PLAINLY, _ALSO = 0.9, 0.05
"""A part of a request plainly asks for a tool that is so probable, and may also ask for one that is so probable. Of 19
requests (tests/data/requests_fresh) without their last tool 17 are found to lack one; of 54 with all theirs, 2."""
_MAYBE = 0.25  # chosen: so probably another tool is meant where "instead" says so
_CORRECTIONS = ("rather", "instead", "no", "mean", "swap", "choose", "other", "opposite")
"""One of these is said where a tool is to take the place of another."""
_RATHER, _THAN = ("rather", "lieber", "eher", "plutôt", "mejor", "más bien"), ("than", "als", "que")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass
class _Reading:
    said: MessageWords
    terms: list[tuple[Term, int, int]]
    named: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Spans of the words that name a step, by its id."""
    foreign: list[tuple[int, int]] = field(default_factory=list)
    """Spans of the words for operations that no step does."""


class FollowUpReader:
    """Over one tool set; immutable."""

    def __init__(self, graph: ToolGraph, index: Index, joint: Callable[[], JointSelector]) -> None:
        """`joint` is asked only where the networks are on."""
        self._graph, self._index, self._joint = graph, index, joint

    def read(self, text: str, present: Present) -> Edit | Talk | None:
        """The edit that the message means; None for a new wish, and where there is no graph. Where several files go
        the same way it is made on the way of each, unless the message speaks of one.
        """
        said = MessageWords(text)
        found = self._read(text, present) or self._plainly_further(said, present)
        if said.has("ordinals", "other", "others") or self._files(said, present)[0]:
            return found
        match found:
            case SetValues(values):
                return SetValues({
                    (one, port): value for (step, port), value in values.items() for one in present.alike(step)
                })  # fmt: skip
            case Remove(steps):
                return Remove(tuple(dict.fromkeys(one for step in steps for one in present.alike(step))))
            case UseTool(step) | AskValue(step):
                return replace(found, others=tuple(one for one in present.alike(step) if one != step))
        return found

    def _plainly_further(self, said: MessageWords, present: Present) -> Insert | None:
        """A wish that says so little else that nothing has to be planned."""
        original = {word.text for word in said.words} & tables().small["original"]
        if not present.steps or present.brought or original or not KindReader.is_ready():
            return None
        return resized(self._graph, present, said) or retouched(self._graph, present, said)

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
            outright = found in (self._fed(look, present), self._narrowed(look, present))
            outright = outright or self._is_put_right(found, look, present)
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

    def _is_of_a_named_step(self, look: _Reading, present: Present, tagged: Tagged) -> bool:
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
        return all(_is_worded(port) for port, step in ports if (step, port.name) in found.values)

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

    def _meant(self, kind: str, look: _Reading, present: Present, tagged: Tagged) -> Edit | Talk | None:
        """The edit of a known kind; None where it is not clear what it is to change."""
        text = look.said.text
        match kind:
            case "undo":
                return Undo()
            case "talk":
                return Talk("why", text) if "?" in text or "？" in text else Talk("thanks")
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

    def _step_meant(self, look: _Reading, present: Present, tagged: Tagged) -> Step:
        """The step of which the words speak most; the last of those of which they speak alike."""
        return max(reversed(present.steps), key=lambda step: self._spoken(step, look, tagged))

    def _spoken(self, step: Step, look: _Reading, tagged: Tagged) -> float:
        own = sum(self._weight(step.tool, term.key) for term, *_ in look.terms)
        return (step.id in look.named) + min(own, 1.0) + tagged.support(step.tool)

    def _files_meant(self, look: _Reading, present: Present) -> Edit | None:
        others = others_of_kind(present)
        names = spoken_files(look.said.text, present)[:1] or (others if len(others) == 1 else [])
        names = names or [name for name in self._files(look.said, present)[0] if name in others]
        if not names:
            return None
        if look.said.has("instead", "mean", "no") and not look.said.has("same"):
            return UseFile(present.used()[0], names[0])
        return Repeat(present.used()[0], tuple(names[:1]))

    def _tool_meant(self, look: _Reading, present: Present, tagged: Tagged) -> Edit | None:
        there = {step.tool for step in present.steps}
        meant = {tool: share for tool, share in tools_meant(tagged).items() if tool not in there}
        pairs = [
            (share + 0.5 * self.kinds.makes_the_same(tool, step.tool) + 0.3 * (step.id in look.named), tool, step)
            for tool, share in meant.items() for step in reversed(present.steps)
            if self.kinds.stands_in(tool, step.tool)
        ]  # fmt: skip
        if not pairs:
            return None
        _, tool, old = max(pairs, key=lambda pair: pair[0])
        spec = self._graph.tools[tool]
        main = {port.name for port in main_inputs(spec)}
        values = fill(spec, [port for port in spec.inputs if port.name not in main], Clause.of(look.said.text)).values
        return UseTool(old.id, tool, values)

    def _value_meant(self, look: _Reading, present: Present, tagged: Tagged) -> Edit | None:
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
        rules += [self._narrowed, self._further]
        if self._is_of_the_whole(reading, present):
            rules += [self._remove, self._resized]
        elif not _is_about_another_file(said.text, present):
            rules += [self._remove, self._value, self._replaced]
        for rule in rules:
            found = rule(reading, present)
            if found is not None:
                return found
        return None

    def _is_of_the_whole(self, reading: _Reading, present: Present) -> bool:
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

    # What the words speak of --------------------------------------------------------------------------------------

    def _look(self, said: MessageWords, present: Present) -> _Reading:
        terms = [
            (term, chunk.tokens[term.first].start, chunk.tokens[term.last].end)
            for chunk in read(said.text).chunks
            for term in chunk.terms
        ]
        reading = _Reading(said, terms)
        for term, start, end in terms:
            span = said.at(start, end)
            if span is None or term.kind == "exact":
                continue
            weights = {step.id: self._weight(step.tool, term.key) for step in present.steps}
            best = max(weights.values(), default=0.0)
            if best >= _NAMED and term.kind not in ("action", "type"):
                for id, weight in weights.items():
                    if weight >= best - 0.1:
                        reading.named.setdefault(id, []).append(span)
            elif term.kind == "task" and best < _FOREIGN:
                reading.foreign.append(span)
        for step in present.steps:  # by its own title: "the black and white"
            for name in (self._graph.tools[step.tool].title, *self._graph.tools[step.tool].words):
                at = said.text.lower().find(name.lower())
                if at >= 0 and len(name) > 3 and (span := said.at(at, at + len(name))):
                    reading.named.setdefault(step.id, []).append(span)
        named = [span for spans in reading.named.values() for span in spans]
        known = (*named, *self._counts(said), *port_words(said, map(self._spec, present.steps)))
        ideas = said.covered((*IDEAS, "up", "down", "slightly", "greatly"), known)
        reading.foreign = [f for f in reading.foreign if not ideas.issuperset(range(f[0], f[1] + 1))]
        small = said.covered(("filler", "slightly", "greatly"))
        for id, spans in list(reading.named.items()):
            reading.named[id] = [f for f in spans if not small.issuperset(range(f[0], f[1] + 1))]
            if not reading.named[id]:
                del reading.named[id]
        return reading

    def _weight(self, tool: str, key: str) -> float:
        profile = self._index.profiles.get(tool)
        return profile.weights.get(key, 0.0) if profile else 0.0

    def _spec(self, step: Step) -> ToolSpec:
        return self._graph.tools[step.tool]

    # The kinds of edits -------------------------------------------------------------------------------------------

    def _name(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        spans = said.spans("name")
        if not spans or spans[0][1] + 1 >= len(said.words):
            return None
        before = said.left(("filler", "no", "thanks"), [(spans[0][0], len(said.words))])
        name = said.piece(spans[0][1] + 1, len(said.words) - 1).strip(" .!?。！？\"'“”„«»‘’")
        forms = said.meanings("forms")
        if before or not name or len(name) > 60 or len(name.split()) > 6:
            return None
        if forms and name.lower().strip(". ").removeprefix("a ") in {"jpeg", *forms}:
            return None  # "save as jpg"
        return Name(name)

    def _undo(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        for idea, edit in (("undo", Undo()), ("redo", Redo())):
            if said.has(idea) and not said.left((idea, "filler", "no", "thanks", "step"), self._counts(said)):
                times = [int(q.value) for q in Clause.of(said.text).quantities if 1 <= q.value <= 20 and not q.one]
                return Undo(times[0]) if times and idea == "undo" else edit
        return None

    def _counts(self, said: MessageWords) -> list[tuple[int, int]]:
        return [(q.first, q.last) for q in Clause.of(said.text).quantities]

    def _back_to(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        if not said.has("restore"):
            return None
        tools = {step.tool for step in present.steps} | {*present.earlier}
        weights = {tool: self._spoken_of(tool, reading) for tool in sorted(tools) if tool in self._graph.tools}
        best = max(weights.values(), default=0.0)
        known = [said.at(start, end) for term, start, end in reading.terms
                 if any(self._weight(tool, term.key) >= _NAMED for tool in tools)]  # fmt: skip
        rest = said.left(("restore", "filler", "no", "picture"), [span for span in known if span])
        if best < _NAMED or len(rest) > 1:
            return None
        return BackTo(max(weights, key=lambda tool: weights[tool]))

    def _to_the_file(self, reading: _Reading, present: Present) -> Edit | None:
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

    def _spoken_of(self, tool: str, reading: _Reading) -> float:
        """How strongly the words speak of a tool; its title counts most."""
        titled = self._graph.tools[tool].title.lower() in reading.said.text.lower()
        return 2.0 * titled + sum(self._weight(tool, term.key) for term, *_ in reading.terms)

    def _way(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        if not said.has("way") or present.ways < 1 or said.has("opposite"):
            return None
        if said.left(("way", "other", "ordinals", "filler", "choose", "no", "instead")):
            return None
        places = [int(one) for one in said.meanings("ordinals")]
        if places:
            return UseWay(places[0] - 1 if places[0] > 0 else present.ways - 1)
        return UseWay((present.chosen + 1) % max(present.ways, 2)) if said.has("other") else None

    def _save(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        forms = said.meanings("forms")
        if not forms or reading.foreign or not present.steps:
            return None
        rest = said.left(("save", "forms", "filler", "as", "picture", "instead", "choose", "no"))
        return SaveAs(forms[-1]) if not rest else None

    def _files(self, said: MessageWords, present: Present) -> tuple[list[str], list[tuple[int, int]]]:
        """The files that the message names, by name or place, and where."""
        names: list[str] = []
        spans = []
        for token in tokens_of(said.text):
            if token.kind == "file" and (span := said.at(token.start, token.end)):
                spans.append(span)
                names += [given.name for given in present.files if given.name.lower() == token.text.lower()]
        pictures = said.spans("picture")
        if not names and (pictures or not present.ways > 1):
            for meaning, place in zip(said.meanings("ordinals"), said.spans("ordinals"), strict=True):
                number = int(meaning)
                if -len(present.files) <= number <= len(present.files):
                    names.append(present.files[number - 1 if number > 0 else number].name)
                    spans.append(place)
        return list(dict.fromkeys(names)), spans

    def _fed(self, reading: _Reading, present: Present) -> Relink | SetValues | None:
        """What steps take, in another order, or with a fade between."""
        said, specs = reading.said, {step.id: self._spec(step) for step in present.steps}
        files, spans = self._files(said, present)
        return (
            reordered(specs, present, said, files, spans, reading.named)
            or other_part(specs, present, said, files, spans)
            or faded(specs, present, said)
            or grounded(specs, present, said)
        )

    def _narrowed(self, reading: _Reading, present: Present) -> Insert | SetValues | None:
        return narrowed(self._graph, present, reading.said)

    def _further(self, reading: _Reading, present: Present) -> Insert | Another | None:
        if self._files(reading.said, present)[0] or present.brought:
            return None
        more = one_more(self._graph, present, reading.said, reading.named)
        return more or one_too(self._graph, present, reading.said)

    def _resized(self, reading: _Reading, present: Present) -> Insert | None:
        return resized(self._graph, present, reading.said)

    def _is_for_a_part(self, said: MessageWords, present: Present) -> bool:
        kinds = {given.name: given.type for given in present.files}
        return any(
            is_for_a_part(self._graph.tools.values(), said, kinds[name]) for name in self._files(said, present)[0]
        )

    def _repeat(self, reading: _Reading, present: Present) -> Edit | None:
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

    def _asks_for_another_type(self, reading: _Reading, kind: str) -> bool:
        """ "Make a video from all the pictures" is a wish, and repeats nothing that was done to a picture."""
        return any(term.kind == "type" and term.key not in (kind, "file") for term, *_ in reading.terms)

    def _file(self, reading: _Reading, present: Present) -> Edit | None:
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

    def _remove(self, reading: _Reading, present: Present) -> Edit | None:
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

    def _removers(self, reading: _Reading, present: Present) -> set[str]:
        """The named steps that remove something themselves."""
        return {step.id for step in present.steps
                if step.id in reading.named and self._weight(step.tool, _REMOVE) >= _CALLED}  # fmt: skip

    def _named_things(self, reading: _Reading, present: Present) -> dict[str, list[tuple[int, int]]]:
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

    def _calls(self, step: Step, span: tuple[int, int], reading: _Reading, only_titles: bool) -> bool:
        """True where the words are in the title of the step, or else speak of little but its tool."""
        if reading.said.piece(*span).lower().rstrip("s") in self._spec(step).title.lower():
            return True
        spoken = [self._weight(step.tool, term.key) for term, start, end in reading.terms
                  if reading.said.at(start, end) == span]  # fmt: skip
        return not only_titles and max(spoken, default=0.0) >= _CALLED

    def _is_further(self, reading: _Reading, present: Present) -> bool:
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

    # Values ---------------------------------------------------------------------------------------------------------

    def _value(self, reading: _Reading, present: Present) -> Edit | None:
        said = reading.said
        if not said.covered(("up", "down")).issuperset(said.covered(("same",))):
            return None  # but the "too" of "too much" repeats nothing
        named = [step for step in present.steps if step.id in reading.named]
        candidates = list(reversed(named or present.steps))
        degree = said.has("up", "down") or factors(said.text) or Clause.of(said.text).hits
        if named and not degree and self._commands(reading, named):
            return None
        if not named and not Clause.of(said.text).hits:
            candidates.sort(key=lambda step: not self._was_a_degree(step, present))
        asked: Edit | None = None
        for step in candidates:
            spans = reading.named.get(step.id, [])
            changes = () if reading.foreign else (self._turned, self._scaled)
            for found in (*(change(step, said, spans) for change in changes), self._filled(step, reading, spans)):
                if found is not None and not isinstance(found, AskValue):
                    return self._with_colour(found, step, said)
                asked = asked or found
        return asked

    def _with_colour(self, found: Edit, step: Step, said: MessageWords) -> Edit:
        """ "A bit bigger and yellow": the colour, too, that is said beside the other value."""
        if not isinstance(found, SetValues):
            return found
        colours = {port.name for port in self._spec(step).inputs if is_colour(port)}
        values = self._read_values(step, said)[0]
        told = {(step.id, port): value for port, value in values.items() if port in colours}
        return replace(found, values={**told, **found.values})

    def _was_a_degree(self, step: Step, present: Present) -> bool:
        """True for a step that the wish asked for by more or less of something: "louder", of "louder and as mp3"."""
        senses = {hit.sense.quality for hit in Clause.of(present.wish).hits}
        return any(is_about_any(port, senses) for port in self._spec(step).inputs)

    def _commands(self, reading: _Reading, named: Sequence[Step]) -> bool:
        """ "Rotate it by 45 degrees": the verb of a step said anew is a further step."""
        said = reading.said
        spans = sorted(span for step in named for span in reading.named[step.id])
        first = min(said.left(("filler", "no", "instead")), default=-1)
        opens = any(a <= first <= b for a, b in spans)
        verb = any(
            term.kind == "task" and said.at(start, end) == spans[0]
            for term, start, end in reading.terms
            if any(self._weight(step.tool, term.key) >= _NAMED for step in named)
        )
        counts = [place for place, _ in self._counts(said) if not any(a <= place <= b for a, b in spans)]
        before = said.words[first - 1].text if first > 0 else ""
        determined = before in ("the", "this", "that", "my", "der", "die", "das", "den", "dem", "le", "la", "les", "el")
        return opens and verb and not determined and not said.has("instead", "no") and bool(counts)

    def _filled(self, step: Step, reading: _Reading, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """ "40 pixels wide and red": what the words say for the ports of the step."""
        said = reading.said
        values, filled = self._read_values(step, said)
        rest, places = self._unexplained(step, said, values, filled, spans)
        explained = {i for i in range(len(said.words)) if i not in rest}
        foreign = any(not explained.issuperset(range(first, last + 1)) for first, last in reading.foreign)
        if not values or foreign or len(rest) > min(_MOST_UNKNOWN, len(places)):
            return None
        return _changed(step, values)

    def _unexplained(
        self,
        step: Step,
        said: MessageWords,
        values: Mapping[str, Any],
        filled: Filled,
        spans: Sequence[tuple[int, int]],
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """The places of the words that say nothing of these values, and where the values are."""
        places = [(place, place) for port in values for place in filled.read_from[port]]
        places += [(i, i) for port in values for i in range(len(said.words))
                   if said.words[i].text == str(step.arguments.get(port, "")).lower()]  # fmt: skip
        rest = said.left(("filler", "instead", "no", "mean", "swap", "thanks"), [*places, *spans])
        rest = [place for place in rest if not self._is_port_word(said.words[place].text, values)]
        return rest, places

    def _is_put_right(self, found: Edit | None, look: _Reading, present: Present) -> bool:
        """ "No, in English", "no, at the top": a correction that says another choice and nothing besides; "a gap of 20
        pixels": another value, called by the input's own word.
        """
        if not isinstance(found, SetValues):
            return False
        step = next(step for step in present.steps if step.id == next(touched(found)))
        values, filled = self._read_values(step, look.said)
        called = any(is_called(port, look.said) for port in self._spec(step).inputs if port.name in values)
        if not called and not look.said.has("no", "mean"):
            return False
        free = {port.name for port in self._spec(step).inputs if _is_worded(port)}
        own = {port: value for port, value in values.items() if port not in free and value != step.arguments.get(port)}
        same = {(step.id, port): value for port, value in own.items()} == found.values
        return same and not self._unexplained(step, look.said, values, filled, look.named.get(step.id, []))[0]

    def _filled_in(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """As `_filled`, of a message that is known to speak of values."""
        return _changed(step, self._read_values(step, said)[0])

    def _plainly_filled(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """Numbers, choices, colours and flags: what cannot be any word of the message."""
        free = {port.name for port in self._spec(step).inputs if _is_worded(port)}
        values = self._read_values(step, said)[0]
        return _changed(step, {port: value for port, value in values.items() if port not in free})

    def _renumbered(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        """ "The best five", "over 50": a number alone for the one that was given, in a text ("price > 20") too."""
        values = self._bare_number(step, said)[0]
        numbers = {f"{q.value:g}" for q in Clause.of(said.text).quantities if q.unit != "x" and not q.one}
        for port in self._spec(step).inputs if not values and len(numbers) == 1 else ():
            old = step.arguments.get(port.name)
            if isinstance(old, str) and _is_worded(port) and len(_NUMBER.findall(old)) == 1:
                values = {port.name: _NUMBER.sub(numbers.pop(), old)}
                break
        return _changed(step, values)

    def _read_values(self, step: Step, said: MessageWords) -> tuple[dict[str, Any], Filled]:
        spec = self._spec(step)
        ports = [port for port in spec.inputs if not is_fed(step.arguments.get(port.name))]
        filled = fill(spec, ports, Clause.of(said.text))
        old = self._swapped(said)[1]  # in "a cat rather than a dog" not all is the new value
        at = said.text.find(old) if old else -1
        gone = {i for i, word in enumerate(said.words) if at <= word.start < at + len(old)}
        values = {
            port: value for port, value in filled.values.items()
            if (places := filled.read_from.get(port))
            and not (isinstance(value, str) and (places & gone or (old and _word(old).search(value))))
        }  # fmt: skip
        return (values, filled) if values else self._bare_number(step, said)

    def _bare_number(self, step: Step, said: MessageWords) -> tuple[dict[str, Any], Filled]:
        """ "Make that 1200": a number alone is for the one number that was given before."""
        counts = [q for q in Clause.of(said.text).quantities if q.unit != "x" and not q.one]
        counts = counts[:1] if len({(q.value, q.unit) for q in counts}) == 1 else counts  # "two by two"
        spec, filled = self._spec(step), Filled()
        ports = [port for port in spec.inputs if port.type == "number" and port.name in step.arguments]
        value = converted(ports[0], counts[0], Clause.of(said.text)) if len(counts) == len(ports) == 1 else None
        if value is not None:
            filled.put(ports[0].name, value, range(counts[0].first, counts[0].last + 1))
        return filled.values, filled

    def _is_port_word(self, word: str, values: Mapping[str, Any]) -> bool:
        return any(word == name or word in tables().names.get(name, ()) for name in values)

    def _scaled(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        return scaled(self._spec(step), step, said, spans)

    def _turned(self, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
        return turned(self._spec(step), step, said, spans)

    # One thing in the place of another -----------------------------------------------------------------------------

    def _replaced(self, reading: _Reading, present: Present) -> Edit | None:
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
                if old and _word(old).search(value):
                    return SetValues({(step.id, port.name): _word(old).sub(new, value, count=1)})
                if not old and len(value.split()) <= 3 and describes(port):
                    return SetValues({(step.id, port.name): new})
        target = old if old and _word(old).search(present.wish) else self._thing_in(present) if not old else ""
        if target:
            return Rephrase(_word(target).sub(lambda _: new, present.wish, count=1))
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
                if opened and said.piece(first, last).lower() in _THAN:
                    return self._core(said, opening[1] + 1, first), self._core(said, last + 1, end)
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
                if term.kind in ("word", "thing") and token.kind == "word" and own < _FOREIGN:
                    found = present.wish[chunk.tokens[term.first].start : token.end]
        return found


def _is_about_another_file(text: str, present: Present) -> bool:
    """ "Make b.wav louder", and "make this louder" with a new file: what is there of a.wav stays as it is."""
    used = {name.lower() for name in present.used()}
    named = {token.text.lower() for token in tokens_of(text) if token.kind == "file"}
    stems = {
        given.name.lower() for given in present.files
        if len(stem := given.name.rpartition(".")[0]) > 2 and _word(stem).search(text)
    }  # fmt: skip
    return bool({*named, *stems, *map(str.lower, present.brought)} - used)


def _only_asks(span: tuple[int, int], reading: _Reading) -> bool:
    """True where the words of a span ask to remove something and name nothing. A span may be a whole sentence, where
    words are not apart.
    """
    places, verbs = {*range(span[0], span[1] + 1)}, reading.said.removing()
    keys = {
        term.key for term, start, end in reading.terms if term.kind != "exact" and reading.said.at(start, end) == span
    }
    return places <= verbs or bool(places & verbs and keys and keys <= {_REMOVE})


def _is_worded(port: PortSpec) -> bool:
    """True for a text in any words."""
    return port.type == "text" and not port.choices and "colour" not in port.name


def _changed(step: Step, values: Mapping[str, Any]) -> SetValues | None:
    changed = {(step.id, port): value for port, value in values.items() if step.arguments.get(port) != value}
    return SetValues(changed) if changed else None


def form_port(tools: Iterable[ToolSpec], type: str, form: str) -> tuple[str, str, str] | None:
    """The tool that makes a file of that form from such a thing: its id, the port that takes the thing, the port that
    takes the form; None when none does.
    """
    for tool in tools:
        port = next((p for p in tool.inputs if p.name == "format" and form in p.choices), None)
        source = next((p for p in main_inputs(tool) if fits(type, p.type)), None)
        if port is not None and source is not None:
            return tool.id, source.name, port.name
    return None


def _word(text: str) -> re.Pattern[str]:
    plain = text.isascii() or not re.search(r"[\u3400-\u9fff]", text)
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)" if plain else re.escape(text), re.I)


def touched(edit: SetValues) -> Iterator[str]:
    """The steps that get other values."""
    return iter(dict.fromkeys(step for step, _ in edit.values))
