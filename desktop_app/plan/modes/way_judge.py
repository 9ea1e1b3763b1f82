"""How probable it is that another way to do a request is what was meant: by what it is read out of, and as a plan.

Weights of a logistic regression on 853 requests that are held back from training. There a way counted as right only
where it is another plan than a right first one: not the same steps on other files or with a question more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

WEIGHTS: Mapping[str, tuple[float, float]] = {
    "by words": (-1.13, 0.0), "by meaning": (-1.13, 0.0), "another tool": (0.69, 0.04), "more wishes": (-0.43, 0.04),
    "fewer wishes": (0.19, 0.07), "other wishes": (0.03, 0.49), "another part": (0.0, 0.0), "a part": (0.52, 0.68),
    "the whole": (-0.33, 0.79), "taken": (-0.11, 0.34), "not taken": (0.21, 0.34), "taken instead": (0.34, 0.57),
    "a file more": (-1.14, 0.36), "a file less": (0.33, 0.36), "another file": (0.42, 0.74), "one file": (-1.0, 0.0),
    "asked: file": (0.35, 0.36), "asked: text": (0.03, 0.60), "asked: point": (0.3, 0.3), "asked: nothing": (0.0, 0.3),
}  # fmt: skip
"""By kind of reading: its own weight, and that of how much less probable it is."""
FIRST, JUDGED, BIAS = -0.24, 0.71, -1.58

SHOWN = 0.055
"""A less probable way is not shown."""


def worth(kind: str, odds: float) -> float:
    """Tells which readings to plan first: `odds` is how much less probable they are (a logarithm)."""
    own, slope = WEIGHTS.get(kind, (-9.0, 0.0))
    return own + slope * odds


def probability_of(kind: str, odds: float, first: float, judged: float) -> float:
    """0..1. `first` is the probability of the first plan, `judged` that of this one as a plan by the networks."""
    total = worth(kind, odds) + FIRST * _odds(first) + JUDGED * _odds(judged) + BIAS
    return 1.0 / (1.0 + math.exp(-total))


def _odds(share: float) -> float:
    share = min(max(share, 0.001), 0.999)
    return math.log(share / (1.0 - share))
