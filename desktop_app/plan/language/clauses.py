"""A request, or a clause of it, as the encoder reads it: names of files give way to words for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.plan.language.tagger import tagger
from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of
from desktop_app.plan.language.word_pieces import WordPieces, units_of
from desktop_app.plan.types import Given

_CONNECTIVES = (
    r"and(?! white\b)(?: then| after that| also)?|then|plus|also|but|after that|afterwards|finally|next(?! to)|"
    r"und(?: dann| danach)?|dann|danach|anschließend|sowie|aber|außerdem|"
    r"et(?: puis| ensuite)?|puis|ensuite|mais|aussi|"
    r"y(?: luego| después| además)?|luego|después|además|pero|"
    r"og|så"
)
_OPENING = re.compile(rf"^(?:[\s,.;:!?，。；！？、：)-]|(?:{_CONNECTIVES})\s|然后|接着|最后|并且|再|并)+", re.I)
STAND_INS = {
    "image": "the photo", "audio": "the recording", "video": "the video", "text": "the text", "table": "the table",
    "mask": "the mask", "html": "the page", "file": "the document", "url": "the page",
}  # fmt: skip


@dataclass(frozen=True)
class TaggedWord:
    """A word of a request as it is read, and its place in the text: a file's name is read as what it is."""

    start: int
    end: int
    text: str


def words_of(text: str, resources: Sequence[Given] = (), pieces: WordPieces | None = None) -> list[TaggedWord]:
    """In order; Chinese as `pieces`, or the tagger's, cut it. Names of files and addresses give way to words for them,
    quoted texts stay.
    """
    pieces = pieces or tagger().pieces
    names: list[tuple[int, int, str]] = []
    for given in sorted(resources, key=lambda given: -len(given.name)):
        first = text.find(given.name) if given.name else -1
        while first >= 0:
            after = first + len(given.name)
            if not any(start < after and first < end for start, end, _ in names):
                names.append((first, after, STAND_INS.get(given.type, "the file")))
            first = text.find(given.name, after)
    for token in tokens_of(text):
        if token.kind in ("file", "url") and not any(a < token.end and token.start < b for a, b, _ in names):
            names.append((token.start, token.end, STAND_INS.get(token.type or token.kind, "the file")))
    words: list[TaggedWord] = []
    at = 0
    for start, end, said in [*sorted(names), (len(text), len(text), "")]:
        words += [TaggedWord(at + a, at + b, text[at + a : at + b]) for a, b in units_of(text[at:start], pieces)]
        words += [TaggedWord(start, end, part) for part in said.split()]
        at = end
    return words


def _stand_in(name: str, type: str) -> str:
    return "the archive" if name.lower().endswith(".zip") else STAND_INS.get(type, "the file")


def bare(text: str, resources: Sequence[Given] = ()) -> str:
    """A clause as the encoder reads it: without the word that joins it, and with words for the names of files."""
    for given in sorted(resources, key=lambda given: -len(given.name)):
        text = text.replace(given.name, _stand_in(given.name, given.type))
    for token in reversed(tokens_of(text)):
        if token.kind in ("file", "url"):
            text = text[: token.start] + _stand_in(token.text, token.type or token.kind) + text[token.end :]
    text = _OPENING.sub("", text.strip() + " ").strip(" ,.;:!?，。；！？、：")
    return text if is_ideographic(text) else " ".join(text.split())
