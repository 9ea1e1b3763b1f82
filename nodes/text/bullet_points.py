"""Turn a text into a short list of its key sentences."""

from __future__ import annotations

import re

from nodes._support.inference import connected
from nodes._support.language import ranking
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import annotated
from nodes._support.language.words import given_words
from nodes.api import Integer, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="bullet_points",
    title="Bullet points",
    domain="text",
    description="Turns a text into a list of bullet points with its key statements.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text"),
        Port("count", ResourceType.NUMBER, "how many points", default=5, minimum=1, maximum=100, integer=True,
             question="How many points should there be?"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "one point a line, each beginning with a bullet"),),
    backend="textrank",
    backend_title="TextRank",
    quality=0.45,
    examples=("Turn this text into bullet points", "List the key points of report.txt", "Make notes from this article"),
    words=("bullets", "key points", "bulleted list", "takeaways", "list of facts"),
    icon="list",
)  # fmt: skip
def bullet_points(text: Text, count: Integer = 5) -> Text:
    """The `count` sentences that cover the text best, in the order of the text, a line "• sentence" for each."""
    text = given_words(text)
    language = language_of(text)
    items = annotated(text, language)
    items = [item for item in items if not item.heading] or items
    chosen = sorted(ranking.best(items, min(count, len(items)), language))
    return "\n".join(f"• {items[i].text}" for i in chosen)


@backend_of(bullet_points, families=(connected.CHAT,), **connected.CONNECTED)
def by_connected_model(text: Text, count: Integer, *, context: RunContext) -> Text:
    """In the model's own words, a point for each line that it writes."""
    order = f"Tell the key statements of the text as {count} points at most, in its own language, a line for each."
    lines = connected.write(order, context, given_words(text)).splitlines()
    points = filter(None, (re.sub(r"^(?:[-*•]|\d+[.)])?\s*", "", line.strip()) for line in lines))
    return "\n".join(f"• {point}" for point in [*points][:count])
