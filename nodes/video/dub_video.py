"""Put a sound on a video: narration, another language, music."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies, remux, samples, sound
from nodes.api import Audio, AudioValue, Flag, Number, Phrase, Port, ResourceType, RunContext, Text, Video, tool

_CUT_FADE = 0.5
"""Seconds over which a sound that is cut falls where no other fade is wanted."""
_AS_LONG = 0.05
"""A difference of so many seconds is not worth a word."""


@tool(
    id="dub_video",
    title="Dub video",
    domain="video",
    description="Puts a sound on a video: replaces its sound track by narration or music, or mixes both.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("audio", ResourceType.AUDIO, "the new sound"),
        Port("mode", ResourceType.TEXT, "instead of the old sound, or together with it", default="replace",
             choices=("replace", "mix"), question="Instead of the old sound, or together with it?"),
        Port("length", ResourceType.TEXT, "how long the result is: as the video, whose sound is cut or followed by "
             "silence; as a longer sound, the last picture standing; auto takes the sound's when it is up to 10 s or "
             "half the video longer", default="video", choices=("video", "sound", "auto"), advanced=True),
        Port("gain", ResourceType.NUMBER, "how much louder the new sound is than the old one when mixed, else than it "
             "was; as it was if not given", default=None, minimum=-60, maximum=40, unit="dB", usual=14.0, advanced=True,
             question="How much louder should the new sound be, in decibels? A number below 0 makes it quieter."),
        Port("loop", ResourceType.FLAG, "repeat a shorter sound to the end of the video", default=False),
        *sound.FADES,
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
    length: Text = "video",
    gain: Number | None = None,
    loop: Flag = False,
    fade_in: Number = 0.0,
    fade_out: Number = 0.0,
    *,
    context: RunContext,
) -> Video:
    """The pictures are copied bit by bit where MP4 takes their coding, at their own speed. The sound starts with the
    video; a shorter one is followed by silence.

    A sound that is cut ends with a fade of 0.5 s if none is wanted. A video without sound is "mixed" with silence.
    Mixed, a gain of -14 makes the new sound 14 LU quieter than the old one, however loud both were.
    """
    known = movies.facts(video)
    new = writer.for_writing(sound.checked(audio))
    given, seconds = new.seconds, _seconds(known.seconds, new.seconds, length)
    old = writer.for_writing(movies.whole_sound(video, context=context)) if mode == "mix" and known.rate else None
    if gain is not None:
        new = sound.turned(new, sound.beside(new, old, gain) if old else sound.amplitude(gain))
    new, cut = _cut_or_looped(new, seconds, loop)
    new = sound.faded(new, fade_in, fade_out or (min(_CUT_FADE, new.seconds / 2) if cut else 0.0))
    if old:
        new = _mixed(old, new)
    new = Audio(sound.within_range(_filled_up(new.samples, round(seconds * new.rate))), new.rate)
    if note := _told(given, known.seconds, seconds, loop or mode == "mix"):
        context.tell(note)
    return remux.with_sound(video, new, context)


def _told(sound_seconds: float, video_seconds: float, seconds: float, filled: bool) -> str:
    """What became of a sound that is not as long as the video."""
    said = {"sound": f"{sound_seconds:.1f}", "video": f"{video_seconds:.1f}"}
    if seconds > video_seconds + _AS_LONG:
        return Phrase("The sound of {sound} s is heard to its end; the last picture of the video of {video} s stands "
                      "meanwhile.", **said)  # fmt: skip
    if sound_seconds > video_seconds + _AS_LONG:
        return Phrase("The sound of {sound} s was cut to the {video} s of the video.", **said)
    if sound_seconds < video_seconds - _AS_LONG and not filled:
        return Phrase("The sound of {sound} s is followed by silence to the end of the video, {video} s.", **said)
    return ""


def _seconds(video_seconds: float, sound_seconds: float, length: str) -> float:
    """How long the sound may last."""
    if length == "sound":
        return max(sound_seconds, video_seconds)
    over = sound_seconds - video_seconds
    kept = length == "auto" and over <= max(10.0, video_seconds / 2)
    return max(sound_seconds, video_seconds) if kept else video_seconds


def _cut_or_looped(new: Audio, seconds: float, loop: bool) -> tuple[Audio, bool]:
    """The sound, at most so long, and whether it ends before its own end."""
    wanted = max(round(seconds * new.rate), 1)
    heard = new.samples
    if len(heard) == wanted or (len(heard) < wanted and not loop):
        return new, False
    repeated = samples.composed(wanted, lambda begin, end: heard[np.arange(begin, end) % len(heard)], heard)
    return Audio(repeated, new.rate), bool(wanted % len(heard))


def _filled_up(heard: np.ndarray, length: int) -> np.ndarray:
    """With silence to that many frames."""
    if len(heard) >= length:
        return heard
    return samples.composed(length, lambda begin, end: samples.stretch(heard, begin, end), heard)


def _mixed(old: Audio, new: Audio) -> Audio:
    rate, channels = max(old.rate, new.rate), max(old.samples.shape[1], new.samples.shape[1])
    one, two = (sound.with_channels(sound.resampled(part, rate).samples, channels) for part in (old, new))
    length = max(len(one), len(two))

    def made(begin: int, end: int) -> np.ndarray:
        return samples.stretch(one, begin, end) + samples.stretch(two, begin, end)

    return Audio(samples.composed(length, made, one, two), rate)
