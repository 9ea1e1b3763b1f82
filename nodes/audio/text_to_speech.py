"""Say a text aloud."""

from __future__ import annotations

from nodes._support.inference import kokoro, sound_models
from nodes._support.language import sentences
from nodes._support.language.words import given_words
from nodes._support.media import speech
from nodes._support.web import hosted
from nodes.api import (
    Audio,
    AudioValue,
    Family,
    NodeError,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)

_USUAL_WORDS, _SENT_CHARACTERS = 165.0, 1000
"""Words in a minute at the usual speed; letters that a service says at once."""


@tool(
    id="text_to_speech",
    title="Text to speech",
    domain="audio",
    description="Says a text aloud: turns written text into spoken audio in a chosen language.",
    inputs=(
        Port(
            "text",
            ResourceType.TEXT,
            "what is said; of subtitles (SRT) each line at its own time",
            question="What should be said?",
        ),
        Port(
            "language",
            ResourceType.TEXT,
            "language of the text; auto reads it from the text",
            default="auto",
            choices=tuple(speech.LANGUAGES),
            question="In which language is the text?",
        ),
        Port(
            "voice",
            ResourceType.TEXT,
            "kind of voice",
            default="standard",
            choices=tuple(speech.VOICES),
            question="Which voice should speak?",
        ),
        Port(
            "speed",
            ResourceType.NUMBER,
            "words per minute",
            default=_USUAL_WORDS,
            minimum=80,
            maximum=450,
            unit="wpm",
            question="How many words a minute should be spoken?",
        ),
        Port(
            "pitch",
            ResourceType.NUMBER,
            "0 = low, 50 = usual, 99 = high",
            default=50.0,
            minimum=0,
            maximum=99,
            question="How high should the voice be, from 0 to 99?",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the spoken text"),),
    backend="espeak",
    backend_title="eSpeak NG",
    quality=0.4,
    requires=("espeak-ng",),
    examples=(
        "Say it aloud",
        "Read the text out to me",
        "Narrate this story",
        "Speak 'good morning' in German",
        "Turn the summary into speech",
    ),
    words=("read aloud", "read it out", "speak", "spoken", "narration", "voice the text", "tts", "text to audio"),
    icon="speech",
)
def text_to_speech(
    text: Text,
    language: Text = "auto",
    voice: Text = "standard",
    speed: Number = 165.0,
    pitch: Number = 50.0,
    *,
    context: RunContext,
) -> AudioValue:
    """Runs the program `espeak-ng`, or where it is missing the library of the wheel in a process of its own.

    22.05 kHz, mono. NodeError naming `text` when there is nothing to say, and without either of the two.
    """
    return speech.in_time(text, lambda line: speech.spoken(line, language, voice, speed, pitch, context), context)


@backend_of(
    text_to_speech, id="espeak-wheel", title="eSpeak NG (wheel)", quality=0.39, requires=("python:espeakng_loader",)
)
def text_to_speech_by_wheel(
    text: Text,
    language: Text,
    voice: Text,
    speed: Number,
    pitch: Number,
    *,
    context: RunContext,
) -> AudioValue:
    """The same voices from the wheel `espeakng-loader`, for systems without the program."""

    def say(line: str) -> Audio:
        return speech.spoken(line, language, voice, speed, pitch, context, kinds=("wheel",))

    return speech.in_time(text, say, context)


@backend_of(text_to_speech, **hosted.service("speech", 0.9))
def by_service(text: Text, speed: Number, *, context: RunContext) -> AudioValue:
    """The text is sent. The voice is that of the settings; it reads any language that the service knows."""
    return speech.in_time(text, lambda line: _sent(line, speed, context), context)


def _sent(text: str, speed: float, context: RunContext) -> Audio:
    from nodes.audio.join_audio import join_audio

    parts = _parts(speech.plain(text))
    if not parts:
        raise NodeError("There is no text to say.", "text", "Give at least one word.")
    said = []
    for done, part in enumerate(parts):
        context.progress(done / len(parts))
        said.append(hosted.sound("speech", {"text": part, "speed": round(speed / _USUAL_WORDS, 2)}, context))
    return said[0] if len(said) == 1 else join_audio(tuple(said), 0.0)


def _parts(text: str) -> list[str]:
    """Whole sentences, as many as a service says at once."""
    parts: list[str] = []
    for sentence in sentences.sentences(text):
        if parts and len(parts[-1]) + len(sentence) < _SENT_CHARACTERS:
            parts[-1] = sentences.joined([parts[-1], sentence])
        else:
            parts.append(sentence)
    return parts


@backend_of(
    text_to_speech,
    families=(Family("transformers vits", "text to speech"), Family("transformers speecht5", "text to speech")),
)
def by_natural_voice(
    text: Text, language: Text, voice: Text, speed: Number, pitch: Number, *, context: RunContext
) -> AudioValue:
    """In the one voice and language that the model was taught. NodeError where another is asked for."""
    _check_voice(voice, pitch)

    def say(line: str) -> Audio:
        words = given_words(speech.plain(line))
        told = speech.language_told(words) if language == "auto" else language.partition("-")[0]
        return sound_models.spoken(words, told, speed, context)

    return speech.in_time(text, say, context)


@backend_of(
    text_to_speech,
    families=(Family("kokoro", "text to speech", ("python:onnxruntime", "espeak-ng"), device="cpu"),),
)
def by_kokoro(
    text: Text, language: Text, voice: Text, speed: Number, pitch: Number, *, context: RunContext
) -> AudioValue:
    """In a natural voice, on the CPU, in the languages of kokoro.VOICES. NodeError for others, and for whispering."""
    _check_voice("standard" if voice in ("female", "male") else voice, pitch)
    kind = "male" if voice == "male" else "female"

    def say(line: str) -> Audio:
        words = given_words(speech.plain(line))
        told = (speech.language_told(words) or "en") if language == "auto" else language
        return kokoro.spoken(words, told, kind, speed / _USUAL_WORDS, context)

    return speech.in_time(text, say, context)


@backend_of(text_to_speech, id="piper", title="Piper", quality=0.38, requires=("piper",))
def by_piper(
    text: Text, language: Text, voice: Text, speed: Number, pitch: Number, *, context: RunContext
) -> AudioValue:
    """By the program `piper` with the voices that are here. NodeError where none speaks the language."""
    _check_voice(voice, pitch)
    return speech.in_time(text, lambda line: speech.by_piper(line, language, speed, context), context)


def _check_voice(voice: str, pitch: float) -> None:
    """Raises NodeError for what only eSpeak NG can do."""
    if voice != "standard" or pitch != 50:
        port = "pitch" if voice == "standard" else "voice"
        raise NodeError("This model has one voice of its own.", port, "Leave it as it is, or choose another back end.")
