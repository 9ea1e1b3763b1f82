"""Find the things in a picture, each with a box and a name."""

from __future__ import annotations

import numpy as np

from nodes._support import models
from nodes._support.model_pool import pool
from nodes._support.seeing import opaque
from nodes.api import Box, Boxes, Family, Image, Number, Port, ResourceType, RunContext, tool


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
    folder = models.model_folder(context)

    def load(device: str) -> models.Loaded:
        from transformers import AutoImageProcessor, AutoModelForObjectDetection

        with models.loading(folder):
            processor = AutoImageProcessor.from_pretrained(folder, **models.LOCAL)
            network = AutoModelForObjectDetection.from_pretrained(folder, use_safetensors=True, **models.LOCAL)
        # In 32 bits on every device: 16 bits would cost whole pixels in large pictures, and these models are small.
        return models.Loaded(network.to(device).eval(), processor)

    with pool().lease(folder, "detector", load, context) as entry:
        context.progress(0.3, "looking at the picture")
        boxes = models.with_memory(entry, lambda device: _look(entry.model, device, image, threshold, context), context)
    return tuple(sorted(boxes, key=lambda box: -box.score))


def _look(loaded: models.Loaded, device: str, image: np.ndarray, threshold: float, context: RunContext) -> list[Box]:
    height, width = image.shape[:2]
    inputs = loaded.processor(images=opaque(image), return_tensors="pt", input_data_format="channels_last").to(device)
    with models.running(context, loaded.network):
        outputs = loaded.network(**inputs)
    found = loaded.processor.post_process_object_detection(
        outputs, threshold=threshold, target_sizes=[(height, width)]
    )[0]
    names, boxes = loaded.network.config.id2label, []
    for score, label, corners in zip(found["scores"], found["labels"], found["boxes"], strict=True):
        x0, y0, x1, y1 = (float(corner) for corner in corners)
        x0, x1 = max(0.0, x0), min(float(width), x1)
        y0, y1 = max(0.0, y0), min(float(height), y1)
        if x0 < x1 and y0 < y1:
            boxes.append(Box(x0, y0, x1, y1, names[int(label)], float(score)))
    return boxes
