"""Find pictures that look alike."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from nodes._support.models import models
from nodes._support.vision.seeing import grey, lab, opaque, shrunk
from nodes.api import Family, Image, NodeError, Port, ResourceType, RunContext, Table, TableValue, tool

_MOST_ROWS = 200
_TURNED = 0.9  # what a turned or mirrored pattern is worth


@tool(
    id="find_similar",
    title="Find similar pictures",
    domain="image",
    description="Compares many pictures and lists which of them look alike: duplicates first.",
    inputs=(Port("images", ResourceType.IMAGE, "the pictures, at least two", many=True, least=2),),
    outputs=(Port("table", ResourceType.TABLE, "pairs with similarity 0 to 1, most alike first"),),
    backend="perceptual-hash",
    backend_title="Perceptual hash and colour",
    quality=0.4,
    families=(
        Family("transformers image embedding", "compare images"),
        Family("transformers image and text", "compare images"),
    ),
    examples=("Which of these pictures are duplicates?", "Find similar pictures", "Are any of these photos the same?"),
    words=("duplicates", "similar pictures", "look alike", "near duplicates", "same photo"),
    icon="images",
)
def find_similar(images: tuple[Image, ...], context: RunContext) -> TableValue:
    """Rows of (number of one picture, of the other, similarity, verdict), counted from 1; the best 200 pairs.

    Similarity is that of the coarse pattern of light (63 bits of a cosine transform) and of the colours, three to
    two; both survive other sizes, compression and slight changes of brightness, not cropping. A mirrored or turned
    copy counts as nearly the same. With a model (DINOv2, CLIP) it is the cosine of the angle between what the model
    makes of the pictures, 0 where that is more than a right one: what they show counts more than how it lies in them.
    Raises NodeError naming `images` when there are fewer than two.
    """
    if len(images) < 2:
        raise NodeError("There is only one picture to compare.", "images", "Give at least two pictures.")
    if context.model is not None:
        return _listed(_by_model(images, context))
    traits = []
    for done, image in enumerate(images):
        context.progress(done / len(images))
        traits.append((_patterns(image), _colours(image)))
    alike = np.zeros((len(images), len(images)))
    for (i, one), (j, other) in combinations(enumerate(traits), 2):
        patterns = 1 - 2 * (one[0] != other[0][0]).mean(axis=1)
        pattern = max(0.0, float(patterns[0]), _TURNED * float(patterns.max()))
        alike[i, j] = 0.6 * pattern + 0.4 * float(np.minimum(one[1], other[1]).sum())
    return _listed(alike)


def _by_model(images: tuple[Image, ...], context: RunContext) -> np.ndarray:
    """The similarity of each two, (n, n)."""

    def look(loaded: models.Loaded, device: str) -> np.ndarray:
        made = []
        for done, image in enumerate(images):
            context.progress(done / len(images))
            shown = loaded.processor(images=opaque(image), return_tensors="pt", input_data_format="channels_last")
            network = loaded.network
            given = shown["pixel_values"].to(device)
            told = network.get_image_features(given) if hasattr(network, "get_image_features") else network(given)
            made.append(told.pooler_output[0].float().cpu().numpy())
        directions = np.stack(made) / np.linalg.norm(made, axis=1, keepdims=True)
        return (directions @ directions.T).clip(0, 1)

    return models.apply(context, "AutoModel", "AutoImageProcessor", look)


def _listed(alike: np.ndarray) -> Table:
    pairs = [(round(float(alike[i, j]), 3), i + 1, j + 1) for i, j in combinations(range(len(alike)), 2)]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    rows = tuple((i, j, similarity, _verdict(similarity)) for similarity, i, j in pairs[:_MOST_ROWS])
    return Table(("picture", "other picture", "similarity", "verdict"), rows)


def _verdict(similarity: float) -> str:
    bounds = ((0.95, "the same picture"), (0.8, "nearly the same"), (0.6, "similar"))
    return next((verdict for bound, verdict in bounds if similarity >= bound), "different")


def _patterns(image: np.ndarray) -> np.ndarray:
    """Which of the 63 lowest frequencies are above their median, bool (8, 63): as the picture is, then turned by
    quarters and mirrored. A plain picture gives all False."""
    import cv2

    small = cv2.resize(grey(image), (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    turned = [np.rot90(side, quarters) for side in (small, small[:, ::-1]) for quarters in range(4)]
    low = np.stack([cv2.dct(np.ascontiguousarray(each))[:8, :8].ravel()[1:] for each in turned])
    return (low > np.median(low, axis=1, keepdims=True)) & (np.abs(low) > 1)


def _colours(image: np.ndarray) -> np.ndarray:
    """Shares of colours in a coarse Lab grid, blurred so that near colours count; sums to 1."""
    import cv2

    values = lab(shrunk(opaque(image), 128)[0]).reshape(-1, 3)
    counts, _ = np.histogramdd(values, bins=(6, 8, 8), range=((0, 100), (-80, 80), (-80, 80)))
    counts = cv2.GaussianBlur(counts.reshape(6, 64).astype(np.float32), (0, 0), 0.5)
    return counts / max(1e-9, float(counts.sum()))
