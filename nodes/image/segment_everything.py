"""Divide a whole picture into regions."""

from __future__ import annotations

import heapq

import numpy as np

from nodes._support.vision.seeing import opaque, shrunk
from nodes._support.vision.superpixels import Pieces, pieces
from nodes.api import Image, Integer, Number, Port, ResourceType, Segmentation, tool

_LONGEST = 900


@tool(
    id="segment_everything",
    title="Segment everything",
    domain="image",
    description="Divides a whole picture into regions of like colour and counts them; the regions have no names.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "detail",
            ResourceType.NUMBER,
            "0 few large regions, 1 many",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How much detail should there be, from 0 to 1?",
        ),
    ),
    outputs=(
        Port("segmentation", ResourceType.SEGMENTATION, "the number of each pixel's region, largest region first"),
        Port("number", ResourceType.NUMBER, "how many regions there are", integer=True),
    ),
    backend="superpixels",
    backend_title="Superpixels, merged by colour",
    quality=0.3,
    examples=(
        "Segment everything in this picture",
        "Divide the picture into regions",
        "Make a segmentation map of street.jpg",
    ),
    words=("segmentation", "regions", "segment the whole picture", "segmentation map", "parts of the picture"),
    icon="component",
    result="regions",
)
def segment_everything(image: Image, detail: Number = 0.5) -> tuple[Segmentation, Integer]:
    """uint16 (height, width) numbered from 1 by size, and the highest number. Every pixel belongs to a region.

    SLIC superpixels (Achanta et al. 2012) joined pair by pair, the most alike first, while their mean colours differ
    less than a bound that `detail` sets; specks go to the neighbour that is most alike.
    """
    import cv2

    small, _ = shrunk(opaque(image), _LONGEST)
    if min(small.shape[:2]) < 8:
        return np.ones(image.shape[:2], np.uint16), 1
    found = pieces(small, 1000)
    owner = _joined(found, bound=24 - 18 * detail, speck=0.002 - 0.0015 * detail)
    regions = owner[found.numbers].astype(np.uint16)
    if regions.shape != image.shape[:2]:
        regions = cv2.resize(regions, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST)
        regions = cv2.medianBlur(regions, 5)  # smooths the steps of the enlargement; specks may vanish in it
    return _numbered(regions)


def _numbered(regions: np.ndarray) -> tuple[np.ndarray, int]:
    """The regions numbered anew, 1 for the largest, without gaps, and how many there are."""
    sizes = np.bincount(regions.ravel())
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    rank = np.zeros(len(sizes), np.uint16)
    rank[order] = np.arange(1, len(order) + 1)
    return rank[regions], len(order)


def _joined(found: Pieces, bound: float, speck: float) -> np.ndarray:
    """For each piece the number of the piece that stands for its region."""
    count = len(found.sizes)
    owner = np.arange(count)
    colours, sizes = found.colours.copy(), found.sizes.astype(float)
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for a, b in found.pairs.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    least = speck * float(sizes.sum())

    def cost(a: int, b: int) -> float:
        step = float(np.linalg.norm(colours[a] - colours[b]))
        return step * (0.3 if min(sizes[a], sizes[b]) < least else 1.0)

    queue = [(cost(a, b), a, b) for a, b in found.pairs.tolist()]
    heapq.heapify(queue)
    while queue:
        price, a, b = heapq.heappop(queue)
        if price > bound:
            break
        if owner[a] != a or owner[b] != b or price != cost(a, b):
            continue  # one of them has grown since; its newer price is in the queue
        colours[a] = (colours[a] * sizes[a] + colours[b] * sizes[b]) / (sizes[a] + sizes[b])
        sizes[a] += sizes[b]
        owner[b] = a
        neighbours[a] = (neighbours[a] | neighbours[b]) - {a, b}
        for other in neighbours[a]:
            neighbours[other].discard(b)
            neighbours[other].add(a)
            heapq.heappush(queue, (cost(a, other), a, other))
    for i in range(count):
        while owner[i] != owner[owner[i]]:
            owner[i] = owner[owner[i]]
    return owner
