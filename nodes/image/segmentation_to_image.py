"""Make a picture from named regions and a description."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from nodes._support.inference import control
from nodes.api import Image, Port, ResourceType, Segmentation, TableValue

_COLOURS = Path(__file__).resolve().parent.parent.parent / "resources" / "vision" / "ade20k.txt"
_OTHER = ("apparel", "plaything", "base", "case", "trade name", "hovel")
"""Kinds whose colours stand for what has no colour of its own, in turn: they say little of what it looks like."""


@control.to_image(
    Port("segmentation", ResourceType.SEGMENTATION, "the number of each pixel's region, or the colours of ADE20K"),
    Port("regions", ResourceType.TABLE, "number and name of each region, from the semantic segmentation", default=None),
    task="segmentation to image",
    title="Regions to image",
    description="Makes a new picture of what a text describes with the regions of a segmentation map.",
    examples=(
        "Make a picture of a street from this segmentation map",
        "Generate an image of a fairy tale castle with the segmentation of palace.jpg",
    ),
    words=("segmentation to image", "seg to image", "segmentation map to picture", "controlnet segmentation"),
)
def segmentation_to_image(segmentation: Segmentation, regions: TableValue | None) -> Image:
    """The ControlNet knows kinds by the colours of ADE20K: a region named as one of its 150 kinds gets that colour."""
    return segmentation if segmentation.ndim == 3 else coloured(segmentation, regions)


def coloured(segmentation: np.ndarray, regions: TableValue | None) -> np.ndarray:
    """The regions (numbers, 0 where there is none) in the colours of their kinds, uint8 (height, width, 3)."""
    known, names = _colours(), {}
    if regions is not None and {"region", "name"} <= set(regions.columns):
        number, name = regions.columns.index("region"), regions.columns.index("name")
        names = {int(row[number]): str(row[name]).strip().lower() for row in regions.rows}
    result = np.zeros((*segmentation.shape, 3), np.uint8)
    for number in np.unique(segmentation[segmentation > 0]):
        kind = names.get(int(number), "")
        result[segmentation == number] = known.get(kind) or known[_OTHER[int(number) % len(_OTHER)]]
    return result


@cache
def _colours() -> dict[str, tuple[int, ...]]:
    """The colour of each kind by name."""
    lines = (line.split("\t") for line in _COLOURS.read_text("utf-8").splitlines())
    return {name: tuple(bytes.fromhex(colour)) for name, colour in lines}
