"""Documents that are archives: OpenDocument as HTML, and the chapters of an EPUB. Must not know tools.

Whatever is wrong with a stranger's file raises ValueError, KeyError, OSError, zipfile.BadZipFile or lxml's errors.
"""

from __future__ import annotations

import html
import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nodes._support.files import codecs
from nodes.api import Phrase

MOST_BYTES = 300_000_000
OPEN_DOCUMENT = (".odt", ".ott", ".odp", ".fodt")
_MANIFEST = "META-INF/manifest.xml"
_BLOCKS = {"h": "h2", "p": "p", "list-item": "li", "table": "table", "table-row": "tr", "table-cell": "td"}
_HOLDERS = ("table-cell", "list-item")
"""What their paragraphs say stands on one line."""
_LEFT_OUT = frozenset(("annotation", "tracked-changes", "forms", "scripts", "font-face-decls", "styles", "notes",
                       "page-number", "page-count"))  # fmt: skip
_MARK = "note-citation"
_ASIDE = ("note-body", *(f"{place}{which}" for place in ("header", "footer") for which in ("", "-first", "-left")))


class NeedsPassword(ValueError):
    """What is in the file cannot be read without its password."""


def check_size(archive: zipfile.ZipFile) -> None:
    """Raises ValueError for an archive that would fill the memory."""
    if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise ValueError(Phrase("it unpacks to more than 300 MB"))


def open_document(path: Path) -> str:
    """The text and the tables of an OpenDocument file as HTML; at its end the notes, each by what stands for it in
    brackets, and what a text has on its paper above and below each page."""
    if path.suffix.lower() == ".fodt":
        return _html_of(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        check_size(archive)
        names = archive.namelist()
        if _MANIFEST in names and b"encryption-data" in archive.read(_MANIFEST):
            raise NeedsPassword
        is_text = path.suffix.lower() != ".odp" and "styles.xml" in names
        return _html_of(archive.read("content.xml")) + (_html_of(archive.read("styles.xml")) if is_text else "")


def _html_of(data: bytes) -> str:
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    parser = etree.XMLParser(target=_Writer(), resolve_entities=False, no_network=True)
    return etree.fromstring(data, parser)


class _Writer:
    """Receives start, end and data of a parser and gathers HTML."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._aside: list[str] = []
        self._around: list[tuple[list[str], int]] = []
        self._left_out = self._text = self._held = self._mark = 0
        self._heading = _BLOCKS["h"]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        said = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        if name in _ASIDE:  # what is within goes behind the text
            self._around.append((self._parts, self._held))
            self._parts, self._held = [], 0
        self._left_out += name in _LEFT_OUT
        self._held += name in _HOLDERS
        self._text += name in ("p", "h")
        if name == _MARK:
            self._mark = len(self._parts)
            self._parts.append("[")
        elif name in ("s", "tab", "line-break"):
            self._parts.append("<br>" if name == "line-break" else " ")
        elif name == "table-cell":
            self._parts.append(f'<td colspan="{said.get("number-columns-spanned", 1)}" '
                               f'rowspan="{said.get("number-rows-spanned", 1)}">')  # fmt: skip
        elif name in _BLOCKS:
            self._parts.append(" " if self._held and name in ("p", "h") else f"<{self._tag(name, said)}>")

    def _tag(self, name: str, said: dict[str, str]) -> str:
        level = said.get("outline-level", "")
        if name == "h" and level.isdecimal():
            self._heading = f"h{min(6, max(1, int(level)))}"
        return self._heading if name == "h" else _BLOCKS[name]

    def end(self, tag: str) -> None:
        name = tag.rpartition("}")[2]
        if name in _BLOCKS and not (self._held and name in ("p", "h")):
            self._parts.append(f"</{self._heading if name == 'h' else _BLOCKS[name]}>")
        elif name == _MARK:
            self._parts.append("]")
        elif name in _ASIDE:
            self._end_aside(name)
        self._left_out -= name in _LEFT_OUT
        self._held -= name in _HOLDERS
        self._text -= name in ("p", "h")

    def _end_aside(self, name: str) -> None:
        within = "".join(self._parts)
        self._parts, self._held = self._around.pop()
        if name == "note-body":
            begin = within.find(">") + 1
            within = f"{within[:begin]}{''.join(self._parts[self._mark :])} {within[begin:]}"
        if any(map(str.isalpha, re.sub(r"<[^>]*>|&\w+;", "", within))) and within not in self._aside:
            self._aside.append(within)

    def data(self, data: str) -> None:
        if self._text and not self._left_out:
            self._parts.append(html.escape(data))

    def close(self) -> str:
        return "".join((*self._parts, *self._aside))


def chapters(path: Path) -> list[str]:
    """The chapters of an EPUB as HTML, in the order in which they are read, without its table of contents."""
    with zipfile.ZipFile(path) as archive:
        return [codecs.text_of(archive.read(place)) for place in reading_order(archive)[0]]


def reading_order(archive: zipfile.ZipFile) -> tuple[list[str], str]:
    """The names of the pages of an EPUB in the order in which they are read, without its table of contents; and the
    name of that, "" where it has none."""
    names = set(archive.namelist())
    package, root = package_of(archive)
    items = {item.get("id"): item for item in children(root, "item")}

    def place(item: Any) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(item.get("href", ""))))

    shown = [items[ref.get("idref")] for ref in children(root, "itemref") if ref.get("idref") in items]
    contents = [item for item in items.values() if "nav" in (item.get("properties") or "").split()]
    contents += [item for item in items.values() if item.get("media-type") == "application/x-dtbncx+xml"]
    told = [place(item) for item in shown if "nav" not in (item.get("properties") or "").split()]
    return [name for name in told if name in names], next((n for n in map(place, contents) if n in names), "")


def package_of(archive: zipfile.ZipFile) -> tuple[str, Any]:
    """The name of the file of an EPUB that lists all others and says whose book it is, and its root."""
    check_size(archive)
    if "META-INF/rights.xml" in archive.namelist():
        raise ValueError(Phrase("it is protected against copying"))
    package = next(children(xml_of(archive.read("META-INF/container.xml")), "rootfile")).get("full-path", "")
    return package, xml_of(archive.read(package))


def xml_of(data: bytes, is_page: bool = False) -> Any:
    """The root of an XML file, which loads nothing; a page may be untidy."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, recover=is_page))


def html_of(root: Any) -> str:
    """The element as text."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    return etree.tostring(root, encoding="unicode", method="html")


def name_of(node: Any) -> str:
    """The name of an element without its namespace, "" for a comment."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def children(root: Any, name: str) -> Iterator[Any]:
    """The elements of that name within one, at whatever depth."""
    return (each for each in root.iter() if name_of(each) == name)
