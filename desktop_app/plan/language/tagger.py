"""Which tool each word of a request asks for, and where one wish ends and the next begins: a small transformer.

It reads what the sentence encoder finds at each word, so that a word is read in the light of the whole request.
`python -m tests.train_planner` makes its weights.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TYPES = ("image", "audio", "video", "text", "table", "file", "html", "mask", "url", "boxes")
"""Kinds of files of which it is told whether they are there."""

HEADS, REACH = 4, 16
"""Of its attention: heads; words farther away than the reach are all alike."""


def told(types: Collection[str]) -> NDArray[np.float32]:
    """What it is told of the files: a flag for each of TYPES, and one where there is none."""
    import numpy as np

    return np.array([*(type in types for type in TYPES), not set(TYPES) & {*types}], np.float32)


class Tagger:
    """Weights as training names them."""

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        import numpy as np

        self._w = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self._layers = 1 + max(int(name.split(".")[1]) for name in self._w if name.startswith("layers."))

    def tags(
        self, features: NDArray[np.float32], types: Collection[str]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Of words with `features` (words, FEATURES): logarithms of the probabilities of each tag (words, tags), and
        the logarithm of the odds that a wish begins at each (words).
        """
        import numpy as np

        x = np.maximum(self._linear("inp", features), 0) + self._linear("ty", told(types)[None])
        places = np.arange(len(x))
        apart = np.clip(places[None] - places[:, None], -REACH, REACH) + REACH
        for number in range(self._layers):
            name = f"layers.{number}."
            even = self._even(name + "ln1", x)
            query, key, value = (
                part.reshape(len(x), HEADS, -1).transpose(1, 0, 2)
                for part in np.split(self._linear(name + "qkv", even), 3, axis=1)
            )
            likeness = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]) + self._w["bias"][number][:, apart]
            share = np.exp(likeness - likeness.max(-1, keepdims=True))
            share /= share.sum(-1, keepdims=True)
            seen = (share @ value).transpose(1, 0, 2).reshape(len(x), -1)
            edge = np.zeros_like(even[:1])
            beside = np.hstack([np.vstack([edge, even[:-1]]), even, np.vstack([even[1:], edge])])
            x = x + self._linear(name + "o", seen) + self._linear(name + "cv", beside)
            inner = np.maximum(self._linear(name + "f1", self._even(name + "ln2", x)), 0)
            x = x + self._linear(name + "f2", inner)
        x = self._even("ln", x)
        tags = self._linear("tool", x)
        tags -= tags.max(1, keepdims=True)
        tags -= np.log(np.exp(tags).sum(1, keepdims=True))
        return tags, self._linear("cut", x)[:, 0]

    def _linear(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        return x @ self._w[name + ".weight"].T + self._w[name + ".bias"]

    def _even(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * self._w[name + ".weight"] + self._w[name + ".bias"]


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
