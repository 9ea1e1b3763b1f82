"""Divide a whole picture into regions that have names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.models import models
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Image, Port, ResourceType, RunContext, Segmentation, Table, TableValue, Text, tool

_COLUMNS = ("region", "name", "share", "score")
_LAST = {"return_tensors": "pt", "input_data_format": "channels_last"}


@tool(
    id="segment_named",
    title="Semantic segmentation",
    domain="image",
    description="Semantic or panoptic segmentation of a picture: every region gets the name of its kind.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "apart", ResourceType.TEXT, "kinds: one region a kind; things: each thing is a region, where the model can",
            default="things", choices=("things", "kinds"),
            question="Should every thing be apart, or all of a kind together?",
        ),
    ),
    outputs=(
        Port("segmentation", ResourceType.SEGMENTATION, "the number of each pixel's region, largest region first"),
        Port("regions", ResourceType.TABLE, "number, name, share of the picture in percent and score of each region"),
    ),
    families=(
        Family("transformers semantic segmentation", "name regions"),
        Family("transformers universal segmentation", "name regions"),
    ),
    examples=("Semantic segmentation of street.jpg", "Panoptic segmentation of this picture"),
    words=("semantic segmentation", "panoptic segmentation", "scene parsing"),
    icon="component",
    result="regions",
)  # fmt: skip
def segment_named(image: Image, apart: Text = "things", *, context: RunContext) -> tuple[Segmentation, TableValue]:
    """uint16 (height, width) numbered from 1 by size, 0 where the model knows no region, and a row for each number.

    Models of kinds alone (SegFormer) give no scores and do not tell things of a kind apart.
    """
    rgb = opaque(image)
    kind = models.kind_of(models.model_folder(context))
    whole = kind in ("mask2former", "maskformer", "oneformer", "detr", "eomt")

    asked = kind == "oneformer"  # one network for all: it is told which of them is wanted
    task = {"task_inputs": ["panoptic" if apart == "things" else "semantic"]} if asked else {}

    def look(loaded: models.Loaded, device: str) -> tuple[np.ndarray, list[dict[str, Any]]]:
        inputs = loaded.processor(images=rgb, **task, **_LAST).to(device)
        outputs = loaded.network(**inputs)
        if whole and apart == "things":
            sizes = None if asked else [rgb.shape[:2]]
            if asked:
                outputs.masks_queries_logits = _enlarged(outputs.masks_queries_logits, rgb.shape[:2])
            found = loaded.processor.post_process_panoptic_segmentation(outputs, target_sizes=sizes)[0]
            return found["segmentation"].cpu().numpy(), list(found["segments_info"])
        kinds = loaded.processor.post_process_semantic_segmentation(outputs, target_sizes=[rgb.shape[:2]])[0]
        numbers = kinds.cpu().numpy()
        return numbers, [{"id": int(number), "label_id": int(number)} for number in np.unique(numbers)]

    def named(loaded: models.Loaded, device: str) -> tuple[np.ndarray, Table]:
        numbers, parts = look(loaded, device)
        return _numbered(numbers, parts, loaded.network.config.id2label)

    network = "AutoModelForUniversalSegmentation" if whole else "AutoModelForSemanticSegmentation"
    return models.apply(context, network, _oneformer_processor if asked else "AutoImageProcessor", named)


def _oneformer_processor(folder: Path) -> Any:
    """The library's, without the list of names that it would fetch from the hub, which only learning needs."""
    from transformers import AutoTokenizer, OneFormerImageProcessorPil, OneFormerProcessor

    prepare = OneFormerImageProcessorPil.from_pretrained(folder, class_info_file=None, local_files_only=True)
    return OneFormerProcessor(prepare, AutoTokenizer.from_pretrained(folder, **models.LOCAL))


def _enlarged(masks: Any, size: tuple[int, ...]) -> Any:
    """The masks of the network, which are logits, as large as the picture.

    WORKAROUND: what reads OneFormer's masks enlarges them with torchvision, and fails without it
    (https://github.com/huggingface/transformers, image_processing_pil_oneformer.py). It may go when it does not.
    """
    import torch

    chances = torch.nn.functional.interpolate(masks.sigmoid(), size, mode="bilinear", align_corners=False)
    return chances.logit(eps=1e-6)


def _numbered(found: np.ndarray, parts: list[dict[str, Any]], names: dict[int, str]) -> tuple[np.ndarray, Table]:
    """The regions numbered anew, 1 for the largest, and the row of each."""
    sizes = {int(part["id"]): int((found == part["id"]).sum()) for part in parts}
    ordered = sorted((part for part in parts if sizes[int(part["id"])]), key=lambda part: -sizes[int(part["id"])])
    numbers, rows = np.zeros(found.shape, np.uint16), []
    for number, part in enumerate(ordered, 1):
        numbers[found == part["id"]] = number
        share = round(100 * sizes[int(part["id"])] / found.size, 2)
        score = part.get("score")
        rows.append((number, names[int(part["label_id"])], share, None if score is None else round(float(score), 4)))
    return numbers, Table(_COLUMNS, tuple(rows))
