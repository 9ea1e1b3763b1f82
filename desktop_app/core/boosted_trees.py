"""Boosted trees as the planner reads them out of its files of weights; lightgbm grows them, in training only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREES = "tree."
"""Before the names of the matrices of trees in a file of weights."""


class BoostedTrees:
    """Holds the trees, one a row: for each split the place of a fact, its bound, and where to go on (a split, or from
    -1 down a leaf) if it is not above, or above. Immutable after construction; any thread.
    """

    def __init__(self, held: Mapping[str, NDArray[Any]], of: str = "") -> None:
        """`of` is what stands before TREES in the names, where a file holds several."""
        import numpy as np

        self._fact, self._bound, ways, leaf = (held[f"{of}{TREES}{part}"] for part in ("fact", "bound", "ways", "leaf"))
        self._fact, self._ways = self._fact.astype(np.intp), ways.astype(np.intp)
        self._leaf = leaf.astype(np.float32)

    def probabilities(self, rows: NDArray[np.float32]) -> list[float]:
        """0..1 for each row of facts."""
        import numpy as np

        trees, places = np.arange(len(self._fact)), np.arange(len(rows))[:, None]
        at = np.zeros((len(rows), len(trees)), np.intp)
        while (inner := at >= 0).any():
            here = np.maximum(at, 0)
            above = rows[places, self._fact[trees, here]] > self._bound[trees, here]
            at = np.where(inner, self._ways[trees, here, above.astype(np.intp)], at)
        total = self._leaf[trees, -1 - at].sum(axis=1)
        return (1 / (1 + np.exp(-np.clip(total, -30, 30)))).tolist()
