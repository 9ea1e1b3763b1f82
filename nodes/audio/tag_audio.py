"""Write into a sound file what it is: title, artist, album, cover."""

from __future__ import annotations

from pathlib import Path

from nodes._support.media import sound, sound_files, sound_tags
from nodes.api import (
    Audio,
    AudioValue,
    File,
    Flag,
    Image,
    Integer,
    NodeError,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    tool,
)

_AS_IT_IS = "as the sound"
_KBITS = 192


@tool(
    id="tag_audio",
    title="Tag a sound file",
    domain="audio",
    description="Writes title, artist, album, year, track number, genre, comment and a cover picture into a sound file"
    " (MP3, M4A, FLAC, OGG).",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound", kept=True),
        Port("title", ResourceType.TEXT, "the title of the song or recording", default="", said=True,
             question="Which title should it have?"),
        Port("artist", ResourceType.TEXT, "who sings, plays or speaks", default="", said=True),
        Port("album", ResourceType.TEXT, "the album or series it belongs to", default="", said=True),
        Port("year", ResourceType.NUMBER, "the year in which it came out", default=None, minimum=1, maximum=9999,
             integer=True, question="In which year did it come out?"),
        Port("track", ResourceType.NUMBER, "its number on the album", default=None, minimum=1, maximum=999,
             integer=True, question="Which track number does it have?"),
        Port("genre", ResourceType.TEXT, "the kind of music, such as jazz or audiobook", default="", said=True),
        Port("comment", ResourceType.TEXT, "a remark", default="", said=True),
        Port("cover", ResourceType.IMAGE, "the cover picture", default=None),
        Port("format", ResourceType.TEXT, "form of the file; another than the sound's own is coded anew",
             default=_AS_IT_IS, choices=(_AS_IT_IS, "mp3", "m4a", "flac", "ogg"),
             question="Which kind of file should it be?"),
        Port("remove_tags", ResourceType.FLAG, "take out all that the file says of itself, and write the rest of this",
             default=False),
    ),
    outputs=(Port("file", ResourceType.FILE, "the sound with these tags"),),
    backend="pyav",
    backend_title="ID3, PyAV",
    quality=1.0,
    examples=(
        'Set the title of song.mp3 to "Blue Night" and the artist to "The Owls"',
        "Put cover.jpg into song.mp3 as the album cover",
        "Write artist, album and year into the music file",
        "Tag the recording as track 3 of the album Live 2019",
        "Change the genre of the m4a to jazz",
        "Remove all tags from song.mp3",
    ),
    words=("tags", "id3", "mp3 tags", "album art", "cover art", "artist and title", "music metadata", "track number",
           "song information", "edit the tags", "remove the tags"),
    any_of=("title", "artist", "album", "year", "track", "genre", "comment", "cover", "remove_tags"),
    icon="tag",
    result="tagged",
)  # fmt: skip
def tag_audio(
    audio: AudioValue,
    title: Text = "",
    artist: Text = "",
    album: Text = "",
    year: Integer | None = None,
    track: Integer | None = None,
    genre: Text = "",
    comment: Text = "",
    cover: Image | None = None,
    format: Text = _AS_IT_IS,
    remove_tags: Flag = False,
    *,
    context: RunContext,
) -> File:
    """A copy of the file that was brought in which the sound is what it was, bit by bit; what is not given stays as the
    file said it. A sound of another form, or one that a step before made, is coded once: as MP3 with 192 kbit/s where
    no `format` is chosen. The cover becomes a JPEG of at most 1000 pixels.

    NodeError naming `title` when nothing is given to write, `audio` for an empty sound, or a damaged file.
    """
    said = {"title": title, "artist": artist, "album": album, "genre": genre, "comment": comment}
    said |= {"year": str(year or ""), "track": str(track or "")}
    said = {name: plain for name in sound_tags.NAMES if (plain := " ".join(said[name].split()))}
    if not said and cover is None and not remove_tags:
        raise NodeError("Nothing is given to write into the file.", "title", "Give a title, an artist or a cover.")
    heard = sound.checked(audio)
    brought = context.file_of("audio")
    own = sound_tags.form_of(brought) if brought is not None else ""
    form = (own or "mp3") if format == _AS_IT_IS else format
    source = brought if brought is not None and own == form else _coded(heard, form, context)
    if source is not brought and format == _AS_IT_IS:
        context.tell(Phrase("Saved as {format}, which can hold tags.", format=form.upper()))
    target = context.new_file(f".{form}")
    try:
        sound_tags.write(source, target, form, said, cover, None if remove_tags else brought or source)
    except (OSError, ValueError) as error:
        raise NodeError("The tags cannot be written: the file is damaged.", "audio", "Choose another file.") from error
    return target


def _coded(audio: Audio, form: str, context: RunContext) -> Path:
    """The sound as a new file."""
    target = context.new_file(f".{form}")
    width = audio.samples.shape[1]
    folded = Audio(sound.folded(audio.samples, width if form == "flac" else min(width, 2)), audio.rate)
    fitting = Audio(sound.within_range(folded.samples), audio.rate)
    if form in sound_files.LOSSY:
        sound_files.encoded(fitting, form, _KBITS if width > 1 else _KBITS * 2 / 3, target, context)
        return target
    try:
        sound_files.whole(fitting, form, target, sound_files.is_deep(context))
    except ValueError as error:
        said = Phrase("The sound cannot be saved as {format}: {error}", format=form, error=error)
        raise NodeError(said, "format", "Choose another form.") from error
    return target
