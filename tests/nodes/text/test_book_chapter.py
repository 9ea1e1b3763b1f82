"""One chapter of an EPUB: by its number or title, and files of which none can be had."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from nodes.api import NodeError, RunContext
from nodes.text.book_chapter import book_chapter

_CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
_PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>'
PAGES = {
    "cover.xhtml": "<p>A Book</p>",
    "one.xhtml": "<h1>Chapter I. Home</h1><p>Ana&#233; left.</p>",
    "one_more.xhtml": "<p>She ran.</p>",
    "two three.xhtml": '<div><h1 id="c2">Chapter II. The Storm</h1><p>Rain<br/>fell.</p></div>'
                       '<div><p>It rained on.</p><h1 id="c3">Chapter III. Sea</h1><p>Waves.</p></div>',
    "end.xhtml": "<h1>Notes</h1><ul><li>A note</li></ul>",
}  # fmt: skip
LINES = (
    ("Cover", "cover.xhtml"), ("Chapter I. Home", "one.xhtml"), ("Chapter II. The Storm", "two%20three.xhtml#c2"),
    ("Chapter III. Sea", "two%20three.xhtml#c3"), ("Notes", "end.xhtml"),
)  # fmt: skip
NAV = "".join(f'<li><a href="{source}"><b>{title}</b></a></li>' for title, source in LINES)
NCX = "".join(
    f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{source}"/></navPoint>'
    for title, source in LINES
)


def book(path: Path, contents: str = "nav", **more: str) -> Path:
    """An EPUB of PAGES with a table of contents as EPUB 3 ("nav") or 2 ("ncx") has it, or with none."""
    items = "".join(f'<item id="i{n}" href="{name.replace(" ", "%20")}"/>' for n, name in enumerate(PAGES))
    items += {
        "nav": '<item id="t" href="toc.xhtml" properties="nav"/>',
        "ncx": '<item id="t" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        "": "",
    }[contents]
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(PAGES)))
    parts = {"META-INF/container.xml": _CONTAINER, **more,
             "OEBPS/book.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
             "OEBPS/toc.xhtml": _PAGE.format(f"<nav><ol>{NAV}</ol></nav>"),
             "OEBPS/toc.ncx": f"<ncx><navMap>{NCX}</navMap></ncx>"}  # fmt: skip
    with zipfile.ZipFile(path, "w") as file:
        for name, text in (parts | {f"OEBPS/{name}": _PAGE.format(text) for name, text in PAGES.items()}).items():
            file.writestr(name, text)
    return path


@pytest.mark.parametrize("contents", ["nav", "ncx"])
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("1", ["Chapter I. Home", "Anaé left.", "She ran."]),
        ("chapter 2", ["Chapter II. The Storm", "Rain", "fell.", "It rained on."]),
        ("the storm", ["Chapter II. The Storm", "Rain", "fell.", "It rained on."]),
        ("3", ["Chapter III. Sea", "Waves."]),
        ("chapter iii sea", ["Chapter III. Sea", "Waves."]),
        ("Notes", ["Notes", "A note"]),
    ],
)
def test_a_chapter_is_found_by_number_and_title_and_ends_where_the_next_begins(tmp_path, contents, wanted, expected):
    made = book_chapter(book(tmp_path / "a.epub", contents), wanted, "txt", context=RunContext(tmp_path))
    lines = [line.strip("•- ").strip() for line in made.read_text("utf-8").splitlines()]
    assert [line for line in lines if line] == expected


def test_without_a_table_of_contents_pages_are_counted(tmp_path):
    made = book_chapter(book(tmp_path / "a.epub", ""), "2", "txt", context=RunContext(tmp_path))
    assert "left" in made.read_text("utf-8") and "ran" not in made.read_text("utf-8")


@pytest.mark.parametrize("wanted", ["7", "0", "Mountains"])
def test_a_chapter_that_is_not_there_is_said_with_those_that_are(tmp_path, wanted):
    with pytest.raises(NodeError, match="no chapter") as told:
        book_chapter(book(tmp_path / "a.epub"), wanted, context=RunContext(tmp_path))
    assert told.value.port == "chapter" and "The Storm" in str(told.value.fix)


@pytest.mark.parametrize(("name", "data"), [("a.epub", b"PK"), ("a.epub", b""), ("a.txt", b"x"), ("b.epub", None)])
def test_what_is_no_book_is_said(tmp_path, name, data):
    path = tmp_path / name
    if data is None:
        book(path, **{"META-INF/rights.xml": "<x/>"})
    else:
        path.write_bytes(data)
    with pytest.raises(NodeError) as told:
        book_chapter(path, "1", context=RunContext(tmp_path))
    assert told.value.port == "file" and told.value.fix
