"""People in a picture by MediaPipe's small networks (resources/vision): their faces, and the pixels that are theirs.

ONNX Runtime is imported where it is used. Pictures are uint8 (height, width, 3) RGB and are never modified. Must not
know tools.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.models.onnx_sessions import session
from nodes._support.vision import faces as cascades
from nodes._support.vision.seeing import grey, opaque, shrunk
from nodes.api import Box

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "vision"
_NEAR_SIDE, _FAR_SIDE = 128, 192
_MASK_SIDE = 256
_FACE_IN_TILE = 0.11
"""Side of the smallest face against that of the tile in which the network sees it well."""
_MOST_TILES = 160
_DOUBTFUL, _LIKELY = 0.35, 0.5
_SURE_ALONE = 0.8
"""From here the cascades need not agree: 0.73 is the most that a galaxy got, 0.56 one of 100 faceless pictures."""
_CASCADES_ALONE = 0.72
_SMALLEST = 16
_SHARE_OF_PART = 0.05
"""A face that fills less of a part of a mask is not what the mask is for."""
_WIDER, _CUT = 3, 0.15
"""How often the part around a face is made wider, and of how much of its side somebody must take for that."""
_LONGEST, _ENLARGED, _CLOSE_UP = 1600, 480, 320
"""Larger pictures are shrunk to the first, smaller ones enlarged up to twice to the second."""


def person_mask(rgb: np.ndarray, seen: list[Box]) -> np.ndarray:
    """How surely each pixel belongs to one of the people with the faces `seen`, float32 (height, width), 0..1.

    MediaPipe's selfie segmentation (a MobileNetV3 with a decoder) knows people who fill a good part of its picture:
    it looks at the part around each face, as far as a body reaches, and at more where that cuts somebody in two.
    """
    height, width = rgb.shape[:2]
    mask = np.zeros((height, width), np.float32)
    for box in seen:
        side, middle = box.x1 - box.x0, (box.x0 + box.x1) / 2
        sides = [middle - 3 * side, box.y0 - 1.5 * side, middle + 3 * side, box.y1 + 5 * side]
        for _ in range(_WIDER):
            x0, y0 = max(0, int(sides[0])), max(0, int(sides[1]))
            x1, y1 = min(width, int(sides[2]) + 1), min(height, int(sides[3]) + 1)
            sure = _persons_in(rgb[y0:y1, x0:x1])
            cut = _cut_sides(sure, (x0 > 0, y0 > 0, x1 < width, y1 < height))
            if not any(cut):
                break
            more = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
            sides = [at + (1 if k > 1 else -1) * more[k % 2] * cut[k] for k, at in enumerate((x0, y0, x1, y1))]
        np.maximum(mask[y0:y1, x0:x1], sure, out=mask[y0:y1, x0:x1])
    return mask


def _persons_in(part: np.ndarray) -> np.ndarray:
    import cv2

    small = cv2.resize(part, (_MASK_SIDE, _MASK_SIDE), interpolation=cv2.INTER_AREA)
    sure = run("person", small.astype(np.float32)[None] / 255)[0][0, :, :, 0]
    return cv2.resize(sure, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def _cut_sides(sure: np.ndarray, inside: tuple[bool, ...]) -> list[bool]:
    """At which of the sides left, top, right, bottom, those `inside` the picture, somebody goes on."""
    lines = sure[:, 0], sure[0], sure[:, -1], sure[-1]
    return [within and float((line > 0.5).mean()) > _CUT for line, within in zip(lines, inside, strict=True)]


def faces(image: np.ndarray, small: bool = True) -> list[Box]:
    """Square boxes "face" with scores 0.35..1, best first, in pixels of a picture, RGB or RGBA.

    BlazeFace (Bazarevsky et al. 2019) proposes; what it is not sure of must be seen by the cascades of `cascades`
    too. Where it sees nothing at all they look by themselves, at a small size: they know faces that fill the picture.
    Faces below about 1/100 of the longer side, or 16 pixels, are not found; without `small`, in a fortieth of the time,
    none below about 1/9.
    """
    if min(image.shape[:2]) < 12:
        return []
    whole = opaque(image)
    rgb, scale = shrunk(whole, _LONGEST)
    if max(rgb.shape[:2]) < _ENLARGED:
        rgb, scale = _enlarged(rgb)
    brightness = grey(rgb)
    found = [box for box in propose(rgb, small) if _is_face(brightness, box)]
    if not found and small:
        few, less = shrunk(brightness, _CLOSE_UP)
        found = [
            Box(x / less, y / less, (x + side) / less, (y + side) / less, "face", score)
            for (x, y, side), score in cascades.find_faces(few, 40, _CASCADES_ALONE)
        ]
    height, width = whole.shape[:2]
    return [
        Box(max(0.0, box.x0 / scale), max(0.0, box.y0 / scale), min(float(width), box.x1 / scale),
            min(float(height), box.y1 / scale), "face", box.score)
        for box in found
    ]  # fmt: skip


def _enlarged(rgb: np.ndarray) -> tuple[np.ndarray, float]:
    import cv2

    scale = min(2.0, _ENLARGED / max(rgb.shape[:2]))
    return cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), scale


def _is_face(brightness: np.ndarray, box: Box) -> bool:
    side = box.x1 - box.x0
    if side < _SMALLEST:
        return False
    if box.score >= _SURE_ALONE:
        return True
    numbers, _ = cascades.look_again(brightness, cascades.Square(box.x0, box.y0, side))
    return cascades.likelihood(numbers) >= (0.5 if box.score >= _LIKELY else _CASCADES_ALONE)


def propose(rgb: np.ndarray, small: bool = True) -> list[Box]:
    """What BlazeFace takes for a face with 0.35 and more: the whole picture is looked at by the network for near faces
    and by that for far ones, and for `small` ones the latter again in tiles."""
    found = [*_look("face_near", rgb, 0, 0), *_look("face_far", rgb, 0, 0)]
    for left, top, side in _tiles(rgb.shape[1], rgb.shape[0], _SMALLEST) if small else ():
        found += _look("face_far", rgb[top : top + side, left : left + side], left, top)
    return _distinct(found)


def seen_under(image: np.ndarray, mask: np.ndarray) -> bool:
    """Whether a face is still seen that fills a good part of one of the connected parts of the mask.

    Each part is looked at with as much around it. What only may be a face counts too: people see more than networks.
    """
    rgb = opaque(image)
    for x, y, wide, high in parts(mask):
        rows = slice(max(0, y - high // 2), y + high + high // 2 + 1)
        columns = slice(max(0, x - wide // 2), x + wide + wide // 2 + 1)
        part, weight = np.ascontiguousarray(rgb[rows, columns]), mask[rows, columns] > 127
        if min(part.shape[:2]) < 12:
            continue
        looked_at, scale = shrunk(part, _ENLARGED)
        looked_at, scale = (looked_at, scale) if scale < 1 else _enlarged(part)
        for box in propose(looked_at):
            x0, y0, x1, y1 = (max(0, int(v / scale)) for v in (box.x0, box.y0, box.x1, box.y1))
            under = weight[y0 : y1 + 1, x0 : x1 + 1]
            if (
                box.score >= _LIKELY
                and under.size
                and under.mean() > 0.5
                and under.sum() > _SHARE_OF_PART * weight.sum()
            ):
                return True
    return False


def parts(mask: np.ndarray) -> list[tuple[int, int, int, int]]:
    """The connected parts of a mask: left, top, width and height in pixels."""
    import cv2

    boxes = cv2.connectedComponentsWithStats((mask > 0).astype(np.uint8))[2]
    return [(int(x), int(y), int(wide), int(high)) for x, y, wide, high, _ in boxes[1:]]


def _tiles(width: int, height: int, smallest: int) -> Iterator[tuple[int, int, int]]:
    """Squares (left, top, side), each size half of the last, that overlap by a quarter."""
    side, count = max(width, height) // 2, 0
    while side * _FACE_IN_TILE > smallest / 2 and side > 48:
        across, down = (max(1, -(-(length - side // 4) // (side * 3 // 4))) for length in (width, height))
        count += across * down
        if count > _MOST_TILES:
            return
        for y in range(down):
            for x in range(across):
                left = round(x * max(0, width - side) / max(1, across - 1))
                top = round(y * max(0, height - side) / max(1, down - 1))
                yield left, top, side
        side //= 2


def _look(network: str, part: np.ndarray, left: int, top: int) -> list[Box]:
    import cv2

    side = _NEAR_SIDE if network == "face_near" else _FAR_SIDE
    height, width = part.shape[:2]
    scale = side / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    canvas = np.zeros((side, side, 3), np.float32)
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    canvas[: size[1], : size[0]] = small
    places, scores = run(network, canvas[None] / 127.5 - 1)
    likely = 1 / (1 + np.exp(-np.clip(scores[0, :, 0], -80, 80)))
    boxes = []
    for index in np.flatnonzero(likely >= _DOUBTFUL):
        x, y, wide, high = places[0, index, :4]
        x, y = x + _anchors(network)[index, 0] * side, y + _anchors(network)[index, 1] * side
        half = max(wide, high) / 2
        corners = ((v / scale) for v in (x - half, y - half, x + half, y + half))
        x0, y0, x1, y1 = map(float, corners)
        boxes.append(Box(x0 + left, y0 + top, x1 + left, y1 + top, "face", float(likely[index])))
    return boxes


@cache
def _anchors(network: str) -> np.ndarray:
    """Centres of the places that the network tells of, (count, 2), 0..1, in its order."""
    grids = [(16, 2), (8, 6)] if network == "face_near" else [(48, 1)]
    centres = []
    for count, times in grids:
        y, x = np.mgrid[:count, :count].reshape(2, -1)
        centres.append(np.repeat(np.stack((x + 0.5, y + 0.5), axis=1) / count, times, axis=0))
    return np.concatenate(centres)


def _distinct(boxes: list[Box]) -> list[Box]:
    """The best of those that lie on one another."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda each: -each.score):
        if all(overlap(box, other) < 0.4 for other in kept):
            kept.append(box)
    return kept


def overlap(one: Box, other: Box) -> float:
    """Shared area over that of the smaller box."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    least = min((box.x1 - box.x0) * (box.y1 - box.y0) for box in (one, other))
    return max(0.0, width) * max(0.0, height) / max(least, 1e-6)


def run(network: str, values: np.ndarray) -> list[Any]:
    """What a network of resources/vision makes of one picture, float32 (1, height, width, 3)."""
    return _session(network).run(None, {"image": np.ascontiguousarray(values, np.float32)})


@cache
def _session(network: str) -> Any:
    return session(lzma.decompress((FOLDER / f"{network}.onnx.xz").read_bytes()), threads=2)
