"""`python -m tests.training.averaged OTHER.npz`: puts the mean of two taggers, trained from the same weights on data of
their own, in place of the one that is here.

Of what the training of the tagger itself learns; what rests on it (`train_planner --heads`) stays that of the one here.
See Wortsman and others, Model soups, 2022: such means read more rightly what neither was trained on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tagger import weights
from tests.training.readings import pack
from tests.training.tagger import packed_weights

_LEARNED = ("layers.", "ln.", "ty.", "part", "tool.", "cut.", "port.", "lp.", "l1.", "l2.")
_FILE = RESOURCES / "planner" / "tagger.npz"
_Held = dict[str, NDArray[Any]]


def main() -> None:
    """Writes tagger.npz."""
    own, other = (dict(np.load(file, allow_pickle=False)) for file in (_FILE, Path(sys.argv[1])))
    if own["ids"].tolist() != other["ids"].tolist():
        raise SystemExit("They know different tools.")
    np.savez_compressed(_FILE, **own | dict(chain.from_iterable(_means(own, other))))
    pack(_FILE)


def _means(own: _Held, other: _Held) -> Iterator[list[tuple[str, NDArray[Any]]]]:
    mine, theirs = weights(own), weights(other)
    ports = [["", *held["ports"].tolist()] for held in (own, other)]
    for key in own:
        kind, _, name = key.partition(".")
        if not name.startswith(_LEARNED) or name not in theirs or kind == "s8":
            continue
        mean = mine[name].copy()
        if name.startswith("port."):  # the other may lack inputs
            there = [ports[0].index(port) for port in ports[1] if port in ports[0]]
            known = [place for place, port in enumerate(ports[1]) if port in ports[0]]
            mean[there] = (mean[there] + theirs[name][known]) / 2
        else:
            mean = (mean + theirs[name]) / 2
        yield _stored(kind, name, mean)


def _stored(kind: str, name: str, mean: NDArray[np.float32]) -> list[tuple[str, NDArray[Any]]]:
    """As the form of the key has them."""
    if kind == "q4":
        return [(f"q4.{name}", packed_weights(mean))]
    if kind == "w":
        return [(f"w.{name}", mean.astype(np.float16))]
    scale = np.abs(mean).max(axis=1, keepdims=True) / 127
    return [(f"q8.{name}", np.rint(mean / scale).astype(np.int8)), (f"s8.{name}", scale.astype(np.float16))]


if __name__ == "__main__":
    main()
