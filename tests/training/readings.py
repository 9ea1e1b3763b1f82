"""What the trained tagger finds in each marked request: the heads on top of it are trained on that."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.clauses import TaggedWord, words_of
from desktop_app.plan.language.tagger import BLOCK, FILES, TYPES, tagger
from desktop_app.plan.ranking.wish_files import name_words
from desktop_app.plan.types import Given, ToolSpec
from tests.training.marked import Marked, Row, before, is_held, rows

_PART = 500
_LARGE = 10_000
_EXACT = ("tool.weight", "port.weight", "p1.weight")
"""Of these tests.training.newest changes rows, or columns are of very different size."""


@dataclass(frozen=True, eq=False)
class Read:
    """A request with the states at its words and at the names of its files. `wishes` are the words of each wish, with
    the tools that serve it.
    """

    row: Row
    held: bool
    given: Sequence[Given]
    words: Sequence[TaggedWord]
    states: NDArray[np.float32]
    named: NDArray[np.float32]
    wishes: Sequence[tuple[tuple[int, int], tuple[str, ...]]]


def readings(tools: Mapping[str, ToolSpec], composed: Iterable[Row] = (), marked: Iterable[Row] = ()) -> list[Read]:
    """Of all marked requests for which there is a tool; or of these `marked` ones; or of `composed` ones, none of which
    is held back. By as many processes as there are cores.
    """
    some, is_marked = list(composed), not composed
    some = some or list(marked) or [row for row in rows() if not row["gold"].get("refuse")]
    parts = [(some[first : first + _PART], tools, is_marked) for first in range(0, len(some), _PART)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return [one for found in pool.map(_read, parts) for one in found]


def _read(part: tuple[Sequence[Row], Mapping[str, ToolSpec], bool]) -> list[Read]:
    some, tools, is_marked = part
    own = Marked(tools, tagger().pieces)
    found: list[Read] = []
    for row in some:
        given = [Given(file["name"], file["type"]) for file in row["resources"]]
        words = words_of(row["request"], given, tagger().pieces)
        if own.example(row) is None:
            continue
        names = [name_words(file.name) for file in given[:FILES]]
        types = {file.type for file in given} & {*TYPES}
        states, named = tagger().states([w.text for w in words], types, names, before(row, tagger().pieces))
        found.append(Read(row, is_marked and is_held(row), given, words, states, named, own.wishes(row, words)))
    return found


def add(weights: Mapping[str, Any]) -> None:
    """Puts weights into resources/planner/tagger.npz."""
    path = RESOURCES / "planner" / "tagger.npz"
    with np.load(path, allow_pickle=False) as old:
        kept = {name: old[name] for name in old.files}
    np.savez_compressed(path, **{**kept, **weights})
    pack(path)


def pack(path: Path) -> None:
    """Makes a file of weights as small as it can be: large matrices of heads go into eight bits, and of those in four
    the bytes of blocks stand in the order of tagger.rows_of.
    """
    with np.load(path, allow_pickle=False) as held:
        found = dict(chain.from_iterable(_in_bytes(name, held[name]) for name in held.files))
    np.savez_compressed(path, **{name: _in_planes(value) for name, value in found.items()})
    with zipfile.ZipFile(path) as held:
        parts = {name: held.read(name) for name in held.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data in parts.items():
            made.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)


def _in_planes(value: NDArray[Any]) -> NDArray[Any]:
    if value.dtype != np.uint8 or value.ndim != 2:
        return value
    return np.ascontiguousarray(value.reshape(len(value), -1, 2 + BLOCK // 2).transpose(2, 0, 1))


def _in_bytes(key: str, value: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    kind, _, name = key.partition(".")
    if kind != "w" or value.ndim != 2 or value.size < _LARGE or name in _EXACT:
        yield key, value.astype(np.float16) if kind == "w" else value
        return
    scale = np.abs(value.astype(np.float32)).max(axis=1, keepdims=True) / 127
    yield f"q8.{name}", np.rint(value / scale).astype(np.int8)
    yield f"s8.{name}", scale.astype(np.float16)
