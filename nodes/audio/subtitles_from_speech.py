"""Make subtitles of what is said in a recording or a film."""

from __future__ import annotations

from collections.abc import Callable

from nodes._support.inference import hearing
from nodes._support.media import captions, subtitle_lines
from nodes._support.web import hosted
from nodes.api import (
    AudioValue,
    Family,
    NodeError,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)

_SHOWN = 1.0
"""Seconds for which a subtitle is shown at least, where the next one leaves it so long."""
_Recogniser = Callable[[hearing.Windows, str, RunContext], list[str]]


@tool(
    id="subtitles_from_speech",
    title="Subtitles from speech",
    domain="audio",
    description="Makes a subtitle file (SRT) of what is said in a sound or video, each line at its own time.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the speech, also the sound of a video"),
        hearing.LANGUAGE,
    ),
    outputs=(Port("text", ResourceType.TEXT, "the subtitles (SRT)"),),
    families=(Family("transformers whisper", "speech to text"),),
    examples=(
        "Make subtitles for talk.wav",
        "Generate captions of what is said in the interview",
        "Create an SRT file from the speech in this recording",
    ),
    words=("auto subtitles", "automatic captions", "generate subtitles", "captions from speech", "timed transcript"),
    icon="captions",
    result="subtitles",
)  # fmt: skip
def subtitles_from_speech(audio: AudioValue, language: Text = "auto", *, context: RunContext) -> Text:
    """SRT: what is said between two pauses, in parts of at most six seconds, at the time at which it is heard; at most
    two lines of 42 columns at a time.

    By Whisper. NodeError when the recording is empty or silent, no words are heard, or the model does not know the
    language.
    """
    return _subtitles(audio, language, context, hearing.by_whisper)


@backend_of(subtitles_from_speech, families=(Family("transformers moonshine", "speech to text"),))
def by_moonshine(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """By Moonshine, small and quick on a CPU: each model knows one language."""
    return _subtitles(audio, language, context, hearing.by_moonshine)


@backend_of(subtitles_from_speech, families=(Family("transformers parakeet", "speech to text"),))
def by_parakeet(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """By Parakeet, which finds the language by itself among those it knows."""
    return _subtitles(audio, language, context, hearing.by_parakeet)


@backend_of(
    subtitles_from_speech,
    families=(Family("ctranslate2 whisper", "speech to text", ("python:faster_whisper",), device="cpu"),),
)
def by_faster_whisper(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """By Whisper in 8 bits on the CPU."""
    return _subtitles(audio, language, context, hearing.by_faster_whisper)


@backend_of(subtitles_from_speech, families=(Family("transformers speech request", "speech to text"),))
def by_request(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """By models that are asked in words for what is said. NodeError naming `language` where it has to be told."""
    return _subtitles(audio, language, context, hearing.by_request)


@backend_of(subtitles_from_speech, **hosted.service("transcription", 0.9))
def by_service(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """What is said between two pauses is sent, not what is silent."""
    return _subtitles(audio, language, context, hearing.by_service)


def _subtitles(audio: AudioValue, language: str, context: RunContext, recogniser: _Recogniser) -> str:
    phrases = hearing.phrases(hearing.mono(audio))
    texts = recogniser([part for _, part in phrases], language, context)
    spans = [(at / hearing.RATE, (at + len(part)) / hearing.RATE) for at, part in phrases]
    said = [(start, end, " ".join(text.split())) for (start, end), text in zip(spans, texts, strict=True)]
    said = [phrase for phrase in said if phrase[2]]
    if not said:
        raise NodeError("No words are heard.", "audio", "Choose a recording in which somebody speaks.")
    following = [start for start, _, _ in said[1:]]
    shown: list[captions.Caption] = []
    for (start, end, text), latest in zip(said, [*following, float("inf")], strict=True):
        end = min(max(end, start + _SHOWN), latest)
        groups = subtitle_lines.cues(text)
        lengths = [subtitle_lines.columns("".join(group)) for group in groups]
        total, at = sum(lengths), start
        for group, length in zip(groups, lengths, strict=True):
            until = at + (end - start) * length / total
            shown.append(captions.Caption(at, until, "\n".join(group)))
            at = until
    return captions.srt(shown)
