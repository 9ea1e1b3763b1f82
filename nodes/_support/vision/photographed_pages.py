"""Sheets of paper in photos: where they are, flat, upright, in even light and white. Must not know tools.

Pictures are uint8 (height, width, 3) RGB and are never modified. A quad is float32 (4, 2), the corners (x, y) in
pixels, clockwise from the top left one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from nodes._support.imaging.pixels import check_pixels, odd, smooth
from nodes._support.vision import line_segments
from nodes._support.vision.seeing import grey, lab, shrunk

COLOURS = ("colour", "grey", "black and white")
_SIDE, _FINE_SIDE = 640, 1600
"""Longer sides at which a sheet is looked for, and at which its edges are measured."""
_WRITING = 0.025
"""Of the longer side: strokes up to this width are writing on the sheet."""
_LEAST_AREA, _MOST_AREA = 0.04, 0.985
"""Of the picture. What is smaller is no sheet that someone photographs, what is larger is the picture itself."""
_CLEAR = 5.0
"""CIE 1976 distance between the sheet and what lies beside it at which an edge is seen."""
_NEAR = 4.0
"""Pixels beside an edge that already belong to the ground."""
_LEAST_SCORE = 0.5
"""Of a quad, 0..1. Of drawn scenes with a sheet on a plain ground 0.54 was the least, of photos without one 0.47 the
most (of a wall with pictures on it, which are sheets, 0.62).
"""


def corners(photo: np.ndarray) -> np.ndarray | None:
    """The quad of the sheet; None when there is none, or when it fills the picture."""
    import cv2

    small, scale = shrunk(photo, _SIDE)
    if min(small.shape[:2]) < 32:
        return None
    plain = _without_writing(small)
    seen = cv2.GaussianBlur(lab(plain), (0, 0), 1.0)
    quads = [quad for mask in _masks(plain) for quad in _quads_of(mask)]
    quads += _quads_of_lines(plain)
    brightest = max(float(np.percentile(seen[:, :, 0], 98)), 1.0)
    scores = np.array([_score(quad, seen, brightest) for quad in quads])
    areas = np.array([_area(quad) for quad in quads]) / (plain.shape[0] * plain.shape[1])
    sure = scores * areas**0.2 >= _LEAST_SCORE
    if not sure.any():
        return None
    best = quads[int(np.argmax(scores * areas**0.35 * sure))] / scale  # of two likely ones the whole, not a part
    return _measured(best, photo)


def _without_writing(photo: np.ndarray) -> np.ndarray:
    """As if nothing were written there. What lies at the rim goes on outside: a strip of ground is no stroke."""
    import cv2

    disc = _disc(_WRITING * max(photo.shape))
    rim = disc.shape[0]
    padded = cv2.copyMakeBorder(photo, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return cv2.morphologyEx(padded, cv2.MORPH_CLOSE, disc)[rim:-rim, rim:-rim]


def _disc(width: float) -> np.ndarray:
    import cv2

    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (odd(width, 3), odd(width, 3)))


def _masks(plain: np.ndarray) -> Iterator[np.ndarray]:
    """Pictures in black and white whose white parts may have the outline of the sheet: light, colourless, within
    edges.
    """
    import cv2
    from skimage.filters import threshold_multiotsu

    for channel in (grey(plain), plain.min(axis=2), 255 - (plain.max(axis=2) - plain.min(axis=2))):
        soft = cv2.GaussianBlur(channel, (0, 0), 1.5)
        level, _ = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        levels = {int(level)}
        if len(np.unique(soft)) > 8:
            levels |= {int(one) for one in threshold_multiotsu(soft, 3)}
        for one in levels:
            yield cv2.morphologyEx(np.where(soft > one, np.uint8(255), np.uint8(0)), cv2.MORPH_OPEN, _disc(5))
        for least in (20, 60):
            edges = cv2.dilate(cv2.Canny(soft, least, 3 * least), _disc(3))
            yield edges
            yield 255 - edges


def _quads_of(mask: np.ndarray) -> Iterator[np.ndarray]:
    """The large parts of a mask that have about four corners."""
    import cv2

    whole = mask.size
    for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        if not _LEAST_AREA * whole < area < _MOST_AREA * whole:
            continue
        around = cv2.arcLength(hull, True)
        for share in (0.01, 0.02, 0.03, 0.05, 0.08):
            quad = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2).astype(np.float32)
            if len(quad) <= 4:
                break
        if len(quad) == 4 and _is_sheet(quad) and 0.85 < cv2.contourArea(quad) / area < 1.15:
            yield _in_order(quad)


_LINES = 6
"""How many long lines of each direction are joined to quads."""


def _quads_of_lines(plain: np.ndarray) -> list[np.ndarray]:
    """Quads of long straight lines, which see a sheet with edges that are broken or hard to see."""
    found = line_segments.found(grey(plain))
    level = np.abs(found[:, 3] - found[:, 1]) < np.abs(found[:, 2] - found[:, 0])
    across, down = (_longest(found[one], plain.shape) for one in (level, ~level))
    quads = []
    for top, bottom in combinations(across, 2):
        for left, right in combinations(down, 2):
            quad = np.array([_meeting(one, other) for one in (top, bottom) for other in (left, right)], np.float32)
            if not np.isfinite(quad).all() or np.abs(quad).max() > 2 * max(plain.shape):
                continue
            quad = _in_order(quad)
            area = _area(quad) / (plain.shape[0] * plain.shape[1])
            if _LEAST_AREA < area < _MOST_AREA and _is_sheet(quad):
                quads.append(quad)
    return quads


def _longest(found: np.ndarray, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Those lines (point and direction) along which the segments (x0, y0, x1, y1) are the longest together."""
    chosen: list[np.ndarray] = []
    middles, ways = (found[:, :2] + found[:, 2:]) / 2, found[:, 2:] - found[:, :2]
    length = np.linalg.norm(ways, axis=1)
    ways = ways / np.maximum(length, 1e-6)[:, None]
    free = length > 0.04 * max(shape)
    for _ in range(_LINES):
        if not free.any():
            break
        best, along = 0.0, None
        for number in np.flatnonzero(free)[np.argsort(-length[free])][:20]:
            off = np.abs(ways[number, 0] * (middles[:, 1] - middles[number, 1])
                         - ways[number, 1] * (middles[:, 0] - middles[number, 0]))  # fmt: skip
            one = free & (off < 3) & (np.abs(ways @ ways[number]) > 0.9985)
            if length[one].sum() > best:
                best, along = length[one].sum(), one
        assert along is not None
        longest = int(np.flatnonzero(along)[length[along].argmax()])
        chosen.append(np.concatenate((middles[longest], ways[longest])))
        free &= ~along
    return chosen


def _meeting(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where two lines (point and direction) meet; not finite when they do not."""
    cross = one[2] * other[3] - one[3] * other[2]
    if abs(cross) < 0.2:
        return np.full(2, np.nan)
    along = ((other[0] - one[0]) * other[3] - (other[1] - one[1]) * other[2]) / cross
    return one[:2] + along * one[2:]


def _area(quad: np.ndarray) -> float:
    x, y = quad.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def _is_sheet(quad: np.ndarray) -> bool:
    """Whether a rectangle can look so, seen from where one photographs it."""
    sides = np.roll(quad, -1, axis=0) - quad
    length = np.linalg.norm(sides, axis=1)
    if length.min() < 10 or min(length[0], length[2]) < 0.35 * max(length[0], length[2]):
        return False
    if min(length[1], length[3]) < 0.35 * max(length[1], length[3]):
        return False
    ways = sides / length[:, None]
    return bool(np.abs((ways * np.roll(ways, 1, axis=0)).sum(axis=1)).max() < 0.7)


def _in_order(quad: np.ndarray) -> np.ndarray:
    """The corners clockwise from the top left one: the side that is nearest to level and above is the first."""
    middle = quad.mean(axis=0)
    away = quad - middle
    around = quad[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    sides = np.roll(around, -1, axis=0) - around
    turn = np.abs(np.arctan2(sides[:, 1], sides[:, 0]))
    return np.roll(around, -int(turn.argmin()), axis=0)


def _score(quad: np.ndarray, seen: np.ndarray, brightest: float) -> float:
    """How much a quad looks like a sheet, 0..1: by its edges, how even it is, and its lightness against the brightest
    parts of the picture. `seen` is CIE Lab.
    """
    height, width = seen.shape[:2]
    middle, reach = quad.mean(axis=0), 0.01 * max(height, width) + 1
    parts, at_rim = [], 0
    inside: list[np.ndarray] = []
    for one, other in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        places = one + (other - one) * np.linspace(0.08, 0.92, 40)[:, None]
        across = np.array([other[1] - one[1], one[0] - other[0]]) / np.linalg.norm(other - one)
        across *= np.sign(across @ (middle - places[20]))
        within = places + across * 2 * reach
        inside.append(_at(seen, within))
        for away in (2 * reach, _NEAR):  # of what fills the picture only a strip of the ground is seen
            without = places - across * away
            x, y = without.T
            there = (x > 0) & (y > 0) & (x < width - 1) & (y < height - 1)
            if there.mean() >= 0.5:
                break
        if there.mean() < 0.5:  # the sheet goes on outside of the picture
            at_rim += 1
            continue
        apart = np.linalg.norm(_at(seen, within[there]) - _at(seen, without[there]), axis=1)
        parts.append(float((apart > _CLEAR).mean()))
    if at_rim > 2:
        return 0.0
    light = float(np.percentile(np.concatenate(inside)[:, 0], 75)) / brightest
    edges = float(np.mean(parts)) * float(np.min(parts)) ** 0.5 * (1 - 0.1 * at_rim)
    return edges * min(light, 1.0) * _oneness(quad, seen)


def _oneness(quad: np.ndarray, seen: np.ndarray) -> float:
    """Which part of what lies in the quad has about its colour, in any light."""
    import cv2

    step = max(1, max(seen.shape) // 160)
    small = seen[::step, ::step]
    within = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(within, np.rint(quad / step).astype(np.int32), 1)
    values = small[within > 0]
    if len(values) < 10:
        return 0.0
    away = np.abs(values - np.median(values, axis=0)) / np.array([35, 10, 10])
    return float((away.max(axis=1) < 1).mean())


def _at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    x = np.clip(np.rint(places[:, 0]).astype(int), 0, values.shape[1] - 1)
    y = np.clip(np.rint(places[:, 1]).astype(int), 0, values.shape[0] - 1)
    return values[y, x]


def _measured(quad: np.ndarray, photo: np.ndarray) -> np.ndarray:
    """The quad with each side laid along the edge that is near it."""
    import cv2

    fine, scale = shrunk(photo, _FINE_SIDE)
    tones = cv2.GaussianBlur(fine, (0, 0), 1.0).astype(np.float32)
    rough = quad * scale
    lines = [_side(tones, *pair) for pair in zip(rough, np.roll(rough, -1, axis=0), strict=True)]
    found = []
    for number, (point, way) in enumerate(lines):
        before, back = lines[number - 1]
        fit = np.stack((way, -back), axis=1)
        if abs(np.linalg.det(fit)) < 0.3:
            return quad
        found.append(point + way * np.linalg.solve(fit, before - point)[0])
    exact = np.array(found, np.float32)
    far = np.linalg.norm(exact - rough, axis=1).max() > 0.05 * max(tones.shape)
    return quad if far else (exact / scale).astype(np.float32)


def _side(tones: np.ndarray, one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A point and the direction of the edge that runs near the line from corner to corner."""
    import cv2

    height, width = tones.shape[:2]
    way = (other - one) / np.linalg.norm(other - one)
    across = np.array([-way[1], way[0]])
    reach = np.arange(-16, 16.5, 0.5)
    places = one + (other - one) * np.linspace(0.04, 0.96, 120)[:, None]
    grid = (places[:, None] + across * reach[:, None]).astype(np.float32)
    tone = cv2.remap(tones, grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # pyright: ignore
    step = np.abs(tone[:, 6:] - tone[:, :-6]).sum(axis=2)  # three pixels apart
    best = step.argmax(axis=1)
    x, y = places.T
    kept = (step.max(axis=1) > 12) & (x > 2) & (y > 2) & (x < width - 3) & (y < height - 3)
    if kept.sum() < 20:
        return one, way
    edge = (places + across * reach[best + 3, None])[kept].astype(np.float32)
    line = cv2.fitLine(edge, cv2.DIST_WELSCH, 0, 0.01, 0.01).ravel()
    return line[2:].astype(np.float64), line[:2].astype(np.float64)


_CUT = 0.003
"""Of the sides: so much of the sheet is left away at each edge, where what lies under it shows."""


def flat(photo: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The sheet as a rectangle, of the resolution that its nearest part has in the photo."""
    import cv2

    limit = 32_000  # of what OpenCV warps
    photo, scale = shrunk(photo, limit)
    quad = quad * scale
    width, height = _size(quad, photo.shape[1], photo.shape[0])
    check_pixels(width, height, "image")
    out = _CUT * np.array([width, height])
    goal = np.array(
        [-out, (width + out[0], -out[1]), (width + out[0], height + out[1]), (-out[0], height + out[1])], np.float32
    )
    goal -= 0.5
    change = cv2.getPerspectiveTransform(quad.astype(np.float32), goal)
    return cv2.warpPerspective(photo, change, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def _size(quad: np.ndarray, width: int, height: int) -> tuple[int, int]:
    """Width and height of the sheet: as long as its longest sides, in the proportions that it really has where these
    can be told (Zhang and He 2007, "Whiteboard scanning and image enhancement", with the principal point in the
    middle of the picture).
    """
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, down = float(max(sides[0], sides[2])), float(max(sides[1], sides[3]))
    plain = across / max(down, 1e-6)
    true = _proportion(quad - np.array([width / 2, height / 2]), max(width, height))
    if true is not None and 0.7 < true / plain < 1.4:
        across, down = (across, across / true) if true < plain else (down * true, down)
    return max(1, round(across)), max(1, round(down))


def _proportion(quad: np.ndarray, longest: int) -> float | None:
    """Width by height of the rectangle with these corners about the principal point; None when they do not say."""
    top_left, top_right, bottom_right, bottom_left = np.column_stack((quad, np.ones(4))).astype(np.float64)
    second = np.cross(top_left, bottom_right) @ bottom_left / (np.cross(top_right, bottom_right) @ bottom_left)
    third = np.cross(top_left, bottom_right) @ top_right / (np.cross(bottom_left, bottom_right) @ top_right)
    right, down = second * top_right - top_left, third * bottom_left - top_left
    if abs(right[2]) < 0.02 or abs(down[2]) < 0.02:
        focal = 1.1 * longest  # of a phone: the perspective is too weak to tell
    else:
        square = -(right[0] * down[0] + right[1] * down[1]) / (right[2] * down[2])
        focal = np.sqrt(np.clip(square, (0.6 * longest) ** 2, (3 * longest) ** 2))
    scale = np.array([1 / focal, 1 / focal, 1])
    return float(np.linalg.norm(right * scale) / max(np.linalg.norm(down * scale), 1e-9))


_LINE_SIDE, _MOST_SKEW = 1000, 15.0


def skew(page: np.ndarray) -> float:
    """Degrees, clockwise, by which the lines of text are turned, at most 15; 0 when there are none.

    The angle at which the rows of ink are the sharpest (Postl 1986).
    """
    import cv2

    plain, _ = shrunk(grey(page), _LINE_SIDE)
    dark = cv2.morphologyEx(plain, cv2.MORPH_BLACKHAT, _disc(_WRITING * max(plain.shape)))
    level, _ = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    down, across = np.nonzero(dark > max(level, 24))
    if len(down) < 200:
        return 0.0
    some = slice(None, None, max(1, len(down) // 40_000))
    y, x = down[some].astype(np.float64), across[some] - plain.shape[1] / 2

    def sharpness(angle: float) -> float:
        rows = np.rint(y - x * np.tan(np.radians(angle))).astype(int)
        counts = np.bincount(rows - rows.min()).astype(np.float64)
        return float((np.diff(counts) ** 2).sum())

    tried = np.arange(-_MOST_SKEW, _MOST_SKEW + 0.25, 0.5)
    sharp = np.array([sharpness(angle) for angle in tried])
    if sharp.max() < 2 * np.median(sharp):
        return 0.0
    near = np.arange(-0.5, 0.51, 0.05) + tried[int(sharp.argmax())]
    return float(near[int(np.argmax([sharpness(angle) for angle in near]))])


def lit(page: np.ndarray) -> np.ndarray:
    """The page as if the light were the same all over, its paper white and its ink dark."""
    import cv2

    small, _ = shrunk(page, 600)
    if np.median(grey(small)) < 80:  # a dark page: only its levels
        return _levelled(page)
    light = _light(small)
    whole = cv2.resize(light, page.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return _levelled(cv2.divide(page, np.maximum(whole, 1), scale=255))


_DARK_PAPER, _STRANGE = 0.42, 14.0
"""What is darker than this part of the paper elsewhere, or of a colour so far from its colour, is a picture on it."""


def _light(small: np.ndarray) -> np.ndarray:
    """The colour of the paper at each place: uint8 RGB. Under writing and pictures that of the paper around them."""
    import cv2

    bare = cv2.medianBlur(cv2.morphologyEx(small, cv2.MORPH_CLOSE, _disc(_WRITING * 1.3 * max(small.shape))), 11)
    values = lab(bare)
    even = _surface(values[:, :, 0])
    tint = np.median(values[:, :, 1:].reshape(-1, 2), axis=0)
    strange = np.linalg.norm(values[:, :, 1:] - tint, axis=2) > _STRANGE
    paper = (values[:, :, 0] > _DARK_PAPER * even) & ~strange
    if paper.mean() < 0.2:
        return bare
    paper = cv2.erode(paper.astype(np.uint8), _disc(9)).astype(np.float32)
    filled, have = bare * paper[:, :, None], paper
    for sigma in (8, 40, 160):
        share = smooth(have, sigma)[:, :, None]
        near = smooth(filled, sigma) / np.maximum(share, 1e-6)
        new = (have < 0.5) & (share[:, :, 0] > 0.05)
        filled = np.where(new[:, :, None], near, filled)
        have = np.maximum(have, new)
    middle = np.median(bare[paper > 0].reshape(-1, 3), axis=0)
    filled = np.where((have < 0.5)[:, :, None], middle, filled)
    return smooth(np.clip(filled, 1, 255).astype(np.uint8), 3)


def _surface(lightness: np.ndarray) -> np.ndarray:
    """A smooth surface of the second degree under the lightest parts."""
    y, x = np.mgrid[-1 : 1 : lightness.shape[0] * 1j, -1 : 1 : lightness.shape[1] * 1j]
    terms = np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1).reshape(-1, 6)
    values = lightness.ravel().astype(np.float64)
    some = slice(None, None, max(1, len(values) // 20_000))
    trust = np.ones(len(values[some]))
    weights = np.zeros(6)
    for _ in range(6):
        weights = np.linalg.lstsq(terms[some] * trust[:, None], values[some] * trust, rcond=None)[0]
        below = terms[some] @ weights - values[some]
        trust = 1 / (1 + np.maximum(below / 6, 0))
    return np.maximum(terms @ weights, 10).reshape(lightness.shape)


def _levelled(page: np.ndarray) -> np.ndarray:
    """Stretched so that the paper, the most frequent light tone, is white, and the darkest ink nearly black."""
    import cv2

    plain, _ = shrunk(grey(page), 1000)
    counts = np.bincount(plain.ravel(), minlength=256).astype(np.float64)
    counts = np.convolve(counts, np.ones(5), "same")
    paper = 128 + int(counts[128:254].argmax()) if counts[128:].sum() > 0.2 * plain.size else 255
    white = max(paper - 8, 128)
    black = min(float(np.percentile(plain, 0.5)), 0.45 * white)
    tones = np.clip((np.arange(256) - black) / (white - black), 0, 1) * 255
    return cv2.LUT(page, np.rint(tones).astype(np.uint8))


_PALEST_INK = 160
"""Beside white paper, 0..255; paler is the soft edge of a stroke, or what shines through."""


def toned(page: np.ndarray, colours: str) -> np.ndarray:
    """A page in even light in one of COLOURS, as RGB."""
    import cv2

    if colours == "colour":
        return page
    plain = grey(page)
    if colours == "black and white":
        size = odd(min(plain.shape) / 20, 15)
        local = cv2.adaptiveThreshold(plain, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size, 30)
        plain = np.where((plain < 110) | ((local == 0) & (plain < _PALEST_INK)), np.uint8(0), np.uint8(255))
    return cv2.cvtColor(plain, cv2.COLOR_GRAY2RGB)
