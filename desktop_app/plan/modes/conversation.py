"""What people say to the program rather than of a picture: greetings, thanks, questions about itself; and the words by
which a follow-up speaks of the graph that is there (resources/conversation.toml). Knows no graph.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.value_tables import Phrases, Word, entries, read_words

IDEAS = (
    "filler", "no", "undo", "redo", "remove", "restore", "same", "all", "others", "other", "way", "picture", "save",
    "as", "name", "opposite", "instead", "choose", "mean", "swap",
)  # fmt: skip
"""The ideas by which a follow-up speaks of the graph."""
_MOST_BETWEEN = 4  # chosen: so many words between the two of "take off"
_MOST_NAMED = 2  # chosen: so many words name what tools are asked for, "what can you do with faces?"
_SMALL_TALK = ("greeting", "thanks", "able", "long")


@dataclass(frozen=True)
class Talk:
    """Something said to the program, to be answered in words. `topic` is "greeting", "thanks", "able" (what can you
    do?), "with" (what with such things? `rest` is their type, or "" for what is there), "long" (how long
    will it take?), "why" (why is this step here?) or "which" (which tools can do that?); `rest`
    are the words that the topic leaves: of what is asked why, and what the tools should do.
    """

    topic: str
    rest: str = ""


@cache
def _tables() -> Mapping[str, Phrases]:
    data = tomllib.loads((RESOURCES / "conversation.toml").read_bytes().decode("utf-8"))
    plain = {
        name: text
        for section in ("ideas", "inputs", "degrees", "talk", "replies")
        for name, text in data[section].items()
    }
    tables = {name: Phrases((entry, name) for entry in entries(text)) for name, text in plain.items()}
    for section in ("forms", "shapes", "ordinals", "facts", "measures", "kinds", "there"):
        pairs = [(entry, name) for name, text in data[section].items() for entry in entries(text)]
        tables[section] = Phrases(pairs)
    return tables


@dataclass(frozen=True)
class MessageWords:
    """A message as words, and where in it the ideas are. Spans are first and last word."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words, file names as holes, Chinese character by character."""
        return read_words(self.text)

    def spans(self, *ideas: str) -> list[tuple[int, int]]:
        """Where these ideas are."""
        return [(first, last) for idea in ideas for _, first, last in self._found(idea)]

    def has(self, *ideas: str) -> bool:
        """True when one of these ideas is there."""
        return any(self._found(idea) for idea in ideas)

    def removing(self) -> set[int]:
        """The places of the words that ask to remove something; those of "take off" with what is taken between them."""
        apart = set[int]()
        for words, _ in _tables()["remove_apart"].phrases():
            starts = [i for i, word in enumerate(self.words) if word.text == words[0]]
            ends = [i for i, word in enumerate(self.words) if word.text == words[-1]]
            apart |= {i for a in starts for b in ends if 1 < b - a <= _MOST_BETWEEN + 1 for i in (a, b)}
        return self.covered(("remove",)) | apart

    def meanings(self, idea: str) -> list[str]:
        """What the phrases of a table stand for: "png" among the forms, "2" among the ordinals."""
        return [meaning for meaning, _, _ in self._found(idea)]

    def left(self, ideas: Iterable[str], spans: Iterable[tuple[int, int]] = ()) -> list[int]:
        """The places of the words that neither these ideas nor these spans cover."""
        covered = self.covered(ideas, spans)
        return [i for i, word in enumerate(self.words) if i not in covered and word.kind not in ("break", "sign")]

    def covered(self, ideas: Iterable[str], spans: Iterable[tuple[int, int]] = ()) -> set[int]:
        """The places of the words that these ideas or these spans cover."""
        return {i for first, last in (*self.spans(*ideas), *spans) for i in range(first, last + 1)}

    def at(self, start: int, end: int) -> tuple[int, int] | None:
        """The span of the words between two offsets in the text."""
        inside = [i for i, word in enumerate(self.words) if word.start < end and start < word.end]
        return (inside[0], inside[-1]) if inside else None

    def piece(self, first: int, last: int) -> str:
        """The text from one word to another, as written."""
        return self.text[self.words[first].start : self.words[last].end]

    def _found(self, idea: str) -> tuple[tuple[str, int, int], ...]:
        return _ideas(self.text, idea)


@lru_cache(maxsize=2048)
def _ideas(text: str, idea: str) -> tuple[tuple[str, int, int], ...]:
    return tuple(_tables()[idea].all(read_words(text)))


def talk_in(text: str) -> Talk | None:
    """What is said to the program, when the message is nothing but that; else None."""
    said = MessageWords(text)
    if not said.words:
        return None
    if (kind := _able_with(said)) is not None:
        return kind
    for topic in _SMALL_TALK:
        if not said.has(topic):
            continue
        around = ("filler", "address", "no") if topic in ("able", "long") else ("filler", "address")
        more = ("thanks",) if topic == "greeting" else ("greeting",) if topic == "thanks" else ("greeting", "thanks")
        if not said.left((topic, *around, *more)):
            return Talk(_last_topic(said, topic))
    first = next((i for i, word in enumerate(said.words) if word.kind not in ("break", "sign")), 0)
    for topic in ("which", "why"):
        spans = [span for span in said.spans(topic) if span[0] - first <= 2]
        if spans and spans[0][1] + 1 < len(said.words):
            return Talk(topic, said.piece(spans[0][1] + 1, len(said.words) - 1))
    if said.has("long") and said.spans("long")[0][0] - first <= 2 and len(said.left(("long", "filler"))) <= 3:
        return Talk("long")
    return None


def _able_with(said: MessageWords) -> Talk | None:
    """ "What can you do with sound?"; of what is no kind of things, which tools do it."""
    asks = said.spans("able with")
    if not asks or said.left(("filler", "address", "greeting", "kinds"), [(asks[0][0], len(said.words))]):
        return None
    kinds = said.meanings("kinds")
    left = said.left(("able with", "filler", "address", "doing", "kinds", "them"))
    if not left:
        return Talk("with", kinds[-1] if kinds else "")
    return Talk("which", said.piece(left[0], left[-1])) if len(left) <= _MOST_NAMED and not kinds else None


def _last_topic(said: MessageWords, topic: str) -> str:
    """ "Hello, what can you do?" asks what it can do."""
    return next((other for other in ("able", "long", "thanks") if said.has(other) and topic == "greeting"), topic)
