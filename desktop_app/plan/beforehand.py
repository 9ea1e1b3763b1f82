"""Wishes that are said later and done earlier: "..., but crop it first", "before that, ...", "after cleaning it".

Finds the words for that; knows no tools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.plan.words import Token

if TYPE_CHECKING:
    from desktop_app.plan.decompose import Intent

MARK = "beforehand"
_ADVERBS = {"before": MARK, "after": "then"}
_THAT = frozenset(("that", "this"))
_GOES_ON = frozenset(("please", "you", "could", "can", "would", "i", "we", "and", "also", "though", "but"))
_OPENING = frozenset((".", "!", "?", ";", ":", ",", "\n"))


def with_adverbs(tokens: Sequence[Token], verbs: frozenset[int]) -> list[Token]:
    """The tokens with "before that" and "after that" as one word each, where no noun follows ("before that talk").

    `verbs` are the places of words for operations.
    """
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.word in _ADVERBS and token.kind == "word":
            that = [t.word for t in tokens[place + 1 : place + 2] if t.word in _THAT]
            end = place + 1 + len(that)
            alone = token.word == "before" and not that and _closes(tokens, end)
            if alone or (that and (_closes(tokens, end) or tokens[end].word in _GOES_ON or end in verbs)):
                result.append(replace(token, word=_ADVERBS[token.word], end=tokens[end - 1].end))
                opens = place == 0 or tokens[place - 1].text in _OPENING
                place = end + (opens and end < len(tokens) and tokens[end].text == ",")
                continue
        if token.word == MARK and place + 1 < len(tokens) and tokens[place + 1].text == ",":
            place += place == 0 or tokens[place - 1].text in _OPENING
        result.append(token)
        place += 1
    return result


def _closes(tokens: Sequence[Token], place: int) -> bool:
    return place >= len(tokens) or tokens[place].kind == "stop"


def comes_first(intent: Intent, earlier: Sequence[Intent]) -> bool:
    """True for a wish that is to be done before one that was said before it."""
    wishes = [other for other in earlier if not other.stating]
    if not wishes or intent.stating:
        return False
    words = [token.word for token in intent.tokens]
    same = wishes[-1].sentence == intent.sentence
    if MARK in words:
        return True
    if same and intent.joint == "after" and any(word.endswith("ing") for word in words[:3]):
        return True
    if same and is_put_off(wishes[-1], earlier) and earlier[-1] is wishes[-1]:
        return True
    if same and intent.joint == "but" and len(words) == 1 and words[0].endswith("ed"):
        return True  # "... using the text '...', but simplified"
    last = words[-1:] == ["first"] and words[-2:-1] not in (["the"], ["at"], ["its"])
    return last or (intent.joint == "but" and words[:1] == ["first"])


def is_put_off(intent: Intent, intents: Sequence[Intent]) -> bool:
    """ "Before transcribing talk.wav, ...", at the start of a sentence."""
    opens = not any(other.sentence == intent.sentence for other in intents if other.index < intent.index)
    does = any(t.kind in ("task", "action") and t.first <= 2 for t in intent.terms)
    return intent.joint == "before" and opens and does
