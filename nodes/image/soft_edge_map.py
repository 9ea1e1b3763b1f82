"""Draw the edges of a picture softly, stronger edges brighter."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import split_alpha, to_bytes
from nodes._support.inference import onnx_pictures
from nodes._support.vision.drawing import soft_edges
from nodes.api import Family, Image, Number, Port, ResourceType, RunContext, SoftEdge, backend_of, tool


@tool(
    id="soft_edge_map",
    title="Soft edge map",
    domain="image",
    description="Draws the outlines of things as soft lines, brighter where the edge is stronger.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "detail",
            ResourceType.NUMBER,
            "0 only large shapes, 1 also texture",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How much detail should there be, from 0 to 1?",
        ),
    ),
    outputs=(Port("soft_edge", ResourceType.SOFT_EDGE, "bright on the edges"),),
    backend="gaussian-differences",
    backend_title="Gradients at several scales",
    quality=0.5,
    examples=("Make a soft edge map of this picture", "Show the soft outlines (HED)"),
    words=("soft edges", "hed", "soft outline", "holistic edges"),
    icon="waves",
)
def soft_edge_map(image: Image, detail: Number = 0.5) -> SoftEdge:
    """Mean Lab gradient over three scales, thinned to ridges and softened. uint8 (height, width)."""
    return soft_edges(image, detail)


@backend_of(soft_edge_map, families=(Family("onnx edges", "soft edge map", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, detail: Number, *, context: RunContext) -> SoftEdge:
    """As sure as DexiNed is of each edge; with less than half of `detail`, doubtful ones go. uint8 (height, width)."""
    sure, least = onnx_pictures.edges(split_alpha(image)[0], context), max(0.0, 0.5 - detail)
    return to_bytes(np.where(sure >= least, sure, 0) * 255)
