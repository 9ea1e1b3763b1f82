"""Take the table out of a page."""

from __future__ import annotations

from nodes._support.files import codecs
from nodes._support.language.words import given
from nodes._support.tables import sheets
from nodes.api import Html, NodeError, Phrase, Port, ResourceType, TableValue, tool


@tool(
    id="html_to_table",
    title="Table from a page",
    domain="web",
    description="Takes the table out of an HTML page, the largest where there are several.",
    inputs=(Port("html", ResourceType.HTML, "the page"),),
    outputs=(Port("table", ResourceType.TABLE, "its rows and columns"),),
    backend="lxml",
    backend_title="lxml",
    quality=0.7,
    examples=("Get the table out of page.html", "Read the table from the web page", "Take the table of this HTML file"),
    words=("table of the page", "html table", "scrape the table"),
    icon="table",
)
def html_to_table(html: Html) -> TableValue:
    """The first row gives the columns; numbers become numbers. NodeError when there is no table on the page."""
    try:
        return sheets.largest(sheets.of_page(given(html, "html")))
    except ValueError as error:
        said = Phrase("No table can be read on the page: {why}", why=codecs.why(error))
        raise NodeError(said, "html", "Give a page with a table on it.") from error
