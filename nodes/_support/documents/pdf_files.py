"""PDF files that are changed, made of pictures, and drawn as pictures. Must not know tools, only what all of them that
make a PDF of PDFs declare."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nodes._support.documents import documents
from nodes._support.imaging import picture_files
from nodes.api import NodeError, Phrase, Port, ResourceType, RunContext, tool

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter

pdf_tool = functools.partial(
    tool, domain="text", outputs=(Port("file", ResourceType.FILE, "the PDF"),), backend="pypdf", backend_title="pypdf",
    requires=("python:pypdf",),
)  # fmt: skip
"""Declares a tool that makes a PDF of PDFs."""
PDF = Port("file", ResourceType.FILE, "a .pdf file")
WHICH_PAGES = Port("pages", ResourceType.TEXT, "which pages, such as 1-3, 5, last; empty takes all", default="",
                   said=True)  # fmt: skip
PASSWORD = Port("password", ResourceType.TEXT, "the password of the file", said=True,
                question="Which password?")  # fmt: skip
password_tool = functools.partial(pdf_tool, inputs=(PDF, PASSWORD), quality=1.0, icon="key")
"""Declares a tool that makes a PDF of a PDF and a password."""
POINTS = 72.0
"""To the inch, as PDF measures."""
_MOST_BYTES = 127
"""Of a password: what comes after is left out by some programs and counts for others."""
_PICTURE_DPI = 150
_LONGEST_SIDE = 14_400.0
"""In points: larger pages are shown by few programs."""
_JPEG_SIDE = 65_535
_HAIR = 1 - 1e-6
"""A page of 500.00001 pixels has 500: the sizes of pages are rounded to 32 bits."""
_MOST_PAGE_PIXELS, _MOST_PIXELS = 100_000_000, 600_000_000


def changed(file: Path, change: Callable[[PdfReader], PdfWriter], context: RunContext, password: str = "") -> Path:
    """A new file of what `change` makes of the PDF. Raises NodeError for what is no PDF, is damaged or locked by
    another password."""
    made, target = documents.pdf(file, change, password), context.new_file(".pdf")
    made.write(target)
    return target


def with_password(
    file: Path, password: str, finish: Callable[[PdfReader, PdfWriter], Any], context: RunContext, opens: bool
) -> Path:
    """A new file with all that is in the PDF, which `finish` gets as it is read and as it is about to be written;
    `opens` says that it is opened by the password. Raises NodeError as `changed`, and naming `password` for none and
    for one that is too long, Locked where it should open the file and does not."""
    from pypdf import PdfWriter

    if not isinstance(password, str) or not password.strip():
        raise NodeError("There is no password.", "password", "Type the one that opens the file.")
    if len(password.encode()) > _MOST_BYTES:
        raise NodeError("The password is too long for a PDF.", "password", "Choose a shorter one.")

    def change(reader: PdfReader) -> PdfWriter:
        writer = PdfWriter(clone_from=reader)
        finish(reader, writer)
        return writer

    return changed(file, change, context, password if opens else "")


def write(pictures: Iterable[np.ndarray], sheet: tuple[float, float] | None, margin: float, target: Path) -> None:
    """A PDF with a page for each picture, uint8 RGB or RGBA. `sheet` are the short and the long side of the paper and
    `margin` its free edge, in points; None makes pages as large as the pictures at 150 to the inch.

    The paper lies where the picture does. Pictures that JPEG makes smaller are JPEG (92), others keep every pixel.
    """
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    for picture in pictures:
        (page_wide, page_high), (wide, high) = _places(picture.shape[1], picture.shape[0], sheet, margin)
        page = writer.add_blank_page(page_wide, page_high)
        shown = writer._add_object(_image(picture))
        objects = DictionaryObject({NameObject("/Picture"): shown})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): objects})
        drawing = DecodedStreamObject()
        left, bottom = (page_wide - wide) / 2, (page_high - high) / 2
        drawing.set_data(f"q {wide:.3f} 0 0 {high:.3f} {left:.3f} {bottom:.3f} cm /Picture Do Q".encode())
        page[NameObject("/Contents")] = writer._add_object(drawing)
    writer.write(target)


def read(file: Path, pages: str, dpi: float, context: RunContext) -> list[np.ndarray]:
    """The `pages` named, all of them for "", as pictures, uint8 RGB, with so many pixels to the inch.

    Raises NodeError for what is no PDF, is damaged or locked, for pages that are not there, and for too many pixels.
    """
    documents.check_pdf(file)
    return documents.opened(file, lambda: _pictures(file, pages, dpi / POINTS, context))


def _pictures(file: Path, pages: str, scale: float, context: RunContext) -> list[np.ndarray]:
    document = opened(file)
    try:
        found: list[np.ndarray] = []
        for number in documents.chosen_pages(file, len(document), pages, context):
            page = document[number]
            wide, high = page.get_size()
            pixels = wide * high * scale * scale
            if pixels > _MOST_PAGE_PIXELS or pixels + sum(each.size for each in found) / 3 > _MOST_PIXELS:
                raise NodeError("The pictures would be too large.", "dpi", "Choose a smaller number, or fewer pages.")
            found.append(page.render(scale=scale * _HAIR, rev_byteorder=True).to_numpy()[..., :3].copy())
            page.close()
        return found
    finally:
        document.close()


def opened(file: Path) -> Any:
    """The document of pypdfium2, which the caller closes. Raises NodeError for a locked one, ValueError for others."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise documents.locked(file) from error
        raise ValueError(Phrase("it cannot be opened")) from error
    document.init_forms()
    return document


def _places(wide: int, high: int, sheet: tuple[float, float] | None, margin: float) -> tuple[Any, Any]:
    """The size of the page, and that of the picture on it, in points."""
    if sheet is None:
        scale = min(POINTS / _PICTURE_DPI, (_LONGEST_SIDE - 2 * margin) / max(wide, high))
        size = max(wide * scale, 1.0), max(high * scale, 1.0)
        return (size[0] + 2 * margin, size[1] + 2 * margin), size
    page = sheet if high >= wide else sheet[::-1]
    scale = min((page[0] - 2 * margin) / wide, (page[1] - 2 * margin) / high)
    return page, (wide * scale, high * scale)


def _image(picture: np.ndarray) -> Any:
    """The picture as an object of a PDF; see-through parts are white."""
    from pypdf.generic import DecodedStreamObject, NameObject, NumberObject

    plain = picture_files.on_white(picture)
    data, coding = zlib.compress(np.ascontiguousarray(plain).data, 6), "/FlateDecode"
    if max(plain.shape) <= _JPEG_SIDE and len(jpeg := picture_files.encode(plain, ".jpg")) < len(data):
        data, coding = jpeg, "/DCTDecode"
    image = DecodedStreamObject()
    image.set_data(data)
    names = {"/Type": "/XObject", "/Subtype": "/Image", "/ColorSpace": "/DeviceRGB", "/Filter": coding}
    numbers = {"/Width": plain.shape[1], "/Height": plain.shape[0], "/BitsPerComponent": 8}
    image.update({NameObject(key): NameObject(value) for key, value in names.items()})
    image.update({NameObject(key): NumberObject(value) for key, value in numbers.items()})
    return image
