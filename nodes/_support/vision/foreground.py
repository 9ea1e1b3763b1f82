"""Tells the main object of a picture from its background without a model, and cleans the colours of its edge."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, bands, smooth, to_bytes, unit
from nodes._support.vision import people, plain_ground
from nodes.api import NodeError, RunContext

_LEAST_SHARE_OF_PEOPLE = 0.03
_DOUBTFUL_SHARE = 0.2  # a portrait has .07, two men of whom one turns his back .25, a blurred portrait .75
_SIDE = 360  # the object is looked for in a picture of about this size
_SAME, _MOST_OF_WHAT_STRIKES, _AS_BEGUN = 0.85, 0.82, 0.94
"""Where two ways that know nothing of each other find as much the same, what was found holds so much of all that is
unlike the border, or GrabCut changes so little, it is taken for the object without a word."""
_BESIDE = 0.5
"""What stands out from a smooth ground is taken for the object where GrabCut's has so much in common with it: else that
is something in a halo."""
UNSURE = "It is not certain that this is the whole object: look at it, or click on the object instead."


def main_object(rgb: np.ndarray, port: str = "mask", context: RunContext = SILENT) -> np.ndarray:
    """Mask uint8 (height, width) of the people in the picture, or else of its object, with soft edges.

    People are known by their faces, see `people`. An object is what differs from the colours along the border: GrabCut
    (Rother, Kolmogorov and Blake, SIGGRAPH 2004), started from how unlike the border each colour is, and how near the
    middle. Right for one object on a background of few colours; on a smooth one what stands out from it. Where that is
    doubtful it is told. Raises NodeError naming `port` when the two cannot be told apart, or what GrabCut makes of the
    start is something else.
    """
    import cv2

    height, width = rgb.shape[:2]
    if min(height, width) < 16:
        raise NodeError("The picture is too small to find an object in it.", port, "Give a mask of the object.")
    if (persons := _persons(rgb, context)) is not None:
        return persons
    scale = min(1.0, _SIDE / max(height, width))
    size = max(8, round(width * scale)), max(8, round(height * scale))
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    found, start, striking = _grabbed(small)
    found, standing = _tidied(found), plain_ground.standing_out(small)
    outline = _tidied(standing.mask)
    same = _overlap(found, outline)
    is_sure = same >= _SAME or _overlap(found, start) >= _AS_BEGUN
    if standing.is_smooth and _BESIDE <= same < _SAME:
        found, start, is_sure = outline, outline, False
    if not 0.005 < found.mean() < 0.97:
        raise NodeError(
            "The object could not be told from its background.", port, "Select the object, or give a mask of it."
        )
    if not _is_clear(found, start):
        raise NodeError(
            "It is not clear which object of the picture is meant.", port, "Click on the object, or give a mask of it."
        )
    if not is_sure and striking[found].sum() < _MOST_OF_WHAT_STRIKES * striking.sum():
        context.tell(UNSURE)
    return follow_edges(found.astype(np.float32), rgb)


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum()) / max(1, int((one | other).sum()))


def _persons(rgb: np.ndarray, context: RunContext) -> np.ndarray | None:
    """Mask uint8 of the people when they are what the picture shows, else None."""
    import cv2

    seen = people.faces(rgb)
    largest = max((box.x1 - box.x0 for box in seen), default=0.0)
    near = [box for box in seen if box.x1 - box.x0 > largest / 3]  # others stand in the background
    mask = people.person_mask(rgb, near)
    if (mask > 0.5).mean() < _LEAST_SHARE_OF_PEOPLE:
        return None
    if ((mask > 0.2) & (mask < 0.8)).sum() > _DOUBTFUL_SHARE * (mask > 0.5).sum():
        context.tell(UNSURE)
    small = cv2.resize(mask, None, fx=(scale := min(1.0, _SIDE / max(mask.shape))), fy=scale)
    return follow_edges(small, rgb)


def _is_clear(found: np.ndarray, start: np.ndarray) -> bool:
    """Whether what was found is about what was started from, and in one part; or all of that and in several.

    On photographs: cup .87 and 1 part, rocket .64, coins in 24 parts with .97 of the start; wrong are a cat's eyes
    (largest part .56), a motorcycle's tank (overlap .50), a field without its man (.29).
    """
    import cv2

    overlap, kept = _overlap(found, start), float((found & start).sum()) / max(1, int(start.sum()))
    areas = cv2.connectedComponentsWithStats(found.astype(np.uint8))[2][1:, cv2.CC_STAT_AREA]
    return (overlap >= 0.6 and areas.max() >= 0.7 * areas.sum()) or kept >= 0.95


def _grabbed(rgb: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bool: what belongs to the object, and what seemed to at the start; float: how unlike the border each pixel is."""
    import cv2

    height, width = rgb.shape[:2]
    unlike = _unlike_border(rgb)
    enclosed = cv2.resize(_enclosed(rgb), (width, height), interpolation=cv2.INTER_LINEAR)
    down, across = np.mgrid[:height, :width]
    away = np.hypot((across + 0.5) / width - 0.5, (down + 0.5) / height - 0.55) * 2
    striking = 0.4 * unlike + 0.6 * enclosed
    likely = striking * np.clip(1.5 - away, 0.15, 1)
    threshold, _ = cv2.threshold(to_bytes(likely * 255), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    labels = np.where(likely * 255 > threshold, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    edge = max(1, round(unit(rgb, 0.012)))
    plain = (unlike < 0.25) & (enclosed < 0.25)
    for band in (np.s_[:edge], np.s_[:, :edge], np.s_[:, width - edge :]):
        labels[band] = np.where(plain[band], cv2.GC_BGD, labels[band])
    if (labels == cv2.GC_PR_FGD).sum() < 8 or (labels != cv2.GC_PR_FGD).sum() < 8:
        return np.zeros((height, width), bool), np.zeros((height, width), bool), striking
    start = labels == cv2.GC_PR_FGD
    cv2.setRNGSeed(0)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(np.ascontiguousarray(rgb), labels, (0, 0, 0, 0), *models, 6, cv2.GC_INIT_WITH_MASK)
    return (labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD), start, striking


def _unlike_border(rgb: np.ndarray) -> np.ndarray:
    """How far each colour is from the colours of the border (top, left, right), 0..1."""
    import cv2

    lab = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    lab[:, :, 0] *= 0.7  # shadows change lightness more than hue
    edge = max(2, round(unit(rgb, 0.03)))
    parts = lab[:edge], lab[:, :edge], lab[:, -edge:]
    samples = np.ascontiguousarray(np.concatenate([part.reshape(-1, 3) for part in parts]))
    few = min(8, len(samples))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(0)
    names = np.zeros((len(samples), 1), np.int32)
    _, names, centres = cv2.kmeans(samples, few, names, stop, 2, cv2.KMEANS_PP_CENTERS)
    counts = np.bincount(names.ravel(), minlength=few)
    common = centres[counts > 0.04 * len(samples)]  # an object that touches the border is a small part of it
    distance = np.min(np.linalg.norm(lab[:, :, None] - common, axis=3), axis=2)
    return np.clip(distance / max(25.0, float(np.percentile(distance, 95))), 0, 1)


def _enclosed(rgb: np.ndarray) -> np.ndarray:
    """How much the colour must change on the way from the border to each pixel, 0..1, in a smaller picture.

    Geodesic saliency of Wei et al. (ECCV 2012), on pixels: finds dark hair before a dark border, for instance.
    """
    import cv2
    from scipy import sparse
    from scipy.sparse.csgraph import dijkstra

    scale = min(1.0, 110 / max(rgb.shape[:2]))
    size = max(4, round(rgb.shape[1] * scale)), max(4, round(rgb.shape[0] * scale))
    soft = cv2.bilateralFilter(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), 5, 25, 3)
    lab = cv2.cvtColor(soft.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    number = np.arange(lab.shape[0] * lab.shape[1]).reshape(lab.shape[:2])
    rows, columns, costs = [], [], []
    for here, there in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:]), (np.s_[:-1, :-1], np.s_[1:, 1:])):
        change = np.linalg.norm(lab[here] - lab[there], axis=2).ravel()
        costs.append(np.maximum(change - 3, 0) + 0.01)  # gentle shading is free
        rows.append(number[here].ravel())
        columns.append(number[there].ravel())
    ends = np.concatenate(rows), np.concatenate(columns)
    graph = sparse.csr_matrix((np.concatenate(costs), ends), shape=(number.size, number.size))
    border = np.concatenate((number[0], number[:, 0], number[:, -1]))
    distance = dijkstra(graph, directed=False, indices=border, min_only=True).reshape(lab.shape[:2])
    return np.clip(distance / max(20.0, float(np.percentile(distance, 95))), 0, 1).astype(np.float32)


def _tidied(found: np.ndarray) -> np.ndarray:
    """Without specks and small holes."""
    import cv2

    mask = found.astype(np.uint8)
    square = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    mask = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, square), cv2.MORPH_CLOSE, square)
    for value in (1, 0):
        count, names, facts, _ = cv2.connectedComponentsWithStats((mask == value).astype(np.uint8), connectivity=4)
        areas = facts[1:, cv2.CC_STAT_AREA]
        if count > 2:
            least = 0.1 * areas.max() if value else 0.04 * mask.size
            mask[np.isin(names, 1 + np.flatnonzero(areas < least))] = 1 - value
    return mask.astype(bool)


def follow_edges(mask: np.ndarray, rgb: np.ndarray) -> np.ndarray:
    """A coarse mask (float 0..1, of any size) at the size of `rgb`, its edge moved to the edges of the picture.

    Guided filter of He, Sun and Tang (PAMI 2013) at the coarse size, its lines applied at full size. uint8.
    """
    import cv2

    small = cv2.resize(rgb, mask.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    side = max(2, round(unit(mask, 0.012))) * 2 + 1

    def mean(values: np.ndarray) -> np.ndarray:
        return cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT)

    centre, level = mean(small), mean(mask)
    together = mean(small * mask[:, :, None]) - centre * level[:, :, None]
    pairs = mean((small[:, :, :, None] * small[:, :, None]).reshape(*mask.shape, 9)).reshape(*mask.shape, 3, 3)
    spread = pairs - centre[:, :, :, None] * centre[:, :, None] + 1e-4 * np.eye(3, dtype=np.float32)
    slope = np.linalg.solve(spread, together[:, :, :, None])[:, :, :, 0]
    start = level - (slope * centre).sum(axis=2)
    size = rgb.shape[1::-1]
    lines = cv2.resize(np.dstack((mean(slope), mean(start))).astype(np.float32), size)
    result = np.empty(rgb.shape[:2], np.uint8)
    for band in bands(rgb.shape):
        share = (lines[band, :, :3] * (rgb[band].astype(np.float32) / 255)).sum(axis=2) + lines[band, :, 3]
        result[band] = to_bytes(np.clip((share - 0.5) * 1.6 + 0.5, 0, 1) * 255)
    return result


def clean_edge(rgb: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The colours with those of half-transparent pixels taken from the opaque ones nearby, so that no rim of the old
    background shines through. Opaque and clear pixels stay as they were.
    """
    result, partly = rgb.copy(), (alpha > 0) & (alpha < 250)
    if not (alpha >= 250).any():
        return result
    tile, margin = 256, 32
    for y in range(0, rgb.shape[0], tile):
        for x in range(0, rgb.shape[1], tile):
            inner = np.s_[y : y + tile, x : x + tile]
            if partly[inner].any():
                outer = np.s_[max(0, y - margin) : y + tile + margin, max(0, x - margin) : x + tile + margin]
                cleaned = _cleaned(rgb[outer], alpha[outer], partly[outer])
                top, left = y - outer[0].start, x - outer[1].start
                result[inner] = cleaned[top : top + tile, left : left + tile]
    return result


def _cleaned(rgb: np.ndarray, alpha: np.ndarray, partly: np.ndarray) -> np.ndarray:
    """`clean_edge` for a tile; half-transparent pixels with nothing opaque near stay as they are."""
    part, solid = rgb.astype(np.float32), (alpha >= 250).astype(np.float32)[:, :, None]
    sums = np.zeros((*part.shape[:2], 4), np.float32)
    for sigma, trust in ((1.5, 1.0), (4.0, 1e-3), (10.0, 1e-6)):  # near colours count far more
        sums += trust * smooth(np.dstack((part * solid, solid)), sigma)
    result, chosen = rgb.copy(), partly & (sums[:, :, 3] > 1e-9)
    result[chosen] = to_bytes(sums[chosen, :3] / sums[chosen, 3:])
    return result
