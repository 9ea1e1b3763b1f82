"""Read the table in a picture."""

from __future__ import annotations

from nodes._support.documents import documents
from nodes._support.files import codecs
from nodes._support.tables import sheets
from nodes._support.vision.seeing import opaque
from nodes.api import Image, NodeError, Phrase, Port, ResourceType, RunContext, TableValue, tool


@tool(
    id="picture_to_table",
    title="Table from a picture",
    domain="image",
    description="Reads the table in a picture of a page, a screenshot or a scan as rows and columns.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture with a table on it"),),
    outputs=(Port("table", ResourceType.TABLE, "its rows and columns"),),
    backend="rapidocr",
    backend_title="RapidOCR",
    memory_bytes=600_000_000,
    quality=0.6,
    requires=("python:rapidocr", "python:onnxruntime"),
    examples=(
        "Read the table in this screenshot",
        "Get the table out of scan.png",
        "Turn the photo of the price list into a table",
    ),
    words=("table from image", "table recognition", "extract the table", "ocr table"),
    icon="table",
)
def picture_to_table(image: Image, context: RunContext) -> TableValue:
    """A column for what stands below each other, so that the page should stand upright; the largest table if there are
    several, its first row as the columns. NodeError when nothing stands in rows and columns.
    """
    try:
        return sheets.largest(documents.written_tables(opaque(image), context))
    except ValueError as error:
        said = Phrase("No table can be read in the picture: {why}", why=codecs.why(error))
        raise NodeError(said, "image", "Give a picture with a table on it.") from error
