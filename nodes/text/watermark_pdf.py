"""Write a text over the pages of a PDF."""

from __future__ import annotations

from nodes._support.documents import page_numbers, stamping
from nodes._support.documents.pdf_files import PDF, WHICH_PAGES, pdf_tool
from nodes._support.imaging.layout import CORNERS
from nodes._support.imaging.pixels import colour_of
from nodes._support.language.words import given
from nodes.api import File, Number, Port, ResourceType, RunContext, Text


@pdf_tool(
    id="watermark_pdf",
    title="Watermark a PDF",
    description="Stamps a text, such as DRAFT or a name, on each page of a PDF file: across it or in a corner.",
    inputs=(
        PDF,
        Port("text", ResourceType.TEXT, "what is written on the pages", said=True,
             question="What should be written on the pages?"),
        Port("position", ResourceType.TEXT, "where on the page", default="across",
             choices=("across", "centre", "top", "bottom", *CORNERS), question="Where should it be?"),
        Port("opacity", ResourceType.NUMBER, "0 is invisible, 1 hides what is below", default=0.25, minimum=0.01,
             maximum=1, question="How clearly should it be seen, from 0 to 1?"),
        Port("colour", ResourceType.TEXT, "of the letters", default="grey", question="Which colour should it have?"),
        WHICH_PAGES,
    ),
    quality=0.9,
    examples=(
        'Stamp "CONFIDENTIAL" across every page of contract.pdf',
        'Put a watermark "DRAFT" on the PDF',
        'Write "Copy for Ana" at the top right of each page of offer.pdf in red',
    ),
    words=("watermark on a pdf", "stamp a pdf", "draft stamp", "confidential", "header on each page",
           "footer on each page", "text on every page"),
    icon="stamp",
    result="stamped",
)  # fmt: skip
def watermark_pdf(
    file: File, text: Text, position: Text = "across", opacity: Number = 0.25, colour: Text = "grey", pages: Text = "",
    *, context: RunContext,
) -> File:  # fmt: skip
    """In one line, over what is there, upright as the page is shown: across it as large as there is room, elsewhere
    about 10 points on A4. The text can be searched and copied.

    NodeError naming `text` when it is empty or no font has its letters; `colour` for one that is not known; `pages` for
    what is no page and for pages beyond the end; `file` for what is no PDF, damaged or locked.
    """
    line = " ".join(given(text).split())
    look = stamping.Look(position, colour_of(colour), opacity)
    return stamping.stamped(
        file, lambda count: dict.fromkeys(page_numbers.chosen(pages, count, file.name), line), look, context
    )
