"""Boosted trees give for each row what their leaves add up to."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.boosted_trees import BoostedTrees

HELD = {
    "a.tree.fact": np.array([[0, 1], [1, 0]], np.uint8),
    "a.tree.bound": np.array([[0.5, 2.0], [1.0, 0.0]], np.float32),
    "a.tree.ways": np.array([[[-1, 1], [-2, -3]], [[-1, -2], [-1, -1]]], np.int8),
    "a.tree.leaf": np.array([[-1.0, 0.0, 2.0], [0.5, -0.5, 0.0]], np.float16),
}
"""If fact 0 is above .5, fact 1 is asked for 2, too; the second tree asks fact 1 for 1 only."""


@pytest.mark.parametrize(("row", "total"), [((0, 0), -0.5), ((0, 3), -1.5), ((1, 1.5), -0.5), ((1, 3), 1.5)])
def test_each_row_goes_down_every_tree(row, total):
    (found,) = BoostedTrees(HELD, "a.").probabilities(np.array([row], np.float32))
    assert found == pytest.approx(1 / (1 + np.exp(-total)))


def test_rows_are_told_on_their_own():
    trees = BoostedTrees(HELD, "a.")
    rows = np.array([[0, 0], [1, 3], [0, 3]], np.float32)
    assert trees.probabilities(rows) == [trees.probabilities(row[None])[0] for row in rows]


def test_a_tree_gives_the_leaf_to_which_its_splits_lead() -> None:
    ways = np.array([
        [[1, -1], [2, -2], [-3, -4]],
        [[-1, 1], [-2, -3], [-1, -1]],  # filled up
        [[-1, -1], [-1, -1], [-1, -1]],  # nothing to split
    ])  # fmt: skip
    chance = np.random.default_rng(1)
    fact, bound, leaf = chance.integers(0, 4, (3, 3)), chance.standard_normal((3, 3)), chance.standard_normal((3, 4))
    rows = chance.standard_normal((50, 4), np.float32)

    def walked(tree: int, row: np.ndarray) -> float:
        place = 0
        while place >= 0:
            place = ways[tree, place, int(row[fact[tree, place]] > bound[tree, place])]
        return leaf[tree, -1 - place]

    totals = np.array([sum(walked(tree, row) for tree in range(3)) for row in rows])
    trees = BoostedTrees({"tree.fact": fact, "tree.bound": bound, "tree.ways": ways, "tree.leaf": leaf})
    assert np.allclose(trees.probabilities(rows), 1 / (1 + np.exp(-totals)), atol=1e-6)
