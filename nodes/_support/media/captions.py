"""Subtitles: reads SRT, WebVTT, ASS, plain text or the track of a film, and writes them on its pictures."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nodes._support.imaging import typeset
from nodes._support.imaging.lettering import lettered
from nodes._support.media import caption_times, frames, movies

_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})"
_ARROW = re.compile(_TIME + r"\s*-->\s*" + _TIME)
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LETTERS_PER_CAPTION = 84
_WHITE, _DARK = (255, 255, 255), (12, 12, 14)
_DARKEST = 380
"""Letters of no more red, green and blue together are set off by a light edge."""
_WORDS = ("mov_text", "subrip", "srt", "ass", "ssa", "webvtt", "text")


class Caption(NamedTuple):
    """`text` (one or more lines) that is shown from `start` to `end`, in seconds."""

    start: float
    end: float
    text: str


def read(text: str, seconds: float) -> list[Caption]:
    """The captions of SRT, WebVTT or ASS, in order of time; those of plain text share `seconds` by their lengths.

    Marks such as <i> are left out. Captions without words, or that end before they begin, are left out. An empty
    list when there are no words at all.
    """
    if caption_times.has_times(text):
        return timed(text)
    parts = _parts(text)
    total = sum(len(part) + 8 for part in parts)
    captions, at = [], 0.0
    for part in parts:
        length = seconds * (len(part) + 8) / total
        captions.append(Caption(at, at + length, part))
        at += length
    return captions


def of_track(video: Path) -> list[Caption]:
    """Those of a film's first subtitle track whose subtitles are words; an empty list when it has none."""
    with movies.opened(video) as container:
        streams = [stream for stream in container.streams.subtitles if stream.codec_context.name in _WORDS]
        found = []
        for packet in container.demux(streams[:1]) if streams else ():
            if packet.pts is None or not packet.duration:
                continue
            start = float(packet.pts * packet.time_base) - movies.origin(container)
            words = b"\n".join(getattr(said, "dialogue", b"") for said in packet.decode()).decode("utf-8", "replace")
            found.append(Caption(start, start + float(packet.duration * packet.time_base), words.strip()))
    return [caption for caption in found if caption.text]


def writable(shown: Sequence[Caption]) -> tuple[list[Caption], str]:
    """The captions without the letters that no font here has, and those letters, each once."""
    lacking = typeset.missing("\n".join(caption.text for caption in shown))
    gone = {ord(letter): " " for letter in lacking}
    texts = ((caption, re.sub(r" {2,}", " ", caption.text.translate(gone)).strip()) for caption in shown)
    return [caption._replace(text=text) for caption, text in texts if text] if lacking else [*shown], lacking


def painter(
    shown: Sequence[Caption],
    width: int,
    height: int,
    size: float = 6.0,
    position: str = "bottom",
    box: bool = False,
    paint: Sequence[int] = _WHITE,
) -> Callable[[np.ndarray, float], np.ndarray]:
    """What writes on a picture of that size, uint8 RGB, the captions of its time in seconds. `size` is the height of
    the letters in percent of that of the picture, `paint` their red, green and blue. Letters that no font here has are
    left out.
    """
    shown, _ = writable(shown)
    margin = max(height // 24, 2)
    letters = max(round(height * size / 100), 6)

    @functools.lru_cache(maxsize=4)
    def block_of(words: str) -> np.ndarray:
        return drawn(words, width - 2 * min(margin, width // 8), height, letters, box, paint)

    def written(pixels: np.ndarray, seconds: float) -> np.ndarray:
        words = "\n".join(caption.text for caption in shown if caption.start <= seconds < caption.end)
        if not words:
            return pixels
        block = block_of(words)
        left = (pixels.shape[1] - block.shape[1]) // 2
        free = pixels.shape[0] - block.shape[0]
        top = {"bottom": free - margin, "top": margin, "middle": free // 2}[position]
        return frames.laid_over(pixels, block, left, max(top, 0))

    return written


def timed(text: str) -> list[Caption]:
    """The captions of SRT, WebVTT or ASS, in order of time; none of plain text."""
    captions = [Caption(*event) for event in caption_times.events(text) if event[2] and event[1] > event[0]]
    marks = list(_ARROW.finditer(text))
    for mark, following in zip(marks, [*marks, None][1:], strict=True):
        body = text[mark.end() : following.start() if following else len(text)]
        lines = [_plain(line) for line in body.splitlines()[1:]]
        if following is not None:  # the number, or the name, of the next caption stands before its times
            while lines and not lines[-1]:
                lines.pop()
            if lines and (lines[-1].isdigit() or (len(lines) > 1 and not lines[-2])):
                lines.pop()
        words = "\n".join(line for line in lines if line)
        start, end = _seconds(mark.groups()[:4]), _seconds(mark.groups()[4:])
        if words and end > start:
            captions.append(Caption(start, end, words))
    return sorted(captions)


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{fraction}")


def _plain(line: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>|\{\\[^}]*\}", "", line)).strip()


def _parts(text: str) -> list[str]:
    """Plain text in pieces of a sentence or less, as long as fits on two lines."""
    parts: list[str] = []
    for sentence in re.split(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+", text):
        words = _units(sentence.strip())
        line = ""
        for word in words:
            if line and len(line) + len(word) > _LETTERS_PER_CAPTION // (2 if _WIDE.search(word) else 1):
                parts.append(line.strip())
                line = ""
            line += word
        if line.strip():
            parts.append(line.strip())
    return parts


def _units(text: str) -> list[str]:
    """What may not be torn apart: words with the blank behind them, or single signs of Chinese and Japanese."""
    return re.findall(
        r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff]+\s*|\s+", text
    )


def srt(captions: list[Caption]) -> str:
    """The captions in the form of an SRT file."""
    return "\n".join(
        f"{number}\n{_clock(caption.start)} --> {_clock(caption.end)}\n{caption.text}\n"
        for number, caption in enumerate(captions, 1)
    )


def _clock(seconds: float) -> str:
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02},{thousandths:03}"


def drawn(
    text: str, width: int, height: int, size: int, box: bool = False, paint: Sequence[int] = _WHITE
) -> np.ndarray:
    """Letters with a dark edge, dark ones with a light edge, centred, broken into lines: uint8 RGBA, at most `width` x
    `height`.

    `size` is the height of the letters in pixels; it shrinks for words that would not fit. `box` puts a half
    transparent box of the edge's colour behind them. Raises NodeError naming `text` for letters that no font here has.
    """
    margin = max(min(size // 4, width // 16, height // 16), 1)
    letters, edge = lettered(text, size, max(width - 2 * margin, 4), max(height - 2 * margin, 4), outline=1 / 12)
    picture = np.zeros((edge.shape[0] + 2 * margin, edge.shape[1] + 2 * margin, 4), np.uint8)
    ground = _DARK if sum(paint) > _DARKEST else _WHITE
    picture[:] = (*ground, 150 if box else 0)
    inner = picture[margin:-margin, margin:-margin]
    white = np.zeros_like(edge)
    top, left = ((a - b) // 2 for a, b in zip(edge.shape, letters.shape, strict=True))
    white[top : top + letters.shape[0], left : left + letters.shape[1]] = letters
    share = white[:, :, None] / 255
    inner[:, :, :3] = np.round(inner[:, :, :3] * (1 - share) + np.array(paint) * share)
    inner[:, :, 3] = np.maximum(inner[:, :, 3], edge)
    return picture
