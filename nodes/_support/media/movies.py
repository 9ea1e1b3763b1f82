"""Reads videos: facts, pictures with their times, sound. Pictures come upright, with square pixels.

Times are in seconds from the beginning of the file. Nothing here writes; see `movie_writer`.
"""

from __future__ import annotations

import contextlib
import heapq
import math
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support import opening
from nodes._support.media import high_range, samples, sound
from nodes.api import Audio, NodeError, Phrase, RunContext

_GAP_SECONDS = 0.05
_SEARCHABLE = ("mp4", "matroska")
_TICK = 1e-4  # times that are nearer than this are the same
_BT709, _UNTOLD = 1, 2  # FFmpeg's numbers of colour spaces
_LARGE = 720  # rows from which on colours that are not told are those of HD
_MOST_REORDERED = 16  # frames that a decoder of H.264 may hold back


class Picture(NamedTuple):
    """A frame: `seconds` when it appears, `pixels` uint8 (height, width, 3) RGB, or PyAV's own frame (`unchanged`)."""

    seconds: float
    pixels: Any


class Facts(NamedTuple):
    """What a video is. `width` and `height` are as it is shown: turned upright, with square pixels.

    `fps` is the mean; `seconds` the longer of picture and sound; `audio_codec` is empty, `rate` and `channels` are 0
    without sound. `rotation` is what a player turns it by, in degrees against the clock.
    """

    width: int
    height: int
    fps: float
    seconds: float
    video_codec: str
    audio_codec: str
    rate: int
    channels: int
    rotation: int
    picture_seconds: float


@contextlib.contextmanager
def opened(path: Path, port: str = "video") -> Iterator[Any]:
    """The PyAV container of a file with pictures. Raises NodeError naming `port` when it cannot be read as such."""
    from av.error import FFmpegError

    try:
        container = opening.film(path, metadata_errors="ignore")
    except (FFmpegError, OSError, ValueError) as error:
        raise NodeError(
            Phrase("{path} cannot be read as a video: {error}", path=path.name, error=_why(path, error)),
            port,
            "Choose another file.",
        ) from error
    with container:
        if video_stream(container) is None:
            raise NodeError(Phrase("{path} has no pictures in it.", path=path.name), port, "Choose a video.")
        yield container


def _why(path: Path, error: BaseException) -> object:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        start = file.read(12)
        if start[:4] == b"RIFF" and start[8:] == b"WEBP":
            return Phrase("it is a WebP picture, and moving ones are not read here: save it as GIF or MP4")
    return getattr(error, "strerror", None) or error  # FFmpeg's own text names the whole path and a number


def facts(path: Path, port: str = "video") -> Facts:
    """Facts of a video; reads its first picture. Raises NodeError naming `port` for a broken one."""
    with opened(path, port) as container:
        video = video_stream(container)
        begin = origin(container)
        first = next(_frames(container, video, "SLICE"), None)  # frame threads would decode three for it
        if first is None:
            raise NodeError(
                Phrase("No picture of {path} can be decoded.", path=path.name), port, "Choose another file."
            )
        width, height = _square(first, _pixel_ratio(video))
        if round(first.rotation / 90) % 2:
            width, height = height, width
        audio = container.streams.audio[0] if container.streams.audio else None
        picture_seconds = _stream_end(video, begin) or _noted_seconds(video) or _container_seconds(container)
        seconds = max(picture_seconds, _stream_end(audio, begin) if audio else 0.0) or picture_seconds
        fps = float(video.average_rate or video.guessed_rate or 25)
        found = Facts(
            width,
            height,
            fps,
            seconds,
            coding(video),
            coding(audio) if audio else "",
            audio.rate if audio else 0,
            audio.channels if audio else 0,
            int(first.rotation),
            picture_seconds,
        )
        if container.format.name == "mpeg":  # which does not count the last pictures
            return _counted(path, port, found)
        told = "matroska" not in container.format.name or begin < _TICK  # else it may begin at 0 or at its start
    return found if found.picture_seconds > 0 and told else _counted(path, port, found._replace(seconds=0.0))


def _counted(path: Path, port: str, found: Facts) -> Facts:
    """Facts of a file whose container tells no length that is sure: its pictures are counted."""
    times = told_times(path, port) or picture_times(path, port)
    step = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 1 / max(found.fps, 1)
    seconds = times[-1] + max(step, 1e-3)
    return found._replace(picture_seconds=seconds, seconds=max(seconds, found.seconds), fps=1 / max(step, 1e-3))


def pictures(
    path: Path,
    port: str = "video",
    start: float = 0.0,
    end: float = math.inf,
    context: RunContext | None = None,
    longest: int = 0,
    unchanged: bool = False,
) -> Iterator[Picture]:
    """The pictures that are visible from `start` until `end`; the first may have appeared before `start`.
    Where pictures begin only after `end`, it is the first of them.

    With `longest`, they are shrunk until no side has more pixels than that. `unchanged` ones, which are only written
    again, stay as they were decoded where they stand upright with square pixels.

    Damaged parts are passed over. Raises NodeError naming `port` when not one picture can be decoded.
    """
    first: tuple[int, int] | None = None
    for frame, at, ratio in _visible(path, port, start, end, context):
        plain = abs(ratio - 1) <= 0.01 and round(frame.rotation / 90) % 4 == 0 and not high_range.is_wide(frame)
        if unchanged and plain:
            first = first or (frame.width, frame.height)
            if first == (frame.width, frame.height):
                yield Picture(at, frame)
                continue
        pixels = _upright(frame, ratio, longest)
        first = first or (pixels.shape[1], pixels.shape[0])
        yield Picture(at, pixels if pixels.shape[1::-1] == first else _resized(pixels, first))


def frames(path: Path, start: float, end: float, context: RunContext) -> Iterator[Any]:
    """As `pictures`, PyAV's own frames as they were decoded, on the clock of the file."""
    return (frame for frame, _, _ in _visible(path, "video", start, end, context))


def _visible(
    path: Path, port: str, start: float, end: float, context: RunContext | None
) -> Iterator[tuple[Any, float, float]]:
    """As `pictures`, frames as they were decoded, when they appear, and the width of their pixels over the height."""
    held: tuple[Any, float] | None = None
    some = False
    with opened(path, port) as container:
        video = video_stream(container)
        begin, ratio = origin(container), _pixel_ratio(video)
        _seek(container, video, start, begin)
        for frame, at in _timed(container, video, begin):
            if context is not None:
                context.check()
            if at <= start + _TICK:
                held = (frame, at)
                continue
            if held is not None:
                yield *held, ratio
                held, some = None, True
            if at >= end - _TICK and some:
                return
            yield frame, at, ratio
            some = True
        if held is not None:
            yield *held, ratio
        elif not some:
            raise NodeError(
                Phrase("No picture of {path} can be decoded.", path=path.name), port, "Choose another file."
            )


def picture_times(path: Path, port: str = "video") -> list[float]:
    """When each picture appears, in order. Decodes the whole file, but copies no pixels."""
    with opened(path, port) as container:
        video = video_stream(container)
        times = [at for _, at in _timed(container, video, origin(container))]
    if not times:
        raise NodeError(Phrase("No picture of {path} can be decoded.", path=path.name), port, "Choose another file.")
    return times


def told_times(path: Path, port: str = "video") -> list[float]:
    """When each picture appears, in order, as the file tells it; nothing is decoded. Empty where it does not."""
    with opened(path, port) as container:
        video, begin = video_stream(container), origin(container)
        if not tells_times(video):
            return []
        packets = [packet for packet in container.demux(video) if packet.size and not packet.is_discard]
        if any(packet.pts is None for packet in packets):
            return []
        times = {float((packet.pts or 0) * video.time_base) - begin for packet in packets}
    return sorted(at for at in times if at > -_TICK)


def chunks(
    path: Path, rate: int, channels: int, start: float = 0.0, end: float = math.inf, context: RunContext | None = None
) -> Iterator[np.ndarray]:
    """The first sound track from `start` to `end`, in float32 (frames, channels) of that rate; nothing without one.

    Gaps, and a track that begins later than the pictures, become silence, so that sound and pictures stay together.
    """
    import av

    with opened(path) as container:
        if not container.streams.audio:
            return
        audio = container.streams.audio[0]
        begin = origin(container)
        if "mp4" in container.format.name and audio.duration:  # there the last frame of AAC is longer than the sound
            end = min(end, _stream_end(audio, begin))
        _seek(container, video_stream(container), start - 0.5, begin)
        resampler = av.AudioResampler(format=sound.PACKED, rate=rate)
        place = round(start * rate)
        last, tolerance, exact = end * rate, _GAP_SECONDS * rate, True
        for frame in _frames(container, audio):
            if context is not None:
                context.check()
            at = None if frame.time is None else float(frame.time) - begin
            for part in resampler.resample(frame):
                samples = sound.with_channels(sound.unpacked(part), channels)
                first = place if at is None else round(at * rate)
                at = None
                piece, place = _placed(samples, first, place, last, 0 if exact else tolerance)
                exact = exact and not len(piece)
                if len(piece):
                    yield piece
                if place >= last:
                    return
        for part in resampler.resample(None):
            piece, place = _placed(sound.with_channels(sound.unpacked(part), channels), place, place, last, 0)
            if len(piece):
                yield piece


def picture_at(path: Path, seconds: float) -> np.ndarray:
    """The picture that is seen at `seconds`: uint8 (height, width, 3) RGB; the last one after the end."""
    return next(pictures(path, "video", seconds, math.nextafter(seconds, math.inf))).pixels


def spread(path: Path, count: int, context: RunContext) -> tuple[list[float], list[np.ndarray]]:
    """So many times, the middles of equal parts of the film, and its pictures then."""
    seconds = facts(path).picture_seconds
    times = [seconds * (number + 0.5) / count for number in range(count)]
    pictures = []
    for number, at in enumerate(times):
        context.progress(0.5 * number / count)
        pictures.append(picture_at(path, at))
    return times, pictures


def _placed(samples: np.ndarray, first: int, place: int, last: float, tolerance: float) -> tuple[np.ndarray, int]:
    """`samples` that begin at sample number `first`, made to follow on from `place` and to stop at `last`.

    Steps of up to `tolerance` samples between the two are left as they are: clocks of files are not that exact.
    """
    if first - place > tolerance:
        gap = min(first, int(min(last, 1e15))) - place
        samples = np.vstack((np.zeros((gap, samples.shape[1]), np.float32), samples))
    elif place - first > tolerance:
        samples = samples[place - first :]
    if place + len(samples) > last:
        samples = samples[: max(int(last) - place, 0)]
    return samples, place + len(samples)


def whole_sound(path: Path, context: RunContext | None = None) -> Audio:
    """The first sound track in its own rate and channels. Raises NodeError naming `video` when there is none."""
    known = facts(path)
    heard, some = samples.Collected(), False
    for piece in chunks(path, known.rate, known.channels, context=context) if known.rate else ():
        heard.add(piece)
        some = True
    if not some:
        raise NodeError(Phrase("{path} has no sound.", path=path.name), "video", "Choose a video with sound.")
    return Audio(heard.whole(), known.rate)


def part(known: Facts, start: float, end: float | None) -> tuple[float, float]:
    """Start and end of a part in seconds from the beginning; given ones below 0 count from the end.

    Raises NodeError naming `start` or `end` when nothing lies between them.
    """
    start, end = sound.from_the_end(start, end, known.seconds)
    late = Phrase(
        "The start, {start} s, is not before the end of the video, which lasts {seconds} s.",
        start=f"{start:g}",
        seconds=f"{known.seconds:.2f}",
    )
    sound.check_part(start, end, known.seconds, late)
    return start, known.seconds if end is None else min(end, known.seconds)


def video_stream(container: Any) -> Any:
    """Its first video stream that can be decoded, or None; the picture on a record sleeve is none."""
    from av.stream import Disposition

    streams = (s for s in container.streams.video if not s.disposition & Disposition.attached_pic)
    return next((s for s in streams if s.codec_context is not None), None)


def coding(stream: Any) -> str:
    """FFmpeg's name of what a stream is coded in, whichever decoder reads it: "av1", not "libdav1d"."""
    return stream.codec_context.codec.canonical_name


def copied_stream(container: Any, stream: Any) -> Any:
    """A new stream of an open container for packets of `stream` as they are, also where nothing here codes such."""
    return container.add_stream_from_template(stream, opaque=True)


def tells_times(stream: Any) -> bool:
    """Whether packets tell when their pictures are shown. AVI tells only when they are decoded: with B-frames that is
    another order."""
    return "avi" not in stream.container.format.name or not stream.codec_context.has_b_frames


def origin(container: Any) -> float:
    """The time at which the file begins, on the clock of its streams, in seconds."""
    return max((container.start_time or 0) / 1_000_000, -10.0)


def _seek(container: Any, video: Any, seconds: float, begin: float) -> None:
    """Goes to the last key frame before `seconds`; stays at the beginning in files that cannot be searched well."""
    from av.error import FFmpegError

    if seconds > 0 and any(name in container.format.name for name in _SEARCHABLE):
        with contextlib.suppress(FFmpegError):
            container.seek(int((seconds + begin) / video.time_base), stream=video, backward=True)


def _frames(container: Any, stream: Any, threads: str = "AUTO") -> Iterator[Any]:
    """Decoded frames of a stream; packets that are damaged are passed over."""
    from av.error import EOFError, FFmpegError

    stream.thread_type = threads
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except (FFmpegError, OSError):
            packet = None  # the end of a file that was cut off: what the decoder still holds comes out
        try:
            yield from (
                map(_of_known_colours, stream.decode(packet)) if stream.type == "video" else stream.decode(packet)
            )
        except EOFError:
            return
        except FFmpegError:
            if packet is None:
                return
        if packet is None:
            return


def _of_known_colours(frame: Any) -> Any:
    """The frame, said to be in BT.709 where it is large and says nothing: so players take it, FFmpeg takes BT.601."""
    if frame.colorspace == _UNTOLD and min(frame.width, frame.height) >= _LARGE:
        frame.colorspace = _BT709
    return frame


def _timed(container: Any, video: Any, begin: float) -> Iterator[tuple[Any, float]]:
    """Frames with ever later times; those without a time follow at the stream's rate."""
    step = 1 / float(video.average_rate or video.guessed_rate or 25)
    latest = -math.inf
    for frame, time in _display_times(container, video):
        at = time - begin if time is not None else (0.0 if latest == -math.inf else latest + step)
        if at <= latest:
            continue
        latest = at
        yield frame, max(at, 0.0)


def _display_times(container: Any, video: Any) -> Iterator[tuple[Any, float | None]]:
    """Frames in the order in which they are shown, with their times; None where the file tells none.

    AVI knows only the order in which its packets stand, and with B-frames that is another: there the times are put
    into order, so that each frame has the next one, from 0 on. Dropping those that seem too early would lose every
    third.
    """
    times = ((frame, None if frame.time is None else float(frame.time)) for frame in _frames(container, video))
    if "avi" not in container.format.name:
        yield from times
        return
    late: float | None = None
    for frame, time in _in_order(times):
        if late is None and time is not None:  # what the decoder held back has the time of a packet after it
            late = time if time * float(video.average_rate or 25) <= _MOST_REORDERED else 0.0
        yield frame, None if time is None else time - (late or 0.0)


def _in_order(times: Iterator[tuple[Any, float | None]]) -> Iterator[tuple[Any, float | None]]:
    """The same frames, each with the least of the times that have not been given."""
    waiting: deque[Any] = deque()
    known: list[float] = []
    for frame, time in times:
        waiting.append(frame)
        if time is not None:
            heapq.heappush(known, time)
        if len(waiting) > _MOST_REORDERED:
            yield waiting.popleft(), heapq.heappop(known) if known else None
    for frame in waiting:
        yield frame, heapq.heappop(known) if known else None


def _upright(frame: Any, ratio: float, longest: int = 0) -> np.ndarray:
    """Its pixels as RGB, rotated as its metadata tells; those of another `ratio` than 1 made square by widening."""
    width, height = _square(frame, ratio)
    scale = min(longest / max(width, height), 1) if longest else 1
    turns = round(frame.rotation / 90) % 4
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    wide = high_range.is_wide(frame)
    if size != (frame.width, frame.height):
        format, way = "rgb48le" if wide else "rgb24", "AREA" if scale < 1 else "BICUBIC"
        frame = frame.reformat(*size, format=format, interpolation=way)
    pixels = high_range.shown(frame) if wide else frame.to_ndarray(format="rgb24")
    return np.ascontiguousarray(np.rot90(pixels, turns)) if turns else pixels


def _square(frame: Any, ratio: float) -> tuple[int, int]:
    """Width and height of a frame with square pixels, before it is turned."""
    return max(round(frame.width * (ratio if abs(ratio - 1) > 0.01 else 1)), 1), frame.height


def _resized(pixels: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """For streams that change their size on the way, as broadcasts do."""
    import cv2

    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)


def _pixel_ratio(video: Any) -> float:
    """Width of a pixel over its height."""
    ratio = video.sample_aspect_ratio
    return float(ratio) if ratio and 0.1 < float(ratio) < 10 else 1.0


def _stream_end(stream: Any, begin: float) -> float:
    if stream.duration is None or stream.time_base is None:
        return 0.0
    late = float((stream.start_time or 0) * stream.time_base) - begin
    return max(late, 0.0) + float(stream.duration * stream.time_base)


def _noted_seconds(stream: Any) -> float:
    """When a stream of Matroska ends as its tags tell it: without them only the longest of all streams is known."""
    noted = re.fullmatch(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)", stream.metadata.get("DURATION", ""))
    if noted is None or stream.start_time:
        return 0.0
    hours, minutes, seconds = noted.groups()
    total = 3600 * int(hours) + 60 * int(minutes) + float(seconds)
    return total if total <= _container_seconds(stream.container) + _GAP_SECONDS else 0.0


def _container_seconds(container: Any) -> float:
    return container.duration / 1_000_000 if container.duration and container.duration > 0 else 0.0
