"""Make a PDF file smaller."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from typing import Any

from nodes._support.documents.pdf_files import PDF, changed, pdf_tool
from nodes.api import File, Number, Port, ResourceType, RunContext

_QUALITY = 75
_DEEPEST = 8
_MOST_PIXELS = 100_000_000


@pdf_tool(
    id="compress_pdf",
    title="Compress PDF",
    description="Makes a PDF file smaller: its pictures get fewer pixels.",
    inputs=(
        PDF,
        Port("dpi", ResourceType.NUMBER, "pixels to the inch that its pictures keep", default=110.0, minimum=20,
             maximum=600, question="How many pixels to the inch should there be?"),
    ),
    quality=0.8,
    examples=("Compress report.pdf", "Make this PDF smaller for an e-mail", "Shrink scan.pdf to 72 dpi"),
    words=("smaller pdf", "shrink pdf", "reduce pdf size", "pdf too large"),
    icon="shrink",
    result="smaller",
)  # fmt: skip
def compress_pdf(file: File, dpi: Number = 110.0, *, context: RunContext) -> File:
    """Pictures become JPEG with at most so many pixels to the inch of the largest size at which a page shows them; what
    is there twice is kept once. Text, lines, and pictures that are masks, see-through or in other colours than grey and
    RGB stay as they are. A file that cannot be made smaller is given back as it was, which is told.

    NodeError for what is no PDF, damaged or locked.
    """

    def smaller(reader: Any) -> Any:
        from pypdf import PdfWriter

        writer = PdfWriter(clone_from=reader)
        _shrink(writer, dpi, context)
        for page in writer.pages:
            context.check()
            page.compress_content_streams()
        writer.compress_identical_objects()
        return writer

    target = changed(file, smaller, context)
    if target.stat().st_size >= file.stat().st_size:
        context.tell("It cannot be made smaller: this is the file as it was.")
        shutil.copyfile(file, target)
    return target


def _shrink(writer: Any, dpi: float, context: RunContext) -> None:
    """Gives the pictures of all pages fewer pixels."""
    shown: dict[int, tuple[Any, float, float]] = {}
    for page in writer.pages:
        for image, wide, high in _shown(page, writer, (1.0, 0.0, 0.0, 1.0), 0):
            _, *before = shown.get(id(image), (image, 0.0, 0.0))
            shown[id(image)] = (image, max(wide, before[0]), max(high, before[1]))
    for number, (image, wide, high) in enumerate(shown.values()):
        context.progress(0.9 * number / len(shown))
        _recode(image, wide * dpi / 72, high * dpi / 72)


def _shown(owner: Any, pdf: Any, matrix: tuple[float, ...], depth: int) -> Iterator[tuple[Any, float, float]]:
    """Pictures that a page or a form shows, each with width and height in points, where `matrix` is in force."""
    from pypdf.generic import ContentStream

    kept = _at(_at(owner, "/Resources"), "/XObject")
    content = owner.get_contents() if depth == 0 else ContentStream(owner, pdf)
    waiting = []
    for operands, operator in content.operations if content is not None else ():
        if operator == b"q":
            waiting.append(matrix)
        elif operator == b"Q" and waiting:
            matrix = waiting.pop()
        elif operator == b"cm":
            matrix = _product(operands, matrix)
        elif operator == b"Do" and operands[0] in kept:
            drawn = kept[operands[0]].get_object()
            if drawn.get("/Subtype") == "/Image":
                yield drawn, (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5, (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5
            elif drawn.get("/Subtype") == "/Form" and depth < _DEEPEST:
                yield from _shown(drawn, pdf, _product(_at(drawn, "/Matrix") or (1, 0, 0, 1), matrix), depth + 1)


def _at(owner: Any, name: str) -> Any:
    """What stands there, though it be elsewhere in the file; an empty dictionary when nothing does."""
    return owner[name] if name in owner else {}  # noqa: SIM401 - `get` gives the reference


def _product(first: Any, second: tuple[float, ...]) -> tuple[float, ...]:
    """Of two matrices, without where they move to."""
    a, b, c, d = (float(each) for each in first[:4])
    return (a * second[0] + b * second[2], a * second[1] + b * second[3],
            c * second[0] + d * second[2], c * second[1] + d * second[3])  # fmt: skip


def _recode(image: Any, wide: float, high: float) -> None:
    """Makes it a JPEG of about so many pixels, where that is smaller."""
    from pypdf.generic import NameObject, NumberObject

    fixed = ("/SMask", "/Mask", "/ImageMask", "/Decode", "/Alternates")
    if any(name in image for name in fixed) or _at(image, "/ColorSpace") not in ("/DeviceRGB", "/DeviceGray"):
        return
    if _at(image, "/BitsPerComponent") != 8 or image["/Width"] * image["/Height"] > _MOST_PIXELS:
        return
    picture = image.decode_as_image()
    if picture is None or picture.mode not in ("RGB", "L"):
        return
    scale = min(1.0, max(wide / picture.width, high / picture.height))
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    stream = io.BytesIO()
    (picture.resize(size) if scale < 1 else picture).save(stream, "JPEG", quality=_QUALITY, optimize=True)
    if stream.tell() >= len(image._data):
        return
    image._data = stream.getvalue()
    image.pop("/DecodeParms", None)
    image[NameObject("/Filter")] = NameObject("/DCTDecode")
    image[NameObject("/ColorSpace")] = NameObject("/DeviceRGB" if picture.mode == "RGB" else "/DeviceGray")
    image[NameObject("/Width")], image[NameObject("/Height")] = NumberObject(size[0]), NumberObject(size[1])
