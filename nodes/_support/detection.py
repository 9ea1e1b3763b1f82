"""Finding things in pictures with detectors of transformers: of the kinds that a model knows, or of any description.

Pictures are uint8 (height, width, 3) RGB or (height, width, 4) RGBA. Boxes lie inside the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nodes._support import models
from nodes._support.seeing import opaque
from nodes.api import Box, RunContext

GROUNDING = "grounding-dino"


def boxes(image: np.ndarray, threshold: float, context: RunContext, needed: str = "") -> list[Box]:
    """Things of the kinds that the back end's model knows, or one `needed` besides, in no order."""

    def look(loaded: models.Loaded, device: str) -> list[Box]:
        inputs = _prepared(loaded.processor, opaque(image)).to(device)
        found = loaded.processor.post_process_object_detection(
            loaded.network(**inputs), threshold=threshold, target_sizes=[image.shape[:2]]
        )[0]
        names = loaded.network.config.id2label
        labels = [names[int(label)] for label in found["labels"]]
        return inside(found["boxes"], labels, found["scores"], image)

    return models.apply(context, "AutoModelForObjectDetection", "AutoImageProcessor", look, needed)


def described(image: np.ndarray, things: Sequence[str], threshold: float, context: RunContext) -> list[Box]:
    """What fits one of `things` ("a red cup"), labelled with it, in no order. Grounding DINO or OWL-ViT."""

    def look(loaded: models.Loaded, device: str) -> list[Box]:
        named = [thing.lower() for thing in things]
        grounding = GROUNDING in loaded.network.config.model_type
        inputs = loaded.processor(text=[named], images=opaque(image), return_tensors="pt", **_LAST).to(device)
        outputs = loaded.network(**inputs)
        given: dict[str, Any] = {"threshold": threshold, "target_sizes": [image.shape[:2]], "text_labels": [named]}
        if grounding:
            given |= {"input_ids": inputs["input_ids"], "text_threshold": min(threshold, _WORD_THRESHOLD)}
        found = loaded.processor.post_process_grounded_object_detection(outputs, **given)[0]
        labels = [str(label) or ", ".join(named) for label in found["text_labels"]]
        return inside(found["boxes"], labels, found["scores"], image)

    return models.apply(context, "AutoModelForZeroShotObjectDetection", "AutoProcessor", look)


_LAST = {"input_data_format": "channels_last"}
_WORD_THRESHOLD = 0.25
"""How sure Grounding DINO must be of a word to put it into a name: its authors' choice."""


def _prepared(processor: Any, rgb: np.ndarray) -> Any:
    return processor(images=rgb, return_tensors="pt", **_LAST)


def inside(corners: Iterable[Any], labels: Iterable[str], scores: Iterable[Any], image: np.ndarray) -> list[Box]:
    """The boxes that these corners (x0, y0, x1, y1) have in the picture; what has no area there is left out."""
    height, width = image.shape[:2]
    kept = []
    for found, label, score in zip(corners, labels, scores, strict=True):
        x0, y0, x1, y1 = (float(corner) for corner in found)
        x0, x1 = max(0.0, x0), min(float(width), x1)
        y0, y1 = max(0.0, y0), min(float(height), y1)
        if x0 < x1 and y0 < y1:
            kept.append(Box(x0, y0, x1, y1, label, float(score)))
    return kept
