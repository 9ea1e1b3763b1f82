"""Put a video on a web page."""

from __future__ import annotations

from pathlib import Path

from nodes._support.media import movie_writer, movies
from nodes._support.web import pages
from nodes.api import Html, Labels, NodeError, Phrase, Port, ResourceType, RunContext, Text, Video, tool

_MOST_BYTES = 20_000_000
_PLAYED = {  # by browsers: container -> media type, codecs
    ".mp4": ("video/mp4", {"h264", "av1", "vp9"}, {"", "aac", "mp3", "opus"}),
    ".m4v": ("video/mp4", {"h264", "av1"}, {"", "aac", "mp3"}),
    ".webm": ("video/webm", {"vp8", "vp9", "av1"}, {"", "opus", "vorbis"}),
}


@tool(
    id="video_page",
    title="Video page",
    domain="web",
    description="Puts a video on a web page with a player, a title, a description and tags.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video, up to 20 MB"),
        Port("title", ResourceType.TEXT, "the title of the page", default=""),
        Port("description", ResourceType.TEXT, "the text below the video", default=""),
        Port("tags", ResourceType.LABELS, "tags shown below", default=()),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page with the video inside, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=(
        "Make a web page with the video clip.mp4",
        'Publish this video on a web page with the title "My trip" and a description',
        "Video to web page",
    ),
    words=("video website", "web page with a player", "video to webpage", "embed the video"),
    icon="clapperboard",
)
def video_page(
    video: Video, title: Text = "", description: Text = "", tags: Labels = (), *, context: RunContext
) -> Html:
    """The video is inside the page as it is when browsers play it (H.264, VP8, VP9, AV1), else converted to H.264.

    Its first picture is shown before it plays. Raises NodeError when it cannot be read or is larger than 20 MB.
    """
    known = movies.facts(video)
    path = _playable(video, known, context)
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise NodeError(
            Phrase("The video has {size} MB; 20 MB fit into a page.", size=f"{size / 1e6:.0f}"),
            "video",
            "Trim it, or resize it to fewer pixels.",
        )
    kind = _PLAYED[path.suffix.lower()][0]
    poster = pages.picture(movies.picture_at(video, min(1.0, known.seconds / 3)), "")
    named = " ".join(title.split())
    return pages.page(
        "media.html", named or video.stem, description, bool(named), kind="video",
        source=pages.data_uri(path.read_bytes(), kind), width=known.width, height=known.height, poster=poster.source,
        body=pages.prose(description) if description.strip() else "", keywords=tuple(tag.name for tag in tags),
    )  # fmt: skip


def _playable(video: Path, known: movies.Facts, context: RunContext) -> Path:
    """The file itself when browsers can play it, else a copy in H.264 and AAC."""
    _, pictures, sounds = _PLAYED.get(video.suffix.lower(), ("", set(), set()))
    if known.video_codec in pictures and known.audio_codec in sounds:
        return video
    return movie_writer.rewritten(video, context, lambda pixels, _: pixels, (known.width, known.height))
