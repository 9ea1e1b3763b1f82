"""Patches around a hole and the patches elsewhere that are most like them: search, and votes on what is in the hole.

The search is that of Barnes et al., "PatchMatch" (SIGGRAPH 2009), done for all patches at once in numpy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nodes._support.imaging.pixels import to_bytes

RADIUS = 3
SIDE = 2 * RADIUS + 1  # patches are 7 x 7
LOCAL_PIXELS = 150_000  # up to here matches are still improved nearby; in a larger picture they are carried on


@dataclass
class Level:
    """The picture at one size. `image` float32, its hole filled as well as is known so far."""

    image: np.ndarray
    means: np.ndarray  # float32: mean of `image` over the patch around each pixel
    hole: np.ndarray
    allowed: np.ndarray  # bool: a patch around here has no pixel of the hole
    patches: np.ndarray  # uint8 (height, width, 7, 7, 3), a view: the patch around each pixel
    y: np.ndarray  # centres of the patches that touch the hole
    x: np.ndarray
    where: np.ndarray  # int32 (height, width): number of the centre, -1 elsewhere
    trust: np.ndarray  # float32: weight of each centre's vote, larger near the border of the hole
    limit: np.ndarray  # float32 (n, 1): so much brighter or darker a match may be made


@dataclass
class Matches:
    """For each centre of a level the centre of the most similar patch outside the hole."""

    y: np.ndarray
    x: np.ndarray
    cost: np.ndarray
    level: Level

    def measure(self) -> None:
        """Sets `cost` from the picture as it is now."""
        self.cost = _cost(self.level, _targets(self.level), np.arange(len(self.y)), self.y, self.x)


def level_of(image: np.ndarray, hole: np.ndarray) -> Level:
    import cv2

    height, width = hole.shape
    square = np.ones((SIDE, SIDE), np.uint8)
    touched = cv2.dilate(hole.astype(np.uint8), square).astype(bool)
    allowed = ~touched
    allowed[:RADIUS], allowed[height - RADIUS :], allowed[:, :RADIUS], allowed[:, width - RADIUS :] = (
        False,
        False,
        False,
        False,
    )
    y, x = np.nonzero(touched)
    where = np.full(hole.shape, -1, np.int32)
    where[y, x] = np.arange(len(y))
    inside = cv2.distanceTransform(hole.astype(np.uint8), cv2.DIST_L2, 3)
    patches = _windows(to_bytes(image))
    trust = 1.3 ** -np.minimum(inside[y, x], 20)
    return Level(image, patch_means(image), hole, allowed, patches, y, x, where, trust, np.zeros((len(y), 1)))


def _windows(image: np.ndarray) -> np.ndarray:
    """(height, width, 7, 7, 3), mirrored at the borders."""
    padded = np.pad(image, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), "reflect")
    return np.lib.stride_tricks.sliding_window_view(padded, (SIDE, SIDE), axis=(0, 1)).transpose(0, 1, 3, 4, 2)


def patch_means(image: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.blur(image, (SIDE, SIDE), borderType=cv2.BORDER_REFLECT_101)


def _targets(level: Level) -> np.ndarray:
    return _windows(to_bytes(level.image))[level.y, level.x].reshape(len(level.y), -1)


def _cost(level: Level, targets: np.ndarray, which: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Mean squared difference of the patches numbered `which` from those around (y, x), once these are shifted."""
    offered = level.patches[y, x].reshape(len(which), -1)
    difference = np.subtract(targets[which], offered, dtype=np.int16).astype(np.float32)
    cost = np.einsum("ij,ij->i", difference, difference) / difference.shape[1]
    away = level.means[level.y[which], level.x[which]] - level.means[y, x]
    limit = level.limit[which]
    shift = np.clip(away, -limit, limit)
    return cost - (0.9 * shift * (2 * away - shift)).mean(axis=1)


def best_matches(
    level: Level, image: np.ndarray, weight: np.ndarray, y: np.ndarray, x: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The allowed centres whose patches differ least from those around (y, x), each pixel counted by `weight`."""
    sources = np.flatnonzero(level.allowed)
    offered = level.patches[level.allowed].reshape(len(sources), -1).astype(np.float32)
    squares = (offered.reshape(len(sources), SIDE * SIDE, 3) ** 2).sum(axis=2)
    counts = _windows(weight[:, :, None])[y, x]
    wanted = (_windows(image)[y, x] * counts).reshape(len(y), -1)
    counts = counts.reshape(len(y), -1)
    best = np.empty(len(y), np.int64)
    for start in range(0, len(y), 256):
        part = slice(start, start + 256)
        best[part] = (counts[part] @ squares.T - 2 * (wanted[part] @ offered.T)).argmin(axis=1)
    return np.divmod(sources[best], level.hole.shape[1])


def _nearest(wanted: np.ndarray) -> np.ndarray:
    """For each pixel the index (y * width + x) of the nearest one where `wanted` is true; there must be one."""
    import cv2

    away = (~wanted).astype(np.uint8)
    names = np.asarray(
        cv2.distanceTransformWithLabels(away, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1], np.int32
    )
    index = np.zeros(int(names.max()) + 1, np.int64)
    index[names[wanted]] = np.flatnonzero(wanted)
    return index[names]


def carried(found: Matches, level: Level) -> Matches:
    """The matches of the coarser level, scaled to this one."""
    import cv2

    before = found.level
    height, width = level.hole.shape
    up_y, up_x = height / before.hole.shape[0], width / before.hole.shape[1]
    old_y = np.clip(((level.y + 0.5) / up_y).astype(int), 0, before.hole.shape[0] - 1)
    old_x = np.clip(((level.x + 0.5) / up_x).astype(int), 0, before.hole.shape[1] - 1)
    number = before.where.ravel()[_nearest(before.where >= 0)[old_y, old_x]]
    y = np.rint(level.y + (found.y - before.y)[number] * up_y).astype(np.int64)
    x = np.rint(level.x + (found.x - before.x)[number] * up_x).astype(np.int64)
    nearest = _nearest(level.allowed)[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    y, x = np.divmod(nearest, width)
    now = Matches(y, x, np.ones(len(y), np.float32), level)
    blurred = cv2.resize(before.image, (width, height), interpolation=cv2.INTER_LINEAR)
    level.means = patch_means(np.where(level.hole[:, :, None], blurred, level.image))
    vote(level, now, even=True)
    return now


def refine(level: Level, found: Matches, random: np.random.Generator, rounds: int, local: bool = False) -> None:
    """Searches and votes in turn until hardly any match changes."""
    for turn in range(rounds):
        targets = _targets(level)
        found.cost = _cost(level, targets, np.arange(len(found.y)), found.y, found.x)
        before = found.y * level.hole.shape[1] + found.x
        _spread(level, found, targets)
        _scatter(level, found, targets, random, reach=2 if local else 8 if turn > 1 else max(level.hole.shape) // 2)
        if not local:
            _spread(level, found, targets)
        vote(level, found)
        if (before == found.y * level.hole.shape[1] + found.x).mean() > 0.99:
            break


def _offer(level: Level, found: Matches, targets: np.ndarray, which: np.ndarray, y: np.ndarray, x: np.ndarray) -> None:
    """Takes (y, x) as the match of each centre numbered `which` where it is allowed and better."""
    height, width = level.hole.shape
    fits = (y >= 0) & (y < height) & (x >= 0) & (x < width)
    which, y, x = which[fits], y[fits], x[fits]
    fresh = level.allowed[y, x] & ((y != found.y[which]) | (x != found.x[which]))
    which, y, x = which[fresh], y[fresh], x[fresh]
    if not len(which):
        return
    cost = _cost(level, targets, which, y, x)
    better = cost < found.cost[which]
    which = which[better]
    found.y[which], found.x[which], found.cost[which] = y[better], x[better], cost[better]


def _spread(level: Level, found: Matches, targets: np.ndarray) -> None:
    """Offers each centre the offsets of its neighbours, and those that are most common altogether."""
    height, width = level.hole.shape
    for step in (4, 1):
        for dy, dx in ((0, step), (step, 0), (0, -step), (-step, 0)):
            y, x = level.y + dy, level.x + dx
            fits = np.flatnonzero((y >= 0) & (y < height) & (x >= 0) & (x < width))
            near = level.where[y[fits], x[fits]]
            which, near = fits[near >= 0], near[near >= 0]
            _offer(level, found, targets, which, found.y[near] - dy, found.x[near] - dx)
    offsets = (found.y - level.y) * 65536 + (found.x - level.x) + 32768
    values, counts = np.unique(offsets, return_counts=True)
    everyone = np.arange(len(level.y))
    for value in values[np.argsort(-counts)[:6]]:
        dy, dx = divmod(int(value), 65536)
        _offer(level, found, targets, everyone, level.y + dy, level.x + dx - 32768)


def _scatter(level: Level, found: Matches, targets: np.ndarray, random: np.random.Generator, reach: int) -> None:
    """Offers each centre random places ever closer around its match."""
    everyone = np.arange(len(level.y))
    while reach >= 1:
        dy, dx = random.integers(-reach, reach + 1, (2, len(everyone)))
        _offer(level, found, targets, everyone, found.y + dy, found.x + dx)
        reach //= 2


def vote(level: Level, found: Matches, even: bool = False) -> None:
    """Each pixel of the hole becomes the weighted mean of what the matches of the patches over it say.

    Done twice: the second time votes near the first mean count more, which keeps the picture sharp.
    """
    weight = level.trust
    if not even:
        spread = max(float(np.percentile(found.cost, 75)), 1.0)
        weight = weight * (np.exp(-found.cost / (2 * 0.6 * spread)) + 1e-6)
    shift = np.clip(level.means[level.y, level.x] - level.means[found.y, found.x], -level.limit, level.limit)
    mean = _tally(level, found, weight, shift, None)
    if len(weight) <= LOCAL_PIXELS:
        mean = _tally(level, found, weight, shift, mean)
    level.image[level.hole] = mean[level.hole]
    level.means = patch_means(level.image)


def _tally(
    level: Level, found: Matches, weight: np.ndarray, shift: np.ndarray, around: np.ndarray | None
) -> np.ndarray:
    height, width = level.hole.shape
    total = np.zeros_like(level.image)
    weights = np.full((height, width, 1), 1e-20, np.float32)
    step = 1 if len(weight) <= LOCAL_PIXELS else 2
    for dy in range(-RADIUS, RADIUS + 1, step):
        for dx in range(-RADIUS, RADIUS + 1, step):
            y, x = level.y + dy, level.x + dx
            fits = (y >= 0) & (y < height) & (x >= 0) & (x < width)
            fits[fits] = level.hole[y[fits], x[fits]]
            y, x = y[fits], x[fits]
            says = level.image[found.y[fits] + dy, found.x[fits] + dx] + shift[fits]
            vote = weight[fits]
            if around is not None:
                away = ((says - around[y, x]) ** 2).sum(axis=1)
                vote = vote * (np.exp(-away / (2 * 12.0**2)) + 1e-4)
            total[y, x] += says * vote[:, None]
            weights[y, x, 0] += vote
    return total / weights
