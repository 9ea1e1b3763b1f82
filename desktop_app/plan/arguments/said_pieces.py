"""A request in the pieces between its signs and joining words, some of which are about one thing, such as an archive.
What they have to say for that stands in lists of phrases in resources/values.toml. Knows no tools.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of
from desktop_app.plan.language.word_patterns import lists_of
from desktop_app.plan.types import Request

HIDDEN = "\0"
"""Stands for each letter of a quote or a name: in these is no wish."""
ENDS = ".,;:!?，。；！？、"
_JOINTS = "and then|and(?! white)|then|und dann|und|dann|et puis|et|puis|y luego|y|luego|然后|并且|并|再"
Piece = tuple[int, int]


@dataclass(frozen=True)
class Phrases:
    """The lists of phrases of a section; one that ends in * is the beginning of words."""

    section: str

    def any(self, names: str) -> str:
        """A pattern for what is in the lists of these names."""
        return _any(self.section, names)

    def found(self, names: str, text: str) -> bool:
        """Whether anything of these lists is in the text."""
        return re.search(self.any(names), text, re.I) is not None


@cache
def _any(section: str, names: str) -> str:
    phrases = [one.strip() for name in names.split() for one in lists_of(section)["all"][name].split(",")]
    return "|".join(map(_phrase, sorted(filter(None, phrases), key=len, reverse=True)))


def _phrase(phrase: str) -> str:
    plain = re.escape(phrase.removesuffix("*")).replace(r"\ ", r"\s+")
    if is_ideographic(phrase[0]):
        return plain
    return rf"(?<!\w){plain}" + (r"\w*" if phrase.endswith("*") else r"(?!\w)")


def masked(request: Request) -> str:
    """The text, as long as it is, with its names and quotes hidden."""
    text = request.text
    for name in sorted((one.name for one in request.resources if one.name), key=len, reverse=True):
        text = text.replace(name, HIDDEN * len(name))
    for token in tokens_of(text):
        if token.kind in ("quote", "file", "url"):
            text = text[: token.start] + HIDDEN * (token.end - token.start) + text[token.end :]
    return text


def pieces_of(text: str, last: str, is_last: Callable[[re.Match[str]], bool] = bool) -> list[Piece]:
    """Where the pieces of a masked text begin and end; names that are joined stay together, and what the pattern `last`
    fits at the end of one is apart, if `is_last` agrees.
    """
    joint = rf"(?:(?<!\S)(?:{_JOINTS})(?=\s)|(?<=[^\x00-\x7f])(?:{_JOINTS})(?=\s|[^\x00-\x7f]))"
    names = rf"{HIDDEN}\s*(?:,|，|、|{joint})\s*(?={HIDDEN})"
    whole = re.sub(names, lambda found: HIDDEN * len(found[0]), text, flags=re.I)
    ends = rf"[.,;!?](?=\s)|[，。；！？\n]|{joint}"
    found, start = list[Piece](), 0
    for cut in re.finditer(rf"{ends}|(?={last}\s*(?:$|[.!?]\s*$|{ends}))", whole, re.I):
        if cut.end() > cut.start() or is_last(cut):
            found.append((start, cut.start()))
            start = cut.end()
    return [(a, b) for a, b in [*found, (start, len(text))] if text[a:b].strip(f" {ENDS}")]


def without(text: str, pieces: Sequence[Piece], own: Collection[Piece]) -> str:
    """What is left of the request, pieces that stand together joined as they were."""
    runs = list[Piece]()
    before = None
    for number, piece in enumerate(pieces):
        if piece in own:
            continue
        runs[len(runs) - (before == number - 1) :] = [(runs[-1][0] if before == number - 1 else piece[0], piece[1])]
        before = number
    return ", ".join(text[a:b].strip() for a, b in runs)
