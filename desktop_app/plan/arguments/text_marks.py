"""How probable it is that each word of a clause belongs to the text for an input: trees look again at what the tagger
says of the words around it (stacking: Wolpert 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREES = "texts."
"""What stands before their names in the file of trees."""

LEAST = 0.01
"""Where no word is so probable by the tagger there is no text: trees would find one in a fiftieth of such clauses that
have it.
"""

_ENDS, _QUOTES = ".,;:!?，。；：！？、", "\"'“„«‘「"
_AROUND = 3
_NEVER = 1e-4


def facts(
    words: Sequence[str],
    own: Sequence[int],
    shares: NDArray[np.float32],
    of_any: NDArray[np.float32],
    of_none: NDArray[np.float32],
    column: int,
) -> NDArray[np.float32]:
    """(own, n): of each word of the clause (its place among the `words` of the request) one number for each fact;
    training knows them by their order. `shares` (words,) are the chances of the input beside the tool's others,
    `of_any` those of any of them, `of_none` those of no value at all; `column` is the number of the input's name.
    """
    import numpy as np

    odds = log_odds(shares)
    around = np.pad(odds, _AROUND, constant_values=float(log_odds(np.zeros(1, np.float32))[0]))
    signs = np.array([(0.0,) * 4, *map(_signs, words), (0.0,) * 4], np.float32)
    count, places = len(words), np.arange(len(words))
    rows = np.column_stack([
        *(around[n : n + count] for n in range(2 * _AROUND + 1)),
        of_any, np.log(of_none + _NEVER), np.full(count, shares[own].max()), places - own[0], own[-1] - places,
        signs[1:-1], signs[:-2], signs[2:],
        np.full(count, column), [len(word) for word in words], (places == own[0]) | (places == own[-1]),
    ])  # fmt: skip
    return np.asarray(rows[own], np.float32)


def log_odds(shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of probabilities, between -9 and 9."""
    import numpy as np

    shares = np.clip(shares, _NEVER, 1 - _NEVER)
    return np.asarray(np.log(shares / (1 - shares)), np.float32)


def _signs(word: str) -> tuple[float, ...]:
    has_digit = any(sign.isdigit() for sign in word)
    return float(word[:1].isupper()), float(has_digit), float(word[-1:] in _ENDS), float(word[:1] in _QUOTES)
