"""What is packed: the results of a wish, or the files that are there; and what only speaks of archives."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.said_archives import with_archive
from desktop_app.plan.types import FromNode, FromResource, Given, Request
from tests.plan.worlds import faults, own_planner

PLANNER = own_planner()
PICTURES = (Given("east.jpg", "image"), Given("west.jpg", "image"))
SEVERAL = (Given("east.jpg", "image"), Given("list.csv", "table"), Given("letter.pdf", "file"))


@pytest.mark.parametrize(
    "text",
    [
        "Rotate east.jpg and west.jpg by 90 degrees and hand me both as one zip",
        "Rotate both pictures by 90 degrees, then pack the results into a zip archive",
        "Drehe east.jpg und west.jpg um 90 Grad und pack sie in eine ZIP-Datei",
        "Fais pivoter east.jpg et west.jpg de 90 degrés et mets-les dans un zip",
        "Gira east.jpg y west.jpg 90 grados y guárdalas en un zip",
        "把 east.jpg 和 west.jpg 旋转 90 度，然后打包成 zip",
    ],
)
def test_all_that_a_wish_makes_is_packed(text: str):
    request = Request(text, PICTURES)
    solution = PLANNER.plan(request).solutions[0]
    *made, packed = solution.steps
    assert [step.tool for step in made] == ["rotate", "rotate"] and packed.tool == "zip_files"
    assert packed.arguments["files"] == tuple(FromNode(step.id, "image") for step in made)
    assert solution.wanted == ((packed.id, "file"),) and faults(solution, request, PLANNER.graph.tools.values()) == []


def test_results_of_several_values_and_other_types_are_packed():
    plan = PLANNER.plan(
        Request("Take 6 frames out of clip.mp4 and give them to me in a zip", (Given("clip.mp4", "video"),))
    )
    assert plan.solutions[0].steps[-1].arguments["files"] == (FromNode("video_frames", "images"),)
    plan = PLANNER.plan(Request("Split talk.wav into 3 parts, as a zip", (Given("talk.wav", "audio"),)))
    assert [step.tool for step in plan.solutions[0].steps] == ["split_audio", "zip_files"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pack everything into a zip", ("east.jpg", "list.csv", "letter.pdf")),
        ("I need list.csv and letter.pdf in one archive", ("list.csv", "letter.pdf")),
        ("Zippe alles", ("east.jpg", "list.csv", "letter.pdf")),
        ("打包 east.jpg 和 list.csv", ("east.jpg", "list.csv")),
    ],
)
def test_without_another_wish_the_files_themselves_are_packed(text: str, names: tuple[str, ...]):
    (step,) = PLANNER.plan(Request(text, SEVERAL)).solutions[0].steps
    assert step.tool == "zip_files" and step.arguments["files"] == tuple(map(FromResource, names))


def test_what_was_made_before_is_packed_and_not_what_it_was_made_of():
    before = (*(Given(one.name, "image", earlier=True) for one in PICTURES),
              Given("east_grey.png", "image", earlier=True, by="black_and_white"),
              Given("west_grey.png", "image", earlier=True, by="black_and_white"))  # fmt: skip
    (step,) = PLANNER.plan(Request("Now put them into a zip", before)).solutions[0].steps
    assert step.arguments["files"] == (FromResource("east_grey.png"), FromResource("west_grey.png"))


@pytest.mark.parametrize(("text", "file"), [("Unzip trip.zip", "trip.zip"), ("Add the zip code column", "list.csv")])
def test_other_archives_and_zip_codes_are_not_packed(text: str, file: str):
    request = Request(text, (Given(file, "table" if file.endswith("csv") else "file"),))
    assert with_archive(request, PLANNER.plan, PLANNER.graph) is None
