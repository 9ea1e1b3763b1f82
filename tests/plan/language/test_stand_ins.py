"""Names of attached files are taken literally, whatever is in them; two files go where the words beside them say."""

from __future__ import annotations

import itertools

import pytest

from desktop_app.plan.batch import plan_row
from desktop_app.plan.language.stand_ins import (
    in_plain_words,
    put_in,
    restored,
    stand_ins,
    with_documents,
    without_folders,
)
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromResource, Given, Request
from nodes import load_tools
from tests.benchmarks.arguments import planned_steps
from tests.plan.worlds import own_planner

NAMES = ("my coins 2.jpg", "Küche (neu).png", "全家福.jpg", "été à Nice.png", "scan.v2 - final.png", "IMG 0021.HEIC")
WISHES = (
    "make {} black and white", "please rotate {} by 90 degrees", "mach {} heller", "recadre {} en carré",
    "pon {} en blanco y negro", "把{}转成黑白",
)  # fmt: skip


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def planned(planner: OfflinePlanner, text: str, *files: tuple[str, str]) -> dict:
    return plan_row(planner, {"request": text, "resources": [{"name": n, "type": t} for n, t in files]})


@pytest.mark.parametrize(("name", "wish"), itertools.product(NAMES, WISHES))
def test_a_named_file_is_what_is_worked_on(planner, name, wish):
    found = planned(planner, wish.format(name), (name, "image"), ("other.jpg", "image"))
    step = found["solutions"][0]["nodes"][0]
    assert step["args"]["image"] == name
    assert not any("attach" in question["text"] for question in found["questions"])


def test_a_name_without_its_ending_is_the_file(planner):
    found = planned(planner, "rotate holiday snap 7 by 90 degrees", ("holiday snap 7.jpg", "image"), ("b.jpg", "image"))
    assert found["solutions"][0]["nodes"][0]["args"]["image"] == "holiday snap 7.jpg"


@pytest.mark.parametrize("name", ["a.jpg", "notes_2.txt", "tune.mp3"])
def test_plain_names_stay(name):
    assert stand_ins([Given(name, "file")]) == {}


def test_what_stands_for_a_name_is_unlike_every_other_name():
    given = [Given(name, "image") for name in ("a b.jpg", "a_b.jpg", "a-b.jpg", "a  b.jpg", "一.jpg", "二.jpg")]
    names = stand_ins(given)
    kept = [names.get(one.name, one.name) for one in given]
    assert len({*kept}) == len(given)


@pytest.mark.parametrize("name", NAMES)
def test_the_names_come_back_everywhere(name):
    request = Request(f"blur {name}, then show {name.upper()}", (Given(name, "image"),))
    names = stand_ins(request.resources)
    plain = in_plain_words(request, names)
    assert name not in plain.text
    assert restored(plain.resources, names) == request.resources
    assert restored({"a": [plain.text]}, names) == {"a": [f"blur {name}, then show {name}"]}


def test_a_longer_name_is_not_broken_by_a_shorter_one():
    names = stand_ins([Given("sea 1.jpg", "image"), Given("my sea 1.jpg", "image")])
    assert put_in("join my sea 1.jpg and sea 1.jpg", names) == f"join {names['my sea 1.jpg']} and {names['sea 1.jpg']}"


LAID = (
    "put logo.png in a corner of flyer.jpg", "lay logo.png over flyer.jpg", "leg logo.png oben links auf flyer.jpg",
    "colle logo.png sur flyer.jpg", "pon logo.png encima de flyer.jpg", "把logo.png放到flyer.jpg上面",
)  # fmt: skip


@pytest.mark.parametrize("text", LAID)
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_laid_over_goes_on_top(planner, text, turned):
    files = [Given("logo.png", "image"), Given("flyer.jpg", "image")]
    request = Request(text, tuple(reversed(files) if turned else files))
    (step,) = planned_steps(planner, request, "overlay")
    assert step.arguments["top"] == FromResource("logo.png")
    assert step.arguments["image"] == FromResource("flyer.jpg")


@pytest.mark.parametrize("text", ["blur the part in m.png", "make m.png blurry in photo.jpg", "blur what m.png covers"])
def test_a_mask_goes_to_the_input_for_masks(planner, text):
    request = Request(text, (Given("m.png", "mask"), Given("photo.jpg", "image")))
    (step,) = planned_steps(planner, request, "blur")
    assert step.arguments == {"image": FromResource("photo.jpg"), "mask": FromResource("m.png")}


SAID = (
    ("text_to_speech", "text", "say {} in a deep voice", "the bus leaves at nine"),
    ("text_to_image", "prompt", "paint {}", "two owls on a windmill"),
    ("text_to_image", "prompt", "I need a picture of {}", "an otter with a top hat"),
    ("video_page", "title", "a page with this film, title {}", "Summer at the Lake"),
    ("gallery_page", "title", "mach daraus eine Galerie, Titel {}", "Unser Garten"),
    ("find_replace", "find", "replace {} with dog", "cat"),
    ("watermark", "text", "put {} faintly across the photo", "SAMPLE"),
)


@pytest.mark.parametrize(("tool", "port", "wish", "text"), SAID)
@pytest.mark.parametrize("quotes", ["''", '""', "“”", ""])
def test_a_text_is_a_stretch_of_the_request(planner, tool, port, wish, text, quotes):
    said = f"{quotes[0]}{text}{quotes[1]}" if quotes else text
    files = {"video_page": "video", "gallery_page": "image", "find_replace": "text", "watermark": "image"}
    given = (Given("attached.x", files[tool]),) if tool in files else ()
    steps = planned_steps(planner, Request(wish.format(said), given), tool)
    assert next(step for step in steps if step.tool == tool).arguments[port] == text


def test_of_words_to_replace_those_in_quotes_are_meant(planner: OfflinePlanner) -> None:
    request = Request("把文章里的“公司”全部换成“集团”", (Given("演讲稿.txt", "text"),))
    (step,) = planned_steps(planner, request, "find_replace")
    assert step.arguments == {"text": FromResource("演讲稿.txt"), "find": "公司", "replace": "集团"}


@pytest.mark.parametrize(("text", "plain"), [
    ("make image/cat.png darker", "make cat.png darker"),
    ("C:\\pictures\\cat.png, blurred", "C:\\pictures\\cat.png, blurred"),
    ("pictures\\old/cat.png, blurred", "cat.png, blurred"),
    ("get https://a.org/cat.png and image/dog.png", "get https://a.org/cat.png and image/dog.png"),
    ("image/cat.png2", "image/cat.png2"),
])  # fmt: skip
def test_a_file_named_with_its_folder_is_the_attached_one(text: str, plain: str) -> None:
    assert without_folders(text, ["cat.png"]) == plain


@pytest.mark.parametrize(("tool", "type"), [("join_pdfs", "file"), ("summarise", "text")])
def test_a_document_that_is_called_a_text_is_a_file_for_a_tool_that_takes_nothing_else(tool: str, type: str) -> None:
    tools = {spec.id: spec for spec in from_tools(load_tools().tools)}
    request = Request("these, please", (Given("a.pdf", "text"), Given("b.txt", "text")))
    assert [given.type for given in with_documents(request, [tools[tool]]).resources] == [type, "text"]


@pytest.mark.parametrize(("text", "what"), [
    ("tapa de negro la matrícula", "la matrícula"), ("black out the licence plate", "licence plate"),
])  # fmt: skip
def test_what_is_looked_for_stands_behind_the_verb(planner: OfflinePlanner, text: str, what: str) -> None:
    plan = planner.drafts(Request(text, (Given("coche.jpg", "image"),))).by_meaning.plan
    (found,) = (step.arguments["what"] for step in plan.solutions[0].steps if "what" in step.arguments)
    assert found == what
