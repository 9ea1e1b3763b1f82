"""What each word of a request asks for, where one wish ends and the next begins, which words are the value of which
input, which wish takes what another has made, and which files it means: one small transformer, read word by word.

It began as the lower half of multilingual-e5-small (Wang et al. 2024, MIT) and was trained on by
`python -m tests.training.train_planner`; resources/planner/README.md says out of what.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.word_pieces import BEGIN, END, UNKNOWN, WordPieces, units_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TYPES = ("image", "audio", "video", "text", "table", "file", "html", "mask", "url", "boxes")
"""Kinds of files of which it is told whether they are there."""

WIDTH, HEADS = 384, 12
LONGEST = 255
"""Pieces of a request; what comes after them is not read."""

BLOCK = 32
"""So many weights share a scale; each is a number of four bits, -8 to 7."""

COLUMNS, ROWS, _BLOCKED = 32, 80, 4
"""A small product has at most a million multiplications: so many columns of weights, and rows of WIDTH."""

_PLANES = 3

_FILE = "tagger.npz"

REST = "+rest"
"""At the end of the name of a tool that finds a part of a picture: all but that part is meant."""

FILES, _NAME, _BEFORE = 12, 10, 60
"""Of so many files the names are read, of each name so many pieces, and so many of what was said before."""

Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Laid:
    """What the network reads: `places` of pieces; of each its part (0: the request, 1: names of files, 2: what was said
    before); which pieces are the words of the request, and which the names.
    """

    places: list[int]
    parts: list[int]
    words: Spans
    names: Spans


def laid(
    pieces: WordPieces, words: Sequence[str], names: Sequence[Sequence[str]] = (), before: Sequence[str] = ()
) -> Laid:
    """The request, then the names of the files, then what was said before: all as words."""
    places = [BEGIN]

    def add(more: Sequence[int], most: int = LONGEST) -> tuple[int, int]:
        start = len(places)
        places.extend(more[: min(most, max(0, LONGEST - start))])
        return min(start, LONGEST - 1), len(places)

    spans = [add(pieces.places(word)) for word in words]
    add([END])
    parts = [0] * len(places)
    called: Spans = []
    for name in names[:FILES]:
        called.append(add([place for word in name for place in pieces.places(word)], _NAME))
        add([END])
    parts += [1] * (len(places) - len(parts))
    if before:
        add([place for word in before for place in pieces.places(word)], _BEFORE)
    parts += [2] * (len(places) - len(parts))
    return Laid(places, parts, spans, called)


def told(types: Collection[str]) -> NDArray[np.float32]:
    """What it is told of the files: a flag for each of TYPES, and one where there is none."""
    import numpy as np

    return np.array([*(type in types for type in TYPES), not set(TYPES) & {*types}], np.float32)


def unpacked(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(rows, n * 18) bytes as (rows, n * BLOCK) weights: of each block the scale (float16), then the low halves of its
    bytes and then the high ones.
    """
    import numpy as np

    parts = blocks.reshape(len(blocks), -1, 2 + BLOCK // 2)
    scales = np.ascontiguousarray(parts[..., :2]).view(np.float16).astype(np.float32)
    halves = np.concatenate([parts[..., 2:] & 15, parts[..., 2:] >> 4], axis=-1).astype(np.float32) - 8
    return (halves * scales).reshape(len(blocks), -1)


def rows_of(stored: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(rows, n * 18) bytes for `unpacked`, out of (18, rows, n): in the file all first bytes of blocks stand together,
    all second ones, and so on, which can be packed better.
    """
    return stored if stored.ndim < _PLANES else stored.transpose(1, 2, 0).reshape(stored.shape[1], -1)


def weights(held: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """By their names those that are held in four bits ("q4."), in eight ("q8.", the scale of each row as "s8."), or as
    they are ("w.").
    """
    found: dict[str, NDArray[np.float32]] = {}
    for key, value in held.items():
        kind, _, name = key.partition(".")
        if kind == "q4":
            found[name] = unpacked(rows_of(value))
        elif kind == "q8":
            found[name] = value * held[f"s8.{name}"].astype("float32")
        elif kind == "w":
            found[name] = value.astype("float32")
    return found


class Tagger:
    """Holds the weights. Immutable after construction; any thread."""

    def __init__(self, held: Mapping[str, NDArray[Any]]) -> None:
        pieces = str(held["pieces"]).split("\n")
        self.pieces = WordPieces({piece: n for n, piece in enumerate(pieces)}, tuple(held["scores"].tolist()))
        self.ids = tuple(str(id) for id in held["ids"])
        """Tools, in the order of its tags; after them come "asks for nothing" and "what no tool does"."""
        self.ports = tuple(str(name) for name in held["ports"])
        """Names of inputs, in the order of its marks of values, of which the first is "no value"."""
        self.finders = tuple(str(id) for id in held.get("finders", ()))
        """Tools that find a part of a picture, with REST for all but that part; the first is "", for the whole."""
        self.habits = {id: float(share) for id, share in zip(self.ids, held.get("asked", ()), strict=False)}
        """By tool how often (0..1) a setting had to be asked for where none was said."""
        self._words = rows_of(held["words"])
        self.meaning = lru_cache(maxsize=4096)(self._meaning)
        is_wide = _has_small_kernels()
        self._w = {name: laid_out(name, value, is_wide) for name, value in weights(held).items()}
        self._layers = 1 + max(int(name.split(".")[1]) for name in self._w if name.startswith("layers."))

    def states(
        self,
        words: Sequence[str],
        types: Collection[str],
        names: Sequence[Sequence[str]] = (),
        before: Sequence[str] = (),
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(words, WIDTH) and (names, WIDTH): what it finds at each word, and at the name of each file (of the first
        dozen), beside files of these types and after what was said `before`.
        """
        import numpy as np

        seen = laid(self.pieces, words, names, before)
        x = self._even("ln", unpacked(self._words[seen.places]) + self._w["pos"][: len(seen.places)])
        x = x + self._linear("ty", told(types)[None]) + self._w["part"][seen.parts]
        for number in range(self._layers):
            x = self._layer(f"layers.{number}.", x)
        found = np.stack([
            x[min(a, len(x) - 1) : max(b, a + 1)].mean(axis=0) if b > a + 1 else x[min(a, len(x) - 1)]
            for a, b in (*seen.words, *seen.names)
        ])  # fmt: skip
        return found[: len(words)], found[len(words) :]

    def tags(self, states: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logarithms of the probabilities of each tag (words, tags); that of the odds that a wish begins (words)."""
        return _logs(self._linear("tool", states)), self._linear("cut", states)[:, 0]

    def marks(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logarithms of the probabilities that a word is no value, or part of the value of an input of each name."""
        return _logs(self._linear("port", states))

    def finder(self, states: NDArray[np.float32], first: int, end: int) -> tuple[str, float]:
        """The likeliest tool to find the part of a picture of which these words speak, with REST at its end where all
        but that part is meant; and how probable it is (0..1) that they speak of a part at all.
        """
        shares = self._parts(states, first, end)
        if len(shares) < 2:
            return "", 0.0
        return self.finders[1 + int(shares[1:].argmax())], float(1 - shares[0])

    def finders_of(self, states: NDArray[np.float32], first: int, end: int) -> dict[str, float]:
        """How probable it is that these words speak of a part that each of `finders` finds; "" for no part."""
        return dict(zip(self.finders, map(float, self._parts(states, first, end)), strict=True))

    def _parts(self, states: NDArray[np.float32], first: int, end: int) -> NDArray[np.float32]:
        import numpy as np

        if len(self.finders) < 2:
            return np.zeros(len(self.finders), np.float32)
        row = self.seen(states, first, end)[None]
        return np.exp(_logs(self._linear("p2", np.maximum(self._linear("p1", row), 0))))[0]

    def seen(self, states: NDArray[np.float32], first: int, end: int) -> NDArray[np.float32]:
        """What `finder` looks at: the words, the whole request, and whether they ask for anything."""
        import numpy as np

        own = states[first:end].mean(axis=0)
        return np.concatenate([own, states.mean(axis=0), self._linear("tool", own[None])[0, -2:]])

    def links(
        self, states: NDArray[np.float32], spans: Sequence[tuple[int, int]], pairs: Sequence[tuple[int, int]],
        facts: Sequence[Sequence[float]],
    ) -> NDArray[np.float32]:  # fmt: skip
        """(pairs,): how probable it is that the second wish of a pair takes what the first has made. `spans` are the
        words of each wish; for `facts` see plan/ranking/wish_links.py.
        """
        import numpy as np

        own = {n: states[slice(*spans[n])].mean(0) for n in {place for pair in pairs for place in pair}}
        begin = {n: states[max(0, spans[n][0] - 2) : spans[n][0] + 3].mean(0) for n in {other for _, other in pairs}}
        rows = [np.concatenate([begin[other], own[other], own[one]]) for one, other in pairs]
        inner = np.maximum(self._linear("lp", np.stack(rows)), 0)
        inner = np.maximum(self._linear("l1", np.hstack([inner, np.asarray(facts, np.float32)])), 0)
        return np.asarray(1 / (1 + np.exp(-self._linear("l2", inner)[:, 0])), np.float32)

    def meanings(self, port: str, choices: Sequence[str]) -> NDArray[np.float32]:
        """(choices, 2 * WIDTH): the texts of an input's choices and of its name, each as the mean of its pieces."""
        import numpy as np

        return np.stack([np.concatenate([self.meaning(choice), self.meaning(port)]) for choice in choices])

    def _meaning(self, text: str) -> NDArray[np.float32]:
        """(WIDTH,): the mean of a text's pieces, whatever stands around it."""
        text = text.replace("_", " ")
        places = [place for a, b in units_of(text, self.pieces) for place in self.pieces.places(text[a:b])]
        return unpacked(self._words[places or [UNKNOWN]]).mean(axis=0)

    def chosen(self, seen: NDArray[np.float32], port: str, choices: Sequence[str]) -> NDArray[np.float32]:
        """(choices,): how probable it is that the words mean each of an input's choices. `seen` is what was found at
        them, beside what was found at the whole wish.
        """
        import numpy as np

        if "cw.weight" not in self._w:
            return np.zeros(len(choices), np.float32)
        worth = self._linear("cm", self.meanings(port, choices)) @ self._linear("cw", seen)
        return np.exp(_logs(worth[None])[0])

    def takes(
        self, states: NDArray[np.float32], files: NDArray[np.float32], spans: Sequence[tuple[int, int]],
        pairs: Sequence[tuple[int, int]], facts: Sequence[Sequence[float]],
    ) -> NDArray[np.float32]:  # fmt: skip
        """(pairs, 2): how probable it is that a wish works on a file itself, and that it then takes it in the second of
        its tool's two inputs for such files; for `facts` see plan/ranking/wish_files.py.
        """
        import numpy as np

        if not pairs:
            return np.zeros((0, 2), np.float32)
        wishes = self._linear("fw", np.stack([states[a:b].mean(0) for a, b in spans]))
        named = self._linear("ff", files)
        rows = [np.concatenate([wishes[one] + named[file], wishes[one] * named[file]]) for one, file in pairs]
        inner = np.maximum(self._linear("f1", np.hstack([np.stack(rows), np.asarray(facts, np.float32)])), 0)
        return np.asarray(1 / (1 + np.exp(-self._linear("f2", inner))), np.float32)

    def asks(self, states: NDArray[np.float32], facts: Sequence[float]) -> NDArray[np.float32]:
        """(kinds,): how probable it is that nothing has to be asked before, or what; for kinds and `facts` see
        plan/ranking/missing_input.py.
        """
        import numpy as np

        seen = np.concatenate([states.mean(axis=0), states.max(axis=0)])[None]
        outer = np.maximum(self._linear("a0", seen), 0)
        inner = np.maximum(self._linear("a1", np.hstack([outer, np.asarray([facts], np.float32)])), 0)
        return np.asarray(np.exp(_logs(self._linear("a2", inner)))[0], np.float32)

    def _layer(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        query, key, value = (
            part.reshape(len(x), HEADS, -1).transpose(1, 0, 2)
            for part in np.split(self._linear(name + "qkv", x), 3, axis=1)
        )
        share = query @ key.transpose(0, 2, 1)
        share /= math.sqrt(query.shape[-1])
        share -= share.max(-1, keepdims=True)
        np.exp(share, out=share)
        share /= share.sum(-1, keepdims=True)
        seen = (share @ value).transpose(1, 0, 2).reshape(len(x), -1)
        x = self._even(name + "ln1", x + self._linear(name + "o", seen))
        return self._even(name + "ln2", x + self._linear(name + "f2", _gelu(self._linear(name + "f1", x))))

    def _linear(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        weight = self._w[name + ".weight"]
        found = x @ weight if weight.ndim < _BLOCKED else by_blocks(x, weight)
        found += self._w[name + ".bias"]
        return found

    def _even(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        x *= self._w[name + ".weight"]
        x += self._w[name + ".bias"]
        return x


def laid_out(name: str, value: NDArray[np.float32], is_wide: bool) -> NDArray[np.float32]:
    """A matrix of weights as (in, out), row by row: the product with some thirty rows takes two thirds of the time.
    Where it `is_wide` those of the layers as (parts, blocks, WIDTH, COLUMNS), for `by_blocks`.
    """
    import numpy as np

    if value.ndim != 2 or not name.endswith(".weight"):
        return value
    if is_wide and name.startswith("layers.") and not (value.shape[0] % COLUMNS or value.shape[1] % WIDTH):
        return np.ascontiguousarray(value.reshape(-1, COLUMNS, value.shape[1] // WIDTH, WIDTH).transpose(2, 0, 3, 1))
    return np.ascontiguousarray(value.T)


def _has_small_kernels() -> bool:
    """Whether OpenBLAS has kernels here for small products (AVX-512); elsewhere blocks take a fifth longer."""
    from numpy._core._multiarray_umath import __cpu_features__

    return bool(__cpu_features__.get("AVX512_SKX"))


def by_blocks(x: NDArray[np.float32], weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """(rows, in) with (parts, blocks, WIDTH, COLUMNS) as (rows, out): of some thirty rows a product of whole matrices
    spends half its time on putting the weights in another order, which small ones do without.
    """
    import numpy as np

    if len(x) > ROWS:
        return np.concatenate([by_blocks(x[:ROWS], weight), by_blocks(x[ROWS:], weight)])
    found = x.reshape(len(x), -1, 1, WIDTH).transpose(1, 2, 0, 3) @ weight
    summed = found[0] if len(found) == 1 else found.sum(axis=0)
    return summed.transpose(1, 0, 2).reshape(len(x), -1)


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    inner = 0.044715 * x
    inner *= x
    inner *= x
    inner += x
    inner *= 0.7978845608
    np.tanh(inner, out=inner)
    inner += 1
    inner *= 0.5 * x
    return inner


def _logs(values: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    values = values - values.max(axis=1, keepdims=True)
    return values - np.log(np.exp(values).sum(axis=1, keepdims=True))


def tagger() -> Tagger:
    """The one of this process. The first call reads some 10 MB, which takes a third of a second; any thread."""
    with _reading:
        return _read()


def start() -> None:
    """Begins to read it on a thread of its own. Returns at once."""
    threading.Thread(target=tagger, name="tagger", daemon=True).start()


_reading = threading.Lock()


@cache
def _read() -> Tagger:
    import numpy as np

    with np.load(RESOURCES / "planner" / _FILE, allow_pickle=False) as held:
        return Tagger({name: held[name] for name in held.files})


def segments(
    tags: NDArray[np.float32], odds: NDArray[np.float32], allowed: Sequence[int], cut: float = 0.0
) -> list[tuple[int, int, int]]:
    """The likeliest cutting into stretches of one tag each (Viterbi): (first word, end, tag) in order."""
    import numpy as np

    odds = odds + cut
    begins, goes_on = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    own = tags[:, allowed]
    best = own[0] + begins[0]
    back: list[NDArray[Any]] = []
    for place in range(1, len(own)):
        stay, other = best + goes_on[place], int(best.argmax())
        fresh = best[other] + begins[place]
        back.append(np.where(stay >= fresh, -1, other))
        best = np.maximum(stay, fresh) + own[place]
    at, end = int(best.argmax()), len(own)
    found: list[tuple[int, int, int]] = []
    for place in range(len(own) - 1, 0, -1):
        came = int(back[place - 1][at])
        if came >= 0:
            found.append((place, end, int(allowed[at])))
            at, end = came, place
    found.append((0, end, int(allowed[at])))
    return found[::-1]
