"""Faces in a grey picture: cascades propose places, and the votes of all cascades on each place decide.

One cascade alone either misses tilted and turned heads or takes stones and leaves for faces. So wide-open
cascades (frontal, profile both ways, heads tilted either way) propose, every place is then looked at again at a
fixed size and several tilts by four cascades and one for eyes, and a logistic model over their votes gives the score.
Must not know tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

FRONTAL = ("alt2", "alt")
_FILES = {
    "alt2": "haarcascade_frontalface_alt2.xml",
    "alt": "haarcascade_frontalface_alt.xml",
    "default": "haarcascade_frontalface_default.xml",
    "tree": "haarcascade_frontalface_alt_tree.xml",
    "profile": "haarcascade_profileface.xml",
    "eyes": "haarcascade_eye_tree_eyeglasses.xml",
}
TILTS = (-36, -18, 0, 18, 36)
MOST_VOTES = 60
_FACE = 64
"""Side in pixels at which a place is looked at again."""
_MARGIN = 0.45
"""How much of the face's side is shown around it on each side when it is looked at again."""

WEIGHTS = (0.9, 1.1, 0.95, 0.2)
BIAS = -3.9
"""Weights of alt2, alt, tree and profile, by logistic regression on 800 proposals around the faces of 101 people
(scikit-image's lfw_subset and astronaut: enlarged, turned, blurred, noisy, half covered) and 150 faceless ones from its
photographs and textures. The votes of "default", and those at neighbouring tilts, added nothing."""
_PROFILE_WEIGHT, _PROFILE_BIAS = 2.0, -5.0
"""Profile votes alone: 10, the most that was seen on a faceless place, stay below one half."""
_CLEAR_SIDE = 44
"""A face of this side in pixels shows its eyes; one that does not must be backed by many votes instead."""
_NO_EYES = 2.5
_FINE_SHARE = 0.24


class Square(NamedTuple):
    """A square place in pixels."""

    x: float
    y: float
    side: float


def find_faces(grey: np.ndarray, smallest: int = 20, threshold: float = 0.72) -> list[tuple[Square, float]]:
    """Squares around the faces with scores 0..1 of at least `threshold`, best first, none overlapping another.

    `grey` is uint8 (height, width); a face smaller than `smallest` pixels is not looked for (20 is the least).
    """
    scored = []
    for place in _distinct(_proposals(grey, max(20, smallest))):
        numbers, better = look_again(grey, place)
        if (likely := likelihood(numbers)) >= threshold:
            scored.append((better, likely))
    scored.sort(key=lambda item: -item[1])
    kept: list[tuple[Square, float]] = []
    for place, score in scored:
        if all(_overlap(place, other) < 0.3 for other, _ in kept):
            kept.append((place, score))
    return kept


def look_again(grey: np.ndarray, place: Square) -> tuple[np.ndarray, Square]:
    """How strongly the cascades see a face at `place`, and the place as they see it.

    The numbers are log(1 + votes) of alt2 and alt at the tilt that has most of them, of the strict "tree" at that
    tilt and of the profile cascade; the number of eyes found (0..2); and how sure eyes should be seen (0..1).
    """
    crop, origin, scale = _close_up(grey, place)
    turned = [_turned(crop, degrees) for degrees in TILTS]
    frontal = [_frontal_votes(each) for each in turned]
    best = max(range(len(TILTS)), key=lambda i: float(frontal[i][0].sum()))
    votes, seen = frontal[best]
    side_on, at_side_on = _centre_votes("profile", crop, both_ways=True)
    if not votes.any() and side_on < 10:
        return np.zeros(6), place
    tree, at_tree = _centre_votes("tree", turned[best])
    eyes = _cascade("eyes").detectMultiScale(turned[best][: int(len(crop) * 0.6)], 1.1, 2, 0, (10, 10), (32, 32))
    more = np.log1p(np.minimum((tree, side_on), MOST_VOTES))
    clear = 0.0 if place.side < _CLEAR_SIDE else 1.0 if _is_sharp(crop) else 0.2
    numbers = np.array([*votes, *more, min(len(eyes), 2), clear])
    squares = np.array([square for square in (*seen, at_tree, at_side_on) if square])
    x, y, side = np.median(squares, axis=0)
    x, y, side = float(x), float(y), float(side)
    return numbers, Square(origin[0] + x / scale, origin[1] + y / scale, side / scale)


def likelihood(numbers: np.ndarray) -> float:
    """How likely it is a face, 0..1, from what `look_again` counted: seen from the front, or only from the side."""
    backed = numbers[2] or numbers[4]
    frontal = BIAS + float(np.dot(WEIGHTS, numbers[:4])) - (0 if backed else _NO_EYES * float(numbers[5]))
    side_on = _PROFILE_WEIGHT * float(numbers[3]) + _PROFILE_BIAS
    return float(1 / (1 + np.exp(-max(frontal, side_on))))


def _frontal_votes(crop: np.ndarray) -> tuple[np.ndarray, list[Square | None]]:
    found = [_centre_votes(name, crop) for name in FRONTAL]
    return np.log1p(np.minimum([votes for votes, _ in found], MOST_VOTES)), [square for _, square in found]


def _is_sharp(crop: np.ndarray) -> bool:
    """Whether detail of the size of a pupil can be seen in the close-up."""
    import cv2

    middle = crop[len(crop) // 4 : -len(crop) // 4, len(crop) // 4 : -len(crop) // 4].astype(np.float32)
    fine = middle - cv2.GaussianBlur(middle, (0, 0), 2)
    return float(fine.std()) > _FINE_SHARE * float(middle.std())


def _proposals(grey: np.ndarray, smallest: int) -> Iterator[tuple[Square, int]]:
    import cv2

    yield from _detect("alt2", cv2.createCLAHE(2.0, (8, 8)).apply(grey), smallest, 2, 1.1)
    yield from _detect("default", grey, smallest, 3, 1.1)
    # Faces from the side are sought only where large enough to be told from bushes: it is the slowest cascade.
    yield from _detect("profile", grey, smallest * 3 // 2, 2, 1.15)
    mirrored = np.ascontiguousarray(grey[:, ::-1])
    for place, votes in _detect("profile", mirrored, smallest * 3 // 2, 2, 1.15):
        yield Square(grey.shape[1] - place.x - place.side, place.y, place.side), votes
    for degrees in (-26, 26):
        turned, back = _turned_whole(grey, degrees)
        for place, votes in _detect("alt2", turned, smallest, 2, 1.15):
            half = place.side / 2
            x, y = back @ (place.x + half, place.y + half, 1)
            yield Square(x - half, y - half, place.side), votes


def _detect(name: str, grey: np.ndarray, smallest: int, least: int, step: float) -> list[tuple[Square, int]]:
    found, votes = _cascade(name).detectMultiScale2(grey, step, least, 0, (smallest, smallest))
    return [(Square(*map(float, box[:3])), int(n)) for box, n in zip(found, np.ravel(votes), strict=True)]


def _distinct(proposals: Iterator[tuple[Square, int]]) -> list[Square]:
    """Those places, most votes first, that do not lie on an earlier one."""
    kept: list[Square] = []
    for place, _ in sorted(proposals, key=lambda item: -item[1]):
        if all(_overlap(place, other) < 0.5 for other in kept):
            kept.append(place)
    return kept


def _centre_votes(name: str, crop: np.ndarray, both_ways: bool = False) -> tuple[int, Square | None]:
    """Votes for a face in the middle of a close-up, and where it is."""
    best: tuple[int, Square | None] = (0, None)
    middle = len(crop) / 2
    for mirror in (False, True) if both_ways else (False,):
        looked_at = np.ascontiguousarray(crop[:, ::-1]) if mirror else crop
        low, high = (int(_FACE * 0.65),) * 2, (int(_FACE * 1.5),) * 2
        found, votes = _cascade(name).detectMultiScale2(looked_at, 1.06, 1, 0, low, high)
        for (x, y, side, _), count in zip(found, np.ravel(votes), strict=True):
            off = max(abs(x + side / 2 - middle), abs(y + side / 2 - middle))
            if off < _FACE * 0.3 and count > best[0]:
                best = int(count), Square(len(crop) - x - side if mirror else x, y, side)
    return best


def _close_up(grey: np.ndarray, place: Square) -> tuple[np.ndarray, tuple[float, float], float]:
    """The place with a margin at a fixed size; its top left corner in `grey`; the enlargement."""
    import cv2

    scale = _FACE / place.side
    size = int(_FACE * (1 + 2 * _MARGIN))
    x, y = place.x - _MARGIN * place.side, place.y - _MARGIN * place.side
    height, width = grey.shape
    left, top = max(0, int(x)), max(0, int(y))
    right = min(width, int(np.ceil(x + size / scale)) + 1)
    bottom = min(height, int(np.ceil(y + size / scale)) + 1)
    part = grey[top:bottom, left:right]
    move = np.array([[scale, 0, (left - x) * scale], [0, scale, (top - y) * scale]])
    if scale < 0.6:  # plain sampling would skip pixels
        small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        move = np.array([[1, 0, move[0, 2]], [0, 1, move[1, 2]]])
        part = small
    crop = cv2.warpAffine(part, move, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return crop, (x, y), scale


def _turned(crop: np.ndarray, degrees: float) -> np.ndarray:
    import cv2

    if not degrees:
        return crop
    side = len(crop)
    turn = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), degrees, 1)
    return cv2.warpAffine(crop, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)


def _turned_whole(grey: np.ndarray, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """The picture turned about its middle with nothing cut off, and the matrix that leads back."""
    import cv2

    height, width = grey.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    new = int(height * sine + width * cosine), int(height * cosine + width * sine)
    turn[:, 2] += new[0] / 2 - width / 2, new[1] / 2 - height / 2
    return cv2.warpAffine(grey, turn, new), cv2.invertAffineTransform(turn)


def _overlap(one: Square, other: Square) -> float:
    """Shared area over that of the smaller one."""
    width = min(one.x + one.side, other.x + other.side) - max(one.x, other.x)
    height = min(one.y + one.side, other.y + other.side) - max(one.y, other.y)
    return max(0.0, width) * max(0.0, height) / min(one.side, other.side) ** 2


@cache
def _cascade(name: str) -> Any:
    import os

    import cv2

    data = os.path.join(os.path.dirname(cv2.__file__), "data", _FILES[name])
    return cv2.CascadeClassifier(data)
