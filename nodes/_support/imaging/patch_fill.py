"""Fills a hole in a picture with what surrounds it, so that texture and edges go on (exemplar-based inpainting).

Coarse to fine, as in Wexler, Shechtman and Irani, "Space-Time Completion of Video" (PAMI 2007). In smooth places
(sky, walls) patches may change brightness a little to meet their neighbours, as in Darabi et al., "Image Melding"
(SIGGRAPH 2012). Finer than the working size only the found offsets are carried on, so that the detail is the picture's.
"""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.patch_match import (
    LOCAL_PIXELS,
    RADIUS,
    SIDE,
    Level,
    Matches,
    best_matches,
    carried,
    level_of,
    patch_means,
    refine,
    vote,
)
from nodes._support.imaging.pixels import SILENT, to_bytes
from nodes.api import RunContext

_WORK_PIXELS = 14_000  # a hole is searched for at the size at which it has about so many pixels
_SHIFT = 16.0  # so much brighter or darker (of 255) a patch may become where it is put, in a smooth place
_ROUGH = 9.0  # standard deviation (of 255) within a patch at which a place counts as textured, where it may not
_STEP = 0.6  # each level is so much larger than the one before
_THIN = 3.0  # a hole that is nowhere farther than this from its border needs no texture


def fill(rgb: np.ndarray, hole: np.ndarray, context: RunContext = SILENT, seed: int = 0) -> np.ndarray:
    """The picture with `hole` (bool (height, width)) filled; every other pixel is returned as it was.

    `rgb` is uint8 (height, width, 3). The same `seed` gives the same picture. Where the hole is all there is,
    the result is the picture unchanged.
    """
    result = rgb.copy()
    if hole.all():
        return result
    parts = _parts(hole)
    for done, (rows, columns, inside) in enumerate(parts):
        open_hole = hole[rows, columns]
        share = (done / len(parts), 1 / len(parts))
        filled = _fill_part(result[rows, columns], open_hole, context, share, np.random.default_rng(seed))
        result[rows, columns][inside] = filled[inside]
    return result


def smooth_fill(rgb: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """Telea's fast marching fill: right for scratches and thin holes, smeared in wide ones."""
    import cv2

    return cv2.inpaint(np.ascontiguousarray(rgb), hole.astype(np.uint8), 5, cv2.INPAINT_TELEA)


def _parts(hole: np.ndarray) -> list[tuple[slice, slice, np.ndarray]]:
    """Holes that lie close together are one part: its surroundings (rows, columns), and its own pixels in them."""
    import cv2

    near = cv2.dilate(hole.astype(np.uint8), np.ones((4 * RADIUS + 1, 4 * RADIUS + 1), np.uint8))
    count, names, facts, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    parts = []
    for name in range(1, count):
        x, y, width, height = (int(v) for v in facts[name, :4])
        margin = int(max(40, 1.2 * max(width, height)))
        rows = slice(max(0, y - margin), min(hole.shape[0], y + height + margin))
        columns = slice(max(0, x - margin), min(hole.shape[1], x + width + margin))
        parts.append((rows, columns, hole[rows, columns] & (names[rows, columns] == name)))
    return parts


def _fill_part(
    rgb: np.ndarray,
    hole: np.ndarray,
    context: RunContext,
    share: tuple[float, float],
    random: np.random.Generator,
) -> np.ndarray:
    import cv2

    depth = float(cv2.distanceTransform(hole.astype(np.uint8), cv2.DIST_L2, 3).max())
    if depth <= _THIN or min(hole.shape) < 3 * SIDE:
        return smooth_fill(rgb, hole)
    levels = _pyramid(rgb, hole, depth)
    found = None
    for number, level in enumerate(levels):
        context.progress(share[0] + share[1] * number / len(levels))
        if found is None:
            found = _first_matches(level)
            if found is None:
                return smooth_fill(rgb, hole)
        else:
            found = carried(found, level)
            context.progress(share[0] + share[1] * (number + 0.5) / len(levels))
        area = int(level.hole.sum())
        if area <= _WORK_PIXELS or number == 0:
            refine(level, found, random, rounds=12 if number == 0 else 4)
        elif area <= LOCAL_PIXELS:
            refine(level, found, random, rounds=1, local=True)
    return to_bytes(levels[-1].image)


def _pyramid(rgb: np.ndarray, hole: np.ndarray, depth: float) -> list[Level]:
    """Coarsest first. At the coarsest, every patch in the hole reaches known pixels."""
    import cv2

    scales = [1.0]
    while depth * scales[-1] > 2 * RADIUS + 2 and min(hole.shape) * scales[-1] * _STEP > 3 * SIDE:
        scales.append(scales[-1] * _STEP)
    levels = [level_of(*_shrunk(rgb, hole, scale)) for scale in reversed(scales)]
    smoothness = _smoothness(levels)
    for level in levels:
        here = cv2.resize(smoothness, level.hole.shape[::-1], interpolation=cv2.INTER_LINEAR)
        level.limit = _SHIFT * here[level.y, level.x, None] ** 2
    return levels


def _smoothness(levels: list[Level]) -> np.ndarray:
    """1 where the picture is even, 0 where it has texture or edges; spread over the hole from its surroundings."""
    import cv2

    measured = max((level for level in levels if level.hole.sum() <= _WORK_PIXELS), key=lambda level: level.hole.size)
    grey = np.where(measured.hole, 0, measured.image.mean(axis=2))
    variance = np.maximum(patch_means(grey * grey) - patch_means(grey) ** 2, 0)
    even = np.exp(-2 * variance / _ROUGH**2).astype(np.float32)
    size = levels[0].hole.shape[::-1]
    known = cv2.resize(measured.allowed.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    even = cv2.resize(even * measured.allowed, size, interpolation=cv2.INTER_AREA) / np.maximum(known, 1e-3)
    if (known < 0.5).all():
        return np.zeros_like(even)
    return _membrane(even[:, :, None], known < 0.5)[:, :, 0]


def _shrunk(rgb: np.ndarray, hole: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Means of the known pixels alone; a small pixel is in the hole when a fifth of it is."""
    import cv2

    if scale == 1:
        return rgb.astype(np.float32), hole
    size = (max(SIDE, round(rgb.shape[1] * scale)), max(SIDE, round(rgb.shape[0] * scale)))
    known = (~hole).astype(np.float32)
    small = cv2.resize(known, size, interpolation=cv2.INTER_AREA)
    image = cv2.resize(rgb * known[:, :, None], size, interpolation=cv2.INTER_AREA)
    return image / np.maximum(small, 1e-3)[:, :, None], small < 0.8


def _first_matches(level: Level) -> Matches | None:
    """Matches in the coarsest picture, found by exact search; None when no patch is free of the hole."""
    if not level.allowed.any():
        return None
    even = np.zeros((*level.hole.shape, 1), np.float32)
    even[level.y, level.x] = np.sqrt(level.limit / _SHIFT)
    level.image[:] = even * _membrane(level.image, level.hole) + (1 - even) * _peeled(level)
    level.means = patch_means(level.image)
    weight = np.where(level.hole, np.float32(0.1), np.float32(1))
    y, x = best_matches(level, level.image, weight, level.y, level.x)
    found = Matches(y, x, np.empty(len(y), np.float32), level)
    found.measure()
    vote(level, found)
    return found


def _peeled(level: Level) -> np.ndarray:
    """The picture with its hole filled from the border inwards, each pixel by what its known neighbours suggest."""
    import cv2

    image, weight = level.image.copy(), (~level.hole).astype(np.float32)
    while (weight == 0).any():
        y, x = np.nonzero((weight == 0) & (cv2.dilate(weight, np.ones((3, 3), np.uint8)) > 0))
        match = best_matches(level, image, weight, y, x)
        image[y, x] = image[match]
        weight[y, x] = 0.6 * cv2.dilate(weight, np.ones((3, 3), np.uint8))[y, x]
    return image


def _membrane(image: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """The picture with its hole spanned by a soap film: each pixel the mean of its four neighbours."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    height, width = hole.shape
    y, x = np.nonzero(hole)
    number = np.full(hole.shape, -1, np.int64)
    number[y, x] = np.arange(len(y))
    neighbours = np.zeros(len(y))
    wanted = np.zeros((len(y), image.shape[2]))
    rows, columns = [], []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        near_y, near_x = y + dy, x + dx
        fits = np.flatnonzero((near_y >= 0) & (near_y < height) & (near_x >= 0) & (near_x < width))
        near = number[near_y[fits], near_x[fits]]
        known = near < 0
        neighbours[fits] += 1
        wanted[fits[known]] += image[near_y[fits[known]], near_x[fits[known]]]
        rows.append(fits[~known])
        columns.append(near[~known])
    row, column = np.concatenate(rows), np.concatenate(columns)
    matrix = sparse.csc_matrix((np.full(len(row), -1.0), (row, column)), shape=(len(y), len(y)))
    result = image.copy()
    result[y, x] = splu(matrix + sparse.diags_array(neighbours, format="csc")).solve(wanted)
    return result
