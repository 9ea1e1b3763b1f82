"""How probable it is that another way to do a request is what was meant: by what it is read out of, and as a plan.

Weights of a logistic regression on 853 requests that are held back from training.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

WEIGHTS: Mapping[str, tuple[float, float]] = {
    "by words": (-1.55, 0.0), "by meaning": (-1.55, 0.0), "another tool": (0.25, 0.15), "more wishes": (-0.66, 0.18),
    "fewer wishes": (0.28, 0.31), "other wishes": (0.19, 0.61), "another part": (-0.57, -0.14), "a part": (-0.13, 0.70),
    "the whole": (-0.42, 0.99), "taken": (-0.55, 0.55), "not taken": (-0.44, 0.36), "taken instead": (0.23, 0.73),
    "a file more": (-0.09, 0.41), "a file less": (0.47, 0.16), "another file": (0.33, 0.09), "one file": (0.70, 0.55),
    "asked: file": (0.60, 0.0), "asked: text": (0.0, 0.0), "asked: point": (0.3, 0.0), "asked: nothing": (0.0, 0.0),
}  # fmt: skip
"""By kind of reading: its own weight, and that of how much less probable it is."""
FIRST, JUDGED, BIAS = 0.21, 0.43, -0.58

SHOWN = 0.12
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
