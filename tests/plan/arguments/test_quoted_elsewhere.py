"""A quote that is said for another input leaves the text itself to the file that is there."""

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.types import FromNode, Given, Request
from tests.plan.worlds import own_planner


def count_of(monkeypatch, trained, text, name, type):
    monkeypatch.setattr(sentence_encoder, "ENABLED", trained)
    steps = own_planner().plan(Request(text, (Given(name, type),))).solutions[0].steps
    return steps[0].tool, steps[-1].arguments


@pytest.mark.parametrize(
    ("trained", "text", "phrase"),
    [
        (True, "How many times does it say 'roof'?", "roof"),
        (True, "Wie oft kommt 'Dach' darin vor?", "Dach"),
        (True, "combien de fois dit-il 'toit' ?", "toit"),
        (True, "¿cuántas veces aparece 'tejado'?", "tejado"),
        (False, "How many times does the word 'roof' appear in it?", "roof"),
        (False, "Wie oft kommt 'Dach' darin vor?", "Dach"),
        (False, "¿cuántas veces aparece 'tejado'?", "tejado"),
    ],
)
def test_it_is_counted_in_the_file(monkeypatch, trained, text, phrase):
    first, arguments = count_of(monkeypatch, trained, text, "report.pdf", "file")
    assert first == "read_document"
    assert arguments == {"text": FromNode("read_document", "text"), "phrase": phrase}


def test_it_is_counted_in_what_is_said(monkeypatch):
    first, arguments = count_of(monkeypatch, True, "How many times does it say 'roof'?", "talk.wav", "audio")
    assert first == "speech_to_text" and arguments["phrase"] == "roof"
