"""A second opinion on which tool each word asks for: a smaller transformer on what the sentence encoder finds at each.

It was trained on composed requests alone; the two together are right more often than either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from desktop_app.plan.language.tagger import told, unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADS, REACH = 4, 16
"""Of its attention: heads; words farther away than the reach are all alike."""


class SmallTagger:
    """Weights as training names them."""

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        import numpy as np

        self._w = {
            name: unpacked(value) if value.dtype == np.uint8 else np.asarray(value, np.float32)
            for name, value in weights.items()
        }
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
