"""How probable each plan for a request is beside the others: boosted trees on what is known of it.

Gradient boosting (Friedman 2001). They read the facts of the plan and of the request's words, what the verifier's
networks say of this plan, and what they say of the rest. Trained by `python -m tests.training.train_verifier`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NONE = -9.0
"""For what the networks say of the likeliest other plan, where there is none."""


def tree_facts(
    words: NDArray[np.floating[Any]], plan: Sequence[float], logit: float, rivals: Sequence[float]
) -> NDArray[np.float32]:
    """One plan as the trees see it: `words` are the facts of the request's words beside it, `plan` those of the plan,
    `logit` what the networks say of it and `rivals` what they say of the other plans.
    """
    import numpy as np

    words = words.astype(np.float32)
    best = max(rivals, default=_NONE)
    pooled = (words.mean(0), words.max(0), words.min(0), np.sort(words, axis=0)[:2].mean(0))
    among = (best, logit - best, sum(one > logit for one in rivals), len(rivals), _log_sum(rivals))
    return np.concatenate([plan, *pooled, (len(words), logit, *among)]).astype(np.float32)


def _log_sum(logits: Sequence[float]) -> float:
    return math.log(sum(map(math.exp, logits)) + 1e-6) if logits else _NONE


class PlanTrees:
    """Holds the trees, one a row: for each split the place of a fact, its bound, and where to go on (a split, or from
    -1 down a leaf) if it is not above, or above. Immutable after construction; any thread.
    """

    def __init__(self, held: Mapping[str, NDArray[Any]]) -> None:
        import numpy as np

        self._fact, self._bound = held["tree.fact"].astype(np.intp), held["tree.bound"]
        self._ways = held["tree.ways"].astype(np.intp)
        self._leaf = held["tree.leaf"].astype(np.float32)

    def probabilities(self, rows: NDArray[np.float32]) -> list[float]:
        """0..1 for each row of facts."""
        import numpy as np

        trees = np.arange(len(self._fact))
        at = np.zeros((len(rows), len(trees)), np.intp)
        while (inner := at >= 0).any():
            here = np.maximum(at, 0)
            above = np.take_along_axis(rows, self._fact[trees, here], axis=1) > self._bound[trees, here]
            at = np.where(inner, self._ways[trees, here, above.astype(np.intp)], at)
        total = self._leaf[trees, -1 - at].sum(axis=1)
        return (1 / (1 + np.exp(-np.clip(total, -30, 30)))).tolist()
