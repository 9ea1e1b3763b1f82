"""Boosted trees as the planner reads them out of its files of weights; lightgbm grows them, in training only."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREES = "tree."
"""Before the names of the matrices of trees in a file of weights."""


STORED = RESOURCES / "planner" / "pairs.npz"
"""Trees that look again at what the tagger says; `python -m tests.training.pairs` trains them on requests that it never
saw.
"""


class BoostedTrees:
    """Holds the trees, one a row: for each split the place of a fact, its bound, and where to go on (a split, or from
    -1 down a leaf) if it is not above, or above. Immutable after construction; any thread.

    All splits are looked at at once, each of which rules out the leaves on its other side: one leaf of a tree is left
    (QuickScorer, Lucchese et al. 2015).
    """

    def __init__(self, held: Mapping[str, NDArray[Any]], of: str = "") -> None:
        """`of` is what stands before TREES in the names, where a file holds several."""
        import numpy as np

        fact, self._bound, ways, leaf = (held[f"{of}{TREES}{part}"] for part in ("fact", "bound", "ways", "leaf"))
        self._fact, self._leaf, self._trees = fact.astype(np.intp), leaf.astype(np.float32), np.arange(len(fact))
        left, right = np.moveaxis(_leaves_below(ways.astype(np.intp)), -1, 0)
        self._kept = ~(right & ~left), ~(left & ~right)
        """The leaves, as bits, that each split leaves if it is not above, or above."""
        for kept in self._kept:
            kept[:, 0] &= (left | right)[:, 0]  # no others are in the tree

    def probabilities(self, rows: NDArray[np.float32]) -> list[float]:
        """0..1 for each row of facts."""
        import numpy as np

        left = np.where(rows[:, self._fact] > self._bound, self._kept[1], self._kept[0])
        leaves = np.frexp(np.bitwise_and.reduce(left, axis=2))[1] - 1
        total = self._leaf[self._trees, leaves].sum(axis=1)
        return (1 / (1 + np.exp(-np.clip(total, -30, 30)))).tolist()


@cache
def stored_trees(of: str) -> BoostedTrees:
    """Those of STORED before whose names `of` stands."""
    import numpy as np

    with np.load(STORED, allow_pickle=False) as held:
        return BoostedTrees({name: held[name] for name in held.files if name.startswith(of)}, of)


def _leaves_below(ways: NDArray[np.intp]) -> NDArray[np.int64]:
    """The leaves, as bits, to which each way (trees, splits, 2) leads at last; the same one for both ways of a split
    that only fills up a small tree.
    """
    import numpy as np

    trees = np.arange(len(ways))[:, None, None]
    own = np.where(ways < 0, np.int64(1) << np.maximum(-1 - ways, 0), np.int64(0))
    below = own
    for _ in range(ways.shape[1]):
        below = np.where(ways < 0, own, np.bitwise_or.reduce(below[trees, np.maximum(ways, 0)], axis=-1))
    return below
