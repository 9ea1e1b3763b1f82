"""Make a web page that shows pictures in a grid."""

from __future__ import annotations

from nodes._support.web import pages
from nodes.api import Html, Image, NodeError, Phrase, Port, ResourceType, Text, tool


@tool(
    id="gallery_page",
    title="Gallery page",
    domain="web",
    description="Makes a web page that shows pictures as a photo gallery, with captions if given.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures", many=True),
        Port("captions", ResourceType.TEXT, "a line below each picture, in the same order", default=(), many=True),
        Port("title", ResourceType.TEXT, "the title of the page", default=""),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=(
        "Make a web gallery of these photos",
        'Show all pictures on a web page with the title "Summer"',
        "Build a photo album page from a.jpg, b.jpg and c.jpg",
    ),
    words=("photo gallery", "photo album", "picture page", "portfolio page"),
    icon="gallery-thumbnails",
)
def gallery_page(images: tuple[Image, ...], captions: tuple[Text, ...] = (), title: Text = "") -> Html:
    """One file without scripts. Captions also serve as the text for screen readers; missing ones become numbers.

    Raises NodeError without pictures, or with more captions than pictures.
    """
    if not images:
        raise NodeError("There are no pictures.", "images", "Attach at least one.")
    if len(captions) > len(images):
        raise NodeError(
            Phrase("There are {count} captions for {count2} pictures.", count=len(captions), count2=len(images)),
            "captions",
            "Give one for each.",
        )
    found = pages.pictures(images, captions)
    named = " ".join(title.split())
    return pages.page("gallery.html", named or "Pictures", " ".join(captions), bool(named), pictures=found, wide=True)
