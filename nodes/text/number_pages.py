"""Put numbers on the pages of a PDF."""

from __future__ import annotations

from nodes._support.documents import page_numbers, stamping
from nodes._support.documents.pdf_files import PDF, WHICH_PAGES, pdf_tool
from nodes.api import File, Flag, Integer, Port, ResourceType, RunContext, Text


@pdf_tool(
    id="number_pages",
    title="Page numbers",
    description="Writes page numbers on the pages of a PDF file.",
    inputs=(
        PDF,
        Port("position", ResourceType.TEXT, "where on the page", default="bottom",
             choices=("bottom", "bottom left", "bottom right", "top", "top left", "top right"),
             question="Where should it be?"),
        Port("total", ResourceType.FLAG, "say how many pages there are, too: 3 / 12", default=False),
        WHICH_PAGES,
        Port("start", ResourceType.NUMBER, "number of the first of these pages; its place in the file if left empty",
             default=None, minimum=0, maximum=1_000_000, integer=True,
             question="Which number should the first page have?"),
    ),
    quality=0.9,
    examples=(
        "Add page numbers to report.pdf",
        "Number the pages of the PDF at the bottom right",
        "Page numbers on thesis.pdf, but not on the cover",
    ),
    words=("number the pages", "paginate", "pagination", "page numbers", "page x of y", "numbers in the footer"),
    icon="hash",
    result="numbered",
)  # fmt: skip
def number_pages(
    file: File, position: Text = "bottom", total: Flag = False, pages: Text = "", start: Integer | None = None,
    *, context: RunContext,
) -> File:  # fmt: skip
    """Black figures of about 10 points on A4, over what is there, upright as the page is shown. A page that is left out
    counts all the same.

    NodeError naming `pages` for what is no page and for pages beyond the end; `file` for what is no PDF, damaged or
    locked.
    """

    def lines(count: int) -> dict[int, str]:
        chosen = page_numbers.chosen(pages, count, file.name)
        shift = 0 if start is None else start - chosen[0]
        end = f" / {count + shift}" if total else ""
        return {number: f"{number + shift}{end}" for number in chosen}

    return stamping.stamped(file, lines, stamping.Look(position), context)
