"""What documents say of themselves - who made them, when, on how many pages - and what is counted in them. What is not
said is not guessed. Must not know tools."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodes._support.documents import blocks, books, documents, word_files
from nodes._support.files import codecs
from nodes._support.language.sentences import paragraphs
from nodes._support.language.words import MAXIMUM_CHARACTERS, count_of_characters, count_of_words
from nodes.api import ResourceType, RunContext

if TYPE_CHECKING:
    from pypdf import PdfReader

Facts = dict[str, str | int | None]
_DATE = re.compile(r"\s*(?:D:)?(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?")
_LONGEST = 300
"""Characters of a title or a name."""
_MARKDOWN = (".md", ".markdown")
_MARKDOWN_PICTURE = re.compile(r"!\[[^\]\n]*\]\([^)\n]+\)")
_PAGE_DATES = {
    "created": ("date", "dc.date", "dcterms.created", "article:published_time"),
    "changed": ("last-modified", "dcterms.modified", "article:modified_time"),
}
"""The names under which pages of the web have their dates."""


def facts_of(file: Path, context: RunContext) -> Facts:
    """What is known of a document, by name: pages, title, author, created, changed (ISO dates), words, characters,
    paragraphs, pictures, tables, scan and locked (yes or no). What is not known is left out; of a document that needs a
    password nothing else is. Raises NodeError for what is damaged or no document."""
    suffix = documents.checked(file)
    try:
        found = _of_pdf(file, context) if suffix == ".pdf" else _of_others(file, suffix)
    except documents.Locked:
        found = {"locked": "yes"}
    return {name: value for name, value in found.items() if value not in (None, "")}


def _of_others(file: Path, suffix: str) -> Facts:
    text = documents.text_without_pages(file)
    counted = _counted(text)
    if suffix == ".docx":
        return counted | documents.opened(file, lambda: _of_word(file, counted))
    if suffix in books.OPEN_DOCUMENT:
        return counted | documents.opened(file, lambda: _of_open_document(file, suffix, counted))
    if suffix == ".epub":
        return counted | documents.opened(file, lambda: _of_book(file))
    if suffix in documents.HTML:
        return counted | documents.opened(file, lambda: _of_page(codecs.decode(file, ResourceType.TEXT, "file")))
    if suffix in _MARKDOWN:
        kept, tables = word_files.without_tables(text)
        return {**counted, "pictures": len(_MARKDOWN_PICTURE.findall(kept)), "tables": len(tables)}
    return counted


def _counted(text: str) -> Facts:
    text = text.strip()
    if len(text) > MAXIMUM_CHARACTERS:
        return {"characters": count_of_characters(text)}
    return {"words": count_of_words(text), "characters": count_of_characters(text), "paragraphs": len(paragraphs(text))}


def _told(text: Any) -> str:
    return " ".join(text.split())[:_LONGEST] if isinstance(text, str) else ""


def _date(text: Any) -> str:
    """The day of a date as files write them, 2024-03-01; only month or year where no more is said, "" for no date."""
    found = _DATE.match(text) if isinstance(text, str) else None
    given = [part for part in found.groups() if part] if found else []
    try:
        datetime.date(*map(int, (*given, "01", "01")[:3]))
    except (ValueError, TypeError):
        return ""
    return "-".join(given)


def _stated_pages(pages: str, stated_words: str, counted: Facts) -> int | None:
    """The number of pages that a file states, where it states its words rightly too: programs that write a file without
    setting its pages leave the numbers of their template in it."""
    words = counted.get("words")
    if not pages.isdecimal():
        return None
    if stated_words.isdecimal() and isinstance(words, int) and not words / 2 <= int(stated_words) <= 2 * words:
        return None
    return int(pages) or None


# PDF ------------------------------------------------------------------------------------------------------------------


def _of_pdf(file: Path, context: RunContext) -> Facts:
    def read(reader: PdfReader) -> Facts:
        texts, pictures, total = list[str](), set[Any](), len(reader.pages)
        for number, page in enumerate(reader.pages):
            context.progress(number / total)
            texts.append(documents.written_on(page))
            pictures.update(_drawn(page.get("/Resources"), set()))
        text = "\n\n".join(filter(None, texts))
        is_scan = bool(pictures) and not any(map(str.isalnum, text))
        about = reader.metadata
        return {
            "pages": total,
            "title": _told(about and about.title),
            "author": _told(about and about.author),
            "created": _date(about and about.creation_date_raw),
            "changed": _date(about and about.modification_date_raw),
            **({} if is_scan else _counted(text)),
            "pictures": len(pictures),
            "scan": "yes" if is_scan else "no",
            "locked": "no",
        }

    return documents.pdf(file, read)


def _drawn(resources: Any, seen: set[int]) -> Iterator[Any]:
    """The pictures that a page draws, or a form on it: one that is drawn on several pages is one picture."""
    objects = resources.get_object().get("/XObject") if resources is not None else None
    for kept in objects.get_object().values() if objects is not None else ():
        drawn = kept.get_object()
        number = drawn.indirect_reference.idnum if drawn.indirect_reference is not None else id(drawn)
        if drawn.get("/Subtype") == "/Image":
            yield number
        elif drawn.get("/Subtype") == "/Form" and number not in seen:
            seen.add(number)
            yield from _drawn(drawn.get("/Resources"), seen)


# Archives -------------------------------------------------------------------------------------------------------------


def _first(root: Any, name: str) -> str:
    return next((_told(found) for each in books.children(root, name) if (found := each.text)), "")


def _of_word(file: Path, counted: Facts) -> Facts:
    from docx.opc.constants import RELATIONSHIP_TYPE

    document = documents.word(file)

    def part(kind: str) -> Any:  # python-docx makes up properties where a file has none
        try:
            return books.xml_of(document.part.package.part_related_by(kind).blob)
        except KeyError:
            return books.xml_of(b"<none/>")

    about, more = part(RELATIONSHIP_TYPE.CORE_PROPERTIES), part(RELATIONSHIP_TYPE.EXTENDED_PROPERTIES)
    return {
        "pages": _stated_pages(_first(more, "Pages"), _first(more, "Words"), counted),
        "title": _first(about, "title"),
        "author": _first(about, "creator"),
        "created": _date(_first(about, "created")),
        "changed": _date(_first(about, "modified")),
        "pictures": len(document.element.body.xpath(".//a:blip")),
        "tables": len(document.tables),
        "locked": "no",
    }


def _of_open_document(file: Path, suffix: str, counted: Facts) -> Facts:
    if suffix == ".fodt":
        about = content = books.xml_of(file.read_bytes())
    else:
        with zipfile.ZipFile(file) as archive:
            content = books.xml_of(archive.read("content.xml"))
            has_about = "meta.xml" in archive.namelist()
            about = books.xml_of(archive.read("meta.xml") if has_about else b"<none/>")
    about = next(books.children(about, "meta"), about)
    counts = {
        key.rpartition("}")[2]: value
        for each in books.children(about, "document-statistic")
        for key, value in each.attrib.items()
    }
    tables = [each for each in books.children(content, "table") if not _is_within(each, "table")]
    frames = [each for each in books.children(content, "frame") if any(books.name_of(one) == "image" for one in each)]
    return {
        "pages": _stated_pages(counts.get("page-count", ""), counts.get("word-count", ""), counted),
        "title": _first(about, "title"),
        "author": _first(about, "initial-creator") or _first(about, "creator"),
        "created": _date(_first(about, "creation-date")),
        "changed": _date(_first(about, "date")),
        "pictures": len(frames),
        "tables": len(tables),
        "locked": "no",
    }


def _is_within(element: Any, name: str) -> bool:
    return any(books.name_of(each) == name for each in element.iterancestors())


def _of_book(file: Path) -> Facts:
    with zipfile.ZipFile(file) as archive:
        about = books.package_of(archive)[1]
    pages = [_of_page(chapter) for chapter in books.chapters(file)]
    changed = (each.text for each in books.children(about, "meta") if each.get("property") == "dcterms:modified")
    return {
        "title": _first(about, "title"),
        "author": _told(", ".join(filter(None, (_told(each.text) for each in books.children(about, "creator"))))),
        "created": _date(_first(about, "date")),
        "changed": _date(next(changed, "")),
        **{name: sum(int(page.get(name) or 0) for page in pages) for name in ("pictures", "tables")},
    }


def _of_page(source: str) -> Facts:
    root = blocks.root_of_page(source)
    if root is None:
        return {}
    said = {
        (each.get("name") or each.get("property") or "").lower(): each.get("content") or ""
        for each in root.iter("meta")
    }
    dates = {name: next(filter(None, (_date(said.get(key)) for key in keys)), "") for name, keys in _PAGE_DATES.items()}
    return {
        "title": next((_told("".join(each.itertext())) for each in root.iter("title")), ""),
        "author": _told(said.get("author")),
        **dates,
        "pictures": len(root.xpath("//img | //image")),
        "tables": len(root.xpath("//table[not(ancestor::table)]")),
    }
