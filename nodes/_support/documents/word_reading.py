"""A Word document as it is read: python-docx passes over what stands in content controls, kept insertions, fields,
formulas, text boxes, notes, headers and footers. Must not know tools.

Names of elements: ECMA-376, part 1, 17.3.1, 17.5, 17.10, 17.11, 17.13.5; part 3, 9.3.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_FORMULA = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_OTHERWISE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_NOTES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_GONE = ("del", "moveFrom", "rubyPr", "rt")
_WRAPS = ("ins", "moveTo", "smartTag", "customXml", "fldSimple", "sdt", "sdtContent", "rubyBase")
_ABOUT = ("sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr")


def _w(*names: str) -> tuple[str, ...]:
    return tuple(f"{{{_WORDS}}}{name}" for name in names)


def open_up(document: Any) -> None:
    """Lays what python-docx passes over where it finds it, in a document that is not to be written again: text of boxes
    below the paragraph that they hang on; notes, each by its number in brackets, at the end."""
    body = document.element.body
    _lay_open(body)
    notes = [*_notes(document, body, "footnote"), *_notes(document, body, "endnote")]
    for number, (reference, paragraphs) in enumerate(notes, 1):
        _say(reference, f"[{number}]")
        if paragraphs:
            _say(paragraphs[0], f"[{number}] ", first=True)
        for paragraph in paragraphs:
            body.insert_element_before(paragraph, "w:sectPr")


def headings_of_paper(document: Any) -> tuple[list[Any], list[Any]]:
    """The headers and the footers, those of first pages before the others, each once: paragraphs and tables of
    python-docx. Those with nothing but a number of the page are left out."""
    return _margins(document, "header"), _margins(document, "footer")


def _margins(document: Any, kind: str) -> list[Any]:
    found: dict[str, Any] = {}
    for name in (f"first_page_{kind}", kind, f"even_page_{kind}"):
        for section in document.sections:
            part = getattr(section, name)
            unused = name.startswith("first") and not section.different_first_page_header_footer
            if part.is_linked_to_previous or unused:
                continue
            _lay_open(part._element)
            for block in part.iter_inner_content():
                text = "".join(block._element.itertext(*_w("t")))
                if any(map(str.isalpha, _without_pages(block._element))):
                    found.setdefault(text, block)
    return [*found.values()]


def _without_pages(element: Any) -> str:
    """Its letters but for those of fields, which number the pages."""
    said, depth = [], 0
    for each in element.iter(*_w("fldChar", "t")):
        if each.tag == _w("t")[0]:
            said += [each.text or ""] if not depth else []
        else:
            depth += {"begin": 1, "end": -1}.get(each.get(_w("fldCharType")[0]), 0)
    return "".join(said)


def _lay_open(root: Any) -> None:
    for each in [*root.iter(*_w(*_GONE))]:
        each.getparent().remove(each)
    for each in [*root.iter(f"{_OTHERWISE}AlternateContent")]:
        choice = next(iter(each), None)
        _unwrapped(each, [] if choice is None else choice)
    for each in [*root.iter(*_w(*_WRAPS))]:
        _unwrapped(each, (part for part in [*each] if part.tag not in _w(*_ABOUT)))
    for ruby in [*root.iter(*_w("ruby"))]:  # within a run: the letters below which its reading stands are runs, too
        _unwrapped(ruby.getparent(), [*ruby])
    for formula in [*root.iter(f"{_FORMULA}oMath")]:
        said = "".join(formula.itertext(f"{_FORMULA}t"))
        _unwrapped(formula, [_run(formula, said)])
    for box in [*root.iter(*_w("txbxContent"))]:
        for below in itertools.islice(box.iterancestors(*_w("p")), 1):
            for part in reversed([*box]):
                below.addnext(part)


def _unwrapped(each: Any, parts: Iterable[Any]) -> None:
    for part in [*parts]:
        each.addprevious(part)
    each.getparent().remove(each)


def _run(beside: Any, text: str) -> Any:
    run = beside.makeelement(*_w("r"))
    said = run.makeelement(*_w("t"))
    said.text = text
    run.append(said)
    return run


def _say(at: Any, text: str, first: bool = False) -> None:
    """Writes the text before what stands in a paragraph, or behind the run that is a reference."""
    run = _run(at, text)
    if not first:
        at.getparent().addnext(run)
        return
    properties = at.find(*_w("pPr"))
    at.insert(0, run) if properties is None else properties.addnext(run)


def _notes(document: Any, body: Any, kind: str) -> Iterator[tuple[Any, list[Any]]]:
    """The references to notes of a kind, and the paragraphs of each."""
    from docx.oxml import parse_xml

    try:
        root = parse_xml(document.part.part_related_by(f"{_NOTES}{kind}s").blob)
    except KeyError:
        return
    _lay_open(root)
    (named,) = _w("id")
    notes = {each.get(named): [*each.iter(*_w("p"))] for each in root.iter(*_w(kind))}
    for reference in [*body.iter(*_w(f"{kind}Reference"))]:
        yield reference, notes.get(reference.get(named), [])
