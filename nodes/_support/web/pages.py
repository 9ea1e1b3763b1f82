"""Builds self-contained web pages from the templates in `resources/pages`. Must not know tools.

Pages load nothing from anywhere: style, pictures, sound and video are inside, scripts are forbidden by a
Content-Security-Policy. Text is escaped by jinja2.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.documents.prose import html_of, split_title
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import sentences
from nodes.api import NodeError, Phrase

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "pages"
LONGEST_SIDE = 4096
_MOST_BYTES = 60_000_000


class Picture(NamedTuple):
    """An embedded picture: `source` is a data URI."""

    source: str
    width: int
    height: int
    alt: str
    caption: str = ""


def page(template: str, title: str, about: str = "", show_title: bool = True, **values: Any) -> str:
    """The HTML of a page. `about` is text whose language the page declares, and whose beginning describes it."""
    described = sentences(about[:2000]) if about.strip() else []
    facts = {
        "title": title or "Untitled",
        "show_title": show_title and bool(title),
        "language": language_of(f"{title}\n{about[:5000]}"),
        "description": described[0][:200] if described else "",
        "keywords": (),
        "wide": False,
    }
    return _environment().get_template(template).render({**facts, **values})


def titled(title: str, text: str) -> tuple[str, str, bool]:
    """(title, text without it, whether to show it): the given title, else the text's own heading, else its
    first words, which are then not shown twice."""
    if title.strip():
        return " ".join(title.split()), text, True
    own, rest = split_title(text)
    if own:
        return own, rest, True
    first = " ".join((sentences(text[:2000]) or [""])[0].split())
    return (first if len(first) <= 70 else first[:67].rsplit(" ", 1)[0] + "…"), text, False


def prose(text: str, level: int = 2) -> Any:
    """Text as safe HTML; see `prose.py`."""
    return html_of(text, level)


def pictures(images: Sequence[np.ndarray], captions: Sequence[str] = (), port: str = "images") -> list[Picture]:
    """Pictures to embed, with a caption or a number as the text for those who cannot see them.

    Those with a side over 4096 px are reduced to that. Raises NodeError naming `port` when all together take more
    than 60 MB.
    """
    found, size = [], 0
    for i, image in enumerate(images):
        caption = " ".join(captions[i].split()) if i < len(captions) else ""
        alt = caption or ("Picture" if len(images) == 1 else f"Picture {i + 1} of {len(images)}")
        found.append(picture(image, alt, caption))
        size += len(found[-1].source)
        if size > _MOST_BYTES:
            raise NodeError(
                Phrase("The first {i} pictures take more than 60 MB.", i=i + 1), port, "Make them smaller, or fewer."
            )
    return found


def picture(image: np.ndarray, alt: str, caption: str = "") -> Picture:
    """One picture to embed: JPEG for photographs, PNG for those with transparency or few colours."""
    from PIL import Image

    shown = Image.fromarray(np.ascontiguousarray(image))
    if max(shown.size) > LONGEST_SIDE:
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    opaque = image.ndim == 3 and image.shape[2] == 3
    if image.ndim == 3 and image.shape[2] == 4 and int(image[:, :, 3].min()) == 255:
        shown, opaque = shown.convert("RGB"), True
    kind = "jpeg" if opaque and not _is_drawing(np.asarray(shown)) else "png"
    if kind == "jpeg":
        shown.save(stream, "JPEG", quality=90, optimize=True, progressive=True)
    else:
        shown.save(stream, "PNG", optimize=shown.width * shown.height < 2_000_000)
    return Picture(data_uri(stream.getvalue(), f"image/{kind}"), *shown.size, alt, caption)


def data_uri(data: bytes, kind: str) -> str:
    """The bytes as an address that holds them."""
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def _is_drawing(pixels: np.ndarray) -> bool:
    """True for pictures with few colours, such as charts, which JPEG would smear and PNG stores well."""
    step = max(1, max(pixels.shape[:2]) // 400)
    sample = pixels[::step, ::step, :3].reshape(-1, 3).astype(np.uint32)
    colours = np.unique(sample @ np.array([65536, 256, 1], dtype=np.uint32))
    return len(colours) < min(1500, len(sample) * 0.05 + 8)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        auto_reload=False,
    )
