"""Superpixels, and how regions grow over them from a clicked one. Must not know tools.

A region grows to the piece that is nearest over the colour steps between (geodesic distance). All the regions passed
on the way are nested; those with a clear boundary all round are the readings of one click: the coffee, the cup, the
cup with its saucer.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import NamedTuple

import numpy as np

from nodes._support.vision.seeing import lab

SUPERPIXELS = 700
READINGS = ("best", "small", "medium", "large")
"""What one click may mean. "medium" is the best of those that lie between "small" and "large"."""
_LEAST_SHARE = 0.004
"""A clicked thing seldom covers less than this share of the picture."""
_MOST_SHARE, _MOST_OF_LARGE = 0.65, 0.9
"""It never covers more than this; what the largest reading takes may cover more."""
_APART = 1.5
"""Readings differ at least so much in area."""
_STRONG = 40.0
"""Colour steps (CIE 1976) beyond this are as clear as can be."""
_NEIGHBOURS = 12
_AS_CLEAR = 0.95
"""A thing of several colours: with its other part the boundary is at least so clear as around the clicked part."""
_MORE_PARTS = 2
_KEPT = 6


class Pieces(NamedTuple):
    """Superpixels: the number of each pixel's, their mean colours and sizes, and which ones touch.

    `pairs` (n, 2) are the numbers of touching ones, `lengths` (n,) how many pixels of border they share, `steps` (n,)
    the colour step across it. `ends` and `costs` are the ways from one to the next, sorted by where they
    start, and `first` the index of the first from each piece: a sparse matrix by rows.
    """

    numbers: np.ndarray
    colours: np.ndarray
    sizes: np.ndarray
    pairs: np.ndarray
    lengths: np.ndarray
    steps: np.ndarray
    ends: np.ndarray
    costs: np.ndarray
    first: np.ndarray


def pieces(rgb: np.ndarray, count: int = SUPERPIXELS) -> Pieces:
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
    return Pieces(numbers, colours, sizes, pairs, lengths, steps, *_ways(pairs, steps, total))


def _ways(pairs: np.ndarray, steps: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both ways over each border. A step counts beyond what is usual within textures."""
    usual = float(np.median(steps)) if len(steps) else 0.0
    costs = np.tile(np.maximum(0.0, steps - usual) ** 1.3, 2)
    starts, ends = np.concatenate([pairs, pairs[:, ::-1]]).T
    order = np.lexsort((ends, starts))
    first = np.searchsorted(starts[order], np.arange(total + 1))
    return ends[order].astype(np.int32), costs[order], first.astype(np.int32)


def seen(rgb: np.ndarray) -> Pieces:
    """The `pieces` of a picture, kept for the last few pictures: further clicks on one need no second look."""
    key = hashlib.blake2b(np.ascontiguousarray(rgb).data, digest_size=16).hexdigest() + str(rgb.shape)
    if key not in _kept:
        _kept[key] = pieces(rgb)
        if len(_kept) > _KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


_kept: OrderedDict[str, Pieces] = OrderedDict()


def _touching(numbers: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    across = np.stack([numbers[:, :-1].ravel(), numbers[:, 1:].ravel()])
    down = np.stack([numbers[:-1].ravel(), numbers[1:].ravel()])
    both = np.concatenate([across, down], axis=1)
    both = np.sort(both[:, both[0] != both[1]], axis=0)
    codes, lengths = np.unique(both[0].astype(np.int64) * total + both[1], return_counts=True)
    return np.stack([codes // total, codes % total], axis=1), lengths


def by_distance(found: Pieces, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the pieces from the nearest to the seeds on, seeds first, and the distance of each piece.

    Distance is the sum of colour steps on the way. A step counts beyond what is usual within textures, and more so the
    less the piece looks like the seeds.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    alike = np.linalg.norm(found.colours[:, None] - found.colours[seeds][None], axis=2).min(axis=1)
    through = found.costs + 0.12 * alike[found.ends] + 0.05
    ways = csr_array((through, found.ends, found.first), (len(found.sizes),) * 2)
    away = dijkstra(ways, indices=seeds, min_only=True)
    order = np.argsort(away, kind="stable")
    return order[np.isfinite(away[order])], away


def reach(found: Pieces, order: np.ndarray, reading: str = "best", fewest: int = 1) -> int:
    """How many pieces of `order` make up the region with the clearest boundary; at least `fewest`.

    "small" and "large" look among those that are at least half as large again or as small, in area.
    """
    score, area = _clearness(found, order)
    total = found.sizes.sum()
    enough = np.arange(len(order)) >= fewest - 1
    usual = enough & (area <= _MOST_SHARE * total)
    if not usual.any():
        return fewest
    best = int(np.argmax(np.where(usual, score, -np.inf)))
    if reading == "small":
        other = usual & (area * _APART <= area[best])
    elif reading == "large":
        other = enough & (area <= _MOST_OF_LARGE * total) & (area >= area[best] * _APART)
    else:
        return best + 1
    if not other.any():
        return best + 1
    peaks = other & _peaks(score)
    return int(np.argmax(np.where(peaks if peaks.any() else other, score, -np.inf))) + 1


def with_neighbour(found: Pieces, seeds: np.ndarray, inside: np.ndarray, lost: np.ndarray) -> np.ndarray | None:
    """The region around the seeds together with something that touches the region `inside`: the cup with its saucer.

    Of those half as large again at least, the one with the clearest boundary; None when there is none. All are bool
    by piece; nothing `lost` is taken.
    """
    border = inside[found.pairs[:, 0]] != inside[found.pairs[:, 1]]
    outside = np.where(inside[found.pairs[:, 0]], found.pairs[:, 1], found.pairs[:, 0])[border]
    shared = np.bincount(outside, found.lengths[border], len(found.sizes)) * ~lost
    least, most = _APART * found.sizes[inside].sum(), _MOST_OF_LARGE * found.sizes.sum()
    best, clearest = None, 0.0
    for piece in np.argsort(-shared, kind="stable")[:_NEIGHBOURS]:
        if not shared[piece]:
            break
        order, _ = by_distance(found, np.unique(np.append(seeds, piece)))
        order = order[~lost[order]]
        way = inside.copy()
        way[order[: reach(found, order, fewest=len(seeds) + 1)]] = True
        how_clear = clearness(found, way)
        if least <= found.sizes[way].sum() <= most and how_clear > clearest:
            best, clearest = way, how_clear
    return best


def with_parts(found: Pieces, seeds: np.ndarray, inside: np.ndarray, lost: np.ndarray) -> np.ndarray:
    """The region around the seeds with the other parts of the same thing: those with which its boundary stays clear.

    What the picture's border cuts off is ground rather than a part. Arrays as in `with_neighbour`.
    """
    at_border = _border_pixels(found) > 0
    for _ in range(_MORE_PARTS):
        more = with_neighbour(found, seeds, inside, lost)
        if more is None or (more & at_border).any() or clearness(found, more) < _AS_CLEAR * clearness(found, inside):
            break
        inside = more
    return inside


def clearness(found: Pieces, inside: np.ndarray) -> float:
    """How clear the boundary is around the pieces that are true in `inside`, 0 upward."""
    border = inside[found.pairs[:, 0]] != inside[found.pairs[:, 1]]
    on = found.lengths[border].sum()
    strength = (found.lengths * np.minimum(found.steps, _STRONG))[border].sum()
    cut = _border_pixels(found)[inside].sum()
    return float(strength / max(on, 1) * max(0.0, 1 - 1.5 * cut / max(1, cut + on)))


def _clearness(found: Pieces, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For the first k pieces of `order`, k from 1 on: how clear the boundary around them is, and their pixels."""
    rank = np.full(len(found.sizes), len(order))
    rank[order] = np.arange(len(order))
    first, last = rank[found.pairs].min(axis=1), rank[found.pairs].max(axis=1)
    # A border lies on the boundary of the first k pieces while exactly one of its sides is among them.
    weight = found.lengths.astype(float)
    on = _running(first, last, weight, len(order))
    strength = _running(first, last, weight * np.minimum(found.steps, _STRONG), len(order))
    area = np.cumsum(found.sizes[order])
    cut = np.cumsum(_border_pixels(found)[order])
    # What is cut off by the picture's border is seldom the thing meant, and its boundary is not seen there.
    whole = np.maximum(0, 1 - 1.5 * cut / np.maximum(1, cut + on))
    small = np.minimum(1, np.sqrt(area / (_LEAST_SHARE * found.sizes.sum())))
    return strength / np.maximum(on, 1) * whole * small, area


def _peaks(score: np.ndarray) -> np.ndarray:
    """True where the score is the highest among its neighbours."""
    from scipy.ndimage import maximum_filter1d

    return (score > 0) & (score >= maximum_filter1d(score, 9, mode="nearest"))


def _running(first: np.ndarray, last: np.ndarray, weight: np.ndarray, count: int) -> np.ndarray:
    """For k = 0..count-1, the sum of the weights of those with first <= k < last."""
    change = np.bincount(first, weight, count + 1) - np.bincount(last, weight, count + 1)
    return np.cumsum(change)[:count]


def _border_pixels(found: Pieces) -> np.ndarray:
    """How many pixels of the picture's own border each piece has."""
    n = found.numbers
    edge = np.concatenate([n[0], n[-1], n[:, 0], n[:, -1]])
    return np.bincount(edge, minlength=len(found.sizes))
