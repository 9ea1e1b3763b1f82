"""Write down what is said in a recording."""

from __future__ import annotations

from nodes._support.inference import hearing
from nodes._support.web import hosted
from nodes.api import (
    AudioValue,
    Family,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)


@tool(
    id="speech_to_text",
    title="Speech to text",
    domain="audio",
    description="Writes down what is said in a recording: a transcript of speech, of any length.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        hearing.LANGUAGE,
    ),
    outputs=(Port("text", ResourceType.TEXT, "what is said"),),
    families=(Family("transformers whisper", "speech to text"),),
    examples=(
        "Transcribe talk.wav",
        "What is said in this recording?",
        "Write down the speech in the interview",
    ),
    words=("transcribe", "transcript", "transcription", "speech recognition", "dictation", "what do they say"),
    icon="captions",
    result="transcript",
)  # fmt: skip
def speech_to_text(audio: AudioValue, language: Text = "auto", *, context: RunContext) -> Text:
    """The words, one line; "" when none are heard. Channels are mixed, any sample rate is brought to 16 kHz.

    Whisper (Radford et al. 2022) hears half a minute at once; longer recordings are cut where it is quiet. Told as it
    goes. NodeError when the recording is empty or silent, or the model knows no such language.
    """
    return _joined(hearing.by_whisper(hearing.pieces(hearing.mono(audio)), language, context))


@backend_of(speech_to_text, families=(Family("transformers moonshine", "speech to text"),))
def by_moonshine(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Moonshine (Jeffries et al. 2024), small and quick on a CPU: each model knows one language."""
    return _joined(hearing.by_moonshine(hearing.pieces(hearing.mono(audio)), language, context))


@backend_of(speech_to_text, families=(Family("transformers parakeet", "speech to text"),))
def by_parakeet(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Parakeet (Xu et al. 2023): finds the language by itself among those it knows."""
    return _joined(hearing.by_parakeet(hearing.pieces(hearing.mono(audio)), language, context))


@backend_of(
    speech_to_text,
    families=(Family("ctranslate2 whisper", "speech to text", ("python:faster_whisper",), device="cpu"),),
)
def by_faster_whisper(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Whisper in 8 bits on the CPU, by CTranslate2: about four times as fast as with torch, and without it."""
    return _joined(hearing.by_faster_whisper(hearing.pieces(hearing.mono(audio)), language, context))


@backend_of(speech_to_text, families=(Family("transformers speech request", "speech to text"),))
def by_request(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Models that are asked in words for what is said: Qwen3-ASR finds the language by itself, Canary (Puvvada et al.
    2024) has to be told it. NodeError naming `language` when it was not.
    """
    return _joined(hearing.by_request(hearing.pieces(hearing.mono(audio)), language, context))


@backend_of(speech_to_text, **hosted.service("transcription", 0.9))
def by_service(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """The sound is sent, in parts of at most five minutes, without those that are silent."""
    return _joined(hearing.by_service(hearing.pieces(hearing.mono(audio), hearing.SENT_SECONDS), language, context))


def _joined(heard: list[str]) -> str:
    return " ".join(filter(None, heard))
