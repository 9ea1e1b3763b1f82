"""Which words of a request are the value of which input of a tool, as the tagger marks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from desktop_app.core.boosted_trees import stored_trees
from desktop_app.plan.arguments.text_marks import LEAST, TREES, facts, log_odds
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.clauses import TaggedWord
from desktop_app.plan.language.tagger import tagger
from desktop_app.plan.types import PortSpec, ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SAID = 0.5
"""Words that are less probably the value of an input say nothing of it."""

_BESIDE = 0.3
"""Words beside the value belong to it where that is more probable."""

_PICTURED = 0.1
"""The same where the value is what is to be pictured, which is said in one stretch."""

_FAINT, _TAKEN = 0.1, 0.75
"""Of a value that is surely said the likeliest word counts as so probable, where it is more than faintly so."""

_HINTED = 0.01
"""The same of what is to be pictured: where nothing is said of that ("make a picture"), each word is below .007."""

_SURER = 1.0
"""Where the tagger finds no text the log odds of one that the trees find come to more than that."""

_FIGURE = re.compile(r"\d+")
SIGNS = " \t\n,;:.…!?，。；：！？、\"'“”„«»‘’《》「」『』()（）"


@dataclass(frozen=True)
class MarkedStretch:
    """Offsets in the request, and how probable it is (0..1) that it is the value."""

    start: int
    end: int
    share: float


@dataclass(frozen=True, eq=False)
class ValueMarks:
    """`logs` (words, 1 + ports) are logarithms of probabilities that a word is no value, or one for an input of each of
    the names `ports`.
    """

    words: Sequence[TaggedWord]
    logs: NDArray[np.float32]
    ports: Sequence[str]
    states: NDArray[np.float32] | None = None
    """(words, n): what the tagger finds at each word."""
    filled: dict[Hashable, Any] = field(default_factory=dict)
    """What `fill` has read with these marks: other ways to do the request need the same again."""
    beside: frozenset[str] = frozenset()
    """Further inputs, of a tool that works together with the one that is asked about: their values are none of its."""
    sure: frozenset[str] = frozenset()
    """Inputs of which the words surely say the value, however improbable each word."""
    is_wish: bool = True
    """Trees look again at texts in wishes; they do not know replies, which have no verb before the text."""

    def among(self, ports: frozenset[str], sure: frozenset[str]) -> ValueMarks:
        """The same marks, where values of inputs of the names `ports` stand among the words, too."""
        known = self.filled.setdefault("among", {})
        if (ports, sure) not in known:
            known[ports, sure] = replace(self, filled={}, beside=ports, sure=sure)
        return known[ports, sure]

    @cached_property
    def columns(self) -> dict[str, int]:
        """By name of an input its column of `logs`."""
        return {name: place for place, name in enumerate(self.ports, 1)}

    @cached_property
    def chances(self) -> NDArray[np.float32]:
        """`logs` as probabilities (0..1)."""
        import numpy as np

        return np.exp(self.logs)

    def knows(self, port: str) -> bool:
        """True for a name of an input of which examples were marked."""
        return port in self.columns

    def _columns(self, tool: ToolSpec) -> list[int]:
        """The columns of `logs` that are for inputs of the tool, and for those beside it."""
        names = dict.fromkeys([*(port.name for port in tool.inputs), *sorted(self.beside)])
        return [self.columns[name] for name in names if name in self.columns]

    def _whole(self, tool: ToolSpec) -> NDArray[np.float32]:
        """(words,): the chances of no value and of all the tool's inputs; a plan asks some hundred times for a few."""
        import numpy as np

        known = self.filled.setdefault("whole", {})
        if tool.id not in known:
            chances = self.chances[:, [0, *self._columns(tool)]]
            known[tool.id] = np.maximum(chances.sum(axis=1), 1e-9)
        return known[tool.id]

    def shares(self, tool: ToolSpec, port: str) -> NDArray[np.float32]:
        """(words,): how probable it is that each is the value of this input, where the words are for the tool."""
        import numpy as np

        shares = np.asarray(self.chances[:, self.columns[port]] / self._whole(tool), np.float32)
        if port == "prompt" and _HINTED < shares.max() < _TAKEN:
            shares = shares * (_TAKEN / shares.max())
        return shares

    def of_any(self, tool: ToolSpec) -> NDArray[np.float32]:
        """(words,): how probable it is that each is the value of one of the tool's inputs, rather than of none."""
        import numpy as np

        return np.asarray(1 - self.chances[:, 0] / self._whole(tool), np.float32)

    def share_at(self, tool: ToolSpec, port: str, start: int, end: int) -> float:
        """The same for the words that touch these offsets: the highest."""
        shares = self.shares(tool, port)
        return max(
            (float(s) for s, w in zip(shares, self.words, strict=True) if w.start < end and start < w.end), default=0.0
        )

    def seen(self, tool: ToolSpec, port: str, first: int, end: int) -> tuple[NDArray[np.float32], float] | None:
        """What the tagger finds at the words of the input's value, of those from `first` to before `end`, and at all of
        these; and how probable it is that one of them is. None where nothing is known.
        """
        import numpy as np

        if self.states is None or not self.knows(port) or first >= end:
            return None
        shares = self.shares(tool, port)[first:end]
        own = self.states[first:end]
        weights = shares / max(float(shares.sum()), 1e-9)
        return np.concatenate([weights @ own, own.mean(axis=0)]).astype(np.float32), float(shares.max())

    def choice(self, tool: ToolSpec, port: PortSpec, covers: Callable[[int, int], bool]) -> tuple[str, float] | None:
        """The one of the input's choices that the words marked as its value mean, and how probable that is (0..1)."""
        own = [n for n, is_own in enumerate(self._covered(covers)) if is_own]
        seen = self.seen(tool, port.name, own[0], own[-1] + 1) if own else None
        if seen is None or seen[1] < _SAID:
            return None
        likely = self.shares(tool, port.name)
        said = {figure for n in own if likely[n] >= _SAID for figure in _FIGURE.findall(self.words[n].text)}
        choices = [choice for choice in port.choices if not said or said & {*_FIGURE.findall(choice)}]
        if not choices and any(map(_FIGURE.search, port.choices)):
            return None
        choices = choices or [*port.choices]
        shares = tagger().chosen(seen[0], port.name, choices)
        place = int(shares.argmax())
        return choices[place], float(shares[place])

    def speak_twice(self, tool: ToolSpec, start: int, middle: int, end: int) -> bool:
        """True where both neighbouring stretches of words hold a value for the same input: two uses of the tool."""
        first, second = self._valued(tool, start, middle), self._valued(tool, middle, end)
        return bool(first & second)

    def are_valued(self, tool: ToolSpec, start: int, middle: int, end: int) -> bool:
        """True where both neighbouring stretches of words hold a value for one of the tool's inputs."""
        return bool(self._valued(tool, start, middle) and self._valued(tool, middle, end))

    def _valued(self, tool: ToolSpec, start: int, end: int) -> set[int]:
        """The columns of those inputs of the tool for which one of these words is likeliest the value, "and" apart."""
        joints = tables().joints["further"]
        words = [n for n in range(start, end) if self.words[n].text.lower().strip(SIGNS) not in joints]
        return {*self.logs[words].argmax(axis=1).tolist()} & {*self._columns(tool)}

    def stretch(
        self, tool: ToolSpec, port: str, covers: Callable[[int, int], bool], spans: Sequence[tuple[int, int]] = ()
    ) -> MarkedStretch | None:
        """The words in a row that are likeliest the value of the input; `covers` tells which offsets are the tool's,
        `spans` are taken. None where it is likelier that there is none.
        """
        import numpy as np

        if not self.knows(port):
            return None
        shares = np.clip(self.shares(tool, port), 1e-4, 1 - 1e-4)
        if port in self.sure and _FAINT < shares.max() < _TAKEN:
            shares = shares * (_TAKEN / shares.max())
        worth, own = log_odds(shares), self._free(covers, spans)
        first, last = likeliest(worth, own)
        if first < 0:
            return None
        beside = _PICTURED if port == "prompt" else _BESIDE
        while first - 1 in own and shares[first - 1] > beside:
            first -= 1
        while last + 1 in own and shares[last + 1] > beside:
            last += 1
        return self._stretch(first, last, shares)

    def text(
        self, tool: ToolSpec, port: str, covers: Callable[[int, int], bool], spans: Sequence[tuple[int, int]] = ()
    ) -> MarkedStretch | None:
        """The same for an input that takes any text, by trees that look again at what the tagger says."""
        import numpy as np

        seen = self.stretch(tool, port, covers, spans)
        own = self._free(covers, spans) if self.knows(port) and self.is_wish else []
        shares = self.shares(tool, port) if own else np.zeros(0, np.float32)
        if not own or shares[own].max() < LEAST:
            return seen
        key = "text", tool.id, port, tuple(own)
        if key not in self.filled:
            words = [word.text for word in self.words]
            told = facts(words, own, shares, self.of_any(tool), self.chances[:, 0], self.columns[port])
            again = np.zeros(len(words), np.float32)
            again[own] = stored_trees(TREES).probabilities(told)
            self.filled[key] = again
        again = self.filled[key]
        if seen is not None and again.max() < _TAKEN:
            again = again * (_TAKEN / max(again.max(), LEAST))
        first, last = likeliest(log_odds(again), own, 0.0 if seen is not None else _SURER)
        return self._stretch(first, last, again) if first >= 0 else seen

    def _stretch(self, first: int, last: int, shares: NDArray[np.float32]) -> MarkedStretch | None:
        first, last = self._beside_names(first, last, log_odds(shares))
        if first > last:
            return None
        return MarkedStretch(self.words[first].start, self.words[last].end, float(shares[first : last + 1].mean()))

    def _free(self, covers: Callable[[int, int], bool], spans: Sequence[tuple[int, int]]) -> list[int]:
        """The places of the words that `covers` tells, but for those that are taken."""
        taken = [any(word.start < end and start < word.end for start, end in spans) for word in self.words]
        return [n for n, is_own in enumerate(self._covered(covers)) if is_own and not taken[n]]

    def _covered(self, covers: Callable[[int, int], bool]) -> list[bool]:
        """Of each word whether it is the tool's; a clause is asked for many values."""
        known = self.filled.setdefault("covered", {})
        if covers not in known:
            known[covers] = [covers(word.start, min(word.end, word.start + 1)) for word in self.words]
        return known[covers]

    def _beside_names(self, first: int, last: int, worth: NDArray[np.float32]) -> tuple[int, int]:
        """That part of the words which names no file, the likelier side: "the dog" of "the dog in park.jpg", nothing of
        "of story.txt".
        """
        starts = [word.start for word in self.words]
        named = [place for place in range(first, last + 1) if starts.count(starts[place]) > 1]  # read as "the photo"
        sides = [(first, named[0] - 1), (named[-1] + 1, last)] if named else []
        sides = [side for side in sides if side[0] <= side[1]]
        if not sides:
            return first, last
        first, last = max(sides, key=lambda side: float(worth[side[0] : side[1] + 1].sum()))
        while first <= last and last + 1 in named and self.words[last].text.lower() in tables().small["glue"]:
            last -= 1
        return first, last


def likeliest(worth: NDArray[np.float32], own: Sequence[int], least: float = 0.0) -> tuple[int, int]:
    """The first and the last of those words in a row whose log odds come to most; (-1, -1) where none come to more than
    `least`.
    """
    best, found, run, begun, before = least, (-1, -1), 0.0, 0, -1
    for place in own:
        if run <= 0 or place != before + 1:
            run, begun = 0.0, place
        run, before = run + float(worth[place]), place
        if run > best:
            best, found = run, (begun, place)
    return found


_KEPT = re.compile(r"\.?[!?…]+(?=\s+[^\W\d_])")
_INITIAL = re.compile(r"(?:^|\s)[^\W\d_]$")


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the signs at both ends; "Happy 80th!" keeps its own where the sentence goes on behind it in small
    letters, "Ann M." that of the initial.
    """
    while start < end and text[start] in SIGNS:
        start += 1
    last = end
    while last > start and text[last - 1] in SIGNS:
        last -= 1
    kept = _KEPT.match(text, last)
    if kept and kept.end() <= end and text[kept.end() :].lstrip()[0].islower():
        return start, kept.end()
    initial = _INITIAL.search(text[start:last])
    named = initial is not None and initial.start() > 0 and text[last - 1].isupper() and text[last : last + 1] == "."
    return start, last + (named and last < end)
