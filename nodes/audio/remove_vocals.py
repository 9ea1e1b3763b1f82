"""Take the singing out of a stereo song."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, NodeError, Phrase, Port, ResourceType, tool

_BASS_HZ = 150
_LEAST_SIDE = 10**-3.5
"""Power of what differs against that of the centre, -35 dB: songs have -20 and more, films near to mono -57."""


@tool(
    id="remove_vocals",
    title="Remove vocals",
    domain="audio",
    description="Removes the singing voice from a stereo song where it is mixed to the centre, as for karaoke.",
    inputs=(Port("audio", ResourceType.AUDIO, "a song in stereo"),),
    outputs=(Port("audio", ResourceType.AUDIO, "the song without what is in the centre"),),
    backend="centre-cancel",
    backend_title="Centre cancelling",
    quality=0.3,
    examples=("Remove the vocals from song.mp3", "Make a karaoke version of this song"),
    words=("karaoke", "instrumental", "vocal remover", "without singing"),
    icon="mic-off",
)
def remove_vocals(audio: AudioValue) -> AudioValue:
    """Keeps what differs between left and right, and the bass of both (below 150 Hz). Both sides of the result are the
    same, so that it sounds on one loudspeaker as on two.

    Drums in the centre go too, echoes of the voice stay. NodeError for mono, and for stereo with equal sides.
    """
    from scipy.signal import butter, sosfiltfilt

    song = sound.audible(audio, purpose=Phrase("take apart"))
    if song.samples.shape[1] == 1:
        raise NodeError("The song is mono: its centre cannot be told apart.", "audio", "Choose a stereo recording.")
    stereo = sound.with_channels(song.samples, 2)
    power = [0.0, 0.0]
    for block in samples.blocks(stereo):
        for number, part in enumerate(_middle_and_side(block)):
            power[number] += float(np.square(part, dtype=np.float64).sum())
    if power[1] < _LEAST_SIDE * power[0]:
        raise NodeError("Both sides of the song are nearly equal, so all of it is in the centre.", "audio",
                        "Choose a real stereo recording.")  # fmt: skip
    lowpass = butter(2, min(_BASS_HZ, song.rate * 0.4), fs=song.rate, output="sos")
    around = song.rate // 4  # the filter has long fallen silent then

    def made(begin: int, end: int) -> np.ndarray:
        middle, side = _middle_and_side(samples.stretch(stereo, begin - around, end + around))
        heard = sosfiltfilt(lowpass, middle) + side
        return np.repeat(heard[around : around + end - begin, None], 2, axis=1)

    return Audio(sound.within_range(samples.composed(len(stereo), made, stereo)), song.rate)


def _middle_and_side(stereo: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return stereo.mean(axis=1), (stereo[:, 0] - stereo[:, 1]) / 2
