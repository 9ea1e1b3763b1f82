"""Documents as blocks - headings, paragraphs, items of lists, tables, pictures - whatever file they come from. Must not
know tools, nor how blocks are written."""

from __future__ import annotations

import base64
import binascii
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nodes._support.documents import books, documents, prose, word_files, word_reading
from nodes._support.documents.pdf_letters import Span
from nodes._support.files import codecs
from nodes._support.tables import sheets
from nodes.api import NodeError, Phrase, ResourceType, RunContext, Table

_HTML = (".html", ".htm", ".xhtml")
_HIDDEN = frozenset(("script", "style", "head", "template", "noscript", "title"))
_BOLD, _ITALIC, _CODE = (
    frozenset(names) for names in (("b", "strong", "th"), ("i", "em", "cite"), ("code", "kbd", "tt"))
)
_SAFE_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_LEAST_SIDE = 24
"""Of pictures that are kept, in pixels: smaller ones are lines and bullets."""


@dataclass(frozen=True)
class Block:
    """`kind` is heading, paragraph, item, quote, code, rule, table or picture. `level` is that of a heading, 1 the
    highest, or how deep in lists an item is, 1 at the outside; `number` that of an item of a numbered list, 0 else.
    `rows` are the cells of a table, all of one length; `picture` is a file of a picture."""

    kind: str
    spans: tuple[Span, ...] = ()
    level: int = 1
    number: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    picture: bytes = b""

    @property
    def text(self) -> str:
        """Its letters alone."""
        return "".join(span.text for span in self.spans)


def of_file(file: Path, context: RunContext) -> list[Block]:
    """What a document is made of. Raises NodeError, also for one in which there is nothing."""
    suffix = documents.checked(file)
    if suffix == ".docx":
        found = documents.opened(file, lambda: list(_of_word(file)))
    elif suffix in books.OPEN_DOCUMENT:
        found = documents.opened(file, lambda: of_html(books.open_document(file)))
    elif suffix == ".epub":
        found = documents.opened(file, lambda: [block for one in books.chapters(file) for block in of_html(one)])
    elif suffix in _HTML:
        found = documents.opened(file, lambda: of_html(codecs.decode(file, ResourceType.TEXT, "file")))
    elif suffix in sheets.SPREADSHEETS:
        found = documents.opened(file, lambda: list(_of_sheets(sheets.all_sheets(file))))
    else:
        found = of_text(documents.text_of(file, "", context))
    if not any(block.text.strip() or block.rows or block.picture for block in found):
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "file", "Choose another file.")
    return found


def of_text(text: str) -> list[Block]:
    """Plain text or Markdown, with tables whose cells stand between bars."""
    kept, tables = word_files.without_tables(word_files.cleaned(text))
    blocks = of_html(prose.html_of(kept, 1))
    return [_put(block, tables) for block in blocks]


def _of_sheets(found: Sequence[tuple[str, Table]]) -> Iterator[Block]:
    """The table of each sheet, of several each below its name."""
    for name, table in found:
        if len(found) > 1:
            yield Block("heading", (Span(name),), 2)
        yield of_table(table)


def of_table(table: Any) -> Block:
    """A table whose first row are the names of its columns."""
    return Block("table", rows=tuple(tuple(word_files.written(row)) for row in (table.columns, *table.rows)))


def _put(block: Block, tables: Sequence[Sequence[Sequence[str]]]) -> Block:
    number = word_files.place_of_table(block.text)
    if number is None:
        return block
    rows = tuple(tuple(_bare(cell) for cell in row) for row in tables[number])
    return Block("table", rows=rows)


def _bare(cell: str) -> str:
    """A cell without the marks of bold, code and links."""
    return "".join(block.text for block in of_html(f"<p>{prose.inline(cell)}</p>"))


# Pages ----------------------------------------------------------------------------------------------------------------


def of_html(source: str) -> list[Block]:
    """The blocks of a page; pictures only where they are in it."""
    root = root_of_page(source)
    reader = _Page()
    if root is not None:
        reader.read(root)
    reader.end()
    return reader.found


def root_of_page(source: str) -> Any:
    """The root of the tree of a page, lxml's; None where there is nothing in it. Nothing is loaded."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    parser = etree.HTMLParser(recover=True, no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source.replace("\x00", ""))
    return etree.fromstring(source, parser) if source.strip() else None


@dataclass
class _Page:
    """Walks over a page and gathers its blocks; letters between blocks are paragraphs."""

    found: list[Block] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _look: Span = field(default_factory=lambda: Span(""))
    _kind: Block = field(default_factory=lambda: Block("paragraph"))
    _lists: list[Iterator[int] | None] = field(default_factory=list)

    def read(self, element: Any) -> None:
        if not isinstance(element.tag, str) or element.tag in _HIDDEN:
            return
        tag, look, kind = element.tag, self._look, self._kind
        if tag == "table":
            self._table(element)
            return
        begins = self._begin(tag, element)
        self._look = _looking(look, tag, element)
        self._say(element.text)
        for child in element:
            self.read(child)
            self._say(child.tail)
        self._look = look
        if begins:
            self.end()
            self._kind = kind
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()

    def _begin(self, tag: str, element: Any) -> bool:
        """True for what begins a block."""
        if tag in ("br", "img", "hr"):
            self._alone(tag, element)
            return False
        if tag in ("ul", "ol"):
            self.end()
            start = element.get("start") or "1"
            self._lists.append(itertools.count(int(start) if start.isdecimal() else 1) if tag == "ol" else None)
            return True
        kinds = {"p": self._kind, "div": self._kind, "blockquote": Block("quote"), "pre": Block("code"), "li": None}
        kinds |= {
            name: Block("paragraph") for name in ("section", "article", "body", "dd", "dt", "figcaption", "address")
        }
        if re.fullmatch("h[1-6]", tag):
            kinds[tag] = Block("heading", level=int(tag[1]))
        if tag not in kinds:
            return False
        if not (tag in ("p", "div") and self._kind.kind == "item" and not self._spans):
            self.end()
        self._kind = self._item() if tag == "li" else kinds[tag] or self._kind
        return True

    def _item(self) -> Block:
        numbers = self._lists[-1] if self._lists else None
        return Block("item", level=max(1, len(self._lists)), number=next(numbers) if numbers is not None else 0)

    def _alone(self, tag: str, element: Any) -> None:
        if tag == "br":
            self._spans.append(self._look._replace(text="\n"))
            return
        picture = _embedded(element.get("src") or "") if tag == "img" else b""
        if tag == "hr" or picture:
            self.end()
            self.found.append(Block("rule") if tag == "hr" else Block("picture", picture=picture))

    def _say(self, text: str | None) -> None:
        if text:
            plain = text if self._kind.kind == "code" else re.sub(r"[ \t\r\n\f]+", " ", text)
            self._spans.append(self._look._replace(text=plain))

    def end(self) -> None:
        """Ends the block that is being read."""
        spans = merged(self._spans, self._kind.kind == "code")
        if spans:
            self.found.append(replace(self._kind, spans=spans))
            if self._kind.kind == "item":
                self._kind = Block("paragraph")
        self._spans = []

    def _table(self, element: Any) -> None:
        from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

        self.end()
        for rows in sheets.of_page(etree.tostring(element, encoding="unicode", with_tail=False))[:1]:
            cells = [[" ".join(str(cell or "").split()) for cell in row] for row in rows]
            width = max(map(len, cells), default=0)
            if width:
                self.found.append(Block("table", rows=tuple(tuple(word_files.fitted(row, width)) for row in cells)))


def _looking(look: Span, tag: str, element: Any) -> Span:
    if tag == "a" and _SAFE_LINK.match(element.get("href") or ""):
        return look._replace(link=element.get("href"))
    return look._replace(bold=look.bold or tag in _BOLD, italic=look.italic or tag in _ITALIC,
                         code=look.code or tag in _CODE)  # fmt: skip


def merged(spans: Sequence[Span], is_code: bool = False) -> tuple[Span, ...]:
    """Those that look alike as one, without blanks at the ends, and empty where there is nothing to read."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1]._replace(text="") == span._replace(text=""):
            found[-1] = span._replace(text=found[-1].text + span.text)
        elif span.text:
            found.append(span)
    if not is_code:
        found = [span._replace(text=re.sub(r" *\n *", "\n", re.sub(" {2,}", " ", span.text))) for span in found]
    while found and not found[0].text.strip():
        found.pop(0)
    while found and not found[-1].text.strip():
        found.pop()
    if found:
        found[0] = found[0]._replace(text=found[0].text.lstrip("\n" if is_code else None))
        found[-1] = found[-1]._replace(text=found[-1].text.rstrip())
    return tuple(found)


def _embedded(address: str) -> bytes:
    """The picture that an address holds itself; nothing for others: no page loads anything."""
    head, _, data = address.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64")):
        return b""
    try:
        return base64.b64decode(data, validate=False)
    except binascii.Error:
        return b""


# Word -----------------------------------------------------------------------------------------------------------------


def _of_word(file: Path) -> Iterator[Block]:
    from docx.table import Table as WordTable

    document = documents.read_word(file)
    above, below = word_reading.headings_of_paper(document)
    numbers: dict[tuple[int, int], int] = {}
    for part in (*above, *document.iter_inner_content(), *below):
        if isinstance(part, WordTable):
            cells = [[" ".join(cell.split()) for cell in row] for row in documents.cells_of(part)]
            width = max(map(len, cells), default=0)
            if width:
                yield Block("table", rows=tuple(tuple(word_files.fitted(row, width)) for row in cells))
            continue
        yield from (Block("picture", picture=blob) for blob in _pictures(part))
        spans = merged(list(_runs(part)))
        if spans:
            yield replace(_kind_of(part, numbers), spans=spans)


def _kind_of(paragraph: Any, numbers: dict[tuple[int, int], int]) -> Block:
    """A block of the kind of a paragraph of Word, by its style and its numbering. `numbers` has how far lists are."""
    name = (paragraph.style.name or "") if paragraph.style is not None else ""
    if name == "Title":
        return Block("heading", level=1)
    if found := re.fullmatch(r"Heading ([1-9])", name):
        return Block("heading", level=min(6, int(found[1])))
    properties = paragraph._p.pPr
    own = properties.numPr if properties is not None else None
    if own is None and not name.startswith("List"):
        return Block("quote" if "Quote" in name else "paragraph")
    level = own.ilvl.val if own is not None and own.ilvl is not None else 0
    kept = own.numId.val if own is not None and own.numId is not None else 0
    if not (name.startswith("List Number") or _is_numbered(paragraph, kept, level)):
        return Block("item", level=level + 1)
    numbers[kept, level] = numbers.get((kept, level), 0) + 1
    return Block("item", level=level + 1, number=numbers[kept, level])


def _is_numbered(paragraph: Any, number: int, level: int) -> bool:
    try:
        numbering = paragraph.part.numbering_part.element
        kept = numbering.num_having_numId(number).abstractNumId.val
    except (KeyError, NotImplementedError, AttributeError):
        return False
    path = f"//w:abstractNum[@w:abstractNumId='{kept}']/w:lvl[@w:ilvl='{level}']/w:numFmt/@w:val"
    return next(iter(numbering.xpath(path)), "bullet") not in ("bullet", "none")


def _runs(paragraph: Any) -> Iterator[Span]:
    for part in paragraph.iter_inner_content():
        link = getattr(part, "url", "") or ""
        for run in getattr(part, "runs", [part]):
            yield Span(run.text, bool(run.bold), bool(run.italic), False, link if _SAFE_LINK.match(link) else "")


def _pictures(paragraph: Any) -> Iterator[bytes]:
    for kept in paragraph._p.xpath(".//a:blip/@r:embed"):
        part = paragraph.part.related_parts.get(kept)
        if part is not None:
            yield part.blob


def is_shown(picture: bytes) -> Any:
    """The picture, Pillow's, where it can be read and is more than a line or a bullet; else None."""
    import io

    from nodes._support import opening

    try:
        found = opening.picture(io.BytesIO(picture))
        return found if min(found.size) >= _LEAST_SIDE else None
    except (OSError, ValueError, SyntaxError):
        return None
