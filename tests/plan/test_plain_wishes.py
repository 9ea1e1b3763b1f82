"""What people say in the plainest words, planned as they get it: the tool, what it works on, no question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from desktop_app.plan.batch import plan_row
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.offline import OfflinePlanner
from tests.plan.worlds import own_planner

_TYPES = {"jpg": "image", "txt": "text", "csv": "table", "pdf": "file", "mp4": "video", "wav": "audio"}


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner()


def planned(planner: OfflinePlanner, file: str, text: str) -> tuple[list[str], dict[str, Any], list[str]]:
    """The tools, the values of the last one, and the kinds of what is asked."""
    files = [{"name": file, "type": _TYPES[file.rpartition(".")[2]]}] if file else []
    row = plan_row(planner, {"request": text, "resources": files})
    nodes = row["solutions"][0]["nodes"] if row["solutions"] else []
    asked = [one["kind"] for one in row["questions"] if one["kind"] != "confirm"]
    return [node["tool"] for node in nodes], nodes[-1]["args"] if nodes else {}, asked


@pytest.mark.parametrize(
    "text",
    ["what colours are in this picture?", "welche Farben hat das Bild?", "quelles couleurs dans cette image ?",
     "¿qué colores tiene esta foto?", "这张图里有哪些颜色？"],
)  # fmt: skip
def test_a_question_about_the_whole_picture_asks_for_no_click(planner, text):
    assert planned(planner, "coffee.jpg", text) == (["dominant_colours"], {"image": "coffee.jpg"}, [])


def test_what_is_pointed_at_in_a_picture_is_still_clicked(planner):
    assert planned(planner, "coffee.jpg", "blur that bit of the picture")[2] == ["point"]


@pytest.mark.parametrize(
    ("file", "text", "tool", "values"),
    [
        ("speech.txt", 'How often does the word "freedom" occur in speech.txt?', "count_words",
         {"text": "speech.txt", "phrase": "freedom"}),
        ("", "read https://example.com/news and summarise it", "summarise", {}),
        ("", "summarise the page https://example.com/article", "summarise", {}),
        ("", "make a QR code for https://example.com/a", "make_code", {"text": "https://example.com/a"}),
        ("rocket.jpg", "write 'Sale' in the top-left corner", "add_text", {"text": "Sale", "position": "top left"}),
        ("rocket.jpg", "make a slow zoom-in clip from this", "image_to_video", {"move": "zoom in"}),
        ("", "get the text of https://example.com/news", "fetch_page", {"url": "https://example.com/news"}),
        ("street.mp4", "blur the faces in the video", "hide_faces_video", {"video": "street.mp4"}),
        ("photo.jpg", "Remove the color from the image", "black_and_white", {"image": "photo.jpg"}),
    ],
)  # fmt: skip
def test_a_plain_wish_is_planned_as_it_is_said(planner, file, text, tool, values):
    tools, said, asked = planned(planner, file, text)
    assert (tools[-1], asked) == (tool, []) and values.items() <= said.items()
    assert {*tools[:-1]} <= {"fetch_page"}


def test_a_wish_in_a_tool_s_own_words_is_a_guess_at_least_and_no_refusal(planner):
    tools, values, _ = planned(planner, "list.csv", "drop the column notes")
    assert tools == ["table_columns"] and (values["columns"], values["how"]) == ("notes", "remove")
    assert planned(planner, "deed.pdf", "sign this contract with my signature")[0] == []


@pytest.mark.parametrize(
    ("name", "said", "tool"), [("letter.pdf", "document", "read_document"), ("a.jpg", "photo", "flip")]
)
def test_a_type_that_no_tool_knows_is_told_by_the_name(planner, name, said, tool):
    text = {"read_document": "read the letter", "flip": "mirror it"}[tool]
    row = plan_row(planner, {"request": text, "resources": [{"name": name, "type": said}]})
    assert row["solutions"][0]["nodes"][0]["tool"] == tool and name in row["solutions"][0]["nodes"][0]["args"].values()
