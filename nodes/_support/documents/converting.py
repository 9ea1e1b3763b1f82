"""Turns documents into other forms, block by block. Must not know tools."""

from __future__ import annotations

import base64
import html
import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from nodes._support.documents import blocks, documents, paper, pdf_blocks, word_files
from nodes._support.documents.blocks import Block
from nodes._support.documents.pdf_letters import Span
from nodes.api import NodeError, Phrase, RunContext

FORMS = ("pdf", "docx", "odt", "html", "txt", "md")
_STYLE = (
    "body{font-family:sans-serif;line-height:1.5;max-width:45em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .5em}img{max-width:100%}"
    "p,li,td,th,h1,h2,h3,h4,h5,h6,blockquote{unicode-bidi:plaintext;text-align:start}"
)
_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>"})


def converted(file: Path, form: str, context: RunContext) -> Path:
    """The document in another form, on A4 where that has pages. Raises NodeError."""
    if form == file.suffix.lower().removeprefix("."):
        said = Phrase("{file} is of this form already.", file=file.name)
        raise NodeError(said, "format", "Choose another form.")
    found = _blocks_of(file, context)
    target = context.new_file(f".{form}")
    write(found, form, "", "A4", target, context)
    return target


def _blocks_of(file: Path, context: RunContext) -> list[Block]:
    if not documents.is_pdf(file):
        return blocks.of_file(file, context)

    def scanned(number: int) -> list[Block]:
        return blocks.of_text(documents.text_of(file, str(number + 1), context))

    found = documents.opened(file, lambda: pdf_blocks.of_file(file, scanned, context))
    if not any(block.text.strip() or block.rows or block.picture for block in found):
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "file", "Choose another file.")
    return found


def text_as(text: str, form: str) -> bytes:
    """A text, plain or Markdown, as a file of one of FORMS with pages of A4; nothing is written to the disk. Raises
    NodeError where no font has its letters."""
    stream = io.BytesIO()
    write(blocks.of_text(text), form, "", "A4", stream, RunContext(Path()))
    return stream.getvalue()


def write(
    found: Sequence[Block], form: str, title: str, page: str, target: Path | io.BytesIO, context: RunContext
) -> None:
    """The blocks as a file of one of FORMS; `page` is one of word_files.SHEETS. Raises NodeError."""
    title = title or next((block.text for block in found if block.kind == "heading"), "")
    if form == "pdf":
        paper.write(found, word_files.SHEETS[page], title, target, context)
    elif form == "docx":
        _word(found, page, context).save(target)
    elif form == "odt":
        _open_document(found, target)
    else:
        text = {"html": _page, "md": _markdown, "txt": _plain}[form](found, title)
        data = text.encode("utf-8")
        target.write(data) if isinstance(target, io.BytesIO) else target.write_bytes(data)


# Word -----------------------------------------------------------------------------------------------------------------


def _word(found: Sequence[Block], page: str, context: RunContext) -> word_files.WordFile:
    made = word_files.WordFile(page)
    list_number = 0
    for number, block in enumerate(found):
        context.progress(number / len(found))
        if block.kind == "table":
            made.add_table(block.rows)
        elif block.kind == "picture":
            _add_picture(made, block.picture)
        elif block.kind == "rule":
            made.add_rule()
        else:
            if block.kind == "item" and block.number and (block.number == 1 or not list_number):
                list_number = made.new_list(block.number)
            made.add_spans(_word_style(block), block.spans, list_number if block.number else 0)
    return made


def _word_style(block: Block) -> str:
    if block.kind == "item":
        depth = f" {min(block.level, 3)}" if block.level > 1 and not block.number else ""
        return ("List Number" if block.number else "List Bullet") + depth
    return {"heading": f"Heading {block.level}", "quote": "Quote"}.get(block.kind, "Normal")


def _add_picture(made: word_files.WordFile, picture: bytes) -> None:
    """As PNG or JPEG, which Word shows; nothing for what cannot be read."""
    found = blocks.is_shown(picture)
    if found is None:
        return
    stream = io.BytesIO(picture)
    if found.format not in ("PNG", "JPEG", "GIF"):
        stream = io.BytesIO()
        found.convert("RGBA").save(stream, "PNG")
    made.add_picture(stream, found.width)


# Pages and text -------------------------------------------------------------------------------------------------------


def _page(found: Sequence[Block], title: str) -> str:
    body = "\n".join(_html_blocks(found))
    return (f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")  # fmt: skip


def _html_blocks(found: Sequence[Block]) -> Iterator[str]:
    opened: list[str] = []
    for block in found:
        if block.kind == "item":
            tag = "ol" if block.number else "ul"
            while len(opened) > block.level or (len(opened) == block.level and opened[-1] != tag):
                yield f"</{opened.pop()}>"
            while len(opened) < block.level:
                opened.append(tag)
                yield f'<{tag} start="{block.number}">' if block.number > 1 else f"<{tag}>"
            yield f"<li>{_html_spans(block.spans)}</li>"
            continue
        while opened:
            yield f"</{opened.pop()}>"
        yield _html_block(block)
    while opened:
        yield f"</{opened.pop()}>"


def _html_block(block: Block) -> str:
    if block.kind == "table":
        rows = ["".join(f"<{'td' if n else 'th'}>{html.escape(cell)}</{'td' if n else 'th'}>" for cell in row)
                for n, row in enumerate(block.rows)]  # fmt: skip
        return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"
    if block.kind == "picture":
        found = blocks.is_shown(block.picture)
        data = base64.b64encode(block.picture).decode("ascii")
        return f'<img alt="" src="data:image/{(found.format or "png").lower()};base64,{data}">' if found else ""
    if block.kind == "rule":
        return "<hr>"
    tag = {"heading": f"h{min(block.level, 6)}", "quote": "blockquote", "code": "pre"}.get(block.kind, "p")
    return f"<{tag}>{_html_spans(block.spans)}</{tag}>"


def _html_spans(spans: Sequence[Span]) -> str:
    out = ""
    for span in spans:
        text = html.escape(span.text, quote=False).replace("\n", "<br>\n")
        for tag, holds in (("code", span.code), ("em", span.italic), ("strong", span.bold)):
            text = f"<{tag}>{text}</{tag}>" if holds else text
        out += f'<a href="{html.escape(span.link)}">{text}</a>' if span.link else text
    return out


def _markdown(found: Sequence[Block], _title: str) -> str:
    return _joined(found, _markdown_block)


def _markdown_block(block: Block) -> str:
    text = "".join(map(_markdown_span, block.spans))
    if block.kind == "table":
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in block.rows]
        return "\n".join([rows[0], "|" + " --- |" * len(block.rows[0]), *rows[1:]])
    if block.kind == "item":
        mark = f"{block.number}." if block.number else "-"
        return "  " * (block.level - 1) + f"{mark} {text}".replace("\n", " ")
    if block.kind == "code":
        return f"```\n{block.text}\n```"
    return {"heading": "#" * min(block.level, 6) + " " + text.replace("\n", " "), "rule": "---", "picture": "",
            "quote": "> " + text.replace("\n", "\n> ")}.get(block.kind, text.replace("\n", "  \n"))  # fmt: skip


def _markdown_span(span: Span) -> str:
    core = span.text.strip()
    if not core:
        return span.text
    before, after = span.text[: span.text.index(core[0])], span.text[span.text.rindex(core[-1]) + 1 :]
    if span.code:
        return f"{before}`{core}`{after}"
    core = core.translate(_ESCAPED)
    core = f"*{core}*" if span.italic else core
    core = f"**{core}**" if span.bold else core
    return before + (f"[{core}]({span.link})" if span.link else core) + after


def _plain(found: Sequence[Block], _title: str) -> str:
    return _joined(found, _plain_block)


def _plain_block(block: Block) -> str:
    if block.kind == "table":
        return "\n".join("\t".join(row) for row in block.rows)
    if block.kind == "item":
        return "  " * (block.level - 1) + (f"{block.number}. " if block.number else "• ") + block.text
    return block.text


def _joined(found: Sequence[Block], written: Callable[[Block], str]) -> str:
    """Blocks apart by a blank line, items of a list by a line end."""
    out, before = "", ""
    for block in found:
        text = written(block)
        if text:
            out += ("" if not out else "\n" if before == block.kind == "item" else "\n\n") + text
            before = block.kind
    return out + "\n"


# OpenDocument ---------------------------------------------------------------------------------------------------------

_NAMES = " ".join(
    f'xmlns:{short}="{address}"'
    for short, address in (
        *((n, f"urn:oasis:names:tc:opendocument:xmlns:{n}:1.0") for n in ("office", "text", "table", "style")),
        ("fo", "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"),
        ("svg", "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"),
        ("draw", "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"),
        ("xlink", "http://www.w3.org/1999/xlink"),
    )
)
_KIND = "application/vnd.oasis.opendocument.text"
_LOOKS = (
    '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="I" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>'
    '<style:style style:name="BI" style:family="text"><style:text-properties fo:font-weight="bold" '
    'fo:font-style="italic"/></style:style>'
    '<style:style style:name="C" style:family="table-cell">'
    '<style:table-cell-properties fo:border="0.5pt solid #808080" fo:padding="0.1cm"/></style:style>'
    + "".join(
        f'<style:style style:name="H{n}" style:family="paragraph"><style:paragraph-properties fo:margin-top="0.4cm" '
        f'fo:margin-bottom="0.2cm" fo:keep-with-next="always"/><style:text-properties fo:font-weight="bold" '
        f'fo:font-size="{size}pt"/></style:style>'
        for n, size in enumerate((20, 16, 14, 12, 11, 11), 1)
    )
    + '<style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="0.2cm"/>'
    "</style:style>"
    '<style:style style:name="Q" style:family="paragraph"><style:paragraph-properties fo:margin-left="1cm" '
    'fo:margin-bottom="0.2cm"/><style:text-properties fo:font-style="italic"/></style:style>'
    '<text:list-style style:name="U"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/>'
    "</text:list-style>"
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."/></text:list-style>'
)


def _open_document(found: Sequence[Block], target: Path | io.BytesIO) -> None:
    pictures: list[tuple[str, bytes]] = []
    body = "".join(_open_block(block, pictures) for block in found)
    content = (f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_NAMES} office:version="1.2">'
               f"<office:automatic-styles>{_LOOKS}</office:automatic-styles><office:body><office:text>{body}"
               "</office:text></office:body></office:document-content>")  # fmt: skip
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type=""/>' for name, _ in pictures
    )
    manifest = ('<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest manifest:version="1.2" '
                'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
                f'<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="{_KIND}"/>'
                '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
                f"{listed}</manifest:manifest>")  # fmt: skip
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", _KIND, zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
        for name, data in pictures:
            archive.writestr(name, data)


def _open_block(block: Block, pictures: list[tuple[str, bytes]]) -> str:
    text = "".join(map(_open_span, block.spans))
    if block.kind == "table":
        cells = "".join(
            "<table:table-row>"
            + "".join(
                f'<table:table-cell table:style-name="C" office:value-type="string"><text:p>'
                f"{_open_text(cell)}</text:p></table:table-cell>"
                for cell in row
            )
            + "</table:table-row>"
            for row in block.rows
        )
        columns = f'<table:table-column table:number-columns-repeated="{len(block.rows[0])}"/>'
        return f"<table:table>{columns}{cells}</table:table><text:p/>"
    if block.kind == "picture":
        return _open_picture(block.picture, pictures)
    if block.kind == "heading":
        level = min(block.level, 6)
        return f'<text:h text:style-name="H{level}" text:outline-level="{level}">{text}</text:h>'
    if block.kind == "item":
        start = f' text:start-value="{block.number}"' if block.number else ""
        return (f'<text:list text:style-name="{"N" if block.number else "U"}"><text:list-item{start}><text:p>{text}'
                "</text:p></text:list-item></text:list>")  # fmt: skip
    return f'<text:p text:style-name="{"Q" if block.kind == "quote" else "P"}">{text}</text:p>'


def _open_picture(picture: bytes, pictures: list[tuple[str, bytes]]) -> str:
    found = blocks.is_shown(picture)
    if found is None:
        return ""
    name = f"Pictures/{len(pictures) + 1}.{(found.format or 'png').lower()}"
    pictures.append((name, picture))
    wide = min(16.0, found.width / 96 * 2.54)
    high = wide * found.height / found.width
    return (f'<text:p><draw:frame text:anchor-type="as-char" svg:width="{wide:.2f}cm" svg:height="{high:.2f}cm">'
            f'<draw:image xlink:href="{name}" xlink:type="simple"/></draw:frame></text:p>')  # fmt: skip


def _open_span(span: Span) -> str:
    text = _open_text(span.text)
    look = "B" * span.bold + "I" * span.italic
    text = f'<text:span text:style-name="{look}">{text}</text:span>' if look else text
    return f'<text:a xlink:type="simple" xlink:href="{html.escape(span.link)}">{text}</text:a>' if span.link else text


def _open_text(text: str) -> str:
    return html.escape(word_files.cleaned(text)).replace("\t", "<text:tab/>").replace("\n", "<text:line-break/>")
