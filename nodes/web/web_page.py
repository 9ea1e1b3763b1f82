"""Make a web page from a text and pictures."""

from __future__ import annotations

from nodes._support.language.words import given
from nodes._support.web import pages
from nodes.api import Html, Image, Port, ResourceType, Text, tool


@tool(
    id="web_page",
    title="Web page",
    domain="web",
    description="Makes a good-looking web page (HTML) from a text, with a title and pictures if given.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text of the page; headings, lists and links as in Markdown"),
        Port("title", ResourceType.TEXT, "the title; empty takes the text's own heading", default=""),
        Port("images", ResourceType.IMAGE, "pictures to show", default=(), many=True),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=(
        "Make a web page from article.txt",
        'Turn this text and photo.jpg into a web page with the title "Our holiday"',
        "Create an HTML page from this text",
    ),
    words=("website", "html page", "webpage", "web site", "publish as a page", "markdown to html"),
    icon="globe",
)
def web_page(text: Text, title: Text = "", images: tuple[Image, ...] = ()) -> Html:
    """One file without scripts that loads nothing else, readable on phones, in light and dark, by screen readers.

    The first picture stands above the text, the others below. Sides over 4096 px are reduced. HTML tags in the text
    are shown, not obeyed.
    """
    text = given(text)
    title, body, shown = pages.titled(title, text)
    return pages.page(
        "page.html", title, text, shown, body=pages.prose(body), pictures=pages.pictures(images), wide=len(images) > 4
    )
