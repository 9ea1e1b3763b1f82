"""By how much what should be level in a picture is not. Must not know tools."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nodes._support.vision import line_segments
from nodes._support.vision.seeing import grey, shrunk

MOST = 20.0
"""Degrees: what is more aslant is meant so, or is no horizon."""
_SIZES = (1200, 400)
"""Longer sides at which lines are looked for: thin ones are seen in the first, hazy ones in the second."""
_SHORTEST = 0.025
"""Of a line, as a part of the longer side; shorter ones are leaves and hair."""
_STEP, _SPREAD = 0.1, 0.4
"""Degrees between the tilts that are tried, and by how much lines that agree differ."""
_FANS = np.arange(-20.0, 20.1, 2.5)
"""Degrees by which lines lean more at one edge of the picture than in its middle, as walls do that are seen from
below.
"""
_LEAST_LENGTH, _LEAST_SHARE = 0.35, 0.25
"""Of the lines that agree: together, as a part of the longer side, and of the squares of all lines. Of 19 photos with
such lines and without, each turned by five angles, 28 % was the least of those with, 17 % the most of those without.
"""
_SURE_SHARE, _NEAR = 0.5, 2.0
"""So many that agree need no horizon beside them; with fewer one that is so near, in degrees, is the better measure."""
_MARGIN = 0.015
"""Of the sides: what lies along the edge within it is a frame."""


class _Lines(NamedTuple):
    """Line segments near the level or the upright: degrees clockwise, -1..1 of where they lie across their direction,
    and length as a part of the picture's longer side.
    """

    aslant: np.ndarray
    place: np.ndarray
    length: np.ndarray


def of_lines(image: np.ndarray) -> float | None:
    """Degrees, clockwise, by which the level and the upright lines of the picture are turned, or its horizon; None
    where no lines agree and there is no horizon.
    """
    plain = grey(image)
    found, share = _of_segments(plain)
    if found is None or share < _SURE_SHARE:
        horizon = _of_horizon(plain)
        if horizon is not None and (found is None or abs(horizon - found) < _NEAR):
            return horizon
    return found


def _of_segments(plain: np.ndarray) -> tuple[float | None, float]:
    """The tilt on which line segments (von Gioi et al. 2010) agree, and how many do, 0..1.

    The longer the more they count. Upright ones may fan out to the sides, level ones up and down, as they do in
    perspective: what counts is how they stand in the middle.
    """
    kinds = [_Lines(*map(np.concatenate, zip(*pair, strict=True))) for pair in zip(
        *(_segments(shrunk(plain, size)[0]) for size in _SIZES), strict=True)]  # fmt: skip
    tilts = np.arange(-MOST, MOST + _STEP / 2, _STEP)
    votes = [_votes(lines, tilts) for lines in kinds]
    total = sum(each.max(axis=0) for each in votes) * np.exp(-((tilts / (2 * MOST)) ** 2))  # most are a little crooked
    best = int(total.argmax())
    close = [
        _close(lines, tilts[best], _FANS[each[:, best].argmax()]) for lines, each in zip(kinds, votes, strict=True)
    ]
    off = np.concatenate([rest[near] for near, rest in close])
    agree = np.concatenate([lines.length[near] for lines, (near, _) in zip(kinds, close, strict=True)])
    share = float((agree**2).sum()) / max(sum(float((lines.length**2).sum()) for lines in kinds), 1e-9)
    if agree.sum() < _LEAST_LENGTH * len(_SIZES) or share < _LEAST_SHARE:
        return None, share
    return float(tilts[best] + np.average(off, weights=agree**2)), share


def _segments(plain: np.ndarray) -> tuple[_Lines, _Lines]:
    """The level and the upright ones."""
    height, width = plain.shape
    x0, y0, x1, y1 = line_segments.found(plain).T
    length = np.hypot(x1 - x0, y1 - y0) / max(plain.shape)
    turn = np.degrees(np.arctan2(y1 - y0, x1 - x0))
    aslant = (turn + 45) % 90 - 45
    upright = np.abs((turn + 90) % 180 - 90) > 45
    near = np.array([_MARGIN * width, _MARGIN * height])
    ends = np.stack((x0, x1, width - x0, width - x1)), np.stack((y0, y1, height - y0, height - y1))
    frame = np.zeros(len(x0), bool)
    for room, end in zip(near, ends, strict=True):
        frame |= (end[:2] < room).all(axis=0) | (end[2:] < room).all(axis=0)
    kept = (length > _SHORTEST) & ~frame
    level, up = kept & ~upright & (np.abs(aslant) < 45), kept & upright
    across, down = (x0 + x1) / width - 1, (y0 + y1) / height - 1
    return _Lines(aslant[level], down[level], length[level]), _Lines(aslant[up], across[up], length[up])


def _votes(lines: _Lines, tilts: np.ndarray) -> np.ndarray:
    """For each of _FANS and each tilt how much speaks for both; a fan needs better reasons than none."""
    result = np.zeros((len(_FANS), len(tilts)))
    for row, fan in enumerate(_FANS):
        straight = lines.aslant - fan * lines.place
        counts, _ = np.histogram(
            straight, np.append(tilts, tilts[-1] + _STEP) - _STEP / 2, weights=lines.length**2 * (1 - 0.02 * abs(fan))
        )
        result[row] = counts
    reach = np.arange(-15, 16) * _STEP
    kernel = np.exp(-((reach / _SPREAD) ** 2) / 2)
    return np.apply_along_axis(np.convolve, 1, result, kernel, "same")


def _close(lines: _Lines, tilt: float, fan: float) -> tuple[np.ndarray, np.ndarray]:
    """Which lines agree with these, and how far all are off."""
    rest = lines.aslant - fan * lines.place - tilt
    return np.abs(rest) < 3 * _SPREAD, rest


_HORIZON_SIDE, _HORIZON_BLUR = 240, 2.5
_LEAST_STRENGTH, _LEAST_ONE_WAY = 0.42, 0.985
"""Of a horizon: how strong it is, 0..1, and in which part of the columns the picture gets lighter, or darker, there."""


def _of_horizon(plain: np.ndarray) -> float | None:
    """The tilt of a line across all of the picture on whose one side it is lighter, however soft the passage is."""
    import cv2

    small, _ = shrunk(plain, _HORIZON_SIDE)
    if min(small.shape) < 32:
        return None
    slope = np.gradient(cv2.GaussianBlur(small.astype(np.float32), (0, 0), _HORIZON_BLUR), axis=0)
    clear = slope / (np.abs(slope) + 1)
    tilts = np.arange(-MOST, MOST + 0.25, 0.5)
    strength = [_across(clear, tilt) for tilt in tilts]
    best = int(np.argmax([np.abs(one).max() for one in strength]))
    row = int(np.abs(strength[best]).argmax())
    sign = np.sign(strength[best][row])
    one_way = (_sheared(clear, tilts[best])[row] * sign > 0).mean()
    if abs(strength[best][row]) < _LEAST_STRENGTH or one_way < _LEAST_ONE_WAY:
        return None
    steepest = _sheared(np.maximum(slope * sign, 0), tilts[best])[max(0, row - 12) : row + 13]
    return float(np.degrees(np.arctan(np.tan(np.radians(tilts[best])) + _slope_of(steepest))))


def _sheared(values: np.ndarray, tilt: float) -> np.ndarray:
    """The columns moved up and down, so that lines with that tilt lie level; 0 where nothing was."""
    import cv2

    height, width = values.shape
    fall = np.tan(np.radians(tilt))
    change = np.array([(1, 0, 0), (fall, 1, -fall * (width - 1) / 2)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(values, change, (width, height), flags=flags, borderValue=(0,))


def _across(clear: np.ndarray, tilt: float) -> np.ndarray:
    """The mean of each row along that tilt; 0 for rows that are cut off at a side or lie at the edge."""
    means = _sheared(clear, tilt).mean(axis=1)
    out = int(abs(np.tan(np.radians(tilt))) * clear.shape[1] / 4) + 3
    means[:out], means[len(means) - out :] = 0, 0
    return means


def _slope_of(steepness: np.ndarray) -> float:
    """How much a line falls from column to column that lies where each column is steepest, by weighted least squares
    with less weight for what is far off.
    """
    rows, columns = np.arange(steepness.shape[0])[:, None], np.arange(steepness.shape[1])
    weight = steepness.sum(axis=0) + 1e-6
    middle = (steepness * rows).sum(axis=0) / weight
    trust, line = np.sqrt(weight), np.zeros(2)
    for _ in range(5):
        line = np.polyfit(columns, middle, 1, w=trust)
        trust = np.sqrt(weight) / np.maximum(1, np.abs(middle - np.polyval(line, columns)))
    return float(line[0])
