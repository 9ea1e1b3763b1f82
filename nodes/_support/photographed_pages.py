"""Sheets of paper in photos: where they are, flat, upright and white. Must not know tools.

Pictures are uint8 (height, width, 3) RGB and are never modified.
"""

from __future__ import annotations

import numpy as np

from nodes._support.pixels import smooth
from nodes._support.seeing import grey, shrunk

COLOURS = ("colour", "grey", "black and white")
_LONGEST = 800


def corners(photo: np.ndarray) -> np.ndarray | None:
    """Top left, top right, bottom right and bottom left corner of the sheet, float32 (4, 2) in pixels; or None."""
    import cv2

    small, scale = shrunk(photo, _LONGEST)
    plain = cv2.GaussianBlur(grey(small), (5, 5), 0)
    _, light = cv2.threshold(plain, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    edges = cv2.dilate(cv2.Canny(plain, 40, 120), np.ones((3, 3), np.uint8))
    best, largest = None, 0.15 * plain.size
    for seen in (light, edges):
        for outline in cv2.findContours(seen, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            hull = cv2.convexHull(outline)
            quad = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
            area = cv2.contourArea(quad)
            if len(quad) == 4 and largest < area < 0.97 * plain.size:
                best, largest = quad.reshape(4, 2).astype(np.float32), area
    return None if best is None else _in_order(best) / scale


def _in_order(quad: np.ndarray) -> np.ndarray:
    """The corners clockwise from the top left one."""
    middle = quad.mean(axis=0)
    around = quad[np.argsort(np.arctan2(*(quad - middle).T[::-1]))]
    return np.roll(around, -int(around.sum(axis=1).argmin()), axis=0)


def flat(photo: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The sheet with these corners as a rectangle of about the resolution that it has in the photo."""
    import cv2

    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    width, height = max(1, round(max(sides[0], sides[2]))), max(1, round(max(sides[1], sides[3])))
    goal = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    change = cv2.getPerspectiveTransform(quad.astype(np.float32), goal)
    return cv2.warpPerspective(photo, change, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def deskewed(page: np.ndarray) -> np.ndarray:
    """The page as it is."""
    return page


def whitened(page: np.ndarray, colours: str) -> np.ndarray:
    """The page in even light on white, in one of COLOURS."""
    import cv2

    small, _ = shrunk(page, 500)
    paper = cv2.medianBlur(cv2.dilate(small, np.ones((15, 15), np.uint8)), 21)
    light = cv2.resize(smooth(paper, 8), page.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    even = cv2.divide(page, np.maximum(light, 1), scale=255)
    if colours == "colour":
        return even
    plain = grey(even)
    if colours == "black and white":
        _, plain = cv2.threshold(plain, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return cv2.cvtColor(plain, cv2.COLOR_GRAY2RGB)
