"""Makes resources/fonts/GraphwrightHan-Regular.ttf.xz: `python -m tests.data.make_chinese_font NotoSansSC-Regular.otf`.

Needs fontTools. Of Noto Sans SC it keeps what the program itself says in Chinese, and of the 3,755 usual characters (GB
2312, level 1) those that the tagger's vocabulary holds for the likeliest, with the signs between them. Their outlines
become quadratic (TrueType) ones: Qt darkens the stems of cubic (CFF) ones, which makes all Chinese look bold.
"""

from __future__ import annotations

import io
import lzma
import sys
from pathlib import Path
from typing import Any

import numpy as np

PROJECT = Path(__file__).resolve().parents[2]
FONT = PROJECT / "resources" / "fonts" / "GraphwrightHan-Regular.ttf.xz"
_SAID = ("resources/**/*.toml", "resources/**/*.json", "resources/**/*.md", "desktop_app/**/*.py", "nodes/**/*.py")
_USUAL = 1800
_NEAR = 1.0
"""So far from a cubic outline the quadratic one may be, in thousandths of the size."""
_LIMITS = (
    "maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
    "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours", "maxCompositePoints",
    "maxCompositeContours", "maxComponentDepth",
)  # fmt: skip
_FIRST = 0x2E80
"""Where Chinese, Japanese and Korean writing begins; what comes before is in the other fonts."""


def said() -> frozenset[str]:
    """The characters of such writing in the texts of the program."""
    files = (path for pattern in _SAID for path in PROJECT.glob(pattern))
    return frozenset(c for path in files for c in path.read_text("utf-8") if _FIRST <= ord(c) < 0xFFFF)


def _of_gb2312(rows: range) -> set[str]:
    codes = (bytes((row, cell)) for row in rows for cell in range(0xA1, 0xFF))
    return {code.decode("gb2312", "ignore") for code in codes} - {""}


def characters() -> frozenset[str]:
    """All that the font has."""
    usual = _of_gb2312(range(0xB0, 0xD8))
    with np.load(PROJECT / "resources" / "planner" / "tagger.npz") as held:
        scored = zip(held["scores"].tolist(), str(held["pieces"]).split("\n"), strict=True)
        likeliest = sorted(pair for pair in scored if pair[1] in usual)[-_USUAL:]
    return said() | {piece for _, piece in likeliest} | _of_gb2312(range(0xA1, 0xA4))


def _make_quadratic(font: Any) -> None:
    """Puts TrueType outlines in the place of the CFF ones, without hints."""
    from fontTools.pens.cu2quPen import Cu2QuPen  # pyright: ignore[reportMissingImports]
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # pyright: ignore[reportMissingImports]
    from fontTools.ttLib import newTable  # pyright: ignore[reportMissingImports]

    glyphs, drawn = {}, font.getGlyphSet()
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(drawn)
        drawn[name].draw(Cu2QuPen(pen, _NEAR, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), glyphs
    del font["CFF "]
    font["maxp"].tableVersion, font.sfntVersion = 0x00010000, "\0\1\0\0"
    for limit in _LIMITS:
        setattr(font["maxp"], limit, 0)  # those of the glyphs are counted when it is saved


def main() -> None:
    from fontTools import subset  # pyright: ignore[reportMissingImports]  # installed by whoever makes the font anew

    options = subset.Options(hinting=False, layout_features=[], glyph_names=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "DSIG"]
    font = subset.load_font(sys.argv[1], options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(character) for character in characters()])
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6, 16):
            record.string = "GraphwrightHan" if record.nameID == 6 else "Graphwright Han"
    _make_quadratic(font)
    data = io.BytesIO()
    font.save(data)
    FONT.write_bytes(lzma.compress(data.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(characters()):,} characters, {FONT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
