"""Where one wish of a request may end and the next begin: the request cut into atoms, as places in its text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of
from desktop_app.plan.types import Given

_MOST = 12
"""Longer requests are cut more coarsely, so that planning stays quick."""

_CONNECTIVES = (
    r"and(?! white\b)(?: then| after that| also)?|then|plus|also|but|after that|afterwards|finally|next(?! to)|"
    r"und(?: dann| danach)?|dann|danach|anschließend|sowie|aber|außerdem|"
    r"et(?: puis| ensuite)?|puis|ensuite|mais|aussi|"
    r"y(?: luego| después| además)?|luego|después|además|pero|"
    r"og|så"
)
_BREAK = re.compile(
    rf"[,;!?\n]+|\.(?=\s|$)|:(?=\s)|\s[-–—]+\s|—|[，。；！？、：]|(?=\b(?:{_CONNECTIVES})\s)|"
    r"(?=然后|接着|最后|再(?!见)|并且|并(?=[^排且])|同时|还要|另外)",
    re.I,
)  # fmt: skip
_OPENING = re.compile(rf"^(?:[\s,.;:!?，。；！？、：)-]|(?:{_CONNECTIVES})\s|然后|接着|最后|并且|再|并)+", re.I)
STAND_INS = {
    "image": "the photo", "audio": "the recording", "video": "the video", "text": "the text", "table": "the table",
    "mask": "the mask", "html": "the page", "file": "the document", "url": "the page",
}  # fmt: skip


@dataclass(frozen=True)
class Atom:
    """A stretch of the request that holds no boundary: `start` and `end` are places in the text."""

    start: int
    end: int


def atoms_of(text: str, resources: Sequence[Given] = ()) -> list[Atom]:
    """In order, together the whole text. Quoted texts, names of files, addresses and brackets stay whole."""
    whole = [(t.start, t.end) for t in tokens_of(text) if t.kind in ("quote", "file", "url")]
    whole += [found.span() for given in resources for found in re.finditer(re.escape(given.name), text)]
    whole += [found.span() for found in re.finditer(r"\([^()]*\)|\d[\d.,:]*\d", text)]
    cuts = {0, len(text)}
    for found in _BREAK.finditer(text):
        place = found.end()
        if not any(start < place < end or start <= found.start() < end for start, end in whole if end - start > 1):
            cuts.add(place)
    places = sorted(cuts)
    found = [Atom(a, b) for a, b in itertools.pairwise(places)]
    return _coarser(_without_empty(found, text))


def _without_empty(atoms: Sequence[Atom], text: str) -> list[Atom]:
    """What holds no word of its own goes to the atom before it."""
    kept: list[Atom] = []
    for atom in atoms:
        before = kept[-1] if kept else atom
        if kept and not (_has_word(text[atom.start : atom.end]) and _has_word(text[before.start : before.end])):
            kept[-1] = Atom(kept[-1].start, atom.end)
        else:
            kept.append(atom)
    return kept


def _has_word(text: str) -> bool:
    left = _OPENING.sub("", text + " ")
    return bool(re.search(r"\w", left))


def _coarser(atoms: list[Atom]) -> list[Atom]:
    while len(atoms) > _MOST:
        at = min(range(len(atoms) - 1), key=lambda i: atoms[i + 1].end - atoms[i].start)
        atoms[at : at + 2] = [Atom(atoms[at].start, atoms[at + 1].end)]
    return atoms


def bare(text: str, resources: Sequence[Given] = ()) -> str:
    """A clause as the encoder reads it: without the word that joins it, and with words for the names of files."""
    for given in sorted(resources, key=lambda given: -len(given.name)):
        text = text.replace(given.name, STAND_INS.get(given.type, "the file"))
    for token in reversed(tokens_of(text)):
        if token.kind in ("file", "url"):
            text = text[: token.start] + STAND_INS.get(token.type or token.kind, "the file") + text[token.end :]
    text = _OPENING.sub("", text.strip() + " ").strip(" ,.;:!?，。；！？、：")
    return text if is_ideographic(text) else " ".join(text.split())
