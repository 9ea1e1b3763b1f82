"""Find the parts of a recording in which someone speaks."""

from __future__ import annotations

from nodes._support.media import sound, voice
from nodes.api import AudioValue, Number, Port, ResourceType, RunContext, Table, TableValue, tool


@tool(
    id="detect_speech",
    title="Detect speech",
    domain="audio",
    description="Finds when someone speaks in a recording: a table with start and end of each spoken part.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        Port("pause", ResourceType.NUMBER, "shorter pauses do not end a part", default=0.3, minimum=0, maximum=60,
             unit="s", advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "start, end and seconds of each part"),),
    backend="silero",
    backend_title="Silero VAD",
    quality=0.9,
    examples=("When does someone speak in meeting.wav?", "Find the spoken parts of the recording"),
    words=("voice activity", "speech segments", "speaking times", "vad"),
    icon="mic",
)  # fmt: skip
def detect_speech(audio: AudioValue, pause: Number = 0.3, *, context: RunContext) -> TableValue:
    """Silero's network (resources/speech) tells how surely each 32 ms are speech, in music and noise too; a part begins
    at 0.5 and ends below 0.35. Singing counts as speech in part. Silence gives no rows. Times in seconds.
    """
    parts = voice.spoken_parts(sound.checked(audio), pause, context)
    rows = tuple((round(begin, 2), round(end, 2), round(end - begin, 2)) for begin, end in parts)
    return Table(("start", "end", "seconds"), rows)
