"""Word documents that are written: what python-docx finds in them when they are opened again."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.shared import Mm

from nodes.api import NodeError, RunContext, Table
from nodes.text.read_document import read_document
from nodes.text.read_table import read_table
from nodes.text.write_document import write_document
from tests.nodes.text.test_text_bad_input import ODD

MARKDOWN = """# Trip to the coast

We left **early** and walked *slowly*, with `map.gpx` and [the guide](https://example.org/guide).

## What to take

- boots
- a coat that keeps
  the rain off
* water

## The way

1. Take the train
2. Walk to the pier

> Slow is fast.

### Prices

| Thing | Price |
|:------|------:|
| Ticket | **12** |
| Tea \\| cake | 4 |

Then again:

3. Third
4. Fourth

```
# no heading
x = 1 | 2
```

---

The end.
"""


def made(folder: Path, *values: Any, **more: Any) -> Any:
    path = write_document(*values, **more, context=RunContext(folder))
    assert path.suffix == ".docx"
    return docx.Document(str(path))


def blocks(document: Any) -> list[tuple[str, str]]:
    return [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs if paragraph.text]


def test_markdown_becomes_headings_lists_quotations_and_tables(tmp_path: Path):
    document = made(tmp_path, MARKDOWN)
    assert blocks(document) == [
        ("Heading 1", "Trip to the coast"),
        ("Normal", "We left early and walked slowly, with map.gpx and the guide."),
        ("Heading 2", "What to take"),
        ("List Bullet", "boots"), ("List Bullet", "a coat that keeps the rain off"), ("List Bullet", "water"),
        ("Heading 2", "The way"),
        ("List Number", "Take the train"), ("List Number", "Walk to the pier"),
        ("Quote", "Slow is fast."),
        ("Heading 3", "Prices"),
        ("Normal", "Then again:"),
        ("List Number", "Third"), ("List Number", "Fourth"),
        ("Normal", "# no heading\nx = 1 | 2"),
        ("Normal", "The end."),
    ]  # fmt: skip
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Thing", "Price"], ["Ticket", "12"], ["Tea | cake", "4"]
    ]  # fmt: skip
    places = [type(each).__name__ for each in document.iter_inner_content()]
    assert places.index("Table") == 1 + [text for _, text in blocks(document)].index("Prices")


def test_bold_italic_code_and_links_are_kept(tmp_path: Path):
    document = made(tmp_path, MARKDOWN)
    walk = document.paragraphs[1]
    assert [run.text for run in walk.runs if run.bold] == ["early"]
    assert [run.text for run in walk.runs if run.italic] == ["slowly"]
    assert [run.text for run in walk.runs if run.font.name == "Consolas"] == ["map.gpx"]
    assert [(link.text, link.address) for link in walk.hyperlinks] == [("the guide", "https://example.org/guide")]
    header, ticket, _ = document.tables[0].rows
    assert all(cell.paragraphs[0].runs[0].bold for cell in header.cells) and ticket.cells[1].paragraphs[0].runs[0].bold
    assert not ticket.cells[0].paragraphs[0].runs[0].bold


def test_each_numbered_list_counts_from_its_own_beginning(tmp_path: Path):
    document = made(tmp_path, MARKDOWN)
    items = [each for each in document.paragraphs if each.style.name == "List Number"]
    numbers = [item._p.pPr.numPr.numId.val for item in items]
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]
    lists = {num.numId: num for num in document.part.numbering_part.element.num_lst}
    starts = [lists[n].xpath("./w:lvlOverride/w:startOverride/@w:val") for n in (numbers[0], numbers[2])]
    assert starts == [["1"], ["3"]]


def test_plain_text_has_its_headings_and_whole_paragraphs(tmp_path: Path):
    text = (
        "The harbour\n\nIt was built a long time ago by people who came over the sea in\n"
        "boats of wood, and it has been there ever since that day without a\nbreak.\n\n"
        "Ships\n\nThere are three of them today."
    )
    assert blocks(made(tmp_path, text)) == [
        ("Heading 1", "The harbour"),
        ("Normal", "It was built a long time ago by people who came over the sea in boats of wood, and it has been"
                   " there ever since that day without a break."),
        ("Heading 1", "Ships"),
        ("Normal", "There are three of them today."),
    ]  # fmt: skip


def test_a_table_stands_below_with_its_numbers_and_names_on_each_page(tmp_path: Path):
    given = Table(("name", "price"), (("tea", 1200.0), ("c\x01oke <b>", None), ("cake", 0.25)))
    path = write_document("Hello there.", given, "Prices", context=RunContext(tmp_path))
    document = docx.Document(str(path))
    assert blocks(document) == [("Title", "Prices"), ("Normal", "Hello there.")]
    assert document.core_properties.title == "Prices" and document.core_properties.author == ""
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [
        ["name", "price"], ["tea", "1200"], ["coke <b>", ""], ["cake", "0.25"]
    ]  # fmt: skip
    assert document.tables[0].rows[0]._tr.xpath("./w:trPr/w:tblHeader")
    assert read_table(path, context=RunContext(tmp_path)).columns == ("name", "price")


def test_what_was_written_is_read_again(tmp_path: Path):
    path = write_document("# Title\n\n- one\n- two\n\nÄpfel, 你好, 😀.", context=RunContext(tmp_path))
    assert read_document(path, context=RunContext(tmp_path)) == "Title\n\n• one\n\n• two\n\nÄpfel, 你好, 😀."


@pytest.mark.parametrize(("page", "width"), [("A4", 210), ("letter", 215.9)])
def test_the_paper_is_the_one_that_was_chosen(tmp_path: Path, page: str, width: float):
    document = made(tmp_path, "Hello there.", page=page)
    assert document.sections[0].page_width == pytest.approx(Mm(width), abs=1000)


@pytest.mark.parametrize("odd", sorted(ODD.keys() - {"controls within"}))
def test_odd_text_gives_a_document_that_opens(tmp_path: Path, odd: str):
    made(tmp_path, ODD[odd])


def test_what_no_document_may_hold_is_left_out(tmp_path: Path):
    document = made(
        tmp_path,
        "One long line of words,\x0ctwo\ufffe lines.\ue0000\n\n" + "and more. " * 20,
        title="A long enough title of it\ufffe",
    )
    texts = [paragraph.text.strip() for paragraph in document.paragraphs]
    assert texts[:3] == ["A long enough title of it", "One long line of words,", "two lines.0"]


def test_a_heading_after_code_has_the_level_that_it_would_have_before(tmp_path: Path):
    found = blocks(made(tmp_path, "# A\n\n## B\n\n```\n# c\n```\n\n## D\n\nWords."))
    assert [style for style, text in found if text in "ABD"] == ["Heading 1", "Heading 2", "Heading 2"]


def test_tags_in_a_text_are_shown_and_not_obeyed(tmp_path: Path):
    assert blocks(made(tmp_path, "Say <b>no</b> & <p>.")) == [("Normal", "Say <b>no</b> & <p>.")]


def test_no_row_of_bars_without_a_rule_is_a_table(tmp_path: Path):
    assert not made(tmp_path, "a | b\nc | d\n\nx | y\n--- | --- | ---\n").tables


def test_the_parts_of_the_file_are_well_formed(tmp_path: Path):
    path = write_document(MARKDOWN, Table(("a",), (("b",),)), "T", context=RunContext(tmp_path))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None


@pytest.mark.parametrize(
    ("values", "port", "message"),
    [
        (("",), "text", "empty"),
        ((" \n",), "text", "empty"),
        (("word " * 4_000_001,), "text", "20,000,000"),
        (("", Table((), ())), "table", "no columns"),
        (("Hi.", Table(("a", "b"), ((1, 2),) * 50_000)), "table", "more than 100,000 cells"),
    ],
    ids=["nothing", "white space", "too long", "no columns", "too many cells"],
)
def test_what_cannot_be_written_names_the_port(tmp_path: Path, values: tuple, port: str, message: str):
    with pytest.raises(NodeError, match=message) as told:
        write_document(*values, context=RunContext(tmp_path))
    assert told.value.port == port and told.value.fix
