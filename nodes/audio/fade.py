"""Let a sound begin and end softly."""

from __future__ import annotations

from nodes._support.media import sound
from nodes.api import AudioValue, Number, Port, ResourceType, tool

_USUAL = 1.0


@tool(
    id="fade",
    title="Fade in and out",
    domain="audio",
    description="Fades a sound in at its beginning and out at its end.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("fade_in", ResourceType.NUMBER, "length of the rise; none if only the other is given", default=None,
             minimum=0, maximum=600, unit="s", usual=_USUAL, offered=(1, 3, 5),
             question="Over how many seconds should it fade in?"),
        Port("fade_out", ResourceType.NUMBER, "length of the fall; none if only the other is given", default=None,
             minimum=0, maximum=600, unit="s", usual=_USUAL, offered=(1, 3, 5),
             question="Over how many seconds should it fade out?"),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the faded sound"),),
    backend_title="Raised cosine",
    examples=("Fade the music in and out", "Let the song fade out over the last 3 seconds", "Add a fade-in of 2 s"),
    words=("fade out", "fade in", "soft ending", "soft start"),
    icon="chart-no-axes-gantt",
)  # fmt: skip
def fade(audio: AudioValue, fade_in: Number | None = None, fade_out: Number | None = None) -> AudioValue:
    """Gain follows half a cosine. Fades that would overlap are shortened in proportion. Where neither length is given,
    both are a second.
    """
    dry = sound.checked(audio)
    if fade_in is None and fade_out is None:
        fade_in = fade_out = _USUAL
    fade_in, fade_out = fade_in or 0.0, fade_out or 0.0
    return sound.faded(dry, fade_in, fade_out)
