"""Finding things in pictures with detectors of transformers: of the kinds that a model knows, or of any description.

Pictures are uint8 (height, width, 3) RGB or (height, width, 4) RGBA. Boxes lie inside the picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.language import kinds
from nodes._support.models import models
from nodes._support.vision.seeing import opaque
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

    own = models.kind_of(models.model_folder(context, needed)) == "rf_detr"
    prepare = RfDetrProcessor if own else "AutoImageProcessor"
    return models.apply(context, "AutoModelForObjectDetection", prepare, look, needed)


def described(image: np.ndarray, things: Sequence[str], threshold: float, context: RunContext) -> list[Box]:
    """What fits one of `things` ("a red cup"), labelled with it, in no order. Grounding DINO or OWL-ViT, which read
    English: kinds of things named in another language are put into it.
    """

    def look(loaded: models.Loaded, device: str) -> list[Box]:
        named = [kinds.in_english(thing).strip() for thing in things]
        grounding = GROUNDING in loaded.network.config.model_type
        given = models.as_long_as_read(loaded.network)
        inputs = loaded.processor(text=[named], images=opaque(image), return_tensors="pt", **given, **_LAST).to(device)
        outputs = loaded.network(**inputs)
        wanted: dict[str, Any] = {"threshold": threshold, "target_sizes": [image.shape[:2]], "text_labels": [named]}
        if grounding:
            wanted |= {"input_ids": inputs["input_ids"], "text_threshold": min(threshold, _WORD_THRESHOLD)}
        found = loaded.processor.post_process_grounded_object_detection(outputs, **wanted)[0]
        labels = [str(label) or ", ".join(named) for label in found["text_labels"]]
        return inside(found["boxes"], labels, found["scores"], image)

    return models.apply(context, "AutoModelForZeroShotObjectDetection", "AutoProcessor", look)


class RfDetrProcessor:
    """Prepares pictures for RF-DETR (Robinson et al. 2025) and reads what it finds, as the library does, whose own way
    asks for torchvision.
    """

    def __init__(self, folder: Path) -> None:
        said = json.loads((folder / "preprocessor_config.json").read_text("utf-8"))
        size = said["size"]
        self._size = [int(size.get(side) or size["shortest_edge"]) for side in ("height", "width")]
        self._mean, self._spread = said["image_mean"], said["image_std"]

    def __call__(self, images: np.ndarray, **_: Any) -> Any:
        """Brought to 0..1 before its size: the other way round the two give other pixels."""
        import torch
        from transformers import BatchFeature

        pixels = torch.from_numpy(images.transpose(2, 0, 1).copy())[None].float() / 255
        pixels = torch.nn.functional.interpolate(pixels, self._size, mode="bilinear", align_corners=False)
        mean, spread = (torch.tensor(values)[None, :, None, None] for values in (self._mean, self._spread))
        return BatchFeature({"pixel_values": (pixels - mean) / spread})

    def post_process_object_detection(self, outputs: Any, threshold: float, target_sizes: Any) -> list[dict[str, Any]]:
        """The likeliest pairs of a place and a kind, as many as there are places."""
        import torch

        chances = outputs.logits[0].sigmoid()
        scores, pairs = chances.flatten().topk(len(chances))
        x, y, width, height = outputs.pred_boxes[0][pairs // chances.shape[1]].unbind(-1)
        rows, columns = target_sizes[0]
        corners = torch.stack((x - width / 2, y - height / 2, x + width / 2, y + height / 2), -1)
        corners = corners * torch.tensor([columns, rows, columns, rows], device=corners.device)
        kept = scores > threshold
        return [{"scores": scores[kept], "labels": (pairs % chances.shape[1])[kept], "boxes": corners[kept]}]


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
