"""Where a sound or a film is cut into several parts. Must not know tools, nor how either is read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nodes.api import NodeError, Phrase, RunContext

if TYPE_CHECKING:
    import numpy as np

MOST = 1000
"""Parts: more are hardly meant, and each is a file."""
_SHORTEST = 0.1
"""In seconds: a rest that is shorter stays with the part before. Files are a few hundredths longer than they say."""
_LEAST = 0.01
"""Seconds of an equal part."""


def cuts(whole: float, every: float | None, parts: int | None) -> list[float]:
    """The times, in seconds, at which what lasts `whole` is cut into `parts` equal ones, or `every` so many; none where
    neither is given.

    Raises NodeError naming `every` or `parts`: where both are given, nothing would be cut, or there are too many.
    """
    if every is not None and parts is not None:
        raise NodeError("Both a length and a number of parts are given.", "every", "Give only one of them.")
    if parts is not None:
        if whole / parts < _LEAST:
            raise NodeError(_short(whole), "parts", "Choose fewer parts.")
        return [whole * number / parts for number in range(1, parts)]
    if every is None:
        return []
    shortest = min(_SHORTEST, every / 2)
    if whole < every + shortest:
        raise NodeError(_short(whole), "every", "Choose a shorter length of a part.")
    if whole > every * MOST:
        said = Phrase("There would be more than {most} parts.", most=MOST)
        raise NodeError(said, "every", "Choose a longer length of a part.")
    found = [every * number for number in range(1, int(whole / every) + 1)]
    return [at for at in found if at <= whole - shortest]


def _short(whole: float) -> Phrase:
    return Phrase("What is to be split lasts only {seconds} s.", seconds=f"{whole:.2f}")


def nearest(at: float, times: Sequence[float]) -> float:
    """The one of some rising times that is nearest to `at`; `at` itself where there are none, and after the last."""
    place = bisect_left(times, at)
    if place == len(times):
        return at
    before = times[max(place - 1, 0)]
    return before if at - before < times[place] - at else times[place]


class Share(RunContext):
    """The context of a step of a tool: its progress is that of the whole from `begin` to `end` (0..1)."""

    def __init__(self, whole: RunContext, begin: float, end: float) -> None:
        super().__init__(whole.folder)
        self.device, self.model = whole.device, whole.model
        self._whole, self._begin, self._end = whole, begin, end

    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        self._whole.progress(self._begin + (self._end - self._begin) * fraction, note, preview)

    def check(self) -> None:
        self._whole.check()

    def new_file(self, suffix: str) -> Path:
        return self._whole.new_file(suffix)
