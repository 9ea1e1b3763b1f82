"""Put a sound on a video: narration, another language, music."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies, remux, samples, sound
from nodes.api import Audio, AudioValue, Flag, Number, Port, ResourceType, RunContext, Text, Video, tool

_FADE_SECONDS = 0.5


@tool(
    id="dub_video",
    title="Dub video",
    domain="video",
    description="Puts a sound on a video: replaces its sound track by narration or music, or mixes both.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("audio", ResourceType.AUDIO, "the new sound"),
        Port("mode", ResourceType.TEXT, "instead of the old sound, or together with it", default="replace",
             choices=("replace", "mix")),
        Port("length", ResourceType.TEXT, "what a longer sound does: auto keeps it when it is up to 10 s or half the "
             "video longer, and the last picture stands", default="auto", choices=("auto", "video", "sound"),
             advanced=True),
        Port("gain", ResourceType.NUMBER, "gain of the new sound", default=0.0, minimum=-60, maximum=40, unit="dB",
             advanced=True),
        Port("loop", ResourceType.FLAG, "repeat a shorter sound to the end of the video", default=False),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video with the new sound, MP4"),),
    backend="pyav",
    backend_title="PyAV, stream copy",
    examples=(
        "Dub the video with this speech",
        "Add the music to the video",
        "Put the voice-over on clip.mp4",
        "Replace the sound of the video by this recording",
        "Synchronize the voiceover with the video",
    ),
    words=("voice over", "voiceover", "add sound to the video", "background music", "narrate the video", "sync audio"),
    icon="mic-vocal",
)  # fmt: skip
def dub_video(
    video: Video,
    audio: AudioValue,
    mode: Text = "replace",
    length: Text = "auto",
    gain: Number = 0.0,
    loop: Flag = False,
    *,
    context: RunContext,
) -> Video:
    """The pictures are copied bit by bit where MP4 takes their coding. The sound starts with the video.

    A sound that is cut ends with a fade of 0.5 s. A video without sound is "mixed" with silence.
    """
    known = movies.facts(video)
    new = writer.for_writing(sound.checked(audio))
    ratio = np.float32(sound.amplitude(gain))
    if ratio != 1:
        new = Audio(samples.mapped(new.samples, lambda block: block * ratio), new.rate)
    seconds = _seconds(known.seconds, new.seconds, length)
    new = _cut_or_looped(new, seconds, loop)
    if mode == "mix" and known.rate:
        new = _mixed(movies.whole_sound(video, context=context), new)
    return remux.with_sound(video, Audio(sound.within_range(new.samples), new.rate), context)


def _seconds(video_seconds: float, sound_seconds: float, length: str) -> float:
    """How long the sound may last."""
    if length == "sound":
        return max(sound_seconds, video_seconds)
    over = sound_seconds - video_seconds
    kept = length == "auto" and over <= max(10.0, video_seconds / 2)
    return max(sound_seconds, video_seconds) if kept else video_seconds


def _cut_or_looped(new: Audio, seconds: float, loop: bool) -> Audio:
    wanted = max(round(seconds * new.rate), 1)
    heard = new.samples
    if len(heard) == wanted or (len(heard) < wanted and not loop):
        return new
    fade = min(round(_FADE_SECONDS * new.rate), wanted // 2) if wanted % len(heard) else 0

    def made(begin: int, end: int) -> np.ndarray:
        place = np.arange(begin, end)
        gain = np.clip((wanted - 1 - place) / max(fade - 1, 1), 0 if fade else 1, 1).astype(np.float32)
        return heard[place % len(heard)] * gain[:, None]

    return Audio(samples.composed(wanted, made, heard), new.rate)


def _mixed(old: Audio, new: Audio) -> Audio:
    old = writer.for_writing(old)
    rate, channels = max(old.rate, new.rate), max(old.samples.shape[1], new.samples.shape[1])
    one, two = (sound.with_channels(sound.resampled(part, rate).samples, channels) for part in (old, new))
    length = max(len(one), len(two))

    def made(begin: int, end: int) -> np.ndarray:
        return samples.stretch(one, begin, end) + samples.stretch(two, begin, end)

    return Audio(samples.composed(length, made, one, two), rate)
