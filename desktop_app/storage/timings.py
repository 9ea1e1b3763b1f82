"""How long a tool takes for an input of so much, by its latest calls. Must not know tools, nor how calls are kept."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

_APART = 1.5  # chosen: of sizes closer than that, what calls took differs by chance
_START_SECONDS, _START_SHARE = 1.0, 0.8
"""Of calls on one size so much at most is taken for imports and opening files, which do not grow: blur, sharpen and
denoise took 10, 12 and 5 times as long for a picture of 100 times the size."""


@dataclass(frozen=True)
class Timing:
    """A call of a tool: `size` of its input and of what it `made`, as `size_of` counts, 0 where that is not known."""

    seconds: float
    size: float = 0.0
    made: float = 0.0


@dataclass(frozen=True)
class Growth:
    """What a tool takes: `fixed` seconds and `slope` for each unit of size; `usual` where the size is not known."""

    usual: float
    fixed: float
    slope: float
    made: float
    """What it makes of one unit of its input; 0 where that is not known."""

    def seconds(self, size: float) -> float:
        return self.fixed + self.slope * size if size > 0 else self.usual


def size_of(facets: Mapping[str, Any]) -> float:
    """How much there is of a value: pixels (of all pictures of a film), samples, characters, cells; 0 if unknown."""
    get = facets.get
    length = float(get("seconds", 0) or 0)
    if "width" in facets:
        pictures = length * float(get("fps", 0) or 0) if "fps" in facets else float(get("frames", 1) or 1)
        return float(get("width", 0) * get("height", 0)) * pictures
    if "rate" in facets:
        return length * float(get("rate", 0) or 0) * get("channels", 1)
    if "rows" in facets:
        return float(get("rows", 0) * max(1, get("columns", 1)))
    return float(get("characters", 0) or get("bytes", 0) or 0)


def growth_of(timings: Sequence[Timing], grows: bool = True) -> Growth:
    """The line through calls, at least one, that outliers do not bend: slope and fixed part are never below 0, so more
    never takes less. Where all sizes are alike, the time is taken to grow with the size, or not, as `grows` says.
    """
    usual = statistics.median(timing.seconds for timing in timings)
    sized = [timing for timing in timings if timing.size > 0]
    ratios = [timing.made / timing.size for timing in sized if timing.made > 0]
    made = statistics.median(ratios) if ratios else 0.0
    slopes = list(_slopes(sized))
    if slopes:  # Theil and Sen: the median of the slopes of all pairs
        slope = max(0.0, statistics.median(slopes))
        fixed = statistics.median(timing.seconds - slope * timing.size for timing in sized)
        if fixed < 0:
            fixed, slope = 0.0, statistics.median(timing.seconds / timing.size for timing in sized)
        return Growth(usual, fixed, slope, made)
    if not sized or not grows:
        return Growth(usual, usual, 0.0, made)
    there = statistics.median(timing.seconds for timing in sized)
    fixed = min(_START_SECONDS, _START_SHARE * min(timing.seconds for timing in sized))
    return Growth(usual, fixed, (there - fixed) / statistics.median(timing.size for timing in sized), made)


def _slopes(sized: Iterable[Timing]) -> Iterable[float]:
    for one, other in combinations(sorted(sized, key=lambda timing: timing.size), 2):
        if other.size >= _APART * one.size:
            yield (other.seconds - one.seconds) / (other.size - one.size)
