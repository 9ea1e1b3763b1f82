"""Which words of a request are the value of which input of a tool, as the tagger marks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.plan.language.clauses import Word
from desktop_app.plan.types import ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIGNS = " \t\n,;:.…!?，。；：！？、\"'“”„«»‘’《》「」『』()（）"


@dataclass(frozen=True)
class Stretch:
    """Offsets in the request, and how probable it is (0..1) that it is the value."""

    start: int
    end: int
    share: float


@dataclass(frozen=True, eq=False)
class ValueMarks:
    """`logs` (words, 1 + ports) are logarithms of probabilities that a word is no value, or one for an input of each of
    the names `ports`.
    """

    words: Sequence[Word]
    logs: NDArray[np.float32]
    ports: Sequence[str]

    def knows(self, port: str) -> bool:
        """True for a name of an input of which examples were marked."""
        return port in self.ports

    def shares(self, tool: ToolSpec, port: str) -> NDArray[np.float32]:
        """(words,): how probable it is that each is the value of this input, where the words are for the tool."""
        import numpy as np

        own = [self.ports.index(p.name) + 1 for p in tool.inputs if p.name in self.ports]
        chances = np.exp(self.logs[:, [0, *own]])
        mine = np.exp(self.logs[:, self.ports.index(port) + 1])
        return np.asarray(mine / np.maximum(chances.sum(axis=1), 1e-9), np.float32)

    def share_at(self, tool: ToolSpec, port: str, start: int, end: int) -> float:
        """The same for the words that touch these offsets: the highest."""
        shares = self.shares(tool, port)
        return max(
            (float(s) for s, w in zip(shares, self.words, strict=True) if w.start < end and start < w.end), default=0.0
        )

    def stretch(
        self, tool: ToolSpec, port: str, covers: Callable[[int, int], bool], spans: Sequence[tuple[int, int]] = ()
    ) -> Stretch | None:
        """The words in a row that are likeliest the value of the input; `covers` tells which offsets are the tool's,
        `spans` are taken. None where it is likelier that there is none.
        """
        import numpy as np

        if not self.knows(port):
            return None
        shares = np.clip(self.shares(tool, port), 1e-4, 1 - 1e-4)
        worth = np.log(shares / (1 - shares))
        best, first, last, run, begun = 0.0, -1, -1, 0.0, 0
        for place, word in enumerate(self.words):
            taken = any(word.start < end and start < word.end for start, end in spans)
            if taken or not covers(word.start, min(word.end, word.start + 1)):
                run, begun = 0.0, place + 1
                continue
            if run <= 0:
                run, begun = 0.0, place
            run += float(worth[place])
            if run > best:
                best, first, last = run, begun, place
        if first < 0:
            return None
        return Stretch(self.words[first].start, self.words[last].end, float(shares[first : last + 1].mean()))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the signs at both ends."""
    while start < end and text[start] in _SIGNS:
        start += 1
    while end > start and text[end - 1] in _SIGNS:
        end -= 1
    return start, end
