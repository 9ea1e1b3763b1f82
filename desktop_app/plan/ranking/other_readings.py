"""Other readings of a request: each differs in one thing from the likeliest, by what the networks found for that one.

Nothing is read a second time: the tagger's shares tell the next likely tool, cut, link, file, part or question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.language.tagger import REST, tagger
from desktop_app.plan.ranking.findings import asked_first
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading, ToolClause

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST = 0.02
"""What is less probable is no other reading."""
_UNASKED, _UNDOUBTED, _SURELY = 0.02, 0.15, 0.9
"""Nobody wants to be asked what is less probably to be asked, nor to be asked nothing where that is less probable, nor
to leave out a file that is so surely meant."""
_DROPPED = -2.0
"""A wish is left out where that is no less probable (a logarithm)."""
_HALF = 0.5
_YES, _NO = 0.97, 0.03
"""Shares of what is taken for true or false here."""
_FINDERS = 3
_FARTHEST = -6.0
"""So much less (a logarithm) may another cut be probable than the likeliest."""

_TOOL, _MORE, _FEWER, _OTHER = "another tool", "more wishes", "fewer wishes", "other wishes"
_ANEW = (_TOOL, _MORE, _FEWER, _OTHER)

_WORTH: Mapping[str, tuple[float, float]] = {
    "by meaning": (-1.13, 0.0), "another tool": (0.69, 0.04), "more wishes": (-0.43, 0.04),
    "fewer wishes": (0.19, 0.07), "other wishes": (0.03, 0.49), "another part": (0.0, 0.0), "a part": (0.52, 0.68),
    "the whole": (-0.33, 0.79), "taken": (-0.11, 0.34), "not taken": (0.21, 0.34), "taken instead": (0.34, 0.57),
    "a file more": (-1.14, 0.36), "a file less": (0.33, 0.36), "another file": (0.42, 0.74), "one file": (-1.0, 0.0),
    "asked: file": (0.35, 0.36), "asked: text": (0.03, 0.60), "asked: point": (0.3, 0.3), "asked: nothing": (0.0, 0.3),
}  # fmt: skip
"""By kind of reading how often it is what was meant (a logarithm), and what its odds count: a logistic regression on
853 requests held back from training."""

ASKING = ("asked: file", "asked: text", "asked: point")

Cut = list[tuple[int, int, int]]


@dataclass(frozen=True)
class OtherReading:
    """`kind` is what is read otherwise; `odds` (a logarithm) how much less probable that is than what was read first;
    `make` gives the reading.
    """

    kind: str
    odds: float
    make: Callable[[], Reading]

    @property
    def anew(self) -> bool:
        """True where other clauses or tools are read, of which nothing else is known yet."""
        return self.kind in _ANEW


def other_readings(reading: Reading, joint: JointSelector) -> Iterator[OtherReading]:
    """In no order. None for a reading that was not made out of what networks have `seen`."""
    if reading.seen is None:
        return
    yield from _of_tools(reading, joint)
    yield from _of_cuts(reading, joint)
    yield from _of_parts(reading)
    yield from _of_links(reading)
    yield from _of_files(reading)
    yield from _of_questions(reading)


def without_tools(reading: Reading) -> OtherReading:
    """That no tool does any of it."""
    clauses = tuple(replace(clause, tool="") for clause in reading.clauses)
    return OtherReading("not here", _log(reading.outside, 1.0), lambda: replace(reading, clauses=clauses))


def worth(kind: str, odds: float) -> float:
    """Tells which readings to plan first: `odds` is how much less probable they are (a logarithm)."""
    own, slope = _WORTH.get(kind, (-9.0, 0.0))
    return own + slope * odds


def _of_tools(reading: Reading, joint: JointSelector) -> Iterator[OtherReading]:
    for number, clause in enumerate(reading.clauses):
        for tool, share in (*clause.others, *clause.faint) if clause.tool else ():
            make = lambda n=number, id=tool: joint.with_tool(reading, n, id)  # noqa: E731
            yield OtherReading(_TOOL, _log(share, clause.probability), make)


def _of_cuts(reading: Reading, joint: JointSelector) -> Iterator[OtherReading]:
    assert reading.seen is not None
    seen, asked = reading.seen, sum(bool(clause.tool) for clause in reading.clauses)
    for odds, cut, place in other_cuts(seen.tags, seen.odds, seen.likely, joint.weights.cut, len(joint.graph.tools)):
        number = sum(tag < len(joint.graph.tools) for *_, tag in cut)
        kind = _MORE if number > asked else _FEWER if number < asked else _OTHER
        make = lambda c=cut, p=place: joint.recut(reading, c, p)  # noqa: E731
        if kind != _FEWER or odds > _DROPPED:
            yield OtherReading(kind, odds, make)


def _of_parts(reading: Reading) -> Iterator[OtherReading]:
    """Of another part of the picture, or of one at all."""
    assert reading.seen is not None
    for number, clause in enumerate(reading.clauses):
        if not clause.tool:
            continue
        shares = tagger().finders_of(reading.seen.states, *reading.stretches[number])
        own, whole = clause.finder[0], shares.pop("", 0.0)
        likely = sorted(shares, key=lambda name: -shares[name])[:_FINDERS]
        for name in likely:
            if name != own and shares[name] > _LEAST and name.removesuffix(REST) != clause.tool:
                yield _with(reading, number, "another part", _log(shares[name], shares.get(own, 0.0)), (name, 1.0))
        if clause.finder[1] < _YES:
            yield _with(reading, number, "a part", _log(clause.finder[1], 1.0), (own, 1.0))
        if clause.finder[1] > _HALF:
            yield _with(reading, number, "the whole", _log(whole, 1.0), (own, 0.0))


def _with(reading: Reading, number: int, kind: str, odds: float, finder: tuple[str, float]) -> OtherReading:
    def make() -> Reading:
        clauses: list[ToolClause] = list(reading.clauses)
        clauses[number] = replace(clauses[number], finder=finder)
        return replace(reading, clauses=tuple(clauses))

    return OtherReading(kind, odds, make)


def _of_links(reading: Reading) -> Iterator[OtherReading]:
    for pair, share in reading.links.items():
        is_taken = share > _HALF
        odds = _log(1 - share, share) if is_taken else _log(share, 1 - share)
        if odds < math.log(_LEAST):
            continue
        flipped = {pair: _NO if is_taken else _YES}
        yield _linked(reading, "not taken" if is_taken else "taken", odds, flipped)
        for other, own in reading.links.items():
            if not is_taken and other[1] == pair[1] and own > _HALF:
                yield _linked(reading, "taken instead", odds + _log(1 - own, own), {**flipped, other: _NO})


def _linked(reading: Reading, kind: str, odds: float, links: Mapping[tuple[int, int], float]) -> OtherReading:
    return OtherReading(kind, odds, lambda: replace(reading, links={**reading.links, **links}))


def _of_files(reading: Reading) -> Iterator[OtherReading]:
    for number, shares in reading.files.items():
        chosen = [name for name, share in shares.items() if share > _HALF]
        none = dict.fromkeys(shares, _NO)
        for name, share in shares.items():
            is_meant = share > _HALF
            odds = _log(1 - share, share) if is_meant else _log(share, 1 - share)
            if odds > math.log(_LEAST):
                kind = "a file less" if is_meant else "a file more"
                yield _on(reading, number, kind, odds, {**shares, name: _NO if is_meant else _YES})
                if chosen and not is_meant:
                    last = _log(1 - shares[chosen[0]], shares[chosen[0]])
                    yield _on(reading, number, "another file", odds + last, {**none, name: _YES})
            if is_meant and len(chosen) > 1 and min(shares[other] for other in chosen) < _SURELY:
                yield _on(reading, number, "one file", _log(share, 1.0), {**none, name: _YES})


def _on(reading: Reading, number: int, kind: str, odds: float, shares: Mapping[str, float]) -> OtherReading:
    return OtherReading(kind, odds, lambda: replace(reading, files={**reading.files, number: shares}))


def _of_questions(reading: Reading) -> Iterator[OtherReading]:
    """Which of several files is meant may always be asked where the words choose none by its name or place."""
    assert reading.seen is not None
    request = reading.seen.request
    asked, types = asked_first(reading), Counter(given.type for given in request.resources)
    several = max(types.values(), default=0) > 1 and not files_meant(request.text, request.resources)
    for kind, share in reading.asks.items():
        is_open = several if kind == "file" else share > (_UNASKED if kind else _UNDOUBTED)
        if kind not in (asked, "way") and is_open:
            make = lambda k=kind: replace(reading, asks={k: 1.0})  # noqa: E731
            yield OtherReading(f"asked: {kind or 'nothing'}", _log(share, reading.asks.get(asked, 0.0)), make)


def _log(share: float, other: float) -> float:
    return math.log(max(share, 1e-3) / max(other, 1e-3))


def other_cuts(
    tags: NDArray[np.float32], odds: NDArray[np.float32], allowed: Sequence[int], cut: float, tools: int
) -> list[tuple[float, Cut, int]]:
    """The likeliest cuts, as `segments` makes them, that hold a tool which the likeliest has not, or lack one that it
    has somewhere: the likeliest first, each with how much less probable it is (a logarithm) and a word that it reads
    otherwise. Tags from `tools` on stand for no tool.
    """
    lattice = _Lattice(tags[:, allowed], odds + cut, allowed)
    best = lattice.path(0, int(lattice.through[0].argmax()))
    has = {tag for *_, tag in best}
    found = []
    for column, tag in enumerate(allowed):
        if tag < tools and tag not in has:
            found.append((int(lattice.through[:, column].argmax()), column))
    for first, end, tag in best:
        if tag < tools:
            rest = lattice.through[first:end].copy()
            rest[:, allowed.index(tag)] = -math.inf
            word = int(rest.max(axis=1).argmin())
            found.append((first + word, int(rest[word].argmax())))
    top, known, kept = float(lattice.through.max()), {_asked(best, tools)}, []
    for word, column in sorted(found, key=lambda way: -lattice.through[way]):
        less = float(lattice.through[word, column]) - top
        if less < _FARTHEST:
            break
        other = lattice.path(word, column)
        if _asked(other, tools) not in known:
            known.add(_asked(other, tools))
            kept.append((less, other, word))
    return kept


def _asked(cut: Cut, tools: int) -> tuple[int, ...]:
    """The tools of a cut in order, neighbours with the same one as one."""
    found = [tag for *_, tag in cut if tag < tools]
    return tuple(tag for place, tag in enumerate(found) if place == 0 or found[place - 1] != tag)


class _Lattice:
    """Viterbi in both directions. `through` (words, tags): how probable the likeliest cut is (a logarithm) in which the
    word has the tag.
    """

    def __init__(self, own: NDArray[np.float32], odds: NDArray[np.float32], allowed: Sequence[int]) -> None:
        import numpy as np

        self._allowed = allowed
        begins, goes_on = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
        ahead, behind = own.copy(), np.zeros_like(own)
        ahead[0] += begins[0]
        self._came, self._goes = np.full(own.shape, -1), np.full(own.shape, -1)
        for word in range(1, len(own)):
            step, self._came[word] = _step(ahead[word - 1], goes_on[word], begins[word])
            ahead[word] += step
        for word in range(len(own) - 2, -1, -1):
            after = own[word + 1] + behind[word + 1]
            behind[word], self._goes[word] = _step(after, goes_on[word + 1], begins[word + 1])
        self.through = ahead + behind

    def path(self, word: int, column: int) -> Cut:
        """The likeliest cut in which the word has that tag."""
        count, at = len(self.through), column
        starts, columns = {0}, {word: column}
        for place in range(word, 0, -1):
            came = int(self._came[place][at])
            if came >= 0:
                starts.add(place)
                at = came
            columns[place - 1] = at
        at = column
        for place in range(word, count - 1):
            goes = int(self._goes[place][at])
            if goes >= 0:
                starts.add(place + 1)
                at = goes
            columns[place + 1] = at
        order = sorted(starts)
        return [(a, b, int(self._allowed[columns[a]])) for a, b in zip(order, [*order[1:], count], strict=True)]


def _step(
    values: NDArray[np.float32], stays: float, begins: float
) -> tuple[NDArray[np.float32], NDArray[np.int64] | int]:
    """The best of going on with each tag and of beginning anew beside the best of all; with that one's place where it
    is better, else -1.
    """
    import numpy as np

    other = int(values.argmax())
    stay, fresh = values + stays, values[other] + begins
    return np.maximum(stay, fresh), np.where(stay >= fresh, -1, other)
