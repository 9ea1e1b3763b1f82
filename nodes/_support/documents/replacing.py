"""Replaces words inside documents: Word, spreadsheets, slides, OpenDocument, pages, plain text. Must not know tools.

Everything else in the file stays byte by byte: of an archive only the parts that hold its words are read, and of those
only the letters are changed. What takes the place of words that are in several forms gets the form of the first.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.documents import books, documents
from nodes._support.files import codecs
from nodes._support.tables import dates, dates_said
from nodes.api import NodeError, Phrase, RunContext

_OFFICE = (".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".pptx", ".pptm")
_OPEN = (".odt", ".ott", ".ods", ".odp")
_PAGES = (".html", ".htm", ".xhtml")
_PARTS = re.compile(
    r"word/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml"
    r"|xl/(?:sharedStrings|comments\d*|worksheets/sheet\d+|tables/table\d+|drawings/drawing\d+|workbook)\.xml"
    r"|ppt/(?:slides/slide|notesSlides/notesSlide)\d+\.xml|(?:content|styles)\.xml"
)
_PLAIN_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,10})?")
_PARAGRAPHS = frozenset(("p", "h", "si", "is", "text"))
"""Words do not go over their ends."""
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " ", "noBreakHyphen": "-"}
_SKIPPED = frozenset(("rPh", "tracked-changes", "pPr", "rPr", "instrText", "delText"))
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{4}\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*[日号]|\d{1,2}\s*月\s*\d{1,2}\s*[日号]"
    r"|\b\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{4}|\d{2})\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?(?P<month>[^\W\d_]{3,10})\b\.?(?:,?\s+(?:de\s+)?\d{4}\b)?"
    r"|\b(?P<first>[^\W\d_]{3,10})\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4}\b)?",
    re.IGNORECASE,
)
_LETTER = r"[^\W_\u3040-\u30ff\u3400-\u9fff]"
_ALIKE = {"'": "['’‘]", '"': '["“”„]', "-": "[-‐‑]"}
_HTML = re.compile(
    r"(?P<hidden><!--.*?-->|<(?P<name>script|style)\b.*?</(?P=name)\s*>)|(?P<tag></?(?P<kind>[a-zA-Z][\w:-]*)[^>]*>|<![^>]*>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{1,31});)",
    re.DOTALL | re.IGNORECASE,
)
_WITHIN_LINES = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q",
    "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
))  # fmt: skip


def replaced(file: Path, find: str, replace: str, context: RunContext) -> Path:
    """A copy of the document, of the same form, with each `find` replaced. Raises NodeError: naming `find` where it
    does not occur, `file` for what is damaged or of a form in which this cannot be done."""
    suffix = documents.checked(file)
    if suffix == ".pdf":
        said = Phrase("The words of {file} cannot be replaced: a PDF holds drawn letters.", file=file.name)
        raise NodeError(said, "file", "Give the document that it was made from, or convert it to .docx first.")
    target = context.new_file(suffix)
    words = _changed(file, target, _Words(find, replace), context)
    if not words.times and " ".join(find.lower().split()) in dates.listed("spans")["date"]:
        words = _changed(file, target, _Words(_only_date(file, context), replace), context)
    if not words.times:
        raise _not_there(file, find, replace, context)
    context.tell(Phrase("replaced {n} times", n=words.times))
    return target


def _changed(file: Path, target: Path, words: _Words, context: RunContext) -> _Words:
    suffix = target.suffix
    if suffix in (*_OFFICE, *_OPEN):
        documents.opened(file, lambda: _archive(file, target, words, context))
    elif suffix in (*_PAGES, *documents.PLAIN):
        documents.opened(file, lambda: _text(file, target, words, suffix in _PAGES))
    else:
        raise documents.unknown(file)
    return words


def _only_date(file: Path, context: RunContext) -> str:
    """The date that stands in a document, as it is written there. Raises NodeError for none and for several."""
    text = documents.text_of(file, "", context)
    found = [*dict.fromkeys(_dates(text))]
    if len(found) == 1:
        return found[0]
    if found:
        said = Phrase("There are several dates in {file}: {dates}.", file=file.name, dates=", ".join(found[:6]))
        raise NodeError(said, "find", "Say which of them.")
    raise NodeError(Phrase("There is no date in {file}.", file=file.name), "find", "Say which words are replaced.")


def _dates(text: str) -> Iterator[str]:
    at = 0
    while (match := _DATE.search(text, at)) is not None:
        is_date = _is_date(match)
        at = match.end() if is_date else match.start() + 1
        if is_date:
            yield " ".join(match.group().split())


def _is_date(match: re.Match[str]) -> bool:
    named = match["month"] or match["first"]
    return named is None or dates_said.whole_month(named.lower()) > 0


def _not_there(file: Path, find: str, replace: str, context: RunContext) -> NodeError:
    """What is said of words that do not occur: also where those that should take their place do."""
    names = {"find": find[:60], "replace": replace[:60], "file": file.name}
    if replace.strip() and _Words(replace, "").matches(documents.text_of(file, "", context)):
        said = Phrase('"{find}" does not occur in {file}, but "{replace}" does.', **names)
        return NodeError(said, "find", "Say it the other way round, if these two words were swapped.")
    return NodeError(Phrase('"{find}" does not occur in {file}.', find=names["find"], file=file.name), "find",
                     "Check the spelling.")  # fmt: skip


def cased(found: str, find: str, replace: str) -> str:
    """What takes the place of `found`, in its case where that is plain: "Cat" -> "Dog", "CAT" -> "DOG"."""
    if found == find or not replace:
        return replace
    if found.isupper() and len(found) > 1:
        return replace.upper()
    if found[0].isupper() and find[0].islower():
        return replace[0].upper() + replace[1:]
    return replace


class _Words:
    """What is looked for, what takes its place, and how often it did.

    Spaces, quotation marks and hyphens match those of typesetters. Parts of longer words are left alone: "Ann" is not
    in "Annual".
    """

    def __init__(self, find: str, replace: str) -> None:
        self.find, self.replace, self.times = " ".join(find.split()), replace, 0
        core = "".join(r"\s+" if c == " " else _ALIKE.get(c) or re.escape(c) for c in self.find)
        before, after = (f"(?<!{_LETTER})", f"(?!{_LETTER})")
        self._pattern = re.compile(
            (before if _joins(self.find[0]) else "") + core + (after if _joins(self.find[-1]) else ""), re.IGNORECASE
        )

    def matches(self, text: str) -> list[tuple[int, int, str]]:
        """Where each stands, and what takes its place; counted as replaced."""
        found = [(m.start(), m.end(), cased(m.group(), self.find, self.replace)) for m in self._pattern.finditer(text)]
        self.times += len(found)
        return found

    def in_text(self, text: str) -> str:
        """The text with all of it replaced."""
        for start, end, new in reversed(self.matches(text)):
            text = text[:start] + new + text[end:]
        return text

    def is_number(self, said: str) -> bool:
        """True where that number is looked for and a number takes its place."""
        both = _PLAIN_NUMBER.fullmatch(self.find) and _PLAIN_NUMBER.fullmatch(self.replace)
        return bool(both and _PLAIN_NUMBER.fullmatch(said)) and float(said) == float(self.find)


def _joins(letter: str) -> bool:
    """Whether letters beside it would make another word of it."""
    return letter.isalnum() and not "\u3040" <= letter <= "\u9fff"


# Archives -------------------------------------------------------------------------------------------------------------


def _archive(file: Path, target: Path, words: _Words, context: RunContext) -> None:
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as made:
        books.check_size(source)
        if "META-INF/manifest.xml" in source.namelist() and b"encryption-data" in source.read("META-INF/manifest.xml"):
            raise books.NeedsPassword
        for entry in source.infolist():
            context.check()
            data = source.read(entry)
            made.writestr(entry, _part(data, entry.filename, words) if _PARTS.fullmatch(entry.filename) else data,
                          entry.compress_type)  # fmt: skip


def _part(data: bytes, name: str, words: _Words) -> bytes:
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    if name.endswith("workbook.xml"):
        return _reckoned_anew(root, data, etree) if name.startswith("xl/") else data
    before = words.times
    if "/tables/" in name:
        _columns_of_tables(root, words)
        words.times = before  # the heads of its columns are cells too
    elif "/worksheets/" in name:
        _cells(root, words)
    else:
        for paragraph in _paragraphs(root):
            _in_paragraph(_slots(paragraph, name.startswith(("content", "styles"))), words)
    whole = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return whole if words.times > before or "/tables/" in name else data


def _reckoned_anew(root: Any, data: bytes, etree: Any) -> bytes:
    """Formulas are reckoned when the spreadsheet is opened: what they rest on may have been replaced."""
    found = next((each for each in root if _name(each) == "calcPr"), None)
    if found is None:
        return data
    found.set("fullCalcOnLoad", "1")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _columns_of_tables(root: Any, words: _Words) -> None:
    for column in root.iter():
        if _name(column) == "tableColumn":
            column.set("name", words.in_text(column.get("name") or ""))


def _cells(root: Any, words: _Words) -> None:
    """Numbers, and texts that stand in the cells; formulas are left alone."""
    for cell in [each for each in root.iter() if _name(each) == "c"]:
        inner = {_name(each): each for each in cell}
        if "f" in inner:
            continue
        if "is" in inner:
            _in_paragraph(_slots(inner["is"], False), words)
        elif cell.get("t") in (None, "n") and "v" in inner and words.is_number(inner["v"].text or ""):
            inner["v"].text = words.replace
            words.times += 1


def _paragraphs(root: Any) -> list[Any]:
    return [each for each in root.iter() if _name(each) in _PARAGRAPHS and not _is_reckoned(each)]


def _is_reckoned(paragraph: Any) -> bool:
    """True in a cell of OpenDocument whose value is a number, a date or what a formula gives."""
    cell = paragraph.getparent()
    if cell is None or _name(cell) != "table-cell":
        return False
    said = {key.rpartition("}")[2]: value for key, value in cell.attrib.items()}
    return "formula" in said or said.get("value-type", "string") != "string"


class _Slot(NamedTuple):
    """A run of letters in a part, in the `place` of the node: "text", "tail", or "gone" for an element that stands for
    a blank and goes with the words around it. `node` None stands for what parts words."""

    node: Any
    place: str
    text: str


def _slots(paragraph: Any, bare: bool) -> list[_Slot]:
    """The letters of a paragraph in their order, those of paragraphs within left out. `bare` letters stand beside the
    elements, as in OpenDocument; else only in those named "t"."""
    found: list[_Slot] = []

    def walk(element: Any) -> None:
        name = _name(element)
        if name in _BREAKS:
            found.append(_Slot(element, "gone", _BREAKS[name]))
        elif bare or name == "t":
            found.append(_Slot(element, "text", element.text or ""))
        for child in element:
            if _name(child) and _name(child) not in _SKIPPED and _name(child) not in _PARAGRAPHS:
                walk(child)
            elif _name(child) in _PARAGRAPHS:
                found.append(_Slot(None, "", "\n"))
            if bare:
                found.append(_Slot(child, "tail", child.tail or ""))

    walk(paragraph)
    return found


def _in_paragraph(slots: Sequence[_Slot], words: _Words) -> None:
    texts = [slot.text for slot in slots]
    for start, end, new in reversed(words.matches("".join(texts))):
        at = 0
        written = False
        for number, slot in enumerate(slots):
            first, last = max(start - at, 0), min(end - at, len(slot.text))
            at += len(slot.text)
            if first >= last or slot.node is None:
                continue
            put = "" if written or slot.place == "gone" else new
            texts[number] = texts[number][:first] + put + texts[number][last:]
            written = written or slot.place != "gone"
    changed = [
        (slot, text) for slot, text in zip(slots, texts, strict=True) if slot.node is not None and text != slot.text
    ]
    for slot, text in changed:
        if slot.place != "gone":
            setattr(slot.node, slot.place, text)
            if slot.place == "text" and _name(slot.node) == "t":
                slot.node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    for slot, _ in changed:
        if slot.place == "gone":
            _remove(slot.node)


def _remove(element: Any) -> None:
    """Without what follows it."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


# Text -----------------------------------------------------------------------------------------------------------------


def _text(file: Path, target: Path, words: _Words, is_page: bool) -> None:
    """In the encoding of the file; where the new letters are not in it, as numbers in a page, else in UTF-8."""
    data = file.read_bytes()
    encoding = codecs.encoding_of(data)
    text = data.decode(encoding)
    if is_page:
        target.write_bytes(_in_page(text, words).encode(encoding, "xmlcharrefreplace"))
        return
    text = words.in_text(text)
    try:
        target.write_bytes(text.encode(encoding))
    except UnicodeEncodeError:
        target.write_bytes(text.encode("utf-8"))


def _in_page(source: str, words: _Words) -> str:
    """The source of a page: what is shown is replaced, tags within it stay."""
    shown = list(_shown(source))
    text = "".join(letters for letters, _, _ in shown)
    for start, end, new in reversed(words.matches(text)):
        places = [(first, last) for letters, first, last in shown[start:end] if last > first]
        for number, (first, last) in reversed(list(enumerate(places))):
            source = source[:first] + (html.escape(new, quote=False) if number == 0 else "") + source[last:]
    return source


def _shown(source: str) -> Iterator[tuple[str, int, int]]:
    """Each letter that is shown, and where in the source it stands; ends of blocks are line ends without a place."""
    at = 0
    for found in _HTML.finditer(source):
        yield from ((source[n], n, n + 1) for n in range(at, found.start()))
        at = found.end()
        if found["entity"]:
            letters = html.unescape(found["entity"])
            yield from ((letter, found.start(), found.end() if not n else found.start())
                        for n, letter in enumerate(letters))  # fmt: skip
        elif found["tag"] and (found["kind"] or "").lower() not in _WITHIN_LINES:
            yield "\n", found.start(), found.start()
    yield from ((source[n], n, n + 1) for n in range(at, len(source)))
