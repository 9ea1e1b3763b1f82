"""Find whatever is described in words, each place with a box."""

from __future__ import annotations

from nodes._support.inference import detection
from nodes._support.language.naming import things
from nodes.api import Boxes, Family, Image, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="find_described",
    title="Find by description",
    domain="image",
    description="Finds by description, in a picture, a thing of any kind, such as a red mug or a man with a hat.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "what",
            ResourceType.TEXT,
            "what to find, several things with commas between",
            said=True,
            question="What should be found?",
        ),
        Port(
            "threshold",
            ResourceType.NUMBER,
            "how sure it must be",
            default=0.3,
            minimum=0,
            maximum=1,
            question="How sure should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("boxes", ResourceType.BOXES, "a box around each; none when nothing fits"),),
    families=(Family("transformers open-vocabulary detection", "find by description"),),
    examples=("Find by description the red mug in photo.jpg", "Locate by description the man with a hat"),
    words=(
        "open-vocabulary detection",
        "visual grounding",
        "find by description",
        "detect the given object",
    ),
    icon="text-search",
)
def find_described(image: Image, what: Text, threshold: Number = 0.3, *, context: RunContext) -> Boxes:
    """Boxes inside the picture, best first, labelled with the words that fit; () when none does.

    Grounding DINO (Liu et al. 2023) or OWL-ViT (Minderer et al. 2022). NodeError naming `what` when it is empty.
    """
    found = detection.described(image, things(what, "what"), threshold, context)
    return tuple(sorted(found, key=lambda box: -box.score))
