"""The words by which a request introduces a file ("a noisy recording talk.wav"), and where it comes back to them."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.plan.words import Token, stem

_THE = frozenset(("the", "this", "that", "my", "our", "his", "her", "their", "said"))
_PASSED = frozenset((
    "a", "an", "the", "my", "our", "his", "her", "their", "this", "called", "named", "of", "from", "in", "is", "are",
    "file", "with", "titled", "i", "have", "has", "as", "for", "and", "or", "to", "it", "its", "at", "on", "me", "mine",
    "one", "another", "other", "some", "that", "which", "given", "following", "provided", "attached",
))  # fmt: skip
_PLAIN = frozenset(map(stem, (
    "image", "picture", "photo", "audio", "sound", "video", "film", "text", "file", "clip", "track", "content",
    "document", "example", "sample", "url", "link", "data",
)))  # fmt: skip
"""Words that go for any file of a kind, and for what is made of it."""
_BACK = 7


def introduction(tokens: Sequence[Token], place: int) -> frozenset[str]:
    """The stems of the words that lead to the file at `place`, those that say which one; empty without such words."""
    found = []
    for token in reversed(tokens[max(0, place - _BACK) : place]):
        if token.kind != "word":
            break
        if token.word not in _PASSED:
            found.append(stem(token.word))
    return frozenset(found)


def comes_back(words: frozenset[str], tokens: Sequence[Token]) -> int:
    """How many of the words, beyond those for its kind, "the ..." repeats as one noun; 0 when other words are in it.

    "The voice recording" repeats those of "a voice recording a.wav"; "the modified voice recording" does not.
    """
    best = 0
    for place, token in enumerate(tokens):
        if token.word not in _THE:
            continue
        count = 0
        for after in tokens[place + 1 :]:
            own = stem(after.word)
            if after.kind != "word" or (own not in words and own not in _PLAIN and after.word not in ("and", "or")):
                break
            count += own in words and own not in _PLAIN
        best = max(best, count)
    return best
