"""Shorten the pauses of a recording."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound, voice
from nodes.api import Audio, AudioValue, Number, Phrase, Port, ResourceType, RunContext, Text, tool


@tool(
    id="cut_silence",
    title="Cut silence",
    domain="audio",
    description="Removes silence: cuts long pauses inside a recording and the quiet before and after it, or only this.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        *voice.SETTINGS,
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the recording without long pauses"),),
    backend_title="Energy threshold, Silero VAD",
    examples=("Cut the silence out of lecture.mp3", "Remove the long pauses from the recording",
              "Cut only the silence at the beginning of the recording", "Trim the silence off both ends of take.wav"),
    words=("silence removal", "pauses", "dead air", "tighten the recording", "leading silence", "trailing silence",
           "quiet at the start", "silence at the end"),
    icon="unfold-horizontal",
)  # fmt: skip
def cut_silence(
    audio: AudioValue, pause: Number = 0.3, threshold: Number = -40.0, where: Text = "everywhere",
    *, context: RunContext,
) -> AudioValue:  # fmt: skip
    """Levels are measured in frames of 20 ms; where someone speaks, the background noise of the pauses is silence, too.
    Half of `pause` stays on either side of a cut, and the parts are joined by cross-fades of 5 ms. At an end
    of the recording only that half is left; an end that `where` does not name stays as it is. Pure silence: NodeError.
    """
    dry = sound.audible(audio, purpose=Phrase("keep"))
    parts = voice.without_pauses(dry, pause, threshold, context, where)
    return Audio(_joined([dry.samples[begin:end] for begin, end in parts], int(dry.rate * 0.005)), dry.rate)


def _joined(pieces: list[np.ndarray], overlap: int) -> np.ndarray:
    """The pieces one after the other, each blended into the next over at most `overlap` samples."""
    result, last = samples.Collected(), pieces[0]
    for piece in pieces[1:]:
        blend = min(overlap, len(last) // 2, len(piece) // 2)
        ramp = np.linspace(0, 1, blend, dtype=np.float32)[:, None]
        result.add_all(last[: len(last) - blend])
        result.add(last[len(last) - blend :] * (1 - ramp) + piece[:blend] * ramp)
        last = piece[blend:]
    result.add_all(last)
    return result.whole()
