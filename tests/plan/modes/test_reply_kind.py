"""What a reply to a question is taken for: tests/data/replies.txt, half of it used to find the rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.modes.replying.reply_words import COMPLAINT, REFUSAL, VALUE, WISH, Asked, by_words
from desktop_app.plan.types import Given
from tests.plan.worlds import own_planner

MISSED = 1
"""Of 68: a slogan that is a sentence for a tool. Before "ach" was heard as a sigh it were two."""
KINDS = {"v": VALUE, "w": WISH, "c": COMPLAINT, "d": REFUSAL}
FILES = {"text": "notes.txt", "table": "list.csv", "image": "photo.jpg", "file": "contract.pdf"}


class Said(NamedTuple):
    """A reply, to a question about what, and of which kind it is."""

    text: str
    asked: Asked
    kind: str


def twins() -> list[tuple[Said, Said]]:
    lines = (Path(__file__).parents[2] / "data" / "replies.txt").read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if not line.startswith("#"):
            _, port, type, _, value, kind, other = line.split(" | ")
            files = () if type == "-" else (Given(FILES[type], type),)
            tool, _, name = port.partition(".")
            asked = Asked(tool, name, files, direct=True)
            found.append((Said(value, asked, VALUE), Said(other, asked, KINDS[kind])))
    return found


FOUND_ON = [said for pair in twins()[::2] for said in pair]
HELD = [said for pair in twins()[1::2] for said in pair]


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner()


@pytest.mark.parametrize("said", FOUND_ON, ids=lambda said: said.text)
def test_a_value_is_a_value_and_a_wish_is_none(planner, said):
    assert planner.reply(said.text, said.asked).kind == said.kind


def test_replies_that_the_rule_was_not_found_on(planner):
    wrong = [said.text for said in HELD if (planner.reply(said.text, said.asked).kind == VALUE) != (said.kind == VALUE)]
    assert len(wrong) <= MISSED, wrong


def test_without_the_networks_no_value_is_lost_and_no_refusal_put_in(monkeypatch):
    monkeypatch.setattr(sentence_encoder, "ENABLED", False)
    planner = own_planner()
    for said in FOUND_ON + HELD:
        if said.kind == VALUE or not by_words(said.text):
            assert planner.reply(said.text, said.asked).kind == VALUE
        else:
            assert planner.reply(said.text, said.asked).kind == said.kind


@pytest.mark.parametrize(
    ("text", "tool", "port", "value", "more"),
    [
        ("sort it by date please", "sort_table", "column", "date", {}),
        ("replace Hans with Peter", "find_replace", "find", "Hans", {"replace": "Peter"}),
        ("schreib Hallo unten drauf", "add_text", "text", "Hallo", {"position": "bottom"}),
        (
            "country is France and price below 20",
            "filter_table",
            "condition",
            "country is France and price below 20",
            {},
        ),
        ("paid is no and amount above 50", "filter_table", "condition", "paid is no and amount above 50", {}),
        ("anderthalb Minuten", "subtitles_from_text", "seconds", "90", {}),
        ("ins Französische", "translate", "language", "French", {}),
        ('"no, thanks"', "add_text", "text", "no, thanks", {}),
    ],
)
def test_a_wish_said_anew_gives_its_values(planner, text, tool, port, value, more):
    files = (Given("notes.txt", "text"), Given("list.csv", "table"), Given("cat.jpg", "image"))
    reply = planner.reply(text, Asked(tool, port, files, direct=True))
    assert (reply.kind, reply.text, dict(reply.more)) == (VALUE, value, more)


@pytest.mark.xfail(strict=True, reason='"filter it" is taken for a condition')
def test_a_wish_said_anew_without_a_value_is_for_the_same_tool(planner):
    reply = planner.reply("filter it", Asked("filter_table", "condition", (Given("list.csv", "table"),)))
    assert (reply.kind, reply.same) == (WISH, True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("nothing but the truth", ""), ("no", REFUSAL), ("!!!", ""), ("No entry", ""), ("tja", ""),
     ("oublie ça, s'il te plaît", REFUSAL),
     ("nein, das meine ich nicht", COMPLAINT), ("cancel subscription", "")],
)  # fmt: skip
def test_words_of_refusal_inside_a_text_are_none(text, kind):
    found = by_words(text)
    assert (found.kind if found is not None else "") == kind
