"""Values to bytes and back, in the fast lossless form in which intermediate results are kept.

Also reads what users bring: any picture, sound or text file. Must not know where files live.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import math
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from nodes._support import opening
from nodes._support.tables import sheets
from nodes.api import Audio, Box, Label, NodeError, Phrase, Point, ResourceType, Table

if TYPE_CHECKING:  # the window opens without it
    import numpy as np

_T = ResourceType
IMAGE_TYPES = frozenset(t for t in _T if t.is_a(_T.IMAGE))
FILE_TYPES = frozenset({_T.VIDEO, _T.FILE})
SUFFIX = {
    **dict.fromkeys(IMAGE_TYPES, ".png"),
    _T.AUDIO: ".wav",
    _T.TEXT: ".txt",
    _T.URL: ".txt",
    _T.HTML: ".html",
    **dict.fromkeys((_T.POINTS, _T.BOXES, _T.LABELS, _T.NUMBER, _T.FLAG, _T.TABLE), ".json"),
}
_SRT = re.compile(r"\s*\d+\s*\n\d+:\d\d:\d\d[,.]\d{3} --> \d+:\d\d:\d\d[,.]\d{3}")
_VTT = re.compile(r"WEBVTT(?=\s)")
_ASS = re.compile(r"\s*\[Script Info\](?=(?:.*\n)*?ScriptType:\s*v4\.00(\+?))")
_WAV_OF_FLOATS, _MOST_WAV_BYTES = 3, (1 << 32) - 256
_SAMPLE_BYTES = 1 << 18
_HALVES = "utf-16-le", "utf-16-be"
_WRITTEN = re.compile(r"[\w\s!-/:-@\[-`{-~«»·\u2010-\u203e\u3000-\u303f\uff00-\uffee]+")
_MOSTLY_LATIN = (
    "cp1252", "cp1250", "cp1254", "iso8859-2", "cp850", "mac-roman", "gb18030", "big5", "cp932", "euc-jp",
    "cp949",
)  # fmt: skip
"""Of text in which few letters are others than those of ASCII, and of a few words."""
_FEW = 12
_ENCODINGS = (*_MOSTLY_LATIN, "cp1251", "cp1253", "cp1255", "cp1256", "koi8-r", "koi8-u")
_STRIP_PIXELS = 1 << 16
MOST_TABLE_BYTES = 400_000_000
_MOST_CELLS_KEPT = 200_000
"""Of a table in a file: half a minute, and 2 GB of memory."""
_SAMPLE_ROWS = 1000
_ROWS_AT_A_TIME = 5000
_SAMPLE_LINES = 40
_DELIMITERS = ",;\t|"
_LONGEST_FIELD = 2**31 - 1
"""Characters of a field of a table: the most that the parser can be told on every system."""


def encode(value: Any, type: ResourceType) -> tuple[bytes, str]:
    """The value as bytes, with the file suffix. Videos and files are paths: their bytes are the file's."""
    if type in FILE_TYPES:
        return Path(value).read_bytes(), Path(value).suffix
    return b"".join(encoded(value, type)), suffix_of(value, type)


def suffix_of(value: Any, type: ResourceType) -> str:
    """The ending of the file of a value that is none: of subtitles with times that by which players know them."""
    if type is _T.TEXT and _SRT.match(value):
        return ".srt"
    if type is _T.TEXT and (ass := _ASS.match(value)):
        return ".ass" if ass[1] else ".ssa"
    return ".vtt" if type is _T.TEXT and _VTT.match(value) else SUFFIX[type]


def encoded(value: Any, type: ResourceType) -> Iterable[bytes]:
    """What `encode` gives, in pieces: a sound, or the text of a table, is never in memory as a whole. Not for videos
    and files."""
    if type in IMAGE_TYPES:
        return (_encode_image(value, type),)
    if type is _T.AUDIO:
        return _encode_audio(value)
    if type in (_T.TEXT, _T.HTML, _T.URL):
        return (value.encode("utf-8"),)
    if type is _T.TABLE:
        return _encode_table(value)
    return (json.dumps(to_json(value), ensure_ascii=False).encode("utf-8"),)


def _encode_table(table: Table) -> Iterator[bytes]:
    """As one call of `json.dumps` would write it, some rows at a time."""
    yield f'{{"columns": {json.dumps(list(table.columns), ensure_ascii=False)}, "rows": ['.encode()
    for at in range(0, len(table.rows), _ROWS_AT_A_TIME):
        rows = json.dumps(table.rows[at : at + _ROWS_AT_A_TIME], ensure_ascii=False)
        yield ((", " if at else "") + rows[1:-1]).encode()
    yield b"]}"


def decode(path: Path, type: ResourceType, port: str = "") -> Any:
    """The value in a file, whether `encode` wrote it or the user brought it. Raises NodeError naming `port`."""
    if type in FILE_TYPES:
        return path
    try:
        if type in IMAGE_TYPES:
            return _decode_image(path, type)
        if type is _T.AUDIO:
            return _decode_audio(path)
        if type in (_T.TEXT, _T.HTML, _T.URL):
            return _decode_text(path)
        if type is _T.TABLE and path.suffix.lower() in (".csv", ".tsv"):
            return _decode_csv(path)
        return from_json(json.loads(path.read_text("utf-8")), type)
    except NodeError:
        raise
    except Exception as error:  # an edge: decoders of strangers' files raise whatever they stumble over
        raise NodeError(
            Phrase(
                "{path} cannot be read as {type}: {why}", path=path.name, type=Phrase(type, "types"), why=why(error)
            ),
            port,
            "Choose another file.",
        ) from error


def why(error: BaseException) -> str:
    """What a decoder raised, as the end of a sentence: what is wrong with the file, without codes and classes."""
    if isinstance(error, NodeError) and error.__cause__ is not None:
        return why(error.__cause__)
    if isinstance(error, MemoryError):
        return Phrase("there is not enough memory for it.")
    if isinstance(error, EOFError):
        return Phrase("it ends too early. Is it there as a whole?")
    if type(error).__name__ == "DecompressionBombError":
        return Phrase("it has too many pixels.")
    reason = getattr(error, "strerror", None)  # of the system, and of FFmpeg
    if isinstance(reason, str) and reason:
        return f"{reason.rstrip('.')}."
    if error.args and isinstance(error.args[0], Phrase):
        return Phrase("{why}.", why=error.args[0])
    said = str(error).strip()
    plain = isinstance(error, OSError | ValueError | SyntaxError | RuntimeError | NodeError)
    if not plain or not said or isinstance(error, RecursionError | UnicodeError):
        return Phrase("it is damaged.")
    return f"{said.rstrip('.')}."


def to_json(value: Any) -> Any:
    """Points, boxes, labels, tables, numbers and flags as plain JSON values."""
    if isinstance(value, Table):
        return {"columns": list(value.columns), "rows": [list(row) for row in value.rows]}
    if isinstance(value, tuple | list):
        return [list(item) if isinstance(item, tuple) else item for item in value]
    return value.item() if hasattr(value, "item") else value  # a number of numpy


def from_json(data: Any, type: ResourceType) -> Any:
    """The reverse of `to_json`. Raises ValueError, TypeError or KeyError for data of another form."""
    if type is _T.POINTS:
        return tuple(Point(float(p[0]), float(p[1]), bool(p[2]) if len(p) > 2 else True) for p in data)
    if type is _T.BOXES:
        return tuple(_box(*item) for item in data)
    if type is _T.LABELS:
        return tuple(Label(str(item[0]), float(item[1])) for item in data)
    if type is _T.TABLE:
        return Table(tuple(data["columns"]), tuple(tuple(row) for row in data["rows"]))
    return data


def _box(x0: float, y0: float, x1: float, y1: float, label: str = "", score: float = 1.0) -> Box:
    return Box(float(x0), float(y0), float(x1), float(y1), str(label), float(score))


def adapt(value: Any, given: ResourceType, wanted: ResourceType) -> Any:
    """A value of type `given` in the form of type `wanted` that it is a kind of: a mask as an RGB picture."""
    if given is wanted or wanted is not _T.IMAGE:
        return value
    if given is _T.SEGMENTATION:
        return _palette()[value % 256]
    return value[:, :, None].repeat(3, axis=2) if value.ndim == 2 else value


def _palette() -> np.ndarray:
    """256 distinct colours, uint8 (256, 3); 0 is black. Golden-angle hues, so neighbours differ."""
    import colorsys

    import numpy as np

    colours = [colorsys.hsv_to_rgb(i * 0.618034 % 1, 0.65, 0.95 - 0.3 * (i % 3) / 2) for i in range(256)]
    table = np.round(np.array(colours) * 255).astype(np.uint8)
    table[0] = 0
    return table


def _encode_image(value: np.ndarray, type: ResourceType) -> bytes:
    import numpy as np
    from PIL import Image

    array = np.ascontiguousarray(value)
    if array.dtype == np.uint8:
        return _quick_png(array)
    stream = io.BytesIO()
    if array.max(initial=0) < 256:
        picture = Image.fromarray(array.astype(np.uint8), "P")  # the pixels are the labels, and programs show colours
        picture.putpalette(_palette().tobytes())
    else:
        picture = Image.fromarray(array)
    picture.save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def _quick_png(pixels: np.ndarray) -> bytes:
    """PNG of uint8 (height, width) or (height, width, 3 or 4) in which every row has the filter "sub" and only repeats
    of a byte are sought: about as small as libpng's quickest, written in a quarter and read in half of its time.
    """
    import struct
    import zlib

    import numpy as np

    height, width = pixels.shape[:2]
    channels = pixels[0, 0].size
    flat = pixels.reshape(height, width * channels)
    rows = np.empty((height, 1 + width * channels), np.uint8)
    rows[:, 0] = 1
    rows[:, 1 : 1 + channels] = flat[:, :channels]
    np.subtract(flat[:, channels:], flat[:, :-channels], out=rows[:, 1 + channels :])
    deflate = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
    form = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    parts = (b"IHDR", form), (b"IDAT", deflate.compress(rows.data) + deflate.flush()), (b"IEND", b"")
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _decode_image(path: Path, type: ResourceType) -> np.ndarray:
    import numpy as np
    from PIL import ImageOps

    with opening.picture(path) as picture:
        ImageOps.exif_transpose(picture, in_place=True)
        if type is _T.SEGMENTATION:
            return np.asarray(picture).astype(np.uint16)
        if type is _T.IMAGE:
            return _pixels(in_colour(of_screens(picture), keep_alpha=True))
        if type in (_T.NORMAL, _T.POSE):
            return _pixels(in_colour(picture, keep_alpha=False))
        return _pixels(picture.convert("L"))


def of_screens(picture: Any) -> Any:
    """Pillow's picture in the colours of screens (sRGB) where its profile tells others, as those of telephones do: what
    is made of it has no profile, and would be paler."""
    from PIL import Image, ImageCms

    profile = picture.info.get("icc_profile")
    if not profile or picture.mode not in ("RGB", "RGBA", "CMYK"):
        return picture
    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(given).casefold():
            return picture
        mode = "RGBA" if picture.mode == "RGBA" else "RGB"
        result = ImageCms.profileToProfile(picture, given, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):  # a profile that is damaged, or of another kind of picture
        return picture
    if result is None:
        return picture
    if "transparency" in picture.info and not isinstance(picture.info["transparency"], bytes):
        return picture  # the colour that is transparent would be another
    assert isinstance(result, Image.Image)
    return result


def _pixels(picture: Any) -> np.ndarray:
    """The pixels as an array of its own. Strip by strip: np.asarray of a whole large picture makes three copies of it,
    which takes longer than decoding.
    """
    import numpy as np

    width, height = picture.size
    bands = len(picture.getbands())
    pixels = np.empty((height, width) if bands == 1 else (height, width, bands), np.uint8)
    rows = max(1, _STRIP_PIXELS // max(1, width))
    for top in range(0, height, rows):
        pixels[top : top + rows] = np.asarray(picture.crop((0, top, width, min(top + rows, height))))
    return pixels


def in_colour(picture: Any, keep_alpha: bool) -> Any:
    """Pillow's picture in 8 bits, RGB or RGBA; 16 bits are scaled down."""
    if picture.mode.startswith("I;16") or picture.mode in ("I", "F"):
        import numpy as np
        from PIL import Image

        scaled = np.asarray(picture, dtype=np.float64)
        top = 65535.0 if scaled.max(initial=0) > 255 else 255.0
        picture = Image.fromarray(np.clip(scaled * 255.0 / top, 0, 255).astype(np.uint8))
    has_alpha = "A" in picture.getbands() or "transparency" in picture.info
    mode = "RGBA" if has_alpha and keep_alpha else "RGB"
    return picture if picture.mode == mode else picture.convert(mode)


def _encode_audio(value: Audio) -> Iterator[bytes]:
    """WAV of 32-bit floats, with nothing in it but the sound: libsndfile would add the time at which it wrote.

    Raises ValueError for more than such a file can hold, 4 GB.
    """
    import struct

    import numpy as np

    from nodes._support.media.samples import blocks

    frames, channels = value.samples.shape
    block = 4 * channels
    size = frames * block
    if size > _MOST_WAV_BYTES or not 0 < channels < 1 << 14:
        raise ValueError(f"A sound of {size:,} bytes in {channels} channels does not fit into WAV.")
    form = struct.pack("<HHIIHHH", _WAV_OF_FLOATS, channels, value.rate, value.rate * block, block, 32, 0)
    head = b"".join(
        (b"WAVE", b"fmt ", struct.pack("<I", len(form)), form, b"fact", struct.pack("<II", 4, frames), b"data")
    )
    yield b"RIFF" + struct.pack("<I", len(head) + 4 + size) + head + struct.pack("<I", size)
    for part in blocks(value.samples):
        yield np.ascontiguousarray(part, dtype="<f4").tobytes()


def _decode_audio(path: Path) -> Audio:
    import numpy as np
    import soundfile

    from nodes._support.media.samples import BLOCK, Collected

    heard = Collected()
    try:
        with soundfile.SoundFile(path) as file:
            rate = file.samplerate
            heard.add(np.zeros((0, file.channels), np.float32))
            for part in file.blocks(BLOCK, dtype="float32", always_2d=True):
                heard.add(part)
    except soundfile.LibsndfileError:
        heard, rate = Collected(), 0
        for rate, part in sound_pieces(path):  # noqa: B007 - they all have one
            heard.add(part)
    return Audio(heard.whole(), rate)


def sound_pieces(path: Path) -> Iterator[tuple[int, np.ndarray]]:
    """Rate and samples, float32 (count, channels), piece by piece, of files that libsndfile does not know (m4a, webm,
    the sound of a video). Raises ValueError when there is none.
    """
    import av

    from nodes._support.media import sound

    with opening.film(path) as container:
        if not container.streams.audio:
            raise ValueError("there is no sound in it")
        stream = container.streams.audio[0]
        left = math.inf
        if "mp4" in container.format.name and stream.duration:  # the last frame of AAC is longer than the sound
            left = round(float(stream.duration * stream.time_base) * stream.rate)
        resampler = av.AudioResampler(format=sound.PACKED, rate=stream.rate)
        some = False
        for frame in container.decode(stream):
            for resampled in resampler.resample(frame):
                piece = sound.unpacked(resampled)[: max(left, 0) if left < math.inf else None]
                left -= len(piece)
                some = True
                yield stream.rate, piece
        if not some:
            raise ValueError("there is no sound in it")


def _decode_text(path: Path) -> str:
    return text_of(path.read_bytes())


def text_of(data: bytes) -> str:
    """The text in the encoding that it is most likely in. Raises ValueError for what is no text."""
    return data.decode(encoding_of(data), "replace")


def encoding_of(data: bytes) -> str:
    """The encoding that a text is most likely in, by Python's name for it with its mark. Raises ValueError for what is
    no text."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    halves = data[:4096].count(0) * 3 > min(len(data), 4096)  # UTF-16 without its mark: every other byte of Latin text
    if b"\0" in data[:4096] and not halves:
        return _half_of(data[: _SAMPLE_BYTES & -2])
    escaped = re.search(rb"\x1b\$[@B]", data[:_SAMPLE_BYTES])  # of Japanese mail, all in ASCII
    for told in ("iso2022_jp" if escaped else "", "" if halves else "utf-8", opening.told_charset(data)):
        with contextlib.suppress(UnicodeDecodeError):
            if told:
                _check_encoding(data, told)
                return "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else told
    return _likely_encoding(data[:_SAMPLE_BYTES], halves)


def _check_encoding(data: bytes, told: str) -> None:
    """Raises UnicodeDecodeError where the data is in another one. Piece by piece: a text may be a large table."""
    decoder = getincrementaldecoder(told)()
    for at in range(0, len(data), _SAMPLE_BYTES):
        decoder.decode(data[at : at + _SAMPLE_BYTES])
    decoder.decode(b"", final=True)


def _half_of(data: bytes) -> str:
    """Which UTF-16 a text is in that has neither its mark nor many Latin letters: in the other one there are signs that
    nobody writes. Raises ValueError for what is no text."""
    for half in _HALVES:
        with contextlib.suppress(UnicodeDecodeError):
            if _WRITTEN.fullmatch(data.decode(half)):
                return half
    raise ValueError("it is not text")


def _likely_encoding(data: bytes, halves: bool) -> str:
    """Among those in which people's files are (chardet); a text without any that fits is in that of Windows."""
    import chardet

    letters, other = len(re.findall(rb"[A-Za-z]", data)), len(re.findall(rb"[\x80-\xff]", data))
    among = _HALVES if halves else _ENCODINGS if other > max(0.6 * letters, _FEW) else _MOSTLY_LATIN
    found = chardet.detect(data, include_encodings=among, no_match_encoding=among[0])["encoding"]
    if found is None and halves:
        raise ValueError("it is not text")
    return found or among[0]


def _decode_csv(path: Path) -> Table:
    """The first line gives the columns; short rows are filled up, numbers become numbers. Lines may end as on any
    system, and fields be of any length.
    """
    with _table_text(path) as text:
        lines = rows_of(text, path.suffix.lower())
        head = next(lines, None)
        if head is None:
            raise ValueError("there are no rows in it")
        sample = list(itertools.islice(lines, _SAMPLE_ROWS))
        cells = _Cells(sheets.number_reader(sample))
        rows = [tuple(map(cells.__getitem__, line)) for line in itertools.chain(sample, lines)]
    width = max(len(head), *map(len, rows), 0)
    if any(len(row) < width for row in rows):
        rows = [row + (None,) * (width - len(row)) for row in rows]
    columns = tuple(head) + tuple(f"column {i + 1}" for i in range(len(head), width))
    return Table(columns, tuple(rows))


class _Cells(dict[str, Any]):
    """What each cell is read as. Cells that are written alike are one object, as long as there are not too many: a
    table of millions of rows repeats itself."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, cell: str) -> Any:
        value = self._read(cell)
        if len(self) < _MOST_CELLS_KEPT and len(cell) <= 64:
            self[cell] = value
        return value


def check_table_size(path: Path) -> None:
    """Raises ValueError, in words, for a file that would take too long, before any of it is read."""
    if path.stat().st_size > MOST_TABLE_BYTES:
        large = f"{path.stat().st_size / 1e6:,.0f}"
        raise ValueError(
            Phrase("it has {large} MB, and tables of up to 400 MB are read: give a part of it", large=large)
        )


def table_size(path: Path) -> tuple[int, int]:
    """Rows and columns of a .csv or .tsv, counted without keeping its cells. Raises ValueError."""
    with _table_text(path) as text:
        widths = [len(line) for line in rows_of(text, path.suffix.lower())]
    if not widths:
        raise ValueError("there are no rows in it")
    return len(widths) - 1, max(widths)


def _table_text(path: Path) -> TextIO:
    """The file of a table as an open text: of millions of rows only the cells are ever in memory. Raises ValueError."""
    check_table_size(path)
    return path.open(encoding=encoding_of(path.read_bytes()), errors="replace", newline="")


def rows_of(text: TextIO, suffix: str) -> Iterator[list[str]]:
    """The lines of a table that have something in them, without its title above the names of the columns; of a .csv the
    first lines say what lies between the cells."""
    import csv

    sample = list(itertools.islice(text, _SAMPLE_LINES))
    told = re.match(r"sep=(.)[ \t]*\r?\n", sample[0]) if sample else None  # as Excel tells itself
    sample = sample[1:] if told else sample
    lines = [line for line in sample if line.strip()] or [""]
    delimiter = "\t" if suffix != ".csv" else told[1] if told else _delimiter(lines)
    head = next((line for line in lines if delimiter in line), lines[0])
    csv.field_size_limit(_LONGEST_FIELD)
    spaced = delimiter in head and head.count(delimiter) == head.count(f"{delimiter} ")  # "name, city, note"
    rows = filter(None, csv.reader(itertools.chain(sample, text), delimiter=delimiter, skipinitialspace=spaced))
    first = list(itertools.islice(rows, _SAMPLE_LINES))
    names = next((n for n, row in enumerate(first) if not _is_title(row)), 0)
    is_named = names and not any(isinstance(sheets.number_or_text(cell), int | float) for cell in first[names])
    return itertools.chain(first[names if is_named else 0 :], rows)


def _delimiter(lines: list[str]) -> str:
    """What is most often in the first line, or in all of the later ones where it is not in those: csv.Sniffer guesses
    by all lines, and fails on short tables."""
    said, later = max(_DELIMITERS, key=lines[0].count), lines[2 * len(lines) // 3 :]
    between = [sign for sign in _DELIMITERS if all(sign in line for line in later)]
    return said if said in between or not between else max(between, key="".join(later).count)


def _is_title(row: list[str]) -> bool:
    """Whether nothing but the first cell says anything."""
    return bool(row[0].strip()) and not any(cell.strip() for cell in row[1:])
