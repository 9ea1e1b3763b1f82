"""Take a sheet of paper out of a photo, flat and white."""

from __future__ import annotations

from nodes._support.imaging.turning import turned
from nodes._support.vision import photographed_pages as pages
from nodes._support.vision.seeing import check_side, opaque
from nodes.api import Image, Phrase, Port, ResourceType, RunContext, Text, tool


@tool(
    id="scan_page",
    title="Scan of a page",
    domain="image",
    description="Makes a clean scan of a photographed sheet of paper, receipt, letter, book page or whiteboard: finds"
    " it, takes it out flat and straight, evens the light and whitens the paper.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the photo of the page"),
        Port("colours", ResourceType.TEXT, "of the scan", default="colour", choices=pages.COLOURS,
             question="Should the scan be in colour?"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the page, flat, on white"),),
    backend="opencv",
    backend_title="Sheet and light, OpenCV",
    quality=0.7,
    examples=(
        "Make a clean scan of this page",
        "Scan the receipt in photo.jpg",
        "Flatten the photographed letter and make the paper white",
        "Turn the whiteboard photo into a black and white scan",
    ),
    words=("scan", "scanned", "document scan", "scanner", "whiten the paper", "flatten the page", "dewarp",
           "photographed document", "clean up the page", "whiteboard"),
    icon="scan-text",
    result="scanned",
)  # fmt: skip
def scan_page(image: Image, colours: Text = "colour", *, context: RunContext) -> Image:
    """RGB of the sheet's own resolution. Where no sheet is found all of the picture is taken for the page and turned
    by the tilt of its lines of text; a note says so. Raises NodeError naming `image` when it is tiny.
    """
    check_side(image, Phrase("scan a page in it"))
    photo = opaque(image)
    quad = pages.corners(photo)
    context.progress(0.4)
    if quad is not None:
        return pages.toned(pages.lit(pages.flat(photo, quad)), colours)
    context.tell("no sheet was found: all of the picture is taken for the page")
    page, skew = pages.lit(photo), pages.skew(photo)
    if abs(skew) > 0.1:
        page = turned(page, skew, expand=True)
    return pages.toned(page, colours)
