"""Writing in pictures: finds and reads it with RapidOCR, whose models lie in its package. Must not know tools.

The detector overlooks small writing on a large empty ground, so that each block of content is looked at alone;
large busy pictures are looked at once whole and once in overlapping tiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.imaging.pixels import SILENT
from nodes._support.models.onnx_sessions import options
from nodes._support.vision.seeing import grey, opaque, shrunk
from nodes.api import Cancelled, NodeError, Phrase, RunContext

_WHOLE = 2000
"""Longest side in pixels that the detector looks at in one go."""
_LARGEST = 4000
"""Larger pictures are shrunk to this: letters that vanish by it are below anything printed."""
_TILE, _OVERLAP = 1400, 400
_SURE, _SURE_OF_ONE = 0.55, 0.93
"""Scores below which writing is taken for something else; a cup or an eye is easily read as one round letter."""
_SMALL = 900
"""Smaller pictures are enlarged up to twice: letters of 8 pixels are then read safely."""
_MOST_BLOCKS = 16
_ASKED, _LEAST_ASKED, _ASKED_SHAPE = 12, 4, 4
"""So many pieces of so many letters tell how a page lies, each by its beginning, at most so wide for its height."""
_FIRST = 0.9
"""Of the work is told as done when a page was read as it lies, which is all of it for most."""
_AS_WELL = 0.95
"""A page that lies wrongly can be read as well as the same upright: its lines are, but not their order."""
_USUAL_STEPS = 8
"""Times that the reader's networks run in a look at a page, about: how many lines there are is not known before."""
_ran: ContextVar[Callable[[], None]] = ContextVar("_ran", default=lambda: None)
"""Is called each time that one of the reader's networks has run."""


class Piece(NamedTuple):
    """A run of writing: its text, score 0..1 and corners (4, 2), from its top left, in pixels of the picture."""

    text: str
    score: float
    corners: np.ndarray


class Word(NamedTuple):
    """A word on a page; its box is left, top, right and bottom in thousandths of the page's width and height."""

    text: str
    box: tuple[int, int, int, int]


def words(image: np.ndarray, context: RunContext = SILENT) -> list[Word]:
    """The words that are written on a page, in reading order: pieces are cut where the spaces stand, as if all letters
    were equally wide. Raises NodeError as `pieces` does."""
    height, width = image.shape[:2]
    found = []
    for piece in (piece for line in lines(pieces(image, context)) for piece in line):
        left, top, right, bottom = np.clip(_bounds(piece.corners), 0, (width, height, width, height))
        for match in re.finditer(r"\S+", piece.text):
            begin, end = (left + (right - left) * at / len(piece.text) for at in match.span())
            box = np.round(np.array([begin / width, top / height, end / width, bottom / height]) * 1000).astype(int)
            found.append(Word(match.group(), (int(box[0]), int(box[1]), int(box[2]), int(box[3]))))
    return found


def pieces(image: np.ndarray, context: RunContext = SILENT) -> list[Piece]:
    """Every run of writing found, in no particular order; empty when there is none. Pages that lie on their side or
    upside down are read as they are meant; corners are those of the picture as it is.

    `image` is uint8 (height, width, 3 or 4). Raises NodeError when the reader's models are not installed.
    """
    _, turns, found = righted(image, context)
    height, width = image.shape[:2]
    return [piece._replace(corners=_turned_back(piece.corners, turns, width, height)) for piece in found]


def righted(image: np.ndarray, context: RunContext = SILENT) -> tuple[np.ndarray, int, list[Piece]]:
    """The picture, uint8 RGB, turned so that its writing stands upright, by how many quarter turns to the left, and
    what is written in it, as `pieces` gives it, in pixels of the turned picture."""
    rgb = opaque(image)
    if min(rgb.shape[:2]) < 5:
        return rgb, 0, []
    found = _pieces(rgb, lambda part: context.progress(_FIRST * part))
    turns = _turns(rgb, found)
    if turns:
        upright = np.ascontiguousarray(np.rot90(rgb, turns))
        again = _pieces(upright, lambda part: context.progress(_FIRST + (1 - _FIRST) * part))
        if _legible(again) >= _AS_WELL * _legible(found):  # else they stand so on purpose
            return upright, turns, again
    return rgb, 0, found


def _turned_back(corners: np.ndarray, turns: int, width: int, height: int) -> np.ndarray:
    """Places in a picture of that size, from those in it after so many quarter turns to the left."""
    x, y = corners[:, 0], corners[:, 1]
    places = (x, y), (width - y, x), (width - x, height - y), (y, height - x)
    return np.stack(places[turns], axis=1)


def _legible(found: list[Piece]) -> float:
    """How many letters were read, each as much as it is sure."""
    return sum(piece.score * len(piece.text) for piece in found)


def _turns(rgb: np.ndarray, found: list[Piece]) -> int:
    """Quarter turns to the left after which most writing seems to stand upright: told of the longest pieces by the
    network that tells a line from one that is upside down. In vertical writing no line lies on its side."""
    longest = sorted(found, key=lambda piece: -len(piece.text))[:_ASKED]
    longest = [piece for piece in longest if len(piece.text) >= _LEAST_ASKED]
    lying = [piece for piece in longest if np.ptp(piece.corners[:, 1]) > np.ptp(piece.corners[:, 0])]
    is_lying = 2 * len(lying) > len(longest)
    upside_down = 0.0
    for piece in lying if is_lying else [each for each in longest if each not in lying]:
        left, top, right, bottom = np.clip(_bounds(piece.corners), 0, (*rgb.shape[1::-1], *rgb.shape[1::-1])).astype(
            int
        )
        line = rgb[top:bottom, left:right]
        line = np.rot90(line) if is_lying else line
        line = line[:, : _ASKED_SHAPE * len(line), ::-1]
        said = _reader()(np.ascontiguousarray(line), use_det=False, use_cls=True, use_rec=False).cls_res[0]
        upside_down += (1.0 if said[0] == "180" else -1.0) * (2 * float(said[1]) - 1)
    return (1 if is_lying else 0) + (2 if upside_down > 0 else 0)


def _pieces(rgb: np.ndarray, told: Callable[[float], None]) -> list[Piece]:
    found: list[Piece] = []
    blocks = _blocks(grey(rgb))
    for done, (x, y, right, bottom) in enumerate(blocks):

        def part_done(part: float, done: int = done) -> None:
            told((done + part) / len(blocks))

        part_done(0.0)
        for piece in _of_block(rgb[y:bottom, x:right], part_done):
            found.append(piece._replace(corners=piece.corners + np.array([x, y])))
    return found


def _of_block(block: np.ndarray, told: Callable[[float], None]) -> list[Piece]:
    rgb, scale = shrunk(block, _LARGEST)
    return [piece._replace(corners=piece.corners / scale) for piece in _looks(rgb, told)]


def _looks(rgb: np.ndarray, told: Callable[[float], None]) -> list[Piece]:
    """One look at the whole, and at its tiles when it is large; what a tile's border cuts is left to its neighbour."""
    corners = list(_tile_corners(rgb)) if max(rgb.shape[:2]) > _WHOLE else []

    def at(look: int) -> Callable[[float], None]:
        return lambda part: told((look + part) / (len(corners) + 1))

    found = _look(rgb, at(0))
    for number, (x, y) in enumerate(corners, 1):
        tile = rgb[y : y + _TILE, x : x + _TILE]
        for piece in _look(tile, at(number)):
            low, high = piece.corners.min(axis=0), piece.corners.max(axis=0)
            cut = (low < 3) & (np.array([x, y]) > 0)
            ends = np.array([x + tile.shape[1], y + tile.shape[0]])
            cut |= (high > np.array(tile.shape[1::-1]) - 3) & (ends < np.array(rgb.shape[1::-1]))
            moved = piece._replace(corners=piece.corners + np.array([x, y]))
            if not cut.any() and all(_shared(moved, other) < 0.3 for other in found):
                found.append(moved)
    return found


def _look(rgb: np.ndarray, told: Callable[[float], None]) -> list[Piece]:
    """One look at a picture, enlarged when small, shrunk when large. Told of, and to be stopped, at each step."""
    import cv2

    steps = 0

    def one_more() -> None:
        nonlocal steps
        steps += 1
        told(steps / (steps + _USUAL_STEPS))

    told(0.0)
    picture, scale = shrunk(rgb, _WHOLE)
    if max(rgb.shape[:2]) < _SMALL:
        scale = min(2.0, _SMALL / max(rgb.shape[:2]))
        picture = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    seen = _seen(np.ascontiguousarray(picture[:, :, ::-1]), one_more)  # it takes BGR
    if seen.txts is None or seen.boxes is None:
        return []
    return [
        Piece(text.strip(), float(score), np.asarray(corners, float) / scale)
        for text, score, corners in zip(seen.txts, seen.scores, seen.boxes, strict=True)
        if score >= (_SURE_OF_ONE if len(text.strip()) == 1 else _SURE)
        if text.strip()
    ]


def _seen(bgr: np.ndarray, ran: Callable[[], None]) -> Any:
    """What the reader says of a picture; `ran` is called when one of its networks has run."""
    before = _ran.set(ran)
    try:
        return _reader()(bgr, use_det=True, use_cls=True, use_rec=True)  # it keeps what it was told last
    except Exception as error:
        if isinstance(error.__cause__, Cancelled):  # whatever is raised while a network runs comes out wrapped
            raise error.__cause__ from None
        raise
    finally:
        _ran.reset(before)


def _blocks(brightness: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Rectangles (x0, y0, x1, y1) around what stands on an empty ground; one for the whole of a busy picture."""
    import cv2

    height, width = brightness.shape
    whole = [(0, 0, width, height)]
    if max(height, width) < 300:
        return whole
    # Shrinking by the strongest contrast, not the mean: thin letters of a large page must not fade away.
    contrast = cv2.morphologyEx(brightness, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    factor = int(np.ceil(max(height, width) / 800))
    busy = cv2.dilate(contrast, np.ones((factor, factor), np.uint8))[::factor, ::factor] > 30
    reach = max(9, int(0.03 * max(busy.shape)))
    joined = cv2.dilate(busy.astype(np.uint8), np.ones((reach, 2 * reach), np.uint8))
    if joined.mean() > 0.6:
        return whole
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    spans = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:count]]
    found = [
        (x0 * factor, y0 * factor, min(width, x1 * factor), min(height, y1 * factor))
        for x0, y0, x1, y1 in _apart(spans)
    ]
    return found if len(found) <= _MOST_BLOCKS else whole


def _apart(spans: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Rectangles that overlap made one, until none does."""
    kept: list[tuple[int, int, int, int]] = []
    for span in spans:
        while hit := next(
            (o for o in kept if o[0] < span[2] and span[0] < o[2] and o[1] < span[3] and span[1] < o[3]), None
        ):
            kept.remove(hit)
            span = (min(span[0], hit[0]), min(span[1], hit[1]), max(span[2], hit[2]), max(span[3], hit[3]))
        kept.append(span)
    return kept


def _tile_corners(rgb: np.ndarray) -> Iterator[tuple[int, int]]:
    step = _TILE - _OVERLAP
    for y in range(0, max(1, rgb.shape[0] - _OVERLAP), step):
        for x in range(0, max(1, rgb.shape[1] - _OVERLAP), step):
            yield x, y


def _shared(one: Piece, other: Piece) -> float:
    """Shared area of the upright rectangles around two pieces, over that of the smaller one."""
    low = np.maximum(one.corners.min(axis=0), other.corners.min(axis=0))
    high = np.minimum(one.corners.max(axis=0), other.corners.max(axis=0))
    areas = [float(np.prod(np.ptp(piece.corners, axis=0))) for piece in (one, other)]
    return float(np.prod(np.maximum(high - low, 0))) / max(1.0, min(areas))


@cache
def _reader() -> Any:
    """The reader, with the paths of its packaged models given, for then it never looks for them elsewhere."""
    import rapidocr
    from rapidocr.inference_engine.onnxruntime import main as engine

    class Telling(engine.InferenceSession):  # pyright: ignore[reportPrivateImportUsage]
        def run(self, *given: Any, **more: Any) -> Any:
            found = super().run(*given, **more)
            _ran.get()()
            return found

    # WORKAROUND: RapidOCR 3.10 passes on some options of ONNX Runtime and not this one, and does not tell how far it
    # is (https://github.com/RapidAI/RapidOCR); may go when it does.
    engine.SessionOptions = options  # pyright: ignore[reportPrivateImportUsage]
    engine.InferenceSession = Telling  # pyright: ignore[reportPrivateImportUsage]
    folder = Path(rapidocr.__file__).parent / "models"
    paths = {"Det": "det_small", "Rec": "rec_small", "Cls": "cls_mobile"}
    models = {part: next(iter(sorted(folder.glob(f"*{name}.onnx"))), None) for part, name in paths.items()}
    if missing := [name for name, path in models.items() if path is None]:
        raise NodeError(
            Phrase("The text reader is not complete: its {names} model is missing.", names=", ".join(missing)),
            fix="Install the package rapidocr again.",
        )
    settings: dict[str, Any] = {f"{part}.model_path": str(path) for part, path in models.items()}
    # By itself it enlarges until the shorter side has 736 pixels, which makes a single line of text too large to see.
    sizes = {"Global.max_side_len": _WHOLE, "Global.min_side_len": 1, "Det.limit_type": "max"}
    return rapidocr.RapidOCR(params={"Global.log_level": "critical", **sizes, "Det.limit_side_len": _WHOLE, **settings})


def lines(found: list[Piece], columns: bool = True) -> list[list[Piece]]:
    """The pieces as lines of writing in reading order: columns from left to right (with `columns`), each from top to
    bottom.

    Slanted writing is levelled first, by the median slant of the pieces.
    """
    if not found:
        return []
    slants = [np.arctan2(*(p.corners[1] - p.corners[0])[::-1]) for p in found if _width(p) > 2 * _height(p)]
    slant = float(np.median(slants)) if slants else 0.0
    turn = np.array([[np.cos(slant), np.sin(slant)], [-np.sin(slant), np.cos(slant)]])
    level = [_Level(piece, *_bounds(piece.corners @ turn.T)) for piece in found]
    parts = _columns(level) if columns else [level]
    return [[item.piece for item in line] for part in parts for line in _rows(part)]


class _Level(NamedTuple):
    """A piece with its bounds after levelling."""

    piece: Piece
    x0: float
    y0: float
    x1: float
    y1: float


def _bounds(corners: np.ndarray) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def _width(piece: Piece) -> float:
    return float(np.linalg.norm(piece.corners[1] - piece.corners[0]))


def _height(piece: Piece) -> float:
    return float(np.linalg.norm(piece.corners[3] - piece.corners[0]))


def _columns(items: list[_Level]) -> list[list[_Level]]:
    """Cuts at a gap that runs through from top to bottom, if both sides read like columns of prose.

    A receipt has such a gap before its prices; prices are short, so that it stays whole.
    """
    ordered = sorted(items, key=lambda item: item.x0)
    right = ordered[0].x1
    for i in range(1, len(ordered)):
        left_side, right_side = ordered[:i], ordered[i:]
        if ordered[i].x0 > right and _is_prose(left_side) and _is_prose(right_side):
            return [*_columns(left_side), *_columns(right_side)]
        right = max(right, ordered[i].x1)
    return [items]


def _is_prose(items: list[_Level]) -> bool:
    wide = [item for item in items if item.x1 - item.x0 > 8 * (item.y1 - item.y0)]
    return len(items) >= 3 and len(wide) >= 0.6 * len(items)


def _rows(items: list[_Level]) -> list[list[_Level]]:
    """Pieces that share at least half their height with a line's first piece stand on that line."""
    rows: list[list[_Level]] = []
    for item in sorted(items, key=lambda item: (item.y0 + item.y1) / 2):
        row = next((row for row in reversed(rows[-3:]) if _beside(row[-1], item)), None)
        if row is None:
            rows.append([item])
        else:
            row.append(item)
    return [sorted(row, key=lambda item: item.x0) for row in rows]


def _beside(one: _Level, other: _Level) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > 0.5 * min(one.y1 - one.y0, other.y1 - other.y0)
