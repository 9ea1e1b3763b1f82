"""A word of degree for one of two inputs sets that input's gain."""

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.types import Given, Request
from tests.plan.worlds import own_planner

SOUNDS = (Given("talk.wav", "audio"), Given("beat.wav", "audio"))


@pytest.mark.parametrize(
    ("trained", "text", "gain"),
    [
        (False, "mix the music quietly under the voice", -12),
        (False, "lay the music very quietly under the speech", -24),
        (True, "put the music quietly under the voice and fade it out at the end", -12),
        (True, "Leg die Musik leise unter die Stimme", -12),
        (True, "mets la musique doucement sous la voix", -12),
        (True, "pon la música bajita bajo la voz", -12),
        (True, "把音乐小声地放在人声下面", -12),
        (True, "mix talk.wav and beat.wav, beat.wav at -20 dB", -20),
        (False, "put the voice louder over the music", None),
        (True, "mix them", None),
    ],
)
def test_it_is_as_quiet_as_it_was_said(monkeypatch, trained, text, gain):
    monkeypatch.setattr(sentence_encoder, "ENABLED", trained)
    steps = own_planner().plan(Request(text, SOUNDS)).solutions[0].steps
    assert steps[0].tool == "mix_audio" and steps[0].arguments.get("other_gain") == gain
