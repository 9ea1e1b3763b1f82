"""Find the things in a picture, each with a box and a name."""

from __future__ import annotations

from nodes._support import detection
from nodes.api import Boxes, Family, Image, Number, Port, ResourceType, RunContext, tool


@tool(
    id="detect_objects",
    title="Find objects",
    domain="image",
    description="Finds things such as people, animals, vehicles, furniture and food in a picture, as boxes with names.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("threshold", ResourceType.NUMBER, "how sure it must be of a thing", default=0.5, minimum=0, maximum=1),
    ),
    outputs=(Port("boxes", ResourceType.BOXES, "a named box around each thing; none when nothing is found"),),
    families=(Family("transformers object detection", "detect objects"),),
    examples=(
        "Find the objects in this picture",
        "Detect every car and person in street.jpg",
        "What things are in the photo, and where?",
        "How many dogs are in the picture?",
    ),
    words=("object detection", "detect objects", "locate", "find the cat", "find all cars", "recognise things"),
    icon="scan-search",
)
def detect_objects(image: Image, threshold: Number = 0.5, *, context: RunContext) -> Boxes:
    """Boxes inside the picture, labelled with one of the model's names, scores `threshold`..1, best first; () if none.

    Most models know the 80 kinds of COCO. The picture is looked at in the model's own size.
    """
    boxes = detection.boxes(image, threshold, context)
    return tuple(sorted(boxes, key=lambda box: -box.score))
