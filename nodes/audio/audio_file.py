"""Make a file of a sound, in a form and of at most a size."""

from __future__ import annotations

from pathlib import Path

from nodes._support.media import sound, sound_files
from nodes.api import Audio, AudioValue, File, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool

_USUAL_KBITS = 192


@tool(
    id="audio_file",
    title="Audio file",
    domain="audio",
    description="Saves a sound as an MP3, WAV, FLAC, OGG or M4A file; MP3 and M4A can be compressed to a file size in"
    " megabytes.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("format", ResourceType.TEXT, "form of the file", default="mp3",
             choices=("mp3", "wav", "flac", "ogg", "m4a"), question="Which kind of file should it be?"),
        Port("bitrate", ResourceType.NUMBER, "of MP3 and M4A; more sounds better, fewer make a smaller file",
             default=None, minimum=sound_files.LEAST_KBITS, maximum=320, unit="kbit/s",
             question="How good should it sound, in kilobits a second? 128 is usual, 320 is best."),
        Port("size_mb", ResourceType.NUMBER, "largest size of an MP3 or M4A file; a small one costs quality",
             default=None, minimum=0.001, maximum=100_000, unit="MB",
             question="How large may the file be at most, in megabytes?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the sound as a file"),),
    backend="pyav",
    backend_title="PyAV, libsndfile",
    quality=1.0,
    examples=(
        "Convert song.wav to mp3",
        "Save the recording as flac",
        "Compress talk.wav to an mp3 smaller than 5 MB",
        "Make an m4a of it with 128 kbit/s",
    ),
    words=("convert to mp3", "wav to mp3", "mp3 to wav", "m4a to mp3", "flac to mp3", "ogg", "m4a", "save as mp3",
           "bit rate", "compress the sound", "smaller sound file", "audio format"),
    icon="file-audio",
    result="",
    does="converts",
)  # fmt: skip
def audio_file(
    audio: AudioValue, format: Text = "mp3", bitrate: Number | None = None, size_mb: Number | None = None,
    *, context: RunContext,
) -> File:  # fmt: skip
    """A file of at most `size_mb` million bytes: with fewer kbit/s where it must be, then in mono and at a lower rate.

    MP3 and M4A have 192 kbit/s if nothing is said, 128 in mono. WAV and FLAC keep all of the sound in 16 bits, that of
    a file with more in 24; in the others more than two channels are mixed to stereo. What would clip is turned down as
    a whole. NodeError naming `bitrate` or `size_mb` where the form has no such choice or the size cannot be had,
    `format` when the form has no place for the sound.
    """
    heard = sound.checked(audio)
    width = heard.samples.shape[1]
    folded = sound.folded(heard.samples, width if format in ("wav", "flac") else min(width, 2))
    heard = Audio(sound.within_range(folded), heard.rate)
    target = context.new_file(f".{format}")
    if format in sound_files.LOSSY:
        _smaller(heard, format, bitrate, size_mb, target, context)
        return target
    for port, value in (("bitrate", bitrate), ("size_mb", size_mb)):
        if value is not None:
            said = Phrase("Only mp3 and m4a can be given a bit rate or a file size, {format} cannot.", format=format)
            raise NodeError(said, port, "Choose mp3 or m4a.")
    try:
        sound_files.whole(heard, format, target, sound_files.is_deep(context))
    except ValueError as error:
        said = Phrase("The sound cannot be saved as {format}: {error}", format=format, error=error)
        raise NodeError(said, "format", "Choose another form.") from error
    return target


def _smaller(
    audio: AudioValue, format: str, bitrate: float | None, size_mb: float | None, target: Path, context: RunContext
) -> None:
    kbits = bitrate or (_USUAL_KBITS if audio.samples.shape[1] > 1 else _USUAL_KBITS * 2 / 3)
    if size_mb is None:
        sound_files.encoded(audio, format, kbits, target, context)
    elif not sound_files.within(audio, format, int(size_mb * 1e6), kbits, target, context):
        said = Phrase("The sound cannot be made smaller than {size} MB.", size=f"{size_mb:g}")
        raise NodeError(said, "size_mb", "Choose a larger file size, or cut the sound.")
