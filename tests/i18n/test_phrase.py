"""A message as a value: text in English, and what it was put together of, through files and pipes."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from desktop_app.run.events import events, recording
from desktop_app.run.workers import protocol
from nodes import phrase
from nodes.phrase import Phrase, joined, listed, parts, replaced, unstopped

SAID = Phrase("{path} has only {total} pages.", path=Phrase("image", "types"), total=3)


def test_it_is_its_english_text():
    assert SAID == "image has only 3 pages." and json.dumps([SAID]) == '["image has only 3 pages."]'
    assert f"{SAID}" == str(SAID) and type(str(SAID)) is str and SAID.values["total"] == "3"
    assert Phrase("Blur", "tools", spelled="blurring") == "blurring"
    assert unstopped("It is gone.") == "It is gone" and unstopped(SAID) == "image has only 3 pages"


def test_only_places_with_a_value_are_filled():
    said = Phrase("{a} {b} {{c}} {} {a.real} {a[0]} {0}", a="{b}", c=1)
    assert said == "{b} {b} {1} {} {a.real} {a[0]} {0}"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        *((form, f"an {form} file") for form in ("mp3", "MP4", "m4a", "svg", "xlsx", "html", "rtf", "xml", "odt")),
        *((form, f"an {form} file") for form in ("image", "avi", "epub", "ogg", "8-bit", "unlit")),
        *((form, f"a {form} file") for form in ("jpg", "png", "webp", "wav", "flac", "pdf", "csv", "tiff", "gif")),
        *((form, f"a {form} file") for form in ("docx", "json", "zip", "unit", "16-bit", "", "图")),
    ],
)
def test_the_article_is_that_of_how_a_word_is_spoken(form, said):
    assert Phrase("{word} a {form} file", word="as", form=form) == f"as {said}"
    assert Phrase("A {form} file", form=form) == said.replace("a", "A", 1)
    assert Phrase("data {form}", form=form) == f"data {form}"


def test_sentences_and_names_stand_one_after_the_other():
    both = joined("Run again.", "", SAID)
    assert both == "Run again. image has only 3 pages." and parts(both) == ["Run again.", SAID]
    assert joined("", "") == "" and joined(SAID) is SAID and parts(SAID) == [SAID]
    assert listed(["a", "b"]) == "a, b" and listed([]) == ""


def test_a_name_is_replaced_where_it_stands_as_a_value():
    said = Phrase("{file} in {file2}", file="ab12.png", file2=Phrase("{x}!", x="ab12.png"))
    new = replaced(said, "ab12.png", "cup.png")
    assert new == "cup.png in cup.png!" and isinstance(new, Phrase) and new.template == said.template
    assert replaced("ab12.png", "ab12", "cup") == "cup.png"


@pytest.mark.parametrize("through", [copy.deepcopy, lambda said: pickle.loads(pickle.dumps(said))])
def test_copies_know_of_what_they_were_put_together(through):
    said = through(SAID)
    assert said == SAID and (said.template, said.values, said.section) == (SAID.template, SAID.values, SAID.section)


@pytest.mark.parametrize("said", ["", "plain", SAID, joined("One.", SAID), Phrase("Blur", "tools", spelled="blur")])
def test_plain_data_gives_it_back(said):
    again = phrase.from_json(json.loads(json.dumps(phrase.to_json(said))))
    assert again == said and type(again) is type(said)
    assert phrase.to_json(again) == phrase.to_json(said)


def deep(levels: int) -> Phrase:
    said = Phrase("end")
    for _ in range(levels):
        said = Phrase("{it}", it=said)
    return said


@pytest.mark.parametrize(
    "said",
    [
        Phrase("x" * 200_000),
        Phrase("{a}" * 1000, a="b"),
        Phrase("{a}" * 50, a=Phrase("{a}" * 50, a=Phrase("{a}" * 50, a="x" * 1000))),
        Phrase("{a}", **{f"a{n}": "" for n in range(1000)}),
        deep(20),
    ],
)
def test_what_would_not_be_read_is_written_as_its_text(said):
    assert phrase.to_json(said) == str(said)


@pytest.mark.parametrize(
    "data",
    [
        None, 3, [], {}, {"template": "a"}, {"template": 1, "section": "messages", "values": {}},
        {"template": "a", "section": None, "values": {}}, {"template": "a", "section": "messages", "values": []},
        {"template": "a", "section": "messages", "values": {"n": 3}},
        {"template": "a", "section": "messages", "values": {}, "more": 1},
        {"template": "{a}" * 90, "section": "messages", "values": {"a": "x" * 15_000}},
    ],
)  # fmt: skip
def test_strange_data_is_refused(data):
    with pytest.raises(ValueError, match="phrase"):
        phrase.from_json(data)


def test_the_pipe_of_a_worker_and_a_recording_keep_it():
    failed = {"failed": "n", "message": SAID, "port": "", "fix": "Again.", "cause": "", "seconds": 0.5}
    (heard,) = protocol.MessageDecoder().feed(protocol.encoded(failed))
    assert heard == failed and heard["message"].template == SAID.template
    event = events.NodeFailed("n", SAID, fix="Again.", failed=(("a.png", SAID),))
    again = recording.from_json(json.loads(json.dumps(recording.to_json(event))))
    assert again == event and isinstance(again, events.NodeFailed)
    assert isinstance(again.message, Phrase) and isinstance(again.failed[0][1], Phrase)


def test_a_worker_that_says_a_strange_phrase_is_not_understood():
    lines = protocol.MessageDecoder()
    said = b'{"progress":"n","fraction":0.5,"note":{"template":"x","values":{"a":{}}},"preview":""}\n'
    assert lines.feed(said) == [] and lines.garbled
