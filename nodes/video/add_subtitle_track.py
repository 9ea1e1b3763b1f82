"""Add subtitles to a video that the player can switch on and off."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from nodes._support.language.languages import THREE_LETTERS, detect_any
from nodes._support.media import captions, movies, remux
from nodes._support.media import movie_writer as writer
from nodes.api import NodeError, Port, ResourceType, RunContext, Text, Video, tool

_LANGUAGES = {code: letters for letters, code in THREE_LETTERS.items()} | {
    "zh": "zho", "ja": "jpn", "ko": "kor", "ar": "ara", "fa": "fas", "he": "heb", "th": "tha", "bn": "ben", "ta": "tam",
    "ur": "urd", "no": "nor", "af": "afr", "be": "bel", "bs": "bos", "et": "est", "ga": "gle", "hr": "hrv", "hy": "hye",
    "ka": "kat", "kk": "kaz", "lb": "ltz", "lt": "lit", "lv": "lav", "ms": "msa", "mt": "mlt", "sk": "slk", "sq": "sqi",
    "sr": "srp", "sw": "swa", "tl": "tgl",
}  # fmt: skip
"""ISO 639-1 -> what MP4 has, ISO 639-2/T."""
_LIKELY = 0.5
_COPIED_SOUND = ("aac", "mp3", "ac3", "eac3", "opus", "alac")
_STYLE = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


@tool(
    id="add_subtitle_track",
    title="Add subtitle track",
    domain="video",
    description="Adds a subtitle track to a video that a player can switch on and off; the pictures stay untouched.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("text", ResourceType.TEXT, "subtitles with times (SRT, WebVTT, ASS), or plain text that is spread over"
             " the video"),
        Port("language", ResourceType.TEXT, "language of the text; auto reads it from the text", default="auto",
             choices=("auto", *_LANGUAGES), question="In which language is the text?"),
    ),
    does="lays beside",
    outputs=(Port("video", ResourceType.VIDEO, "the video with the track, MP4"),),
    backend="pyav",
    backend_title="PyAV, timed text",
    examples=("Add a subtitle track to clip.mp4", "Attach these subtitles to the video so I can switch them off"),
    words=("soft subtitles", "closed captions", "subtitle stream", "mov_text"),
    icon="captions",
    result="subtitled",
)  # fmt: skip
def add_subtitle_track(video: Video, text: Text, language: Text = "auto", *, context: RunContext) -> Video:
    """MP4 timed text. Pictures and sound are copied bit by bit where MP4 takes their coding. A language that the text
    does not tell is "und".

    NodeError naming `text` when there are no words in it.
    """
    from av.error import FFmpegError

    known = movies.facts(video)
    shown = captions.read(text, known.picture_seconds)
    if not shown:
        raise NodeError("There are no words for the subtitles.", "text", "Give a text, or subtitles with times.")
    code = _told(shown) if language == "auto" else language
    track = (_in_turn(shown), _LANGUAGES.get(code, "und"))
    if known.video_codec in remux.COPIED and known.audio_codec in (*_COPIED_SOUND, ""):
        try:
            return _with_track(video, *track, context)
        except (FFmpegError, ValueError):
            context.check()
    return _with_track(writer.rewritten(video, context, lambda pixels, _: pixels), *track, context)


def _told(shown: list[captions.Caption]) -> str:
    """The code of the language that the captions are likely in, else ""."""
    found = detect_any("\n".join(caption.text for caption in shown))
    return found[0][0] if found and found[0][1] >= _LIKELY else ""


def _in_turn(shown: list[captions.Caption]) -> list[captions.Caption]:
    """Timed text cannot overlap: a caption ends when the next begins."""
    ends = [caption.start for caption in shown[1:]] + [float("inf")]
    cut = (caption._replace(end=min(caption.end, end)) for caption, end in zip(shown, ends, strict=True))
    return [caption for caption in cut if caption.end > caption.start]


def _with_track(video: Path, shown: list[captions.Caption], language: str, context: RunContext) -> Path:
    """Copies pictures and sound beside a new track. Raises ValueError for packets without times."""
    import av

    target = context.new_file(".mp4")
    with movies.opened(video) as source, av.open(str(target), "w", options={"movflags": "+faststart"}) as out:
        given = [movies.video_stream(source), *source.streams.audio[:1]]
        if not movies.tells_times(given[0]):
            raise ValueError("the packets are not in order")
        streams = {stream.index: movies.copied_stream(out, stream) for stream in given}
        track = _track(out, language)
        waiting = list(shown)
        for packet in source.demux(*given):
            context.check()
            if not packet.size:
                continue
            if packet.pts is None or packet.dts is None:
                raise ValueError("a packet has no time")
            shift = round(movies.origin(source) / packet.stream.time_base)
            packet.pts, packet.dts = packet.pts - shift, packet.dts - shift
            while waiting and waiting[0].start <= packet.dts * packet.stream.time_base:
                out.mux(_packet(waiting.pop(0), track))
            packet.stream = streams[packet.stream.index]
            out.mux(packet)
        for caption in waiting:
            out.mux(_packet(caption, track))
    return target


def _track(out: Any, language: str) -> Any:
    track = out.add_stream("mov_text")
    track.metadata["language"] = language
    track.time_base = track.codec_context.time_base = Fraction(1, 1000)
    track.codec_context.subtitle_header = _STYLE.encode()
    track.codec_context.open()
    return track


def _packet(caption: captions.Caption, track: Any) -> Any:
    """One sample of 3GPP timed text: the length of the words in bytes, then the words (3GPP TS 26.245)."""
    from av.packet import Packet

    words = caption.text.encode("utf-8")[:65_000].decode("utf-8", "ignore").encode("utf-8")
    packet = Packet(len(words).to_bytes(2, "big") + words)
    packet.pts = packet.dts = round(caption.start * 1000)
    packet.duration = max(round(caption.end * 1000) - round(caption.start * 1000), 1)
    packet.time_base, packet.stream = track.time_base, track
    return packet
