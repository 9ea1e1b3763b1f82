"""Make a web page that tells a story in chapters of text and pictures."""

from __future__ import annotations

from itertools import zip_longest

from nodes._support.web import pages
from nodes.api import Html, Image, NodeError, Port, ResourceType, Text, tool


@tool(
    id="story_page",
    title="Story page",
    domain="web",
    description="Makes a web page that tells a story: several texts, each beside its picture.",
    inputs=(
        Port("texts", ResourceType.TEXT, "the parts of the story, in order", many=True),
        Port("images", ResourceType.IMAGE, "a picture for each part, in order", many=True),
        Port("title", ResourceType.TEXT, "the title of the story", default=""),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=(
        "Make a story page from these texts and pictures",
        "Tell a picture story on a web page with one picture beside each text",
    ),
    words=("picture story", "illustrated story", "storybook", "photo story", "chapters"),
    icon="book-open",
)
def story_page(texts: tuple[Text, ...], images: tuple[Image, ...], title: Text = "") -> Html:
    """The first text stands beside the first picture and so on, sides changing; what is left over stands alone.

    A single text with several pictures is shared out by its paragraphs. Raises NodeError without texts.
    """
    parts = [text for text in texts if text.strip()]
    if not parts:
        raise NodeError("There is no text.", "texts", "Give at least one.")
    title, first, shown = pages.titled(title, parts[0])
    parts[0] = first
    if len(parts) == 1 and len(images) > 1:
        parts = _shared(parts[0], len(images))
    chapters = [
        {"body": pages.prose(text) if text.strip() else "", "picture": picture}
        for text, picture in zip_longest(parts, pages.pictures(images), fillvalue=None)
        for text in [text or ""]
    ]
    return pages.page("story.html", title, "\n".join(texts), shown, chapters=chapters, wide=True)


def _shared(text: str, count: int) -> list[str]:
    """The paragraphs of a text in at most `count` parts of about equal length."""
    blocks = [block for block in text.split("\n\n") if block.strip()]
    if len(blocks) <= count:
        return blocks
    total, parts, done = sum(map(len, blocks)), [""] * count, 0
    for block in blocks:
        place = min(count - 1, (done + len(block) // 2) * count // total)
        parts[place] += ("\n\n" if parts[place] else "") + block
        done += len(block)
    return [part for part in parts if part]
