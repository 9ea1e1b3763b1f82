"""Play several sounds one after the other."""

from __future__ import annotations

import itertools

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, NodeError, Number, Port, ResourceType, tool

_USUAL_FADE = 1.0


@tool(
    id="join_audio",
    title="Join audio",
    domain="audio",
    description="Joins several sounds into one, one after the other.",
    inputs=(
        Port("audios", ResourceType.AUDIO, "the sounds, in order", many=True, least=2),
        Port("gap", ResourceType.NUMBER, "silence between two; negative for a cross-fade", default=0.0, minimum=-30,
             maximum=600, unit="s", question="How many seconds of silence should lie between them?"),
        Port("fade", ResourceType.NUMBER, "length of the cross-fades; with silence between two, how long the one falls "
             "before it and the other rises after it", default=0.0, minimum=0, maximum=30, unit="s",
             usual=_USUAL_FADE, question="How many seconds should one run into the next?"),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "all of them in a row"),),
    backend_title="Splicing",
    examples=("Join these recordings into one file", "Put intro.wav before talk.wav", "Concatenate the audio files"),
    words=("splice", "concatenate", "append", "merge one after another", "combine in a row", "string together"),
    icon="between-vertical-start",
)  # fmt: skip
def join_audio(audios: tuple[AudioValue, ...], gap: Number = 0.0, fade: Number = 0.0) -> AudioValue:
    """All parts get the highest of their rates, and stereo where their numbers of channels differ.

    A cross-fade is at most half as long as the shorter of its two sounds. NodeError when there is no sound.
    """
    parts = [sound.checked(audio, "audios") for audio in audios]
    if not parts:
        raise NodeError("There is no sound to join.", "audios", "Add at least one.")
    rate, counts = max(p.rate for p in parts), {p.samples.shape[1] for p in parts}
    channels = counts.pop() if len(counts) == 1 else 2  # one film sound in 5.1 does not make six of all
    pieces = [sound.with_channels(sound.resampled(p, rate).samples, channels) for p in parts]
    silence = np.zeros((max(round(gap * rate), 0), channels), np.float32)
    if gap > 0 and fade:
        pieces = [_at_silence(piece, rate, fade, n > 0, n < len(pieces) - 1) for n, piece in enumerate(pieces)]
    overlap = round(max(-gap, fade if gap <= 0 else 0.0) * rate)
    result, last = samples.Collected(), pieces[0]
    for before, piece in itertools.pairwise(pieces):
        blend = min(overlap, len(before) // 2, len(piece) // 2)
        ramp = np.linspace(0, 1, blend, dtype=np.float32)[:, None]
        result.add_all(last[: len(last) - blend])
        result.add(last[len(last) - blend :] * np.sqrt(1 - ramp) + piece[:blend] * np.sqrt(ramp) if blend else silence)
        last = piece[blend:]
    result.add_all(last)
    return Audio(sound.within_range(result.whole()), rate)


def _at_silence(piece: np.ndarray, rate: int, fade: float, before: bool, after: bool) -> np.ndarray:
    """The piece rising where silence comes before it, and falling where silence comes after it."""
    return sound.faded(Audio(piece, rate), fade if before else 0.0, fade if after else 0.0).samples
