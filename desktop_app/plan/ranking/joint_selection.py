"""Cuts a request into clauses and chooses a tool for each: the reading that is most probable.

The tagger says where clauses begin and what each word asks for; the types of what is there (files, and what the tools
before make) which of the tools could be fed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_app.core.boosted_trees import stored_trees
from desktop_app.plan.arguments.value_marks import SIGNS, ValueMarks
from desktop_app.plan.arguments.value_tables import says, tables
from desktop_app.plan.language.clauses import TaggedWord, bare, words_of
from desktop_app.plan.language.exceptions import spared
from desktop_app.plan.language.segmentation import with_contents
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import FILES, REST, TYPES, segments, tagger
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.word_pieces import units_of
from desktop_app.plan.ranking import missing_input
from desktop_app.plan.ranking.tool_judge import ToolJudge
from desktop_app.plan.ranking.wish_files import Likeness, may_work_on, name_words, said_before, said_of, told_name
from desktop_app.plan.ranking.wish_files import among as files_among
from desktop_app.plan.ranking.wish_files import facts as file_facts
from desktop_app.plan.ranking.wish_links import among, facts, may_take
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, REGIONS, SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import Given, Request, ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass
class ReadingWeights:
    """In units of log probability; found by search on the marked requests that are held back, but for what is lacking,
    which was set by hand among values that did equally well there.
    """

    cut: float = -2.0  # added to the odds that a clause begins
    outside: float = 1.5  # added to the logarithm of the probability that no tool does what a word asks for
    silent: float = 0.0  # ... that it asks for nothing
    near: float = -0.3  # what the tool takes has to be made by another first
    far: float = -1.0  # ... by two
    out_of_reach: float = -1.7
    aside: float = -1.0  # the tool has no use for any file that is there
    again: float = 0.0  # a tool chosen before, for nothing new
    uncounted: float = -1.5  # chosen: a number is asked for, and the tool gives none


WEIGHTS = ReadingWeights()

DESCRIBED = ReadingWeights(cut=-1.0, outside=-2.0, silent=-2.5, near=-0.9, far=-3.0, out_of_reach=-5.0, aside=-3.0)
"""For tools that are known by their texts alone: what did best on twelve tool sets, each read by weights that were
trained without it."""

_HOW_MANY = re.compile(r"\b(?:how many|wie ?viele?|combien d|cu[aá]nt[oa]s)\b|多少|几[个张只条人辆]", re.I)
_PROBABLY = 0.5
_RIVAL = 0.05
"""A tool that is less probable is no other reading of the clause."""
_FAINT = 0.01
"""... of which nobody thinks unless the likelier ones will not do."""
_BROUGHT = frozenset(("file", "html", "video", "url"))
"""Types that come with the request or out of a wish of their own, never by the way."""
_LONG_QUOTE = 4
"""From so many words on a quote may sound like wishes of its own."""
_NEVER = -20.0
_BARE = 2
"""So many words beside the picture say what to do with it, and no part of it."""
_VALUE = 0.6
"""Words that are more probably a value belong to the wish beside them, whatever they ask for themselves."""
_BEAM = 8
_TOOLS = 4
_OTHERS = 6

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class ToolClause:
    """A stretch of the request, `start` to `end`, with its tool ("": no tool does it).

    `others` are what else it may mean, likeliest first.

    `probability` is of the tool, 0..1, among all that could be fed.
    """

    start: int
    end: int
    tool: str
    probability: float
    others: tuple[tuple[str, float], ...] = ()
    finder: tuple[str, float] = ("", 0.0)
    """The tool that finds the part of a picture of which the clause speaks, if it speaks of one (with REST at its end:
    of all but that part); and how probable it is that it does.
    """
    faint: tuple[tuple[str, float], ...] = ()
    """As `others`, those that are less probable."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What the networks found in a request, out of which more than one reading can be made."""

    request: Request
    words: Sequence[TaggedWord]
    states: NDArray[np.float32]
    named: NDArray[np.float32]
    """(words, n) and (files, n)."""
    tags: NDArray[np.float32]
    """(words, tools + 2): logs of the chances of each tool, of nothing and of what no tool does, as weighed."""
    odds: NDArray[np.float32]
    """(words,): logarithms of the odds that a wish begins."""
    quoted: Sequence[int]
    """Words that stand in long quotes."""
    likely: Sequence[int]
    """The tags that are likely at any word."""
    marks: ValueMarks
    outside: float
    """As Reading has it."""
    known: dict[Hashable, Any] = field(default_factory=dict)
    """What one reading has found: others have most of their clauses alike."""

    def once(self, key: Hashable, find: Callable[[], _Found]) -> _Found:
        """What was found under that key, which is looked for where it was not."""
        if key not in self.known:
            self.known[key] = find()
        return self.known[key]

    @cached_property
    def likeness(self) -> Likeness:
        """How the words fit the names of the files."""
        encoder, files = sentence_encoder(), self.request.resources[:FILES]
        return Likeness(self.request.text, self.words, files, encoder.encode if encoder.is_ready() else None)


@dataclass(frozen=True)
class Reading:
    """`clauses` in the order of the text; `shares` the probability of each tool at each word, with that of nothing at
    all in the last column.
    """

    clauses: tuple[ToolClause, ...]
    shares: NDArray[np.float32]
    places: Mapping[str, int]
    links: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """How probable it is (0..1) that the clause of the second number takes what the first one's tool has made; those
    that could.
    """
    outside: float = 0.0
    """How probable it is (0..1) that the word most likely to ask for what no tool does asks for that."""
    marks: ValueMarks | None = None
    """Which words are the value of which input."""
    files: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """By the number of a clause, where there are several files of a type: how probable it is (0..1) that its tool works
    on each of them itself.
    """
    seconds: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """The same: how probable it is that its tool takes the file in the second of two inputs for such files."""
    said: tuple[tuple[str, str, float], ...] = ()
    """Tools and their inputs of which words are probably the value, and how probably (0..1)."""
    asks: Mapping[str, float] = field(default_factory=dict)
    """By kind of question ("" for none): how probable it is (0..1) that this has to be asked first."""
    stretches: tuple[tuple[int, int], ...] = ()
    """The words of each clause, from the first to before the last, without those beside it that say values."""
    cut: Sequence[tuple[int, int, int]] = ()
    """As `segments` gives it."""
    seen: Seen | None = None
    """Out of which it was made."""

    def of(self, kept: Sequence[int]) -> Reading:
        """The reading with no more than the clauses of these numbers."""
        places = {old: new for new, old in enumerate(kept)}
        return replace(
            self,
            clauses=tuple(self.clauses[number] for number in kept),
            stretches=tuple(self.stretches[number] for number in kept if number < len(self.stretches)),
            links={(places[a], places[b]): v for (a, b), v in self.links.items() if a in places and b in places},
            files={places[number]: shares for number, shares in self.files.items() if number in places},
            seconds={places[number]: shares for number, shares in self.seconds.items() if number in places},
        )

    def covered(self, tools: Collection[str]) -> NDArray[np.float32]:
        """By word, how probable it is that it asks for one of the tools, or for nothing."""
        chosen = [self.places[tool] for tool in dict.fromkeys(tools) if tool in self.places]
        return self.shares[:, [*chosen, -1]].sum(axis=1)

    def likeliest(self) -> list[str]:
        """The tools, those first of which the words speak most, whatever else they speak of."""
        told = self.shares[:, :-1].max(axis=0).tolist()
        return sorted(self.places, key=lambda tool: -told[self.places[tool]])

    def support(self, tool: str) -> float:
        """How probable it is that some word asks for the tool, or for the part of a picture that it finds."""
        asked = float(self.shares[:, self.places[tool]].max()) if tool in self.places else 0.0
        parts = (share for name, share in (c.finder for c in self.clauses) if name.removesuffix(REST) == tool)
        return max([asked, *parts])


class JointSelector:
    """The most probable reading of a request over one tool set. Immutable after construction; any thread."""

    def __init__(self, graph: ToolGraph) -> None:
        import numpy as np

        self.graph = graph
        tools = list(graph.tools.values())
        self.judge = ToolJudge(tools)
        self.weights = WEIGHTS if self.judge.is_trained else DESCRIBED
        self._tools = tools
        self._places = {tool.id: place for place, tool in enumerate(tools)}
        self._needs = [
            tuple(dict.fromkeys(p.type for p in main_inputs(t) if p.type not in SETTINGS | {"points"})) for t in tools
        ]
        self._makes = [tuple(p.type for p in t.outputs) for t in tools]
        self._takes = [tuple(dict.fromkeys(p.type for p in t.inputs)) for t in tools]
        finders = {name.removesuffix(REST) for name in tagger().finders}
        self._finders = [place for place, tool in enumerate(tools) if tool.id in finders]
        self._workers = [
            place
            for place, tool in enumerate(tools)
            if place not in self._finders
            and any(port.type == "mask" for port in tool.inputs)
            and any(port.type == "image" for port in tool.outputs)
        ]
        self._uncounted = np.array([not {"number", "text"} & {*made} for made in self._makes], np.float32)
        self._readers = {
            port.type: tool
            for tool in reversed(tools)
            for port in main_inputs(tool)[:1]
            if port.type in DOCUMENTS and any(out.type == "text" for out in tool.outputs)
        }
        """By type of document: the tool that reads it."""
        self._costs: dict[frozenset[str], NDArray[np.float32]] = {}

    def read(self, request: Request) -> Reading:
        """The most probable reading; no clauses where nothing is asked."""
        seen = self._look(request)
        return self.reading(seen, segments(seen.tags, seen.odds, seen.likely, self.weights.cut))

    def _look(self, request: Request) -> Seen:
        import numpy as np

        words = words_of(request.text, request.resources)
        texts, types = [word.text for word in words], {given.type for given in request.resources} & {*TYPES}
        names = [name_words(told_name(given)) for given in request.resources[:FILES]]
        said = said_before(request.history)
        before = [said[a:b] for a, b in units_of(said, tagger().pieces)]
        states, named = tagger().states(texts, types, names, before)
        tags, odds = self.judge.tags(states, texts)
        silent, outside = len(self._tools), len(self._tools) + 1
        beyond = float(np.exp(tags[:, outside]).max())
        tags[:, outside] += self.weights.outside
        tags[:, silent] += self.weights.silent
        tags[:, [self._places[tool] for tool in request.avoided if tool in self._places]] = _NEVER
        quoted = _quoted(words, request.text)
        tags[quoted], odds[quoted] = -math.log(tags.shape[1]), _NEVER
        likely = {*np.argpartition(-tags, min(3, outside), axis=1)[:, :3].ravel().tolist(), silent, outside}
        marks = ValueMarks(words, tagger().marks(states), tagger().ports, states)
        return Seen(request, words, states, named, tags, odds, quoted, sorted(likely), marks, beyond)

    def reading(self, seen: Seen, cut: Sequence[tuple[int, int, int]], forced: Mapping[int, int] = {}) -> Reading:
        """The likeliest with the request `cut` so, as `segments` does; `forced` are tools by the first word that they
        are for, whatever else is likelier there.
        """
        import numpy as np

        request, words, states, marks = seen.request, seen.words, seen.states, seen.marks
        silent = len(self._tools)
        parted = seen.once(("parted", *cut), lambda: self._parted(cut, seen) | self._counted_again(cut, seen))

        def apart(tool: ToolSpec, start: int, middle: int, end: int) -> bool:
            asked = _are_answers(tool) and _asks_twice(words, request.text, start, middle, end)
            return middle in parted or asked or marks.speak_twice(tool, start, middle, end)

        pieces = self._joined(list(_split([piece for piece in cut if piece[2] != silent], parted)), apart)
        own = [seen.once(("evidence", a, b), lambda a=a, b=b: self._evidence(seen, a, b)) for a, b, _ in pieces]
        chosen: list[tuple[int, int, int]] = []
        tools = self._likeliest_tools(seen, pieces, own, forced)
        for (a, b, _), tool in zip(pieces, tools, strict=True):
            first, middle, before = chosen[-1] if chosen else (0, 0, -1)
            again = tool == before >= 0 and not apart(self._tools[tool], first, middle, b)
            chosen[len(chosen) - again :] = [(first if again else a, b, tool)]
        stretches = [(a, b) for a, b, _ in chosen]
        evidence = [
            np.logaddexp.reduce([one for one, piece in zip(own, pieces, strict=True) if a <= piece[0] < b])
            for a, b in stretches
        ]
        clauses, shares = self._clauses(seen, chosen, evidence)
        first_links, links = self._links(clauses, stretches, states, request)
        first_files, files, seconds = self._files(clauses, stretches, seen, first_links)
        said = tuple(self._said(clauses, stretches, marks))
        asks = self._asks(clauses, seen, said, first_files)
        # What a tool that came after the training does was said to be what none does.
        later = any(tag == silent + 1 and tool >= 0 for (_, _, tag), tool in zip(pieces, tools, strict=True))
        return Reading(
            tuple(clauses), shares, self._places, links, 0.0 if later else seen.outside, marks, files, seconds, said,
            asks, tuple(stretches), cut, seen,
        )  # fmt: skip

    def _likeliest_tools(
        self,
        seen: Seen,
        pieces: Sequence[tuple[int, int, int]],
        own: Sequence[NDArray[Any]],
        forced: Mapping[int, int],
    ) -> tuple[int, ...]:
        """A tool for each piece (-1 for none), those of the likeliest row; `own` is the evidence of each piece."""
        outside = len(self._tools) + 1
        beams: list[tuple[float, frozenset[str], tuple[int, ...]]] = [(0.0, self._given_types(seen), ())]
        for evidence, (start, end, tag) in zip(own, pieces, strict=True):
            grown = []
            for worth, there, tools in beams:
                if start in forced:
                    likely = [(0.0, forced[start])]
                else:
                    likely = seen.once(("likely", start, end, there), lambda e=evidence, t=there: self._likely(e, t))
                    likely = likely[:_TOOLS]
                    if tag == outside and likely[0][1] not in self.judge.untrained:
                        likely = [(0.0, -1)]
                for log, tool in likely:
                    again = self.weights.again * (tool in tools)
                    more = there.union(self._makes[tool]) if tool >= 0 else there
                    grown.append((worth + log + again, more, (*tools, tool)))
            beams = sorted(grown, key=lambda beam: -beam[0])[:_BEAM]
        return beams[0][2]

    def _given_types(self, seen: Seen) -> frozenset[str]:
        return seen.once("given", lambda: self._given(seen.request))

    def _clauses(
        self, seen: Seen, chosen: Sequence[tuple[int, int, int]], evidence: Sequence[NDArray[Any]]
    ) -> tuple[list[ToolClause], NDArray[np.float32]]:
        """A clause for each stretch with its tool, and the share of each tool in each word."""
        import numpy as np

        words, clauses, there = seen.words, list[ToolClause](), self._given_types(seen)
        shares = seen.once("shares", lambda: np.exp(seen.tags[:, : len(self._tools) + 1])).copy()
        for (a, b, tool), told in zip(chosen, evidence, strict=True):
            likely = self._likely(told, there)
            self._share_out(shares[a:b], likely)
            others = [(self._tools[o].id, math.exp(log)) for log, o in likely if o != tool]
            own_share = next((math.exp(log) for log, o in likely if o == tool), 0.5)
            id = self._tools[tool].id if tool >= 0 else ""
            kept = tuple(other for other in others if other[1] > _RIVAL)[:_OTHERS]
            faint = tuple(other for other in others if _FAINT < other[1] <= _RIVAL)[:_OTHERS]
            part = lambda a=a, b=b: self._part(seen.states, a, b, words, seen.request.resources)  # noqa: E731
            clauses.append(ToolClause(a, b, id, own_share, kept, seen.once(("part", a, b), part), faint))
            there = there.union(self._makes[tool]) if tool >= 0 else there
        places = self._with_values(clauses, seen.marks)
        return [
            replace(clause, start=words[a].start, end=words[b - 1].end)
            for clause, (a, b) in zip(clauses, places, strict=True)
        ], shares

    def _share_out(self, shares: NDArray[np.float32], likely: Sequence[tuple[float, int]]) -> None:
        """Gives each tool that the tagger was not trained on its share of a clause's words, in place: as much as it is
        probable by its likeness to the clause.
        """
        new = {tool: math.exp(log) for log, tool in likely if tool in self.judge.untrained}
        shares[:, :-1] *= 1 - min(1.0, sum(new.values()))
        for tool, share in new.items():
            shares[:, tool] = share * (1 - shares[:, -1])

    def with_tool(self, reading: Reading, number: int, tool: str) -> Reading:
        """Another reading, in which the clause of this number asks for the tool."""
        assert reading.seen is not None
        first, end = reading.stretches[number]
        starts = (a for a, _, tag in reading.cut if first <= a < end and tag < len(self._tools))
        return self.reading(reading.seen, reading.cut, dict.fromkeys(starts, self._places[tool]))

    def recut(self, reading: Reading, cut: Sequence[tuple[int, int, int]], word: int) -> Reading:
        """Another reading, `cut` so, in which the words around `word` ask for what the cut says."""
        assert reading.seen is not None
        forced = {a: tag for a, b, tag in cut if a <= word < b and tag < len(self._tools)}
        return self.reading(reading.seen, cut, forced)

    def _part(
        self, states: NDArray[np.float32], first: int, end: int, words: Sequence[TaggedWord], given: Sequence[Given]
    ) -> tuple[str, float]:
        """What Tagger.finder says, but for "all the cars", which sounds like all but the cars to it, and for "blur
        cat.jpg" and "which colours has this picture", which sound as if something in it were to be clicked.
        """
        name, share = tagger().finder(states, first, end)
        said = [word.text.casefold() for word in words]
        if name.endswith(REST) and says(said, "every one") and not (says(said, "the others") or spared(" ".join(said))):
            shares = tagger().finders_of(states, first, end)
            name = max((own for own in shares if own and not own.endswith(REST)), key=lambda own: shares[own])
        tool = self.graph.tools.get(name)
        clicked = tool is not None and any(port.picked_on for port in tool.inputs)
        return name, 0.0 if _is_whole(said[first:end], [file.name for file in given], clicked) else share

    def _with_values(self, clauses: Sequence[ToolClause], marks: ValueMarks) -> list[tuple[int, int]]:
        """The clauses, which count in words, with the words beside them that say a value of their tool's inputs and ask
        for nothing: "look up the lakes of Africa, | four results do". The clause before such words comes first.
        """
        found = [(clause.start, clause.end) for clause in clauses]
        for n, clause in enumerate(clauses):
            if clause.tool not in self.graph.tools:
                continue
            said = marks.of_any(self.graph.tools[clause.tool]) > _VALUE
            start, end = found[n]
            before = found[n - 1][1] if n else 0
            after = found[n + 1][0] if n + 1 < len(found) else len(said)
            first = next((place for place in range(before, start) if said[place]), start)
            last = next((place for place in range(after - 1, end - 1, -1) if said[place]), end - 1)
            found[n] = first, last + 1
        return found

    def _asks(
        self,
        clauses: Sequence[ToolClause],
        seen: Seen,
        said: Sequence[tuple[str, str, float]],
        files: Mapping[int, Mapping[str, float]],
    ) -> dict[str, float]:
        tools = [self.graph.tools[id] for clause in clauses for id in _with_finder(clause) if id in self.graph.tools]
        request, values = seen.request, {(tool, port) for tool, port, _ in said}
        taken, outside = files[min(files)] if files else {}, seen.outside if self.judge.is_trained else 0.0
        about = missing_input.Said(request.text, request.resources, len(seen.states), values, bool(request.history),
                                   taken, outside)  # fmt: skip
        spoken = seen.once("spoken of", lambda: missing_input.spoken_of(request.text, request.resources))
        shares = tagger().asks(seen.states, missing_input.facts(tools, about, tagger().habits, spoken))
        return {kind: float(share) for kind, share in zip(missing_input.KINDS, shares, strict=True)}

    def _evidence(self, seen: Seen, first: int, end: int) -> NDArray[np.float32]:
        """What these words say for each tool."""
        import numpy as np

        request = seen.request
        words = request.text[seen.words[first].start : seen.words[end - 1].end]
        tags = seen.tags[_others(first, end, seen.quoted), : len(self._tools)]
        found = self.judge.weighed(np.asarray(tags.mean(axis=0)), bare(words, request.resources))
        if self._workers and len(tags) and math.exp(float(tags[:, self._workers].max())) > _PROBABLY:
            found[self._finders] += np.float32(_NEVER)  # "Remove the object I point at" asks for more than the part
        if _HOW_MANY.search(words):
            found += np.float32(self.weights.uncounted) * self._uncounted
        return found

    def _said(
        self, clauses: Sequence[ToolClause], stretches: Sequence[tuple[int, int]], marks: ValueMarks
    ) -> Iterator[tuple[str, str, float]]:
        for clause, (first, end) in zip(clauses, stretches, strict=True):
            if clause.tool in self.graph.tools:
                yield from said_values(self.graph.tools[clause.tool], marks, first, end)

    def _files(
        self,
        clauses: Sequence[ToolClause],
        stretches: Sequence[tuple[int, int]],
        seen: Seen,
        links: Mapping[tuple[int, int], float],
    ) -> tuple[dict[int, dict[str, float]], dict[int, dict[str, float]], dict[int, dict[str, float]]]:
        """What is said of the clauses' files, where there are several of a type: whether they are meant, by the tagger
        alone and by trees that see all pairs beside the tagger's `links`; and whether for the second of two inputs.
        """
        import numpy as np

        request = seen.request
        files = request.resources[:FILES]
        types = Counter(file.type for file in files)
        served = [n for n, clause in enumerate(clauses) if clause.tool in self.graph.tools]
        said = said_of(request.text, [(clauses[n].start, clauses[n].end) for n in served])
        wanted = [
            (place, number, file, tool)
            for place, number in enumerate(served)
            for file, given in enumerate(files)
            if types[given.type] > 1 and (tool := self._taker(self.graph.tools[clauses[number].tool], given))
        ]
        if not wanted:
            return {}, {}, {}
        told = [
            file_facts(place, len(served), tool, file, files, said[place], bool(request.history),
                       seen.likeness.of(file, said[place]))
            for place, number, file, tool in wanted
        ]  # fmt: skip
        pairs = [(number, file) for _, number, file, _ in wanted]
        shares = tagger().takes(seen.states, seen.named, stretches, pairs, told)
        places = {number: place for place, number in enumerate(served)}
        own = {(place, file): float(row[0]) for (place, _, file, _), row in zip(wanted, shares, strict=True)}
        joined = {(places[a], places[b]): share for (a, b), share in links.items()}
        rows = files_among(own, dict(zip(own, told, strict=True)), joined, len(served), len(files))
        again = stored_trees("files.").probabilities(np.array(rows, np.float32))
        columns = ([float(share) for share in shares[:, 0]], again, [float(share) for share in shares[:, 1]])
        first, second, sides = ({n: dict[str, float]() for n, _ in pairs} for _ in columns)
        for found, column in zip((first, second, sides), columns, strict=True):
            for (number, file), share in zip(pairs, column, strict=True):
                found[number][files[file].name] = share
        return first, second, sides

    def _taker(self, tool: ToolSpec, given: Given) -> ToolSpec | None:
        """The tool that takes the file for this one: itself, or what reads a document for it; None where none does."""
        if may_work_on(tool, given):
            return tool
        reads = any(port.type == "text" and port.required and not port.choices for port in tool.inputs)
        return self._readers.get(given.type) if reads else None

    def _links(
        self,
        clauses: Sequence[ToolClause],
        stretches: Sequence[tuple[int, int]],
        states: NDArray[np.float32],
        request: Request,
    ) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
        """By pair of clauses how probable it is that the second takes what the first makes: as the tagger says, and as
        trees do that see all pairs.
        """
        import numpy as np

        types = [given.type for given in request.resources]
        tools = [self.graph.tools.get(clause.tool) for clause in clauses]
        served = [number for number, tool in enumerate(tools) if tool is not None]
        count = len(served)
        pairs, told = [], []
        for one, giver in enumerate(tools):
            for other, taker in enumerate(tools):
                if one != other and giver and taker and may_take(giver, taker, self.graph):
                    pairs.append((one, other))
                    told.append(facts(one, other, giver, taker, types, count))
        if not pairs:
            return {}, {}
        shares = [float(share) for share in tagger().links(states, stretches, pairs, told)]
        own = {(served.index(a), served.index(b)): share for (a, b), share in zip(pairs, shares, strict=True)}
        rows = among(own, dict(zip(own, told, strict=True)), count)
        again = stored_trees("links.").probabilities(np.array(rows, np.float32))
        return dict(zip(pairs, shares, strict=True)), dict(zip(pairs, again, strict=True))

    def _parted(self, cut: Sequence[tuple[int, int, int]], seen: Seen) -> set[int]:
        """ "Turn a.jpg by 90 degrees and b.jpg by 180": where a further wish begins of a tool that takes one file: each
        of two files is named with a value of its own.
        """
        words, given = seen.words, {file.name: file for file in seen.request.resources}
        named = [
            n
            for n, word in enumerate(words)
            if seen.request.text[word.start : word.end] in given and (n == 0 or words[n - 1].start != word.start)
        ]
        joints, found = tables().joints["further"], set[int]()
        for start, end, tag in cut:
            own = [n for n in named if start <= n < end]
            tool = self._tools[tag] if tag < len(self._tools) and len(own) > 1 else None
            file = given[seen.request.text[words[own[0]].start : words[own[0]].end]] if own else None
            takers = [port for port in tool.inputs if fits(file.type, port.type)] if tool and file else []
            if tool is None or len(takers) != 1 or takers[0].many:
                continue
            begun = start
            for one, other in pairwise(own):
                places = [n + 1 for n in range(one, other) if words[n].text.lower() in joints]
                if places and seen.marks.are_valued(tool, begun, places[-1], end):
                    begun = places[-1]
                    found.add(begun)
        return found

    def _counted_again(self, cut: Sequence[tuple[int, int, int]], seen: Seen) -> set[int]:
        """ "How many cats and how many dogs": where a further wish begins to count what is found, in the words of the
        one before.
        """
        joints, found = tables().joints["further"], set[int]()
        words = [word.text.lower().strip(SIGNS) for word in seen.words]
        for tag, pieces in groupby(cut, lambda piece: piece[2]):
            tool = self._tools[tag] if tag < len(self._tools) else None
            if tool is None or not _are_answers(tool) or not any(port.type in REGIONS for port in main_inputs(tool)):
                continue
            own = [*pieces]
            start, end = own[0][0], own[-1][1]
            begins = [n + 1 for n in range(start + 1, end - 2) if words[n] in joints or not words[n]]
            found |= {n for n in begins if words[n : n + 2] in [words[m : m + 2] for m in range(start, n - 2)]}
        return found

    def _joined(
        self, pieces: Sequence[tuple[int, int, int]], apart: Callable[[ToolSpec, int, int, int], bool]
    ) -> list[tuple[int, int, int]]:
        """Neighbours with the same tool are one wish, unless they are `apart` (told where each begins, and the end); so
        is what finds a part of a picture beside what works on it: "every face in this | in big blocks".
        """
        found: list[tuple[int, int, int]] = []
        for piece in pieces:
            found.append(piece)
            while len(found) > 1:
                (start, middle, one), (_, end, other) = found[-2:]
                if one == other and one < len(self._tools) and apart(self._tools[one], start, middle, end):
                    break
                if one == other or (one in self._finders and other in self._workers):
                    found[-2:] = [(start, end, other)]
                elif other in self._finders and one in self._workers:
                    found[-2:] = [(start, end, one)]
                else:
                    break
        return found

    def _given(self, request: Request) -> frozenset[str]:
        types = {given.type for given in request.resources}
        kinds = {token.kind for token in tokens_of(request.text)}
        return frozenset(types | ({"url"} if "url" in kinds else set()))

    def _likely(self, evidence: NDArray[np.float32], there: frozenset[str]) -> list[tuple[float, int]]:
        """The likeliest tools for a clause, with the logarithms of their probabilities."""
        import numpy as np

        worth = evidence + self._cost(there)
        worth -= _log_sum(worth)
        top = np.argpartition(-worth, min(8, len(worth) - 1))[:8]
        return sorted(zip(worth[top].tolist(), top.tolist(), strict=True), reverse=True)

    def _cost(self, there: frozenset[str]) -> NDArray[np.float32]:
        """What the types that are there say against each tool (0 or less)."""
        import numpy as np

        if there not in self._costs:
            reach = self.graph.reachable(there)
            self._costs[there] = np.array([self._against(i, there, reach) for i in range(len(self._tools))], np.float32)
        return self._costs[there]

    def _against(self, tool: int, there: frozenset[str], reach: Mapping[str, int]) -> float:
        if not there:
            return 0.0
        far = max((_distance(type, reach, there) for type in self._needs[tool] if type not in INLINE), default=0)
        steps = (0.0, self.weights.near, self.weights.far)
        total = steps[far] if far < len(steps) else self.weights.out_of_reach
        useful = any(fits(have, own) for have in there for own in self._takes[tool] if have not in SETTINGS)
        if not useful:
            near = any(_distance(own, reach, there) == 1 and own not in INLINE - {"text"} for own in self._needs[tool])
            total += self.weights.aside * (0.5 if near and far <= 1 else 1.0)
        return total


def said_values(tool: ToolSpec, marks: ValueMarks, first: int, end: int) -> Iterator[tuple[str, str, float]]:
    """The tool with each input whose value is probably among the words from `first` to before `end`, and how probably
    (0..1).
    """
    for port in tool.inputs:
        if (port.type in INLINE or port.choices) and marks.knows(port.name):
            share = float(marks.shares(tool, port.name)[first:end].max())
            if share > _PROBABLY:
                yield tool.id, port.name, share


def _are_answers(tool: ToolSpec) -> bool:
    """True for a tool that only tells something: in words, or as a number."""
    return all(port.type in ("text", "number") for port in tool.outputs)


def _asks_twice(words: Sequence[TaggedWord], text: str, start: int, middle: int, end: int) -> bool:
    """True where both neighbouring stretches of words hold the end of a question: "How many are there? And where?"."""
    ends = [n for n in range(start, end) if text[words[n].start : words[n].end + 1].rstrip().endswith(("?", "？"))]
    return any(n < middle for n in ends) and ends[-1] == end - 1 and end - middle > 1


def _split(cut: Sequence[tuple[int, int, int]], places: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """The pieces, cut at these places as well."""
    for start, end, tag in cut:
        edges = [start, *sorted(place for place in places if start < place < end), end]
        yield from ((first, last, tag) for first, last in pairwise(edges))


def _quoted(words: Sequence[TaggedWord], text: str) -> list[int]:
    """The words of long quotes: what stands there asks for nothing, and no wish begins in it."""
    quotes = [token for token in with_contents(text) if token.kind == "quote"]
    inside = [[n for n, word in enumerate(words) if q.start < word.end and word.start < q.end] for q in quotes]
    return [n for own in inside if len(own) >= _LONG_QUOTE for n in own]


def _others(first: int, end: int, quoted: Collection[int]) -> list[int]:
    """The places from `first` to before `end` that are not quoted; all where there is no other."""
    return [n for n in range(first, end) if n not in quoted] or [*range(first, end)]


def _is_whole(words: Sequence[str], names: Collection[str], clicked: bool) -> bool:
    """True where a file, or the picture, is named and hardly more than what is to be done with it; of what is
    `clicked`, where nothing is said of pointing either.
    """
    small, words = tables().small, [word.strip(SIGNS) for word in words]
    stems = {name.casefold().rpartition(".")[0] for name in names} | {name.casefold() for name in names}
    named = [word for word in words if word in stems or word in small["whole picture"]]
    left = [word for word in words if word not in named and word not in small["leading to it"]]
    return bool(named) and (len(left) <= (_BARE if clicked else 1) or (clicked and not says(words, "pointed at")))


def _with_finder(clause: ToolClause) -> tuple[str, ...]:
    finder, share = clause.finder[0].removesuffix(REST), clause.finder[1]
    return (finder, clause.tool) if finder != clause.tool and share > _PROBABLY else (clause.tool,)


def _distance(type: str, reach: Mapping[str, int], there: Collection[str]) -> int:
    """Of how many tools a way to the type has need; nobody has a document or a film made only to take it apart, nor a
    picture drawn of a sound to cut it out.
    """
    far = reach.get(type, 9)
    drawn = type == "image" and "video" not in there
    return 9 if far and (type in _BROUGHT or drawn) else far


def _log_sum(values: NDArray[np.float32]) -> float:
    import numpy as np

    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))
