"""`python -m tests.training.words`: writes words.txt.xz, the words that a mistyped one may be meant for
(plan/language/spelling.py): those of the wishes and of the marked requests that are not held back.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter

from desktop_app.plan.language.spelling import EUROPEAN, WORDS
from tests.training import composed, marked

_WORD = re.compile(r"[^\W\d_]{3,}")
_MARKED = re.compile(r"\[([^\[\]|]+)\|[^\[\]|]+\]")
_GROUPS = ((0, 1), (1, 5), (5, 25), (25, 1_000_000))
"""More requests than the first, at most the second."""


def main() -> None:
    """Counts in how many requests each word stands."""
    found: Counter[str] = Counter()
    for row in marked.rows():
        if not composed.is_held(row):
            text = row["request"]
            for file in row["resources"]:
                text = text.replace(file["name"], " ")
            found.update(_words(text))
    for wish in composed.wishes():
        found.update(_words(_MARKED.sub(lambda mark: " " if "." in mark[1] else mark[1], wish["text"])))
    groups = [sorted(word for word, count in found.items() if low < count <= high) for low, high in _GROUPS]
    text = "\n".join(" ".join(words) for words in groups)
    WORDS.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(*map(len, groups), "words")


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text) if word[0] < EUROPEAN}


if __name__ == "__main__":
    main()
