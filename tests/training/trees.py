"""Boosted trees, grown by lightgbm and laid out as desktop_app.core.boosted_trees reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.boosted_trees import TREES

_ALL = {"bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1, "seed": 0, "num_threads": 1, "objective": "binary"}
_KINDS = (("fact", np.uint8), ("bound", np.float32), ("ways", np.int8), ("leaf", np.float16))


def grown(
    rows: NDArray[np.float32], wanted: Sequence[float], count: int, how: Mapping[str, Any], of: str = ""
) -> dict[str, NDArray[Any]]:
    """So many trees that tell from `rows` of facts how probable it is that a 1 is `wanted`; `of` stands before their
    names in the file. Needs lightgbm.
    """
    import lightgbm

    made = lightgbm.train({**_ALL, **how}, lightgbm.Dataset(rows, np.array(wanted)), count)
    found = [_laid_out(tree["tree_structure"], how["num_leaves"]) for tree in made.dump_model()["tree_info"]]
    return {of + TREES + name: np.array([tree[n] for tree in found], kind) for n, (name, kind) in enumerate(_KINDS)}


def _laid_out(root: Mapping[str, Any], leaves: int) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Facts, bounds, ways on and leaves of a tree, each filled up to the most there may be."""
    facts, bounds, ways, leaf = [0] * (leaves - 1), [0.0] * (leaves - 1), [[-1, -1]] * (leaves - 1), [0.0] * leaves

    def lay(node: Mapping[str, Any]) -> int:
        if "leaf_value" in node:
            leaf[node.get("leaf_index", 0)] = node["leaf_value"]
            return -1 - node.get("leaf_index", 0)
        place = node["split_index"]
        facts[place], bounds[place] = node["split_feature"], node["threshold"]
        ways[place] = [lay(node["left_child"]), lay(node["right_child"])]
        return place

    if lay(root) < 0:  # nothing to split
        leaf[0] = root["leaf_value"]
    return facts, bounds, ways, leaf
