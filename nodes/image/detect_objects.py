"""Find the things in a picture, each with a box and a name."""

from __future__ import annotations

from nodes._support.inference import connected, detection
from nodes._support.vision.seeing import opaque
from nodes._support.web import hosted
from nodes.api import Boxes, Family, Image, Number, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="detect_objects",
    title="Find objects",
    domain="image",
    description="Finds things such as people, animals, vehicles, furniture and food in a picture, as boxes with names.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "threshold",
            ResourceType.NUMBER,
            "how sure it must be of a thing",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How sure should it be, from 0 to 1?",
        ),
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


@backend_of(detect_objects, **hosted.service("detection"))
def by_service(image: Image, threshold: Number, *, context: RunContext) -> Boxes:
    """Things of the kinds that the service's model knows; the picture is sent."""
    entries = hosted.found("detection", connected.jpeg(opaque(image)), context)
    shown = min(1.0, connected.SIDE / max(image.shape[:2]))
    things = [one for one in entries if one["score"] >= threshold and _is_box(one.get("box"))]
    corners = [[one["box"][side] / shown for side in _CORNERS] for one in things]
    return tuple(detection.inside(corners, [o["label"] for o in things], [o["score"] for o in things], image))


_CORNERS = ("xmin", "ymin", "xmax", "ymax")


def _is_box(box: object) -> bool:
    return isinstance(box, dict) and all(isinstance(box.get(corner), int | float) for corner in _CORNERS)
