"""Put pictures into a PDF, a page each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nodes._support.documents import pdf_files
from nodes.api import File, Image, NodeError, Number, Port, ResourceType, RunContext, Text, tool

_SHEETS = {"as the picture": None, "A4": (595.276, 841.89), "letter": (612.0, 792.0)}
_MILLIMETRE = pdf_files.POINTS / 25.4


@tool(
    id="pictures_to_pdf",
    title="Pictures to PDF",
    domain="image",
    description="Puts one or more pictures into one PDF file, a page each, in their order.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, in order", many=True),
        Port("page", ResourceType.TEXT, "the paper; it lies where the picture does", default="as the picture",
             choices=tuple(_SHEETS), question="Which paper should it be?"),
        Port("margin", ResourceType.NUMBER, "free edge around each picture", default=0.0, minimum=0, maximum=90,
             unit="mm", question="How wide should the free edge be, in millimetres?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the PDF"),),
    backend="pypdf",
    backend_title="pypdf",
    quality=1.0,
    requires=("python:pypdf",),
    examples=(
        "Make a PDF of these photos",
        "Convert photo.jpg to pdf",
        "Put the scans into one PDF on A4 with a margin of 10 mm",
    ),
    words=("photo to pdf", "image to pdf", "save the picture as a pdf", "picture as a pdf",
           "pdf of pictures", "scans to pdf", "combine pictures into a pdf"),
    icon="files",
    does="converts",
)  # fmt: skip
def pictures_to_pdf(
    images: tuple[Image, ...], page: Text = "as the picture", margin: Number = 0.0, *, context: RunContext
) -> File:
    """Pages as large as the pictures at 150 pixels to the inch, or paper that each picture fills within the margin.

    See-through parts are white. Photographs are JPEG inside, plain drawings keep every pixel. NodeError without
    pictures.
    """
    if not images:
        raise NodeError("There is no picture to show.", "images", "Add at least one picture.")
    target = context.new_file(".pdf")

    def told() -> Iterator[np.ndarray]:
        for number, image in enumerate(images):
            context.progress(number / len(images))
            yield image

    pdf_files.write(told(), _SHEETS[page], margin * _MILLIMETRE, target)
    return target
