"""Say a text aloud."""

from __future__ import annotations

from nodes._support import speech
from nodes.api import AudioValue, Number, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="text_to_speech",
    title="Text to speech",
    domain="audio",
    description="Says a text aloud: turns written text into spoken audio in a chosen language.",
    inputs=(
        Port("text", ResourceType.TEXT, "what is said"),
        Port(
            "language",
            ResourceType.TEXT,
            "language of the text; auto reads it from the text",
            default="auto",
            choices=tuple(speech.LANGUAGES),
        ),
        Port("voice", ResourceType.TEXT, "kind of voice", default="standard", choices=tuple(speech.VOICES)),
        Port("speed", ResourceType.NUMBER, "words per minute", default=165.0, minimum=80, maximum=450, unit="wpm"),
        Port("pitch", ResourceType.NUMBER, "0 = low, 50 = usual, 99 = high", default=50.0, minimum=0, maximum=99),
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
    return speech.spoken(text, language, voice, speed, pitch, context)


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
    return speech.spoken(text, language, voice, speed, pitch, context, programs=("wheel",))
