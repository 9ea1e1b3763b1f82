"""The process that decodes: a question a line on its input, a line and bytes on its output, after an empty line as
soon as it listens. Ends with its input.

It opens the one file it is asked about. It has bounds of memory and time of its own (`confined`), so that it also ends
when nobody watches it any more.
"""

from __future__ import annotations

import base64
import binascii
import faulthandler
import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from desktop_app.storage.decoding import confined
from nodes._support import opening
from nodes._support.files import beginnings, codecs, facts, saved_forms
from nodes._support.web.html_shown import shown_html
from nodes.api import ResourceType
from nodes.phrase import Phrase, to_json, unstopped

_MOST_ERROR = 500
_MOST_PAGE = 4_000_000
_EMBEDDED_LONGEST = 640
_EMBEDDED_BYTES = 8_000_000
_EMBEDDED_PIXELS = 20_000_000
_BANDS = {"L": 1, "RGB": 3, "RGBA": 4}
_TURNS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
"""By EXIF's orientation what Pillow has to do (Image.Transpose) for the picture to be upright."""
_MEMORY_WORDS = Phrase("it needs more memory to be read than is allowed")

Answer = tuple[dict[str, Any], bytes]


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints does not come between the answers
    confined.narrow()
    answers.write(b"\n")
    answers.flush()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        faulthandler.dump_traceback_later(asked["seconds"] + confined.GRACE_SECONDS, exit=True)
        head, data = _answer(asked)
        answers.write(json.dumps({**head, "size": len(data)}).encode() + b"\n" + data)
        answers.flush()
        faulthandler.cancel_dump_traceback_later()


def _answer(asked: Mapping[str, Any]) -> Answer:
    try:
        return _DEEDS[asked["do"]](Path(asked["path"]), **asked["more"])
    except MemoryError:
        return {"error": _MEMORY_WORDS}, b""
    except Exception as error:  # an edge: whatever a decoder raises is the file's fault
        why = codecs.why(error)
        why = unstopped(why if len(why) <= _MOST_ERROR else str(why)[:_MOST_ERROR])
        return {"error": to_json(why), "kind": type(error).__name__}, b""


def _facts(path: Path, type: str) -> Answer:
    return {"facts": facts.facts_of(path, ResourceType(type))}, b""


def _picture(path: Path, type: str, longest: int | None, most: int) -> Answer:
    from PIL import Image

    with opening.picture(path) as opened:
        turn = _TURNS.get(opened.getexif().get(0x0112, 1))
        if longest:
            opened.draft(None, (longest, longest))  # JPEG is decoded small: those of many pixels can be shown too
        _check_size(opened.width, opened.height, most)
        if type == ResourceType.SEGMENTATION:
            array = codecs.adapt(codecs.decode(path, ResourceType.SEGMENTATION), ResourceType(type), ResourceType.IMAGE)
            return _pixels(_shrunk(Image.fromarray(array), longest))
        small = codecs.of_screens(_shrunk(opened, longest))
        if type == ResourceType.MASK:
            small = small.convert("L")
        return _pixels(small.transpose(turn) if turn is not None else small)


def _frame(path: Path, longest: int | None, most: int) -> Answer:
    """The first picture, upright and in the colours in which players show it."""
    from PIL import Image

    from nodes._support.media import movies  # here: most processes read no film

    with opening.film(path) as container:
        if not container.streams.video:
            raise ValueError(Phrase("there is no picture in it"))
        stream = container.streams.video[0]
        _check_size(stream.width, stream.height, most)
    first = next(movies.pictures(path, longest=longest or 0)).pixels
    _check_size(first.shape[1], first.shape[0], most)
    return _pixels(_shrunk(Image.fromarray(first), longest))


def _outline(path: Path, bars: int) -> Answer:
    peaks, seconds = facts.outline(path, bars)
    return {"peaks": peaks, "seconds": seconds}, b""


def _page(path: Path) -> Answer:
    text = codecs.decode(path, ResourceType.HTML)
    return {}, shown_html(text[:_MOST_PAGE], _embedded).encode()


def _value(path: Path, type: str) -> Answer:
    if type == ResourceType.FILE:
        from nodes._support.documents import documents  # here: most processes read no document

        value, cut = documents.beginning(path)
    else:
        value, cut = beginnings.beginning(path, ResourceType(type))
    return {"cut": cut}, json.dumps(value).encode()


def _converted(path: Path, type: str, ending: str) -> Answer:
    kind = ResourceType(type)
    if kind is ResourceType.TEXT and ending != ".txt":
        from nodes._support.documents import converting  # here: most processes write no document

        return {}, converting.text_as(codecs.decode(path, kind), ending[1:])
    return {}, saved_forms.converted(path, kind, ending)


def _taken(path: Path) -> Answer:
    return {}, facts.taken(path)


def _embedded(address: str) -> str:
    """A picture within a page made anew as PNG of at most 640 pixels a side, "" for what is none or too large."""
    kind, _, data = address.partition(",")
    if (
        not kind.lower().startswith("data:image/")
        or not kind.lower().endswith(";base64")
        or len(data) > _EMBEDDED_BYTES
    ):
        return ""
    try:
        with opening.picture(io.BytesIO(base64.b64decode(data))) as opened:
            _check_size(opened.width, opened.height, _EMBEDDED_PIXELS)
            stream = io.BytesIO()
            codecs.in_colour(_shrunk(opened, _EMBEDDED_LONGEST), keep_alpha=True).save(stream, "PNG")
    except (OSError, ValueError, SyntaxError, binascii.Error):
        return ""
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def _check_size(width: int, height: int, most: int) -> None:
    if width * height > most:
        raise ValueError(
            Phrase(
                "it has {width} × {height} pixels, and only pictures of up to {most} million are shown",
                width=f"{width:,}",
                height=f"{height:,}",
                most=most // 1_000_000,
            )
        )


def _shrunk(picture: Any, longest: int | None) -> Any:
    """Scaled down so that the longer side is at most `longest`; 8 bits afterwards."""
    from PIL import Image

    if not longest or max(picture.size) <= longest:
        return picture
    scale = longest / max(picture.size)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    if picture.mode in ("1", "P", "PA") or picture.mode.startswith("I;16"):
        step = max(1, int(0.5 / scale))  # a quarter of the memory and more: only every so many pixels are looked at
        if step > 1:
            picture = picture.resize((picture.width // step, picture.height // step), Image.Resampling.NEAREST)
        picture = picture if picture.mode.startswith("I") else codecs.in_colour(picture, keep_alpha=True)
    if picture.mode.startswith("I;16"):
        return picture.resize(size, Image.Resampling.NEAREST)
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _pixels(picture: Any) -> Answer:
    if picture.mode not in _BANDS:
        picture = picture.convert("L") if picture.mode == "1" else codecs.in_colour(picture, keep_alpha=True)
    elif "transparency" in picture.info:
        picture = picture.convert("RGBA")
    facts = {"width": picture.width, "height": picture.height, "channels": _BANDS[picture.mode]}
    return facts, picture.tobytes()


_DEEDS: Mapping[str, Callable[..., Answer]] = {
    "facts": _facts,
    "picture": _picture,
    "frame": _frame,
    "outline": _outline,
    "page": _page,
    "value": _value,
    "converted": _converted,
    "taken": _taken,
}

if __name__ == "__main__":
    main()
