"""Whisper and a chat model, tiny and random, through the real loading code."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from nodes._support.inference.hearing import RATE, phrases, pieces
from nodes._support.media import captions
from nodes.api import Audio, Cancelled, NodeError
from nodes.audio.speech_to_text import speech_to_text
from nodes.audio.subtitles_from_speech import subtitles_from_speech
from nodes.text.chat import chat


def tone(seconds: float, rate: int = RATE, channels: int = 1, pitch: float = 220.0) -> Audio:
    time = np.arange(int(seconds * rate)) / rate
    wave = (0.3 * np.sin(2 * np.pi * pitch * time) * (1 + np.sin(9 * time))).astype(np.float32)
    return Audio(np.repeat(wave[:, None], channels, axis=1), rate)


def test_speech_becomes_text(context_for):
    text = speech_to_text(tone(2), context=context_for("whisper-base"))
    assert isinstance(text, str) and text
    assert "<|" not in text
    assert speech_to_text(tone(2), context=context_for("whisper-base")) == text


def test_any_sample_rate_and_number_of_channels_is_heard_alike(context_for):
    mono = speech_to_text(tone(1.5), "english", context=context_for("whisper-base"))
    stereo = speech_to_text(tone(1.5, RATE, 2), "english", context=context_for("whisper-base"))
    assert mono == stereo
    assert speech_to_text(tone(1.5, 44100, 6), "english", context=context_for("whisper-base"))


def test_the_language_is_told_to_the_model(context_for, fresh_pool):
    speech_to_text(tone(1), "german", context=context_for("whisper-base"))
    (entry,) = fresh_pool._entries.values()
    asked = []
    generate = entry.model.network.generate
    entry.model.network.generate = lambda *a, **options: asked.append(options) or generate(*a, **options)
    for language in ("german", "auto"):
        speech_to_text(tone(1), language, context=context_for("whisper-base"))
    assert asked[0]["language"] == "de" and "language" not in asked[1]
    assert all(options["task"] == "transcribe" for options in asked)


def test_a_language_that_the_model_does_not_know_is_refused(context_for):
    with pytest.raises(NodeError, match="Finnish") as caught:
        speech_to_text(tone(1), "finnish", context=context_for("whisper-base"))
    assert caught.value.port == "language"


def test_long_recordings_are_heard_in_pieces_and_told_as_they_come(context_for):
    context = context_for("whisper-base")
    text = speech_to_text(tone(70), context=context)
    fractions = [fraction for fraction, note, _ in context.told if "loading" not in note]
    assert len(fractions) == 3 and fractions == sorted(fractions)
    heard = [note for note in context.notes if note and "loading" not in note]
    assert all(text.startswith(note) for note in heard) and heard


def _speech_at(spans: list[tuple[float, float]], seconds: float, rate: int = RATE) -> Audio:
    sound = np.random.default_rng(0).normal(0, 0.0005, (int(seconds * rate), 1)).astype(np.float32)
    for start, end in spans:
        sound[int(start * rate) : int(end * rate)] += tone(end - start, rate).samples[
            : int(end * rate) - int(start * rate)
        ]
    return Audio(sound, rate)


def test_phrases_lie_where_something_is_heard():
    spans = [(0.5, 2.0), (4.0, 5.5), (8.0, 22.0)]
    found = phrases(_speech_at(spans, 24).samples[:, 0])
    times = [(at / RATE, (at + len(part)) / RATE) for at, part in found]
    assert times[0] == pytest.approx((0.5, 2.0), abs=0.2) and times[1] == pytest.approx((4.0, 5.5), abs=0.2)
    assert times[2][0] == pytest.approx(8.0, abs=0.2) and times[-1][1] == pytest.approx(22.0, abs=0.2)
    assert all(end - start <= 6 for start, end in times) and len(times) >= 5
    assert all(a[1] <= b[0] for a, b in pairwise(times))
    assert phrases(np.zeros(RATE * 3, np.float32)) == []


@pytest.mark.parametrize("rate", [RATE, 44_100])
def test_subtitles_stand_at_the_time_at_which_they_are_said(context_for, rate):
    spans = [(0.5, 2.0), (4.0, 5.5)]
    found = captions.timed(subtitles_from_speech(_speech_at(spans, 8, rate), context=context_for("whisper-base")))
    for caption in found:
        assert any(start - 0.2 <= caption.start < caption.end <= end + 0.2 for start, end in spans)
        assert caption.text.count("\n") <= 1 and all(len(line) <= 42 for line in caption.text.split("\n"))
    assert {min((0, 1), key=lambda n: abs(caption.start - spans[n][0])) for caption in found} == {0, 1}


def test_subtitles_of_a_silent_recording_are_refused(context_for):
    with pytest.raises(NodeError, match="silent"):
        subtitles_from_speech(Audio(np.zeros((RATE, 1), np.float32), RATE), context=context_for("whisper-base"))


def test_a_recording_is_cut_where_it_is_quiet():
    samples = tone(65).samples[:, 0].copy()
    samples[int(26.5 * RATE) : int(27.5 * RATE)] = 0
    parts = pieces(samples)
    assert len(parts) == 3
    assert 26.5 <= len(parts[0]) / RATE <= 27.5
    assert all(len(part) <= 30 * RATE for part in parts)
    assert (np.concatenate(parts) == samples).all()


def test_silent_parts_are_not_heard():
    samples = np.concatenate((tone(20).samples[:, 0], np.zeros(100 * RATE, np.float32)))
    assert len(pieces(samples)) == 1


def test_silence_and_nothing_are_refused(context_for):
    for samples in (np.zeros((RATE, 1), np.float32), np.zeros((0, 1), np.float32)):
        with pytest.raises(NodeError) as caught:
            speech_to_text(Audio(samples, RATE), context=context_for("whisper-base"))
        assert caught.value.port == "audio"


def test_a_click_of_a_sample_is_heard(context_for):
    assert isinstance(speech_to_text(tone(0.01), context=context_for("whisper-base")), str)


def test_listening_stops_between_layers(context_for):
    context = context_for("whisper-base")
    speech_to_text(tone(1), context=context)
    context.looks, context.stop_after = 0, 10
    with pytest.raises(Cancelled):
        speech_to_text(tone(1), context=context)


def test_an_answer_streams_token_by_token(context_for):
    context = context_for("qwen2-5-0-5b")
    answer = chat("Hello", max_tokens=24, context=context)
    streamed = [(fraction, note) for fraction, note, _ in context.told if "loading" not in note]
    assert len(streamed) == 24
    assert streamed[-1][1] == answer
    assert [fraction for fraction, _ in streamed] == sorted(fraction for fraction, _ in streamed)
    assert "Hello" not in answer and "assistant" not in answer


def test_at_temperature_0_the_same_words_give_the_same_answer(context_for):
    first = chat("Hello", max_tokens=12, seed=1, context=context_for("qwen2-5-0-5b"))
    assert chat("Hello", max_tokens=12, seed=2, context=context_for("qwen2-5-0-5b")) == first
    assert chat("Bye!", max_tokens=12, context=context_for("qwen2-5-0-5b")) != first
    assert chat("Hello", "Be brief.", max_tokens=12, context=context_for("qwen2-5-0-5b")) != first


def test_above_temperature_0_the_seed_decides(context_for):
    answers = [
        chat("Hello", max_tokens=12, temperature=1.5, seed=seed, context=context_for("qwen2-5-0-5b"))
        for seed in (1, 1, 2)
    ]
    assert answers[0] == answers[1] != answers[2]


def test_chatting_leaves_other_randomness_alone(context_for):
    import torch

    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    chat("Hello", max_tokens=4, temperature=1.0, seed=1, context=context_for("qwen2-5-0-5b"))
    assert torch.rand(1) == expected


def test_chatting_stops_within_a_token(context_for):
    context = context_for("qwen2-5-0-5b")
    chat("Hello", max_tokens=8, context=context)
    needed = context.looks
    context.looks, context.told = 0, []
    context.stop_after = needed // 2
    with pytest.raises(Cancelled):
        chat("Hello", max_tokens=8, context=context)
    assert 0 < len([note for note in context.notes if note]) < 8


def test_a_text_that_is_empty_or_too_long_is_refused(context_for):
    for text in ("  \n", "word " * 200):
        with pytest.raises(NodeError) as caught:
            chat(text, context=context_for("qwen2-5-0-5b"))
        assert caught.value.port == "text"


def test_an_answer_ends_where_the_model_can_hold_no_more(context_for):
    context = context_for("qwen2-5-0-5b")
    chat("x" * 200, max_tokens=8192, context=context)
    assert 0 < len(context.told) < 60
