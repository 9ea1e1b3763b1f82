"""Set a text on a page to print: a poster, a notice, a card."""

from __future__ import annotations

from nodes._support.documents import paper, word_files
from nodes._support.imaging import cards
from nodes._support.language.words import given
from nodes.api import File, Port, ResourceType, RunContext, Text, tool

_SHORT_SIDE = 1240
"""In pixels of the picture behind the words: 150 to the inch on A4."""


@tool(
    id="poster",
    title="Poster",
    domain="text",
    description="Sets words large on a poster, notice or card to print, as text on a PDF page: A4 or letter, portrait"
    " or landscape.",
    inputs=(
        Port("text", ResourceType.TEXT, "the words on the poster", question="What should the poster say?"),
        Port("source", ResourceType.TEXT, "a line below: author, place, date", default=""),
        Port("style", ResourceType.TEXT, "the layout", default="title", choices=cards.STYLES,
             question="Which look should it have?"),
        Port("colour", ResourceType.TEXT, "the colours", default="paper", choices=tuple(cards.COLOURS),
             question="Which colour should it have?"),
        Port("page", ResourceType.TEXT, "the paper", default="A4", choices=tuple(word_files.SHEETS),
             question="Which paper should it be?"),
        Port("orientation", ResourceType.TEXT, "how the paper lies", default="portrait",
             choices=("portrait", "landscape"), question="How should the paper lie?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the PDF"),),
    backend="pdfium",
    backend_title="PDFium",
    quality=0.8,
    requires=("python:pypdfium2",),
    examples=(
        'Make an A4 poster that says "Summer party, 12 June"',
        'A poster in landscape with the words "Quiet please"',
        'Make a printable card as a PDF with the text "Thank you"',
    ),
    words=("poster", "a4 poster", "notice to print", "flyer", "leaflet", "sign to print", "printable card",
           "placard", "portrait format", "card as a pdf"),
    icon="presentation",
    does="converts",
)  # fmt: skip
def poster(
    text: Text, source: Text = "", style: Text = "title", colour: Text = "paper", page: Text = "A4",
    orientation: Text = "portrait", *, context: RunContext,
) -> File:  # fmt: skip
    """A PDF of one page. The text gets the largest size that fits, can be searched and copied, and lies on a picture of
    the colours.

    Raises NodeError naming `text` when it does not fit even small, or no font at hand has its letters.
    """
    wide, high = word_files.SHEETS[page] if orientation == "portrait" else word_files.SHEETS[page][::-1]
    scale = _SHORT_SIDE / min(wide, high)
    width, height = round(wide * scale), round(high * scale)
    text = given(text)
    written = cards.lines(text, source, style, colour, width, height)
    target = context.new_file(".pdf")
    paper.write_poster(cards.ground(text, style, colour, width, height), written, (wide, high), target)
    return target
