"""Subtitles: reads SRT, WebVTT or plain text, and draws a caption as a picture with alpha."""

from __future__ import annotations

import functools
import html
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})"
_ARROW = re.compile(_TIME + r"\s*-->\s*" + _TIME)
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LETTERS_PER_CAPTION = 84


class Caption(NamedTuple):
    """`text` (one or more lines) that is shown from `start` to `end`, in seconds."""

    start: float
    end: float
    text: str


def read(text: str, seconds: float) -> list[Caption]:
    """The captions of SRT or WebVTT, in order of time; those of plain text share `seconds` by their lengths.

    Marks such as <i> are left out. Captions without words, or that end before they begin, are left out. An empty
    list when there are no words at all.
    """
    if _ARROW.search(text):
        return _timed(text)
    parts = _parts(text)
    total = sum(len(part) + 8 for part in parts)
    captions, at = [], 0.0
    for part in parts:
        length = seconds * (len(part) + 8) / total
        captions.append(Caption(at, at + length, part))
        at += length
    return captions


def _timed(text: str) -> list[Caption]:
    captions = []
    marks = list(_ARROW.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
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


def drawn(text: str, width: int, size: int, box: bool = False) -> np.ndarray:
    """White letters with a dark edge, centred, broken into lines of at most `width` pixels: uint8 RGBA, no wider.

    `size` is the height of the letters in pixels. `box` puts a half transparent dark box behind them.
    """
    from PIL import Image, ImageDraw

    font = font_for(text, size)
    edge = max(size // 12, 1)
    margin = edge + max(size // 4, 2)
    lines = _lines(text, font, max(width - 2 * margin, size))
    pitch = round(size * 1.28)
    wide = min(max(int(font.getlength(line)) for line in lines) + 2 * margin, max(width, 1))
    picture = Image.new("RGBA", (wide, pitch * len(lines) + 2 * margin), (0, 0, 0, 150 if box else 0))
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        middle = (wide / 2, margin + (number + 0.5) * pitch)
        draw.text(middle, line, (255, 255, 255, 255), font, "mm", stroke_width=edge, stroke_fill=(12, 12, 14, 255))
    return np.asarray(picture).copy()


def _lines(text: str, font: Any, width: int) -> list[str]:
    lines = []
    for given in text.splitlines() or [""]:
        line = ""
        for unit in _units(given):
            if line and font.getlength((line + unit).rstrip()) > width:
                lines.append(line.strip())
                line = ""
            line += unit
        lines.append(line.strip())
    return lines


_FONTS = {
    "linux": ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "NotoSans-Bold.ttf", "FreeSansBold.ttf"),
    "win32": ("segoeuib.ttf", "arialbd.ttf"),
    "darwin": ("Arial Bold.ttf", "Helvetica.ttc", "Arial Unicode.ttf"),
}
_WIDE_FONTS = {
    "linux": ("NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "DroidSansFallbackFull.ttf"),
    "win32": ("msyh.ttc", "malgun.ttf", "msgothic.ttc"),
    "darwin": ("PingFang.ttc", "Hiragino Sans GB.ttc", "AppleSDGothicNeo.ttc", "Arial Unicode.ttf"),
}


def font_for(text: str, size: int) -> Any:
    """A font of the system that has the letters of `text`; Pillow's own (Latin letters only) when none is found."""
    wide = bool(_WIDE.search(text))
    return _font(wide, max(size, 4))


@functools.lru_cache(maxsize=16)
def _font(wide: bool, size: int) -> Any:
    from PIL import ImageFont

    system = sys.platform if sys.platform in _FONTS else "linux"
    names = (_WIDE_FONTS[system] if wide else ()) + _FONTS[system]
    folders = (Path("/usr/share/fonts/opentype/noto"), Path("/usr/share/fonts/noto-cjk"), Path("."))
    for name in names:
        for candidate in (name, *(str(folder / name) for folder in folders if (folder / name).is_file())):
            try:
                return ImageFont.truetype(candidate, size)
            except OSError:
                continue
    return ImageFont.load_default(size)
