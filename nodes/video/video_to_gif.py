"""Make an animated GIF or WebP of a video."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.media import captions, frames, movies
from nodes.api import File, Integer, Number, Port, ResourceType, RunContext, Text, Video, tool

_FRAMES_AT_MOST = 1500
_LETTERS = 8.0
"""Height of those of subtitles, in percent: GIFs are small."""


@tool(
    id="video_to_gif",
    title="Video to GIF",
    domain="video",
    description="Makes an animated GIF, or an animated WebP, of a video or of a part of it.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("width", ResourceType.NUMBER, "width at most", default=480, minimum=16, maximum=2000, integer=True,
             unit="px", question="How wide should it be, in pixels?"),
        Port("fps", ResourceType.NUMBER, "pictures per second", default=12.0, minimum=1, maximum=50,
             question="How many pictures a second should it have?"),
        Port("start", ResourceType.NUMBER, "where the part begins; below 0 before the end", default=0.0, unit="s",
             advanced=True),
        Port("end", ResourceType.NUMBER, "where the part ends; below 0 before the end", default=None, unit="s",
             advanced=True),
        Port("format", ResourceType.TEXT, "GIF, which every program shows, or WebP, smaller and with all colours",
             default="gif", choices=frames.ANIMATED, question="Should it be a GIF or a WebP?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the animated picture"),),
    backend="ffmpeg",
    backend_title="FFmpeg palette",
    examples=("Turn the video into a GIF", "Make an animated gif of clip.mp4", "Make clip.mp4 an animated WebP"),
    words=("gif", "animated gif", "looping picture", "animated webp"),
    icon="file-image",
    result="animation",
    does="converts",
)  # fmt: skip
def video_to_gif(
    video: Video,
    width: Integer = 480,
    fps: Number = 12.0,
    start: Number = 0.0,
    end: Number | None = None,
    format: Text = "gif",
    *,
    context: RunContext,
) -> File:
    """Repeats for ever; a GIF has one palette of 256 colours made for it, a WebP quality 75. Longer than 1500 pictures:
    fewer a second. The subtitles of a track, which neither can hold, are written on the pictures. It is told where the
    file is large.

    NodeError naming `start` or `end` when nothing lies between them.
    """
    known = movies.facts(video)
    start, last = movies.part(known, start, end)
    fps = min(fps, known.fps, _FRAMES_AT_MOST / (last - start)) if last > start else fps
    scale = min(width / known.width, 1.0)
    size = max(round(known.width * scale), 1), max(round(known.height * scale), 1)
    fps, target = max(fps, 0.05), context.new_file(f".{format}")
    shown = _shown(video, size, fps, start, last, context)
    (_write_webp if format == "webp" else _write_gif)(shown, target, size, fps, context)
    frames.tell_of_large_gif(target, context)
    return target


def _shown(
    video: Path, size: tuple[int, int], fps: float, start: float, end: float, context: RunContext
) -> Iterator[np.ndarray]:
    """The pictures of the part, uint8 RGB of that size (width, height), with the subtitles of their time."""
    written = captions.painter(captions.of_track(video), *size, size=_LETTERS)
    for number, pixels in enumerate(_sampled(video, fps, start, end, context)):
        yield written(frames.resized(pixels, size), start + number / fps)
        context.progress(min(0.8 * number / max((end - start) * fps, 1), 0.8))


def _write_webp(
    shown: Iterator[np.ndarray], target: Path, size: tuple[int, int], fps: float, context: RunContext
) -> None:
    """Pictures that are like the one before are the same one for longer."""
    import av

    with av.open(str(target), "w", options={"loop": "0"}) as out:
        stream: Any = out.add_stream("libwebp_anim", rate=round(max(fps, 1)), options={"quality": "75"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.codec_context.time_base = _tick(1000)
        for number, picture in enumerate(shown):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = round(number * 1000 / fps), _tick(1000)
            frame.duration = round((number + 1) * 1000 / fps) - frame.pts
            out.mux(stream.encode(frame))
        context.check()
        out.mux(stream.encode(None))


def _write_gif(
    shown: Iterator[np.ndarray], target: Path, size: tuple[int, int], fps: float, context: RunContext
) -> None:
    """Feeds the pictures through FFmpeg's palettegen and paletteuse; those hold all pictures until the last."""
    import av
    from av.error import BlockingIOError, EOFError

    source, sink, graph = _palette_graph(size)
    count = 0
    for number, picture in enumerate(shown):
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = number
        source.push(frame)
        count = number + 1
    source.push(None)
    with av.open(str(target), "w", options={"loop": "0"}) as out:
        stream: Any = out.add_stream("gif", rate=round(max(fps, 1)))
        stream.width, stream.height, stream.pix_fmt = *size, "pal8"
        stream.codec_context.time_base = _tick(100)
        for number in range(count):
            context.progress(0.8 + 0.2 * number / count)
            try:
                frame = sink.pull()
            except (BlockingIOError, EOFError):
                break
            frame.pts, frame.time_base = round(number * 100 / fps), _tick(100)
            frame.duration = max(round((number + 1) * 100 / fps) - frame.pts, 1)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    del graph


def _tick(parts: int):
    from fractions import Fraction

    return Fraction(1, parts)


def _palette_graph(size: tuple[int, int]) -> tuple[Any, Any, Any]:
    """Entrance and exit of a filter graph that turns RGB pictures into ones with a common palette."""
    import av.filter

    graph = av.filter.Graph()
    source = graph.add("buffer", f"video_size={size[0]}x{size[1]}:pix_fmt=rgb24:time_base=1/100:pixel_aspect=1/1")
    split = graph.add("split")
    palette = graph.add("palettegen", "stats_mode=full:reserve_transparent=0")
    use = graph.add("paletteuse", "dither=bayer:bayer_scale=4:diff_mode=rectangle")
    sink = graph.add("buffersink")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(palette, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    return source, sink, graph


def _sampled(video: Path, fps: float, start: float, end: float, context: RunContext):
    """The picture that is seen at each tick of `fps` from `start` until `end`."""
    tick, before = 0, None
    count = max(round((end - start) * fps), 1)
    for picture in movies.pictures(video, start=start, end=end, context=context):
        while before is not None and tick < count and start + tick / fps < picture.seconds - 1e-6:
            yield before
            tick += 1
        before = picture.pixels
    while before is not None and tick < count:
        yield before
        tick += 1
