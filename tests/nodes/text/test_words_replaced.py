"""Words are replaced by others, the date of a letter is found, and swapped words are told, in each kind of document."""

from __future__ import annotations

import pytest

from nodes.api import NodeError, RunContext
from nodes.text.convert_document import convert_document
from nodes.text.find_replace import find_replace
from nodes.text.read_document import read_document
from nodes.text.replace_in_document import replace_in_document

LETTER = "Leeds, 14 April 2025\n\nWe meet on **Tuesday** at the *old* mill. Bring 2 cups.\n"


@pytest.fixture(params=["docx", "odt", "html", "md", "txt"])
def letter(request, tmp_path):
    source = tmp_path / "letter.md"
    source.write_text(LETTER, "utf-8")
    if request.param == "md":
        return source
    (tmp_path / "made").mkdir()
    return convert_document(source, request.param, context=RunContext(tmp_path / "made"))


def text(file, tmp_path):
    return read_document(file, context=RunContext(tmp_path))


def test_the_old_words_are_looked_for_and_not_the_new(letter, tmp_path):
    made = replace_in_document(letter, "Tuesday", "Friday", context=RunContext(tmp_path))
    assert made.suffix == letter.suffix
    assert "Friday" in text(made, tmp_path) and "Tuesday" not in text(made, tmp_path)
    with pytest.raises(NodeError, match='but "Tuesday" does') as found:
        replace_in_document(letter, "Friday", "Tuesday", context=RunContext(tmp_path))
    assert found.value.port == "find" and found.value.fix


@pytest.mark.parametrize("said", ["the date", "das Datum", "la date", "la fecha", "日期"])
def test_the_only_date_is_meant_by_the_date(letter, said, tmp_path):
    made = replace_in_document(letter, said, "3 May 2026", context=RunContext(tmp_path))
    assert "Leeds, 3 May 2026" in text(made, tmp_path) and "April" not in text(made, tmp_path)
    assert "2 cups" in text(made, tmp_path)


@pytest.mark.parametrize(
    "written", ["14.4.2025", "2025-04-14", "14. April 2025", "14 avril 2025", "14 de abril de 2025", "April 14, 2025",
                "2025年4月14日", "04/14/25"],
)  # fmt: skip
def test_dates_are_found_as_people_write_them(written, tmp_path):
    (tmp_path / "a.txt").write_text(f"Start: {written}. Room 12, floor 3.", "utf-8")
    made = replace_in_document(tmp_path / "a.txt", "date", "soon", context=RunContext(tmp_path))
    assert made.read_text("utf-8") == "Start: soon. Room 12, floor 3."


@pytest.mark.parametrize(
    ("words", "told"), [("From 1.5.2025 to 3.5.2025", "several dates"), ("Room 12, floor 3", "There is no date")]
)
def test_no_date_is_replaced_by_chance(words, told, tmp_path):
    (tmp_path / "a.txt").write_text(words, "utf-8")
    with pytest.raises(NodeError, match=told) as found:
        replace_in_document(tmp_path / "a.txt", "the date", "3 May", context=RunContext(tmp_path))
    assert found.value.port == "find" and found.value.fix


def test_the_word_date_itself_is_replaced_where_it_stands(tmp_path):
    (tmp_path / "a.txt").write_text("Date: 1.5.2025", "utf-8")
    made = replace_in_document(tmp_path / "a.txt", "date", "day", context=RunContext(tmp_path))
    assert made.read_text("utf-8") == "Day: 1.5.2025"


def test_swapped_words_of_a_text_are_told():
    with pytest.raises(NodeError, match='"Tuesday" does not occur in the text, but "Friday" does'):
        find_replace("We meet on Friday.", "Tuesday", "Friday")


def test_a_word_document_with_a_password_is_told_apart_from_a_broken_one(tmp_path):
    (tmp_path / "locked.docx").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "broken.odt").write_bytes(b"PK\x03\x04 nothing")
    told = {}
    for name in ("locked.docx", "broken.docx", "broken.odt"):
        with pytest.raises(NodeError) as found:
            text(tmp_path / name, tmp_path)
        told[name] = f"{found.value} {found.value.fix}"
    assert "protected by a password" in told["locked.docx"]
    assert "password" not in told["broken.docx"] and "Open and save it again" in told["broken.docx"]
    assert told["broken.odt"].count("damaged") == 1
