"""Take the readable text out of HTML."""

from __future__ import annotations

from nodes._support.documents.html_text import text_of_html
from nodes._support.language.words import given
from nodes.api import Flag, Html, NodeError, Port, ResourceType, Text, tool


@tool(
    id="html_to_text",
    title="HTML to text",
    domain="web",
    description="Takes the readable text out of an HTML page, without tags, scripts and styles.",
    inputs=(
        Port("html", ResourceType.HTML, "the page"),
        Port(
            "main_only",
            ResourceType.FLAG,
            "leave out menus, headers and footers",
            default=True,
            question="Should menus and footers be left out?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "its text"),),
    backend="lxml",
    backend_title="lxml",
    quality=0.7,
    examples=(
        "Get the text of page.html",
        "Strip the tags from this HTML",
        "Extract the article text from the web page file",
    ),
    words=("strip html", "remove tags", "plain text of the page"),
    icon="file-code",
    result="text",
)
def html_to_text(html: Html, main_only: Flag = True) -> Text:
    """Paragraphs apart by blank lines, list items with "- ". Nothing in the page is run or loaded.

    Raises NodeError when the page shows no text.
    """
    text = text_of_html(given(html, "html"), main_only)
    if not text:
        raise NodeError("The page shows no text.", "html", "Give a page with text in it.")
    return text
