"""The piece of time that a timeline shows, and how zooming and moving change it. Must not know pixels nor widgets."""

from __future__ import annotations

import math
from dataclasses import dataclass

LEAST_SECONDS = 0.01
"""Less than so much is never shown: nothing that runs is told apart more finely."""
_LEAST_PART = 0.02
"""A bar cannot be drawn narrower than such a part of what is shown."""


@dataclass(frozen=True)
class Span:
    """From `start` to `end`, in seconds since the run started."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.end - self.start

    def at(self, fraction: float) -> float:
        """The time at a fraction of it, 0 its start and 1 its end."""
        return self.start + fraction * self.seconds

    def zoomed(self, by: float, at: float, whole: Span) -> Span | None:
        """`by` times as close (less than 1: farther), the time `at` staying where it is. None for all of `whole`."""
        before = (at - self.start) / self.seconds
        seconds = max(LEAST_SECONDS, self.seconds / by)
        return Span(at - before * seconds, at + (1 - before) * seconds).within(whole)

    def moved(self, by: float, whole: Span) -> Span | None:
        """So many seconds later, or earlier, as far as `whole` goes."""
        by = min(max(by, whole.start - self.start), max(0.0, whole.end - self.end))
        return Span(self.start + by, self.end + by).within(whole)

    def stretched(self, grip: float, hold: float, to: float, whole: Span) -> Span | None:
        """The time `grip` is drawn to the place of the time `to`, while the time `hold` keeps its place.

        None for all of `whole`. Drawn over the place of `hold`, it is as close to it as it can be.
        """
        if math.isclose(grip, hold):
            return self.within(whole)
        least = min(1.0, _LEAST_PART * self.seconds / abs(grip - hold))
        return self.zoomed(max((to - hold) / (grip - hold), least), hold, whole)

    def within(self, whole: Span) -> Span | None:
        """As much of it as lies in `whole`: moved into it rather than cut. None for all of it."""
        seconds = max(LEAST_SECONDS, self.seconds)
        if seconds >= whole.seconds * 0.999:
            return None
        start = min(max(self.start, whole.start), whole.end - seconds)
        return Span(start, start + seconds)


def between(one: float, other: float, whole: Span) -> Span | None:
    """From one time to the other, in whichever order; at least LEAST_SECONDS."""
    start, end = sorted((one, other))
    more = max(0.0, LEAST_SECONDS - (end - start)) / 2
    return Span(start - more, end + more).within(whole)
