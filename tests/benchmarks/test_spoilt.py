"""Requests that are spoilt still ask for the same."""

import random

import pytest

from tests.benchmarks.spoilt import lower, polite, typos

ROW = {
    "language": "en",
    "request": "Write 'Happy Birthday' on Anna.JPG, please, and sharpen the picture.",
    "resources": [{"name": "Anna.JPG", "type": "image"}],
    "gold": {
        "nodes": ["add_text"],
        "links": [],
        "args": {"add_text.text": "Happy Birthday", "add_text.image": "Anna.JPG"},
    },
}


def test_small_letters_are_in_the_texts_of_the_right_plan_too():
    row = lower(ROW, random.Random(0))
    assert row["request"] == ROW["request"].lower()
    assert row["gold"]["args"] == {"add_text.text": "happy birthday", "add_text.image": "Anna.JPG"}


def test_names_and_values_are_not_mistyped():
    row = typos(ROW, random.Random(3))
    assert row["request"] != ROW["request"] and sorted(row["request"]) == sorted(ROW["request"])
    assert "'Happy Birthday' on Anna.JPG" in row["request"] and row["gold"] == ROW["gold"]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "zh"])
def test_courtesies_stand_around_the_request(language):
    row = polite({**ROW, "language": language}, random.Random(1))
    assert "'Happy Birthday' on Anna.JPG, please, and sharpen the picture" in row["request"]
    assert len(row["request"]) > len(ROW["request"])
