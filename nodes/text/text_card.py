"""Set a text as a picture: a quote, title or note card."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import cards, typeset
from nodes._support.language.words import given
from nodes.api import Image, Integer, Port, ResourceType, Text, tool


@tool(
    id="text_card",
    title="Text card",
    domain="text",
    description="Sets a text as a typographic card, such as a quote card, a title slide or a note.",
    inputs=(
        Port("text", ResourceType.TEXT, "the words on the card", question="What should the card say?"),
        Port("source", ResourceType.TEXT, "a line below: author, place, date", default=""),
        Port(
            "style",
            ResourceType.TEXT,
            "the layout",
            default="quote",
            choices=cards.STYLES,
            question="Which look should it have?",
        ),
        Port(
            "colour",
            ResourceType.TEXT,
            "the colours",
            default="indigo",
            choices=tuple(cards.COLOURS),
            question="Which colour should it have?",
        ),
        Port(
            "width",
            ResourceType.NUMBER,
            "width",
            default=1200,
            minimum=64,
            maximum=6000,
            integer=True,
            unit="px",
            question="How wide should it be, in pixels?",
        ),
        Port(
            "height",
            ResourceType.NUMBER,
            "height",
            default=675,
            minimum=64,
            maximum=6000,
            integer=True,
            unit="px",
            question="How high should it be, in pixels?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the card"),),
    backend="pillow",
    backend_title="Pillow",
    quality=0.7,
    examples=(
        'Make a quote card with the text "Stay hungry, stay foolish"',
        'Make a title slide that says "Holiday 2024"',
        "Set this text on a card",
    ),
    words=("quote picture", "title card", "title slide", "text on a card", "typographic picture"),
    icon="letter-text",
)
def text_card(
    text: Text, source: Text = "", style: Text = "quote", colour: Text = "indigo", width: Integer = 1200,
    height: Integer = 675,
) -> Image:  # fmt: skip
    """uint8 (height, width, 3). The text gets the largest size that fits, at least 12 px.

    Raises NodeError when it does not fit even then, or no font at hand has its letters.
    """
    from PIL import Image as Pictures
    from PIL import ImageDraw

    text = given(text)
    written = cards.lines(text, source, style, colour, width, height)
    picture = Pictures.fromarray(cards.ground(text, style, colour, width, height))
    canvas = ImageDraw.Draw(picture)
    for line in written:
        typeset.draw_line(canvas, (line.x, line.y), line.text, line.size, line.ink, line.weight)
    return np.asarray(picture).copy()
