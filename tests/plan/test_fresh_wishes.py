"""Everyday wishes for the built-in tools, one for each general cause that was mended."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.coreference import comes_back, introduction
from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import Plan, Request
from tests.plan.worlds import attached, own_planner


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def plan(planner: OfflinePlanner, text: str, *names: str) -> Plan:
    return planner.plan(Request(text, attached(*names)))


def tools(planner: OfflinePlanner, text: str, *names: str) -> list[str]:
    found = plan(planner, text, *names).solutions
    return [step.tool for step in found[0].steps] if found else []


def test_what_is_taken_away_tells_what_to_do(planner):
    assert tools(planner, "grainy night shot, get rid of the grain", "night.jpg") == ["denoise"]


def test_the_language_of_a_recording_is_no_wish(planner):
    step = plan(planner, "Transcribe memo.wav, it's in German", "memo.wav").solutions[0].steps[0]
    assert (step.tool, step.arguments["language"]) == ("speech_to_text", "german")


def test_what_one_says_in_a_text_is_not_said_aloud(planner):
    assert tools(planner, "how often do I say 'basically' in speech.txt", "speech.txt") == ["count_words"]


def test_a_second_sentence_may_only_name_the_file(planner):
    found = plan(planner, "How many words are there? See mail.txt", "mail.txt").solutions[0]
    assert [step.tool for step in found.steps] == ["count_words"]


def test_a_page_is_read_as_text_unless_codes_are_spoken_of(planner):
    assert tools(planner, "read this out loud", "page.jpg") == ["read_text", "text_to_speech"]
    assert tools(planner, "read sign.png, say it", "sign.png") == ["read_text", "text_to_speech"]
    assert tools(planner, "read the QR code in sign.png", "sign.png") == ["read_codes"]


def test_a_cut_out_without_background_turns_no_mask_around(planner):
    found = tools(planner, "Cut the cup out of cup.jpg without the background", "cup.jpg")
    assert found == ["segment_points", "cut_out"]


def test_a_sound_in_another_format_is_a_file(planner):
    assert tools(planner, "Convert a.wav to mp3", "a.wav") == ["audio_file"]
    assert tools(planner, "convert a.wav to mono", "a.wav") == ["audio_to_mono"]


@pytest.mark.parametrize(
    "text", ["What time is it?", "Wie spät ist es?", "Quelle heure est-il ?", "¿Qué hora es?", "现在几点了？"]
)
def test_the_time_is_told_by_the_clock(planner, text):
    assert tools(planner, text) == ["current_time"]


@pytest.mark.parametrize("text", ["Crop the person out", "裁剪狗"])
def test_a_thing_to_crop_to_is_pointed_at(planner, text):
    found = plan(planner, text, "p.jpg").solutions[0]
    assert [step.tool for step in found.steps] == ["segment_points", "crop_to_mask"]
    assert [question.kind for question in found.questions] == ["point"]


def test_sound_is_dropped_in_other_languages(planner):
    assert tools(planner, "Enlève le son", "v.mp4") == ["mute_video"]
    assert tools(planner, "Quita el sonido", "v.mp4") == ["mute_video"]


def test_a_list_of_files_is_one_wish():
    asked = [i for i in intents_of(read("Denoise a.jpg and b.jpg together")) if not i.stating]
    assert len(asked) == 1


def test_each_names_what_was_made_before():
    asked = intents_of(read("List topics and also make a picture for each topic"))
    assert asked[-1].refers == ("topics",)
    assert "topics" not in asked[-1].meanings


def test_two_things_made_of_one_have_one_source():
    asked = intents_of(read("Use the extracted text to make a video and a sound"))
    assert [intent.gives for intent in asked] == [("video",), ("audio",)]
    assert asked[-1].takes == ("text",)


def test_a_clean_sound_is_a_sound():
    (asked,) = intents_of(read("Turn the summary into a clean audio file"))
    assert asked.gives == ("audio",)


def test_a_file_is_known_by_the_words_that_brought_it_in():
    tokens = tokens_of("I have a noisy recording talk.wav")
    told = introduction(tokens, len(tokens) - 1)
    assert comes_back(told, tokens_of("clean the noisy recording")) > 0
    assert comes_back(told, tokens_of("clean the changed recording")) == 0
    assert introduction(tokens_of("blur a.jpg"), 1) == frozenset({"blur"})


def test_a_file_that_is_named_again_feeds_what_it_is_named_for(planner):
    text = "I have clip.mp4 and talk.wav. Take the sound out of clip.mp4, make the voice in talk.wav deeper, mix both"
    steps = {step.tool: step for step in plan(planner, text, "clip.mp4", "talk.wav").solutions[0].steps}
    changed = steps.get("voice_effect") or steps["change_pitch"]
    assert changed.arguments["audio"].name == "talk.wav"


def test_the_formats_with_figures_are_words():
    assert [token.word for token in tokens_of("to mp3 or MP4")] == ["to", "mp3", "or", "mp4"]
