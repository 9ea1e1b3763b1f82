"""One chapter of an EPUB, found by its number or its title in the table of contents. Must not know tools."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag

from nodes._support.documents import books
from nodes.api import NodeError, Phrase

_NUMBERED = re.compile(r"\s*(?:(\w+)\s+)?(\d{1,4}|[IVXLC]+)\b")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_NEAR = 80
_SHOWN = 12


class _Entry(NamedTuple):
    """A line of the table of contents: the file it leads to, and the id of the place in it, "" for its beginning."""

    title: str
    file: str
    place: str


def chapter(path: Path, wanted: str) -> tuple[str, list[str]]:
    """The title of the chapter, and its pages as HTML. Raises NodeError naming `chapter` for one that is not there."""
    with zipfile.ZipFile(path) as archive:
        shown, contents = books.reading_order(archive)
        entries = _entries(archive, contents, shown) or [_Entry("", file, "") for file in shown]
        at = _chosen(entries, " ".join(wanted.split()))
        begin = entries[at]
        end = next((entry for entry in entries[at + 1 :] if entry[1:] != begin[1:]), None)
        first = shown.index(begin.file)
        last = len(shown) - 1 if end is None else shown.index(end.file)
        parts = []
        for number in range(first, last + 1):
            page = books.xml_of(archive.read(shown[number]), is_page=True)
            if end is not None and number == last and not _cut(page, end.place, after=True):
                break
            if number == first:
                _cut(page, begin.place, after=False)
            parts.append(books.html_of(page))
        return begin.title, parts


def _entries(archive: zipfile.ZipFile, contents: str, shown: list[str]) -> list[_Entry]:
    """The table of contents, of EPUB 3 or 2, as far as it leads to what is read, in that order."""
    if not contents:
        return []
    root, folder, found = books.xml_of(archive.read(contents)), posixpath.dirname(contents), []
    for node in root.iter():
        name = books.name_of(node)
        if name == "navPoint":
            label = next((each for each in node if books.name_of(each) == "navLabel"), None)
            source = next((each.get("src", "") for each in node if books.name_of(each) == "content"), "")
        elif name == "a":
            label, source = node, node.get("href", "")
        else:
            continue
        file, place = urldefrag(source)
        file = posixpath.normpath(posixpath.join(folder, unquote(file)))
        title = " ".join("".join(label.itertext()).split()) if label is not None else ""
        if file in shown:
            found.append(_Entry(title, file, place))
    return sorted(dict.fromkeys(found), key=lambda entry: shown.index(entry.file))


def _chosen(entries: list[_Entry], wanted: str) -> int:
    from rapidfuzz import fuzz, process

    titles = [entry.title.casefold() for entry in entries]
    said = wanted.casefold()
    for is_it in (said.__eq__, lambda title: len(said) > 2 and said in title):
        if (at := next((at for at, title in enumerate(titles) if is_it(title)), None)) is not None:
            return at
    number = re.fullmatch(r"\D{0,15}(\d{1,4})\D{0,5}", wanted)
    if number and (at := _by_number(entries, int(number[1]))) is not None:
        return at
    near = process.extractOne(said, titles, scorer=fuzz.ratio, score_cutoff=_NEAR) if said else None
    if near:
        return near[2]
    shown = ", ".join(entry.title for entry in entries[:_SHOWN] if entry.title)
    fix = Phrase("The chapters are: {shown}.", shown=shown) if shown else Phrase("Name its number.")
    raise NodeError(Phrase("There is no chapter “{chapter}”.", chapter=wanted), "chapter", fix)


def _by_number(entries: list[_Entry], number: int) -> int | None:
    """Of the titles that begin alike ("Chapter 1", "Chapter 2", or "I", "II") the one of that number; without such the
    one at that place of those that begin with the same word; else of all."""
    counted = [(at, found[1] or "", _value(found[2])) for at, entry in enumerate(entries)
               if (found := _NUMBERED.match(entry.title))]  # fmt: skip
    if len(counted) > 1:
        word = Counter(word.casefold() for _, word, _ in counted).most_common(1)[0][0]
        return next((at for at, each, value in counted if each.casefold() == word and value == number), None)
    firsts = Counter(entry.title.split()[0].casefold() for entry in entries if entry.title)
    word, often = firsts.most_common(1)[0] if firsts else ("", 0)
    alike = [at for at, entry in enumerate(entries) if often > 2 and entry.title.casefold().startswith(word)]
    places = alike or [*range(len(entries))]
    return places[number - 1] if 1 <= number <= len(places) else None


def _value(figures: str) -> int:
    if figures.isdigit():
        return int(figures)
    values = [_ROMAN[letter] for letter in figures]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))


def _cut(page: Any, place: str, after: bool) -> bool:
    """Takes away what stands before the element with that id, or it and all behind it; False when nothing would be left
    because it is the beginning."""
    node = next((each for each in page.iter() if place and each.get("id") == place), None)
    if node is None:
        return not after
    if after:
        node.tail, empty = None, node
        for child in list(node):
            node.remove(child)
        empty.text = None
    while (parent := node.getparent()) is not None:
        for sibling in list(node.itersiblings(preceding=not after)):
            if books.name_of(sibling) != "head":
                parent.remove(sibling)
        if after:
            node.tail = None
        else:
            parent.text = None
        node = parent
    return True
