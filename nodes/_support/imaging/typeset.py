"""Sets text in pictures: the shipped font, system fonts for letters it lacks, line breaking. Must not know tools.

PIL is imported where it is used. Sizes and widths are in pixels.
"""

from __future__ import annotations

import io
import lzma
import re
import shutil
import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from nodes._support.imaging import bidi

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "fonts"
_WEIGHTS = {"regular": "Inter-Regular", "medium": "Inter-Medium", "semibold": "Inter-SemiBold",
            "bold": "Inter-Bold", "mono": "JetBrainsMono-Regular"}  # fmt: skip
_HAN = str(FOLDER / "GraphwrightHan-Regular.ttf.xz")
_FALLBACKS = {  # the first that exists and has the letter is taken
    "linux": (
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc", "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf",
    ),
    "win32": tuple(
        f"C:/Windows/Fonts/{name}"
        for name in ("msyh.ttc", "YuGothR.ttc", "msgothic.ttc", "malgun.ttf", "simsun.ttc", "arial.ttf", "seguisym.ttf",
                     "Nirmala.ttf", "tahoma.ttf")
    ),
    "darwin": (
        "/System/Library/Fonts/PingFang.ttc", "/System/Library/Fonts/Hiragino Sans GB.ttc",
        "/System/Library/Fonts/AppleSDGothicNeo.ttc", "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
        "/Library/Fonts/Arial Unicode.ttf", "/System/Library/Fonts/Supplemental/Arial.ttf",
    ),
}  # fmt: skip
NO_START = "，。！？；：、）】」』》〉”’…,.!?;:)]}»%"
PIECE = re.compile(
    "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\uac00-\ud7af]|[^\\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\\s+"
)


def line_height(size: int, weight: str = "regular") -> int:
    """The distance of lines that reads well; bold headlines stand closer."""
    return round(size * {"bold": 1.18, "semibold": 1.25, "medium": 1.3}.get(weight, 1.4))


@lru_cache(maxsize=50_000)
def width_of(text: str, size: int, weight: str = "regular") -> float:
    """How wide a line of text is."""
    return sum(_font(path, size).getlength(part) for path, part in runs(text, weight))


def draw_line(canvas: Any, place: tuple[float, float], text: str, size: int, fill: Any, weight: str = "regular",
              align: str = "left", stroke: int = 0) -> None:  # fmt: skip
    """Draws one line on an ImageDraw. `place` is (x, middle of the line); x is its left, centre or right by `align`.

    `stroke` makes the letters wider by so many pixels on each side, without moving them.
    """
    x, y = place
    if align != "left":
        x -= width_of(text, size, weight) * (1.0 if align == "right" else 0.5)
    baseline = y + size * 0.36
    for path, part in runs(text, weight):
        font = _font(path, size)
        canvas.text((x, baseline), part, font=font, fill=fill, anchor="ls", stroke_width=stroke, stroke_fill=fill)
        x += font.getlength(part)


def wrapped(text: str, width: float, size: int, weight: str = "regular") -> list[str]:
    """Lines of at most `width`; line breaks of the text are kept, a word wider than that is cut."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrapped_paragraph(paragraph.strip(), width, size, weight)
    return lines


def shortened(text: str, width: float, size: int, weight: str = "regular") -> str:
    """The text, cut with an ellipsis when it is wider than `width`."""
    text = " ".join(text.split())
    if width_of(text, size, weight) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = width_of(text[:middle].rstrip() + "…", size, weight) <= width
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low].rstrip() + "…"


def missing(text: str) -> str:
    """The letters of `text` that no font at hand can draw, each once."""
    return "".join(dict.fromkeys(c for c in text if not c.isspace() and _path_of(c, "regular") is None))


def _wrapped_paragraph(text: str, width: float, size: int, weight: str) -> list[str]:
    lines, line, used = [], "", 0.0
    pieces = [part for piece in PIECE.findall(text) for part in _fitting(piece, width, size, weight)]
    for piece in pieces:
        wide = width_of(piece, size, weight)
        if line and used + wide > width and not piece.isspace() and piece not in NO_START:
            lines.append(line.rstrip())
            line, used = "", 0.0
        if line or not piece.isspace():
            line, used = line + piece, used + wide
    return [*lines, line.rstrip()]


def _fitting(piece: str, width: float, size: int, weight: str) -> list[str]:
    """The piece, in parts when it is wider than `width`. Parts are filled letter by letter, less a hair for kerning."""
    if len(piece) < 2 or (width_of(piece[:500], size, weight) <= width and len(piece) <= 500):
        return [piece]
    parts, part, used = [], "", 0.0
    for character in piece:
        wide = width_of(character, size, weight)
        if part and used + wide > width * 0.99:
            parts.append(part)
            part, used = "", 0.0
        part, used = part + character, used + wide
    return [*parts, part]


def runs(text: str, weight: str) -> list[tuple[str, str]]:
    """The text cut where the font changes: (path, part). Letters that no font has are drawn as the main font's box."""
    main = _main(weight)
    drawn = _as_drawn(text) if bidi.is_mixed(text) else ""
    if drawn and (whole := _font_of_all(drawn)):
        return [(whole, drawn)]
    runs: list[tuple[str, str]] = []
    for character in text:
        path = _path_of(character, weight) or main
        if runs and (runs[-1][0] == path or (character == " ")):
            runs[-1] = (runs[-1][0], runs[-1][1] + character)
        else:
            runs.append((path, character))
    return runs


def _as_drawn(text: str) -> str:
    """The order and the forms of its letters are for Pillow's shaper to find, where that is there; else found here."""
    from PIL import features

    if features.check("raqm"):
        return text
    return "".join(letter for letter, _ in bidi.visual([(each, None) for each in text], bidi.is_from_right(text)))


def _font_of_all(text: str) -> str | None:
    letters = set("".join(text.split()))
    at_hand = (*_present(), *_found)
    return next((path for path in at_hand if all(_has(path, letter) for letter in letters)), None)


@cache
def _main(weight: str) -> str:
    """The font of a weight; "" stands for PIL's own when the shipped ones are not there."""
    path = FOLDER / f"{_WEIGHTS[weight]}.ttf.xz"
    return str(path) if path.exists() else ""


@lru_cache(maxsize=20_000)
def _path_of(character: str, weight: str) -> str | None:
    for path in (_main(weight), *_present(), *_found):
        if character.isspace() or _has(path, character):
            return path
    return _by_fontconfig(character)


_found: list[str] = []  # fonts outside _FALLBACKS, each with letters that were asked for


def _by_fontconfig(character: str) -> str | None:
    """A font that lies elsewhere and has the letter, where fontconfig's program can be asked; None if there is none."""
    program = shutil.which("fc-match")
    if program is None:
        return None
    asked = [program, "--format", "%{file}", f"sans-serif:charset={ord(character):x}"]
    told = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    path = told.stdout.decode("utf-8", "replace")  # the nearest font: it need not have the letter
    path = path if Path(path).is_file() and _has(path, character) else None
    if path is not None:
        _found.append(path)
    return path


@cache
def _present() -> tuple[str, ...]:
    platform = sys.platform if sys.platform in _FALLBACKS else "linux"
    return tuple(path for path in (*_FALLBACKS[platform], _HAN) if Path(path).exists())


def _has(path: str, character: str) -> bool:
    """Whether a font has a glyph for it: one that is not the box for unknown letters."""
    font = _font(path, 24)
    mask = font.getmask(character)
    return (mask.size, bytes(mask)) not in _unknown(path)


@cache
def _unknown(path: str) -> frozenset[tuple[Any, bytes]]:
    masks = [_font(path, 24).getmask(character) for character in "\u0378\U0010fffd"]  # never assigned, last private
    return frozenset((mask.size, bytes(mask)) for mask in masks)


@lru_cache(maxsize=256)
def _font(path: str, size: int) -> Any:
    from PIL import ImageFont

    if not path:
        return ImageFont.load_default(size)
    return ImageFont.truetype(io.BytesIO(font_data(path)) if path.endswith(".xz") else path, size)


@cache
def font_data(path: str) -> bytes:
    """What is in a font's file; the shipped ones are packed."""
    data = Path(path).read_bytes()
    return lzma.decompress(data) if path.endswith(".xz") else data
