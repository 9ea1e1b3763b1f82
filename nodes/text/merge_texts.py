"""Join texts into one."""

from __future__ import annotations

from nodes.api import NodeError, Port, ResourceType, Text, tool

_BETWEEN = {"new line": "\n", "empty line": "\n\n", "space": " ", "comma": ", ", "nothing": ""}


@tool(
    id="merge_texts",
    title="Join texts",
    domain="text",
    description="Joins several texts into one, one after the other.",
    inputs=(
        Port("texts", ResourceType.TEXT, "the texts, in order", many=True, least=2),
        Port(
            "between",
            ResourceType.TEXT,
            "what stands between them",
            default="new line",
            choices=tuple(_BETWEEN),
            question="What should stand between the texts?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the joined text"),),
    quality=1.0,
    examples=("Join these texts into one", "Merge the captions into one document", "Put both texts together"),
    words=("merge texts", "concatenate", "append", "join the texts", "put together"),
    icon="merge",
)
def merge_texts(texts: tuple[Text, ...], between: Text = "new line") -> Text:
    """The texts with blank ones left out. Raises NodeError naming `texts` when none is given."""
    if not texts:
        raise NodeError("There are no texts to join.", "texts", "Give at least one text.")
    return _BETWEEN[between].join(text.strip("\n") for text in texts if text.strip())
