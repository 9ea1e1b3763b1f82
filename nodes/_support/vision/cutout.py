"""Cuts a thing out of a picture from clicks or a box, without a model. Must not know tools.

Clicks: superpixels.py gives the region around each click. GrabCut (Rother et al. 2004) then settles the pixels near its
border, on the part of the picture around it, and a guided filter the full-size edge.
"""

from __future__ import annotations

import numpy as np

from nodes._support.vision import thin_things
from nodes._support.vision.seeing import shrunk
from nodes._support.vision.superpixels import Pieces, by_distance, clearness, reach, seen, with_neighbour, with_parts

_LONGEST = 512
_AGREEMENT = 0.6
_MOST_OF_A_THING = 0.25
"""A region beyond this share of the picture is looked at again: it may be the ground behind something thin."""
_ROUNDS, _ROUNDS_NEAR = 4, 2
"""Rounds of GrabCut, in a box and along the border of a region; more change little."""
_SETTLED_PIXELS = 12_000
"""GrabCut takes about 1 ms for each 1000 pixels of these; the guided filter brings the edge back to full size."""
_CONTRAST = 2.5
"""How much steeper an edge is made than the filter leaves it."""
_FINE = 5.0
"""Pixels over which the guided filter reaches where it is computed."""
_BESIDE, _CLEAR = 0.012, 20.0
"""How far beside an outline colours are compared, as a share of the longer side, and by how much they differ at one
that is right: of 45 things clicked once, 15 of the 16 right ones were above, 20 of the 29 others below."""
_Pixels = tuple[np.ndarray, np.ndarray]


def from_points(rgb: np.ndarray, include: np.ndarray, exclude: np.ndarray, reading: str = "best") -> np.ndarray:
    """Mask (uint8, size of `rgb`, 255 or soft) of the thing under the points `include`, without those of `exclude`.

    Points are (n, 2) arrays of x, y in pixels. Each included point is selected, each excluded one is not. `reading` is
    one of superpixels.READINGS. Where the clicked region is much of the picture and what was clicked is thin, that is
    meant; the region is then the "large" reading.
    """
    small, scale = _small(rgb)
    clicked = _under(small, include * scale)
    wanted, unwanted = _marks(small, include * scale), _marks(small, exclude * scale)
    unwanted &= ~wanted
    region, against = _grown(small, clicked, _under(small, exclude * scale), "best")
    thin = thin_things.under(small, *clicked) if region.mean() > _MOST_OF_A_THING else None
    if thin is not None and reading != "large":
        return _full_size(rgb, thin & ~unwanted, include, exclude)
    if thin is None and reading not in ("best", "medium"):
        region, against = _grown(small, clicked, _under(small, exclude * scale), reading)
    settled = _settle(small, region, wanted, unwanted | (against & ~wanted))
    return _full_size(rgb, settled, include, exclude)


def from_mask(rgb: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Mask (uint8, size of `rgb`) of the thing that a rough mask covers, the edge settled nearby."""
    import cv2

    small, _ = _small(rgb)
    region = cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) > 127
    if not region.any():  # thinner than a pixel of the small picture
        return mask
    nothing = np.zeros((0, 2))
    settled = _settle(small, region, region & (_away(~region) >= _away(~region).max()), np.zeros_like(region))
    return _full_size(rgb, settled, nothing, nothing)


def _small(rgb: np.ndarray) -> tuple[np.ndarray, float]:
    """As `shrunk` to _LONGEST. Large pictures are halved first: a tenth of the time for a picture of 12 megapixels."""
    import cv2

    halved = rgb
    while max(halved.shape[:2]) >= 2 * _LONGEST and min(halved.shape[:2]) >= 4:
        height, width = halved.shape[0] // 2, halved.shape[1] // 2
        halved = cv2.resize(halved[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    return shrunk(halved, _LONGEST)[0], min(1.0, _LONGEST / max(rgb.shape[:2]))


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


def is_outlined(rgb: np.ndarray, mask: np.ndarray) -> bool:
    """Whether the colours (Lab) inside and outside of a mask differ clearly along three quarters of its outline."""
    import cv2

    small, _ = _small(rgb)
    inside = (cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) > 127).astype(np.float32)
    outline = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    outline[[0, 1, -2, -1]] = outline[:, [0, 1, -2, -1]] = False
    if not outline.any():
        return False
    colours = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    side = 4 * max(2, round(_BESIDE * max(small.shape[:2]))) + 1
    sides = []
    for weight in (inside, 1 - inside):
        total = cv2.boxFilter(colours * weight[:, :, None], -1, (side, side))
        sides.append(total / np.maximum(cv2.boxFilter(weight, -1, (side, side)), 1e-6)[:, :, None])
    return float(np.percentile(np.linalg.norm(sides[0] - sides[1], axis=2)[outline], 25)) >= _CLEAR


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


def _under(picture: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row and column indexes of the pixels under the points (n, 2 as x, y), inside the picture."""
    x, y = (np.clip(np.floor(points[:, k]).astype(int), 0, picture.shape[1 - k] - 1) for k in (0, 1))
    return y, x


def _grown(rgb: np.ndarray, wanted: _Pixels, unwanted: _Pixels, reading: str) -> tuple[np.ndarray, np.ndarray]:
    """The regions around the wanted pixels, and what is nearer to an unwanted one; both bool (height, width).

    Include and exclude marks compete for what lies between by geodesic distance (after Bai and Sapiro 2007). Several
    wanted pieces are each a thing, or together one, whichever has the clearer boundary; parts of another colour that
    belong to it are taken in.
    """
    found = seen(rgb)
    seeds = np.unique(found.numbers[wanted])
    barred = np.setdiff1d(np.unique(found.numbers[unwanted]), seeds)
    lost = np.zeros(len(found.sizes), bool)
    if len(barred):
        lost = by_distance(found, barred)[1] <= by_distance(found, seeds)[1]
        lost[seeds] = False
    part = _inside(found, seeds, lost, "best")
    whole = inside = with_parts(found, seeds, part, lost)
    if reading == "small":
        inside = part if whole is not part else _inside(found, seeds, lost, reading)
    elif reading == "large":
        more = with_neighbour(found, seeds, whole, lost)
        inside = more if more is not None else _inside(found, seeds, lost, reading)
    return inside[found.numbers], lost[found.numbers]


def _inside(found: Pieces, seeds: np.ndarray, lost: np.ndarray, reading: str) -> np.ndarray:
    """True for the pieces of the region around the seeds, each for itself or all together."""
    ways = [_each(found, seeds, lost, reading)]
    if len(seeds) > 1:
        order, _ = by_distance(found, seeds)
        order = order[~lost[order]]
        together = np.zeros(len(found.sizes), bool)
        together[order[: reach(found, order, reading, len(seeds))]] = True
        ways.append(together)
    return max(ways, key=lambda way: clearness(found, way))


def _each(found: Pieces, seeds: np.ndarray, lost: np.ndarray, reading: str) -> np.ndarray:
    """True for the pieces of the region around each seed for itself."""
    inside = np.zeros(len(found.sizes), bool)
    for seed in seeds:
        order, _ = by_distance(found, np.array([seed]))
        order = order[~lost[order]]
        inside[order[: reach(found, order, reading)]] = True
    return inside


def _settle(rgb: np.ndarray, region: np.ndarray, wanted: np.ndarray, unwanted: np.ndarray) -> np.ndarray:
    """The region with each pixel settled by GrabCut, only the parts that were clicked, holes filled."""
    import cv2

    reach = max(3, round(0.035 * max(rgb.shape[:2])))
    near, core = _away(region) <= reach, _away(~region) > reach
    guess = np.full(region.shape, cv2.GC_BGD, np.uint8)
    guess[near] = cv2.GC_PR_BGD
    guess[region] = cv2.GC_PR_FGD
    guess[core | wanted] = cv2.GC_FGD
    guess[unwanted] = cv2.GC_BGD
    settled = _grabcut_near(rgb, guess, region)
    shared = float((settled & region).sum()) / max(1, (settled | region).sum())
    # Where thing and ground have the same colours GrabCut tears the region apart: the superpixels know better.
    return _parts_of(settled if shared > _AGREEMENT else region, wanted, unwanted)


def _away(where: np.ndarray) -> np.ndarray:
    """How far each pixel is from the nearest that is true, float32."""
    import cv2

    if not where.any():
        return np.full(where.shape, np.inf, np.float32)
    return cv2.distanceTransform((~where).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)


def _filled(where: np.ndarray) -> np.ndarray:
    """With all that is false, but not joined to the picture's border."""
    import cv2

    parts: np.ndarray = cv2.connectedComponents((~where).astype(np.uint8), connectivity=4)[1]
    border = np.concatenate((parts[0], parts[-1], parts[:, 0], parts[:, -1]))
    outside = np.isin(np.arange(int(parts.max()) + 1), border)
    outside[0] = False  # what is true
    return ~outside[parts]


def _grabcut_near(rgb: np.ndarray, guess: np.ndarray, region: np.ndarray) -> np.ndarray:
    """As `_grabcut`, looking only at what lies around the region, and that in a size that takes a few hundredths
    of a second."""
    import cv2

    part = _around(guess != cv2.GC_BGD)
    picture, sought = np.ascontiguousarray(rgb[part]), np.ascontiguousarray(guess[part])
    scale = float(np.sqrt(_SETTLED_PIXELS / sought.size))
    if scale >= 1:
        found = _grabcut(picture, sought.copy(), region[part], _ROUNDS_NEAR)
    else:
        size = max(1, round(sought.shape[1] * scale)), max(1, round(sought.shape[0] * scale))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        guessed = cv2.resize(sought, size, interpolation=cv2.INTER_NEAREST)
        usual = cv2.resize(region[part].astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        weights = _grabcut(small, guessed, usual, _ROUNDS_NEAR).astype(np.float32)
        weights = cv2.resize(weights, sought.shape[::-1], interpolation=cv2.INTER_LINEAR)
        found = guided(picture, weights, radius=max(2, round(2.5 / scale))) > 0.5
    settled = guess == cv2.GC_FGD
    settled[part] |= found & (sought != cv2.GC_BGD)
    return settled


def _around(where: np.ndarray, more: float = 0.3) -> tuple[slice, slice]:
    """The part of the picture that holds all that is true, with room for `more` of its size around it."""
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    free = max(12, round(more * max(np.ptp(rows), np.ptp(columns))))
    high, wide = (
        slice(max(0, int(at[0]) - free), min(size, int(at[-1]) + free + 1))
        for at, size in zip((rows, columns), where.shape, strict=True)
    )
    return high, wide


def _settle_box(rgb: np.ndarray, box: np.ndarray) -> np.ndarray:
    import cv2

    guess = np.where(box, cv2.GC_PR_FGD, cv2.GC_BGD).astype(np.uint8)
    found = _grabcut(rgb, guess, box) & box
    cleaned = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(cleaned)
    if count < 2:
        return found
    largest = stats[1:, cv2.CC_STAT_AREA].max()
    kept = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= 0.1 * largest)
    return _filled(np.isin(parts, kept[kept > 0]))


def _grabcut(rgb: np.ndarray, guess: np.ndarray, fallback: np.ndarray, rounds: int = _ROUNDS) -> np.ndarray:
    """True on the foreground. Where one side has no pixels there is nothing to settle: `fallback`."""
    import cv2

    foreground = (guess == cv2.GC_FGD) | (guess == cv2.GC_PR_FGD)
    if foreground.sum() < 10 or (~foreground).sum() < 10:
        return fallback
    cv2.setRNGSeed(1)
    cv2.grabCut(rgb, guess, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), rounds, cv2.GC_INIT_WITH_MASK)
    return (guess == cv2.GC_FGD) | (guess == cv2.GC_PR_FGD)


def _parts_of(found: np.ndarray, wanted: np.ndarray, unwanted: np.ndarray) -> np.ndarray:
    """Those connected parts that were clicked, smoothed a little, with their holes filled unless one is unwanted."""
    import cv2

    opened = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    _, parts = cv2.connectedComponents((opened | wanted).astype(np.uint8))
    kept = np.isin(parts, np.unique(parts[wanted]))
    holes = _filled(kept) & ~kept
    _, holes_by_number = cv2.connectedComponents(holes.astype(np.uint8))
    left_open = np.isin(holes_by_number, np.unique(holes_by_number[unwanted & holes])) & holes
    return (kept | holes) & ~left_open


def _full_size(rgb: np.ndarray, small: np.ndarray, include: np.ndarray, exclude: np.ndarray) -> np.ndarray:
    """The small mask at the size of the picture, its edge drawn along the picture's edges."""
    import cv2

    height, width = rgb.shape[:2]
    scale = width / small.shape[1]
    mask = np.zeros((height, width), np.uint8)
    if small.any():
        rows, columns = _around(small, 0.0)
        part = np.s_[
            int(rows.start * height / small.shape[0]) : -int(-rows.stop * height // small.shape[0]),
            int(columns.start * scale) : -int(-columns.stop * scale // 1),
        ]
        soft = small[rows, columns].astype(np.float32)
        if scale > 1.3:
            mask[part] = _sharpened(rgb[part], soft, scale)
        else:
            soft = cv2.resize(soft, mask[part].shape[::-1], interpolation=cv2.INTER_LINEAR)
            mask[part] = (np.clip((soft - 0.5) * _CONTRAST + 0.5, 0, 1) * 255).astype(np.uint8)
    for points, value in ((exclude, 0), (include, 255)):
        for x, y in points:
            mask[int(np.clip(y, 0, height - 1)), int(np.clip(x, 0, width - 1))] = value
    return mask


def _sharpened(rgb: np.ndarray, small: np.ndarray, scale: float) -> np.ndarray:
    """`small` (float32, 0..1) at the size of `rgb`, `scale` times larger, as uint8 with its edge along the picture's.

    The fast guided filter (He and Sun 2015): slope and offset are found in a size in which the filter reaches over a
    few pixels, and only used in the full one.
    """
    import cv2

    reach = 2.5 * scale
    less = max(1.0, reach / _FINE)
    full = rgb.shape[1], rgb.shape[0]
    size = max(1, round(full[0] / less)), max(1, round(full[1] / less))
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    guide = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    weights = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    slope, offset = _slopes(guide, weights, max(2, round(reach / less)))
    slope = cv2.resize(slope * _CONTRAST, full, interpolation=cv2.INTER_LINEAR)
    offset = cv2.resize(((offset - 0.5) * _CONTRAST + 0.5) * 255, full, interpolation=cv2.INTER_LINEAR)
    return cv2.add(cv2.multiply(slope, grey, dtype=cv2.CV_32F), offset, dtype=cv2.CV_8U)


def guided(rgb: np.ndarray, weights: np.ndarray, radius: int, epsilon: float = 4e-4) -> np.ndarray:
    """Guided filter (He et al. 2013) of `weights` (float32, 0..1) by the brightness of a picture of the same size."""
    import cv2

    guide = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    slope, offset = _slopes(guide, weights, radius, epsilon)
    return slope * guide + offset


def _slopes(
    guide: np.ndarray, weights: np.ndarray, radius: int, epsilon: float = 4e-4
) -> tuple[np.ndarray, np.ndarray]:
    """What the guided filter multiplies the guide by, and what it adds."""
    import cv2

    def mean(values: np.ndarray) -> np.ndarray:
        return cv2.boxFilter(values, cv2.CV_32F, (2 * radius + 1,) * 2)

    m_g, m_w = mean(guide), mean(weights)
    slope = (mean(guide * weights) - m_g * m_w) / (mean(guide * guide) - m_g * m_g + epsilon)
    offset = m_w - slope * m_g
    return mean(slope), mean(offset)
