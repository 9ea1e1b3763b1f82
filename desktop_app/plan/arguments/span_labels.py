"""Which stretch of a request is the text for a port, and which file goes to which port: learned from marked wishes.

A stretch is worth what the words at its start, at its end and inside say for the port (one weight each, hashed); or
nothing is said for the port. tests/training/train_spans.py makes the weights: resources/planner/spans.npz.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tokenizer import tokens_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUCKETS = 1 << 15
LONGEST = 40
"""A stretch has at most so many pieces."""
_PIECES = 120
_PIECE = re.compile(
    r"(?P<hole>\{\w*\})|(?P<number>\d+(?:[.,:/]\d+)*(?![^\W_]))|(?P<han>[\u3040-\u30ff\u3400-\u9fff])"
    r"|(?P<word>[^\W\u3040-\u30ff\u3400-\u9fff]+(?:['’&-][^\W\u3040-\u30ff\u3400-\u9fff]+)*)|(?P<stop>\S)"
)


@dataclass(frozen=True)
class Piece:
    """A word, a quote, a file, a sign; of Chinese writing a character. `word` is in lower case."""

    kind: str
    word: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=256)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """The text in pieces, signs that mean nothing to the planner among them."""
    found: list[Piece] = []
    at = 0
    for token in (*(t for t in tokens_of(text) if t.kind in ("file", "url", "quote")), None):
        end = len(text) if token is None else token.start
        for match in _PIECE.finditer(text, at, end):
            kind = match.lastgroup or "stop"
            found.append(Piece(kind, match[0].lower(), match[0], match.start(), match.end()))
        if token is not None:
            found.append(Piece(token.kind, token.word, token.text, token.start, token.end))
            at = token.end
    return tuple(found[:_PIECES])


def _shape(piece: Piece) -> str:
    if piece.kind != "word":
        return piece.kind if piece.kind != "stop" else piece.word
    return "upper" if piece.text.isupper() and len(piece.text) > 1 else "Title" if piece.text[:1].isupper() else "word"


def _seen(piece: Piece | None) -> str:
    """A piece as a neighbour: the word, or of what kind it is."""
    return "|" if piece is None else piece.word if piece.kind in ("word", "stop", "han") else f"<{piece.kind}>"


def _starts(pieces: Sequence[Piece]) -> Iterator[list[str]]:
    for i, piece in enumerate(pieces):
        one, two = (pieces[i - n] if i >= n else None for n in (1, 2))
        left, far = _seen(one), _seen(two)
        yield [f"l{left}", f"l2{far} {left}", f"m{far}", f"f{_seen(piece)}", f"s{_shape(piece)}{left}", f"p{min(i, 2)}"]


def _ends(pieces: Sequence[Piece]) -> Iterator[list[str]]:
    for j, piece in enumerate(pieces):
        one, two = (pieces[j + n] if j + n < len(pieces) else None for n in (1, 2))
        right, far = _seen(one), _seen(two)
        yield [f"r{right}", f"r2{right} {far}", f"t{_seen(piece)}", f"e{_shape(piece)}{right}"]


def _insides(pieces: Sequence[Piece]) -> Iterator[list[str]]:
    for piece in pieces:
        yield [f"i{_seen(piece)}", f"k{_shape(piece)}"]


@lru_cache(maxsize=64)
def _features(text: str) -> tuple[tuple[tuple[bytes, ...], ...], ...]:
    pieces = pieces_of(text)
    return tuple(
        tuple(tuple(f"{side}{name}".encode() for name in names) for names in made(pieces))
        for side, made in (("S", _starts), ("E", _ends), ("I", _insides))
    )


def _hashed(names: Sequence[bytes], seeds: Sequence[int]) -> list[int]:
    return [zlib.crc32(name, seed) % BUCKETS for seed in seeds for name in names]


@dataclass(frozen=True)
class Grid:
    """Buckets of the features of a request for one port: (pieces, features) for starts, ends and insides; `lengths`
    (LONGEST,) for the number of pieces; `none` for that nothing is said. `allowed` (pieces, pieces) are the stretches.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    insides: NDArray[np.int64]
    lengths: NDArray[np.int64]
    none: NDArray[np.int64]
    allowed: NDArray[np.bool_]

    def scores(self, weights: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
        """Of each stretch (start, end), and of none."""
        import numpy as np

        inside = np.concatenate([[0.0], weights[self.insides].sum(1).cumsum()])
        n = len(self.starts)
        lengths = weights[self.lengths].sum(1)
        far = np.clip(np.arange(n)[None, :] - np.arange(n)[:, None], 0, LONGEST - 1)
        found = weights[self.starts].sum(1)[:, None] + weights[self.ends].sum(1)[None, :] + lengths[far]
        found = found + inside[1:][None, :] - inside[:-1][:, None]
        return np.where(self.allowed, found, -1e9).astype(np.float32), float(weights[self.none].sum())


def grid(text: str, tool: str, port: str, kind: str, allowed: NDArray[np.bool_]) -> Grid:
    """For the port of a tool; `kind` is its type."""
    import numpy as np

    seeds = [zlib.crc32(key.encode()) for key in (kind, f"{kind} {port}", f"{tool}.{port}")]
    starts, ends, insides = (np.array([_hashed(n, seeds) for n in side], np.int64) for side in _features(text))
    lengths = np.array([_hashed([f"n{min(n, 12)}".encode()], seeds) for n in range(LONGEST)], np.int64)
    whole = {piece.kind for piece in pieces_of(text)} & {"quote", "file", "url"} | {"always"}
    none = np.array(_hashed([f"N{name}".encode() for name in sorted(whole)], seeds), np.int64)
    return Grid(starts, ends, insides, lengths, none, allowed)


def texts_allowed(text: str) -> NDArray[np.bool_]:
    """The stretches that may be a text: they begin and end with no stop, and hold no file and no part of a bracket."""
    import numpy as np

    pieces = pieces_of(text)
    n = len(pieces)
    found = np.triu(np.ones((n, n), np.bool_)) & ~np.triu(np.ones((n, n), np.bool_), LONGEST)
    for i, piece in enumerate(pieces):
        if piece.kind == "stop" and piece.word not in "{(©¿¡+#":
            found[i, :] = False
        if piece.kind == "stop" and piece.word not in "})?!;…£€$%？！。.":
            found[:, i] = False
        if piece.kind == "file":
            found[: i + 1, i:] = False
    return found


def files_allowed(text: str, names: Sequence[str]) -> NDArray[np.bool_]:
    """The places of these files."""
    import numpy as np

    return np.diag([piece.kind in ("file", "quote") and piece.text in names for piece in pieces_of(text)])


@cache
def weights() -> tuple[NDArray[np.float32], frozenset[str]]:
    """(BUCKETS,); and the ports, as "tool.port", that wishes were marked for. Empty where there is no file."""
    import numpy as np

    with np.load(RESOURCES / "planner" / "spans.npz", allow_pickle=False) as held:
        return held["weights"].astype(np.float32), frozenset(str(port) for port in held["ports"])


@dataclass(frozen=True)
class Stretch:
    """Offsets in the request, and by how much (log odds) the stretch is likelier than that nothing is said."""

    start: int
    end: int
    margin: float


def is_known(tool: str, port: str) -> bool:
    """True for a port for which wishes were marked."""
    return f"{tool}.{port}" in weights()[1]


def stretch_for(text: str, tool: str, port: str, kind: str, allowed: NDArray[np.bool_]) -> Stretch | None:
    """The likeliest of the allowed stretches; None where there is none, or the port is unknown."""
    if not allowed.any() or not is_known(tool, port):
        return None
    scores, none = grid(text, tool, port, kind, allowed).scores(weights()[0])
    first, last = divmod(int(scores.argmax()), scores.shape[1])
    pieces = pieces_of(text)
    return Stretch(pieces[first].start, pieces[last].end, float(scores[first, last]) - none)


def outside(allowed: NDArray[np.bool_], text: str, spans: Sequence[tuple[int, int]], covers: Any) -> NDArray[np.bool_]:
    """Without the stretches that touch these spans or are not covered."""
    pieces = pieces_of(text)
    for n, piece in enumerate(pieces):
        if not covers(piece.start, piece.end) or any(piece.start < end and start < piece.end for start, end in spans):
            allowed[: n + 1, n:] = False
    return allowed
