"""Documents that are archives: OpenDocument as HTML, and the chapters of an EPUB. Must not know tools.

Whatever is wrong with a stranger's file raises ValueError, KeyError, OSError, zipfile.BadZipFile or lxml's errors.
"""

from __future__ import annotations

import html
import posixpath
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
_LEFT_OUT = frozenset(("annotation", "tracked-changes", "forms", "scripts", "font-face-decls", "styles", "notes"))


class NeedsPassword(ValueError):
    """What is in the file cannot be read without its password."""


def check_size(archive: zipfile.ZipFile) -> None:
    """Raises ValueError for an archive that would fill the memory."""
    if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise ValueError(Phrase("it unpacks to more than 300 MB"))


def open_document(path: Path) -> str:
    """The text and the tables of an OpenDocument file as HTML."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    writer = _Writer()
    parser = etree.XMLParser(target=writer, resolve_entities=False, no_network=True)
    if path.suffix.lower() == ".fodt":
        return etree.fromstring(path.read_bytes(), parser)
    with zipfile.ZipFile(path) as archive:
        check_size(archive)
        if _MANIFEST in archive.namelist() and b"encryption-data" in archive.read(_MANIFEST):
            raise NeedsPassword
        return etree.fromstring(archive.read("content.xml"), parser)


class _Writer:
    """Receives start, end and data of a parser and gathers HTML."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left_out = self._text = self._held = 0
        self._heading = _BLOCKS["h"]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        said = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        self._left_out += name in _LEFT_OUT
        self._held += name in _HOLDERS
        self._text += name in ("p", "h")
        if name in ("s", "tab", "line-break"):
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
        self._left_out -= name in _LEFT_OUT
        self._held -= name in _HOLDERS
        self._text -= name in ("p", "h")

    def data(self, data: str) -> None:
        if self._text and not self._left_out:
            self._parts.append(html.escape(data))

    def close(self) -> str:
        return "".join(self._parts)


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
