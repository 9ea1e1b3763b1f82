"""Cuts a thing out of a picture from clicks or a box, without a model. Must not know tools.

Clicks: the picture is divided into superpixels; from the clicked ones the region grows to the neighbour that is
nearest over the colour steps between (geodesic distance), and of all the regions passed the one with the clearest
boundary is taken. GrabCut (Rother et al. 2004) then settles each pixel, and a guided filter the full-size edge.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from nodes._support.seeing import lab, shrunk

_LONGEST = 512
_SUPERPIXELS = 700
_AGREEMENT = 0.6
_ROUNDS = 4
"""Rounds of GrabCut; more change little."""
_LEAST_SHARE, _MOST_SHARE = 0.004, 0.65
"""A clicked thing seldom covers less, and never more, than these shares of the picture."""
_Pixels = tuple[np.ndarray, np.ndarray]
_STRONG = 40.0
"""Colour steps (CIE 1976) beyond this are as clear as can be."""


def from_points(rgb: np.ndarray, include: np.ndarray, exclude: np.ndarray) -> np.ndarray:
    """Mask (uint8, size of `rgb`, 255 or soft) of the thing under the points `include`, without those of `exclude`.

    Points are (n, 2) arrays of x, y in pixels. Each included point is selected, each excluded one is not.
    """
    small, scale = shrunk(rgb, _LONGEST)
    wanted, unwanted = _marks(small, include * scale), _marks(small, exclude * scale)
    unwanted &= ~wanted
    region, against = _grown(small, _under(small, include * scale), _under(small, exclude * scale))
    settled = _settle(small, region, wanted, unwanted | (against & ~wanted))
    return _full_size(rgb, settled, include, exclude)


def from_box(rgb: np.ndarray, corners: tuple[int, int, int, int]) -> np.ndarray:
    """Mask (uint8, size of `rgb`) of the thing that fills the box (x0, y0, x1, y1); nothing outside is selected."""
    x0, y0, x1, y1 = corners
    # What surrounds the box, as far as it is wide, shows what the background looks like.
    more_x, more_y = max(8, (x1 - x0) // 2), max(8, (y1 - y0) // 2)
    left, top = max(0, x0 - more_x), max(0, y0 - more_y)
    part = np.ascontiguousarray(rgb[top : y1 + more_y, left : x1 + more_x])
    small, scale = shrunk(part, _LONGEST)
    box = np.zeros(small.shape[:2], bool)
    box[
        round((y0 - top) * scale) : max(round((y0 - top) * scale) + 1, round((y1 - top) * scale)),
        round((x0 - left) * scale) : max(round((x0 - left) * scale) + 1, round((x1 - left) * scale)),
    ] = True
    settled = _settle_box(small, box)
    if not settled.any() or settled.sum() < 0.03 * box.sum():
        settled = box
    mask = np.zeros(rgb.shape[:2], np.uint8)
    inner = _full_size(part, settled, np.zeros((0, 2)), np.zeros((0, 2)))
    mask[top : top + part.shape[0], left : left + part.shape[1]] = inner
    kept = np.zeros_like(mask)
    kept[y0:y1, x0:x1] = mask[y0:y1, x0:x1]
    return kept


def _marks(picture: np.ndarray, points: np.ndarray) -> np.ndarray:
    """True on a small disc around each point."""
    import cv2

    marks = np.zeros(picture.shape[:2], np.uint8)
    radius = max(1, round(0.006 * max(picture.shape[:2])))
    for x, y in points:
        cv2.circle(
            marks, (int(np.clip(x, 0, picture.shape[1] - 1)), int(np.clip(y, 0, picture.shape[0] - 1))), radius, 1, -1
        )
    return marks > 0


class Pieces(NamedTuple):
    """Superpixels: the number of each pixel's, their mean colours and sizes, and which ones touch.

    `pairs` (n, 2) are the numbers of touching ones, `lengths` (n,) how many pixels of border they share, `steps` (n,)
    the colour step across it.
    """

    numbers: np.ndarray
    colours: np.ndarray
    sizes: np.ndarray
    pairs: np.ndarray
    lengths: np.ndarray
    steps: np.ndarray


def pieces(rgb: np.ndarray, count: int = _SUPERPIXELS) -> Pieces:
    """Divides a picture (at most about 1000 pixels wide, for speed) into about `count` superpixels (SLIC)."""
    import cv2
    from skimage.segmentation import slic

    calm = cv2.bilateralFilter(rgb, 5, 30, 3)
    numbers = slic(calm, n_segments=count, compactness=8, start_label=0, max_num_iter=6, enforce_connectivity=True)
    values = lab(cv2.GaussianBlur(calm, (0, 0), 0.8))
    total = int(numbers.max()) + 1
    flat = numbers.ravel()
    sizes = np.bincount(flat, minlength=total)
    colours = np.stack([np.bincount(flat, values[..., k].ravel(), total) for k in range(3)], axis=1)
    colours /= np.maximum(sizes, 1)[:, None]
    pairs, lengths = _touching(numbers, total)
    steps = np.linalg.norm(colours[pairs[:, 0]] - colours[pairs[:, 1]], axis=1)
    return Pieces(numbers, colours, sizes, pairs, lengths, steps)


def _touching(numbers: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    across = np.stack([numbers[:, :-1].ravel(), numbers[:, 1:].ravel()])
    down = np.stack([numbers[:-1].ravel(), numbers[1:].ravel()])
    both = np.concatenate([across, down], axis=1)
    both = np.sort(both[:, both[0] != both[1]], axis=0)
    codes, lengths = np.unique(both[0].astype(np.int64) * total + both[1], return_counts=True)
    return np.stack([codes // total, codes % total], axis=1), lengths


def _under(picture: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row and column indexes of the pixels under the points (n, 2 as x, y), inside the picture."""
    x, y = (np.clip(np.floor(points[:, k]).astype(int), 0, picture.shape[1 - k] - 1) for k in (0, 1))
    return y, x


def _grown(rgb: np.ndarray, wanted: _Pixels, unwanted: _Pixels) -> tuple[np.ndarray, np.ndarray]:
    """The regions around the wanted pixels, and what is nearer to an unwanted one; both bool (height, width).

    Each wanted superpixel adds the region with the clearest boundary around it. Include and exclude marks compete for
    what lies between by geodesic distance (after Bai and Sapiro 2007).
    """
    found = pieces(rgb)
    seeds = np.unique(found.numbers[wanted])
    barred = np.setdiff1d(np.unique(found.numbers[unwanted]), seeds)
    lost = np.zeros(len(found.sizes), bool)
    if len(barred):
        lost = _by_distance(found, barred)[1] <= _by_distance(found, seeds)[1]
        lost[seeds] = False
    chosen: set[int] = set()
    for seed in seeds:
        order, _ = _by_distance(found, np.array([seed]))
        order = order[~lost[order]]
        chosen.update(order[: _clearest(found, 1, order)].tolist())
    return np.isin(found.numbers, list(chosen)), lost[found.numbers]


def _by_distance(found: Pieces, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the pieces from the nearest to the seeds on, seeds first, and the distance of each piece.

    Distance is the sum of colour steps on the way. A step counts beyond what is usual within textures, and more so the
    less the piece looks like the seeds.
    """
    usual = float(np.median(found.steps)) if len(found.steps) else 0.0
    alike = np.linalg.norm(found.colours[:, None] - found.colours[seeds][None], axis=2).min(axis=1)
    neighbours: list[list[tuple[int, float]]] = [[] for _ in found.sizes]
    for (a, b), step in zip(found.pairs.tolist(), found.steps.tolist(), strict=True):
        cost = max(0.0, step - usual) ** 1.3
        neighbours[a].append((b, cost))
        neighbours[b].append((a, cost))
    away = np.full(len(found.sizes), np.inf)
    away[seeds] = 0
    done = np.zeros(len(found.sizes), bool)
    queue = [(0.0, int(seed)) for seed in seeds]
    order = []
    while queue:
        distance, number = heapq.heappop(queue)
        if done[number]:
            continue
        done[number] = True
        order.append(number)
        for other, cost in neighbours[number]:
            through = distance + cost + 0.12 * float(alike[other]) + 0.05
            if not done[other] and through < away[other]:
                away[other] = through
                heapq.heappush(queue, (through, other))
    return np.array(order), away


def _clearest(found: Pieces, fewest: int, order: np.ndarray) -> int:
    """How many pieces of `order` make up the region with the strongest colour step along its boundary."""
    rank = np.full(len(found.sizes), len(order))
    rank[order] = np.arange(len(order))
    first, last = rank[found.pairs].min(axis=1), rank[found.pairs].max(axis=1)
    # A border lies on the boundary of the first k pieces while exactly one of its sides is among them.
    weight = found.lengths.astype(float)
    on = _running(first, last, weight, len(order))
    strength = _running(first, last, weight * np.minimum(found.steps, _STRONG), len(order))
    area = np.cumsum(found.sizes[order])
    total = found.sizes.sum()
    cut = np.cumsum(_border_pixels(found)[order])
    # What is cut off by the picture's border is seldom the thing meant, and its boundary is not seen there.
    whole = np.maximum(0, 1 - 1.5 * cut / np.maximum(1, cut + on))
    score = strength / np.maximum(on, 1) * whole * np.minimum(1, np.sqrt(area / (_LEAST_SHARE * total)))
    allowed = (np.arange(len(order)) >= fewest - 1) & (area <= _MOST_SHARE * total)
    if not allowed.any():
        return fewest
    return int(np.argmax(np.where(allowed, score, -np.inf))) + 1


def _running(first: np.ndarray, last: np.ndarray, weight: np.ndarray, count: int) -> np.ndarray:
    """For k = 0..count-1, the sum of the weights of those with first <= k < last."""
    change = np.bincount(first, weight, count + 1) - np.bincount(last, weight, count + 1)
    return np.cumsum(change)[:count]


def _border_pixels(found: Pieces) -> np.ndarray:
    """How many pixels of the picture's own border each piece has."""
    n = found.numbers
    edge = np.concatenate([n[0], n[-1], n[:, 0], n[:, -1]])
    return np.bincount(edge, minlength=len(found.sizes))


def _settle(rgb: np.ndarray, region: np.ndarray, wanted: np.ndarray, unwanted: np.ndarray) -> np.ndarray:
    """The region with each pixel settled by GrabCut, only the parts that were clicked, holes filled."""
    import cv2

    reach = max(3, round(0.035 * max(rgb.shape[:2])))
    ball = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    near = cv2.dilate(region.astype(np.uint8), ball) > 0
    core = cv2.erode(region.astype(np.uint8), ball) > 0
    guess = np.full(region.shape, cv2.GC_BGD, np.uint8)
    guess[near] = cv2.GC_PR_BGD
    guess[region] = cv2.GC_PR_FGD
    guess[core | wanted] = cv2.GC_FGD
    guess[unwanted] = cv2.GC_BGD
    settled = _grabcut(rgb, guess, region)
    shared = float((settled & region).sum()) / max(1, (settled | region).sum())
    # Where thing and ground have the same colours GrabCut tears the region apart: the superpixels know better.
    return _parts_of(settled if shared > _AGREEMENT else region, wanted, unwanted)


def _settle_box(rgb: np.ndarray, box: np.ndarray) -> np.ndarray:
    import cv2
    from scipy.ndimage import binary_fill_holes

    guess = np.where(box, cv2.GC_PR_FGD, cv2.GC_BGD).astype(np.uint8)
    found = _grabcut(rgb, guess, box) & box
    cleaned = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(cleaned)
    if count < 2:
        return found
    largest = stats[1:, cv2.CC_STAT_AREA].max()
    kept = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= 0.1 * largest)
    return np.asarray(binary_fill_holes(np.isin(parts, kept[kept > 0])))


def _grabcut(rgb: np.ndarray, guess: np.ndarray, fallback: np.ndarray) -> np.ndarray:
    """True on the foreground. Where one side has no pixels there is nothing to settle: `fallback`."""
    import cv2

    foreground = (guess == cv2.GC_FGD) | (guess == cv2.GC_PR_FGD)
    if foreground.sum() < 10 or (~foreground).sum() < 10:
        return fallback
    cv2.setRNGSeed(1)
    cv2.grabCut(rgb, guess, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), _ROUNDS, cv2.GC_INIT_WITH_MASK)
    return (guess == cv2.GC_FGD) | (guess == cv2.GC_PR_FGD)


def _parts_of(found: np.ndarray, wanted: np.ndarray, unwanted: np.ndarray) -> np.ndarray:
    """Those connected parts that were clicked, smoothed a little, with their holes filled unless one is unwanted."""
    import cv2
    from scipy.ndimage import binary_fill_holes

    opened = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    _, parts = cv2.connectedComponents((opened | wanted).astype(np.uint8))
    kept = np.isin(parts, np.unique(parts[wanted]))
    holes = np.asarray(binary_fill_holes(kept)) & ~kept
    _, holes_by_number = cv2.connectedComponents(holes.astype(np.uint8))
    left_open = np.isin(holes_by_number, np.unique(holes_by_number[unwanted & holes])) & holes
    return (kept | holes) & ~left_open


def _full_size(rgb: np.ndarray, small: np.ndarray, include: np.ndarray, exclude: np.ndarray) -> np.ndarray:
    """The small mask at the size of the picture, its edge drawn along the picture's edges."""
    import cv2

    height, width = rgb.shape[:2]
    scale = width / small.shape[1]
    soft = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    if scale > 1.3:
        soft = guided(rgb, soft, radius=max(2, round(2.5 * scale)))
    mask = (np.clip((soft - 0.5) * 2.5 + 0.5, 0, 1) * 255).astype(np.uint8)
    for points, value in ((exclude, 0), (include, 255)):
        for x, y in points:
            mask[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))] = value
    return mask


def guided(rgb: np.ndarray, weights: np.ndarray, radius: int, epsilon: float = 4e-4) -> np.ndarray:
    """Guided filter (He et al. 2013) of `weights` (float32, 0..1) by the brightness of a picture of the same size."""
    import cv2

    def mean(values: np.ndarray) -> np.ndarray:
        return cv2.boxFilter(values, cv2.CV_32F, (2 * radius + 1,) * 2)

    guide = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    m_g, m_w = mean(guide), mean(weights)
    slope = (mean(guide * weights) - m_g * m_w) / (mean(guide * guide) - m_g * m_g + epsilon)
    offset = m_w - slope * m_g
    return mean(slope) * guide + mean(offset)
