"""Write subtitles into the pictures of a video."""

from __future__ import annotations

from nodes._support.imaging.pixels import colour_of
from nodes._support.media import captions, movies
from nodes._support.media import movie_writer as writer
from nodes.api import Flag, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, Video, tool

_PLACES = ("bottom", "top", "middle")
_SHOWN = 8
"""So many letters that are left out are told."""


@tool(
    id="burn_subtitles",
    title="Burn subtitles",
    domain="video",
    description="Writes subtitles or a caption into the pictures of a video, so that every player shows them.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("text", ResourceType.TEXT, "subtitles with times (SRT, WebVTT, ASS), or plain text that is spread over"
             " the video"),
        Port("size", ResourceType.NUMBER, "height of the letters, in percent of the height of the video", default=6.0,
             minimum=1, maximum=40, unit="%", question="How large should the letters be, in percent of the height?"),
        Port("position", ResourceType.TEXT, "where they stand", default="bottom", choices=_PLACES,
             question="Where should it be?"),
        Port("colour", ResourceType.TEXT, "of the letters", default="white", question="Which colour should it have?"),
        Port("box", ResourceType.FLAG, "a dark box behind the letters", default=False, advanced=True),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video with subtitles, MP4"),),
    backend="pillow",
    backend_title="Pillow letters",
    examples=("Add subtitles to the video", "Burn subtitles.srt into clip.mp4", "Put the caption on the video"),
    words=("video captions", "hard subtitles", "srt", "text on the video", "title on the video", "write on the video"),
    icon="captions",
)  # fmt: skip
def burn_subtitles(
    video: Video,
    text: Text,
    size: Number = 6.0,
    position: Text = "bottom",
    colour: Text = "white",
    box: Flag = False,
    *,
    context: RunContext,
) -> Video:
    """Letters with an edge that sets them off, broken into lines as wide as the video. The sound stays. Letters that no
    font has are left out, and told.

    NodeError naming `text` when there are no words in it, or no letters of them can be written; naming `colour` for
    none.
    """
    paint = colour_of(colour)
    known = movies.facts(video)
    said = captions.read(text, known.picture_seconds)
    shown, lacking = captions.writable(said)
    if not said:
        raise NodeError("There are no words for the subtitles.", "text", "Give a text, or subtitles with times.")
    if not shown:
        raise NodeError(Phrase("No font on this computer has the letters {shown}.", shown=lacking[:_SHOWN]), "text",
                        "Install a Noto font for them.")  # fmt: skip
    if lacking:
        context.tell(Phrase("Left out, as no font on this computer has them: {shown}.", shown=lacking[:_SHOWN]))
    written = captions.painter(shown, known.width, known.height, size, position, box, paint)
    return writer.rewritten(video, context, written)
