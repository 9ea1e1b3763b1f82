"""Draws bar, line, scatter and pie charts. Must not know tools or tables.

Everything is drawn at twice the size and reduced, which smooths edges. Colours are distinguishable side by side and
have at least 3:1 contrast with the white ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nodes._support.imaging import typeset
from nodes._support.tables.tables import shown

COLOURS = ((88, 94, 224), (217, 108, 44), (30, 140, 100), (201, 62, 110), (28, 130, 178), (150, 112, 10),
           (128, 76, 205), (98, 105, 120))  # fmt: skip
_INK, _SOFT, _GRID = (32, 34, 42), (96, 102, 116), (226, 228, 234)

_UNLIKE = 90.0
"""How far apart two colours are in RGB that look unlike side by side."""
_TITLE_SCALES, _TITLE_SHARE, _LINE = (1.45, 1.2, 1.0), 0.2, 1.3
"""Sizes of a title against the other words, how much of the height it may fill, and the distance of its lines."""
_EMS, _LINES = 30, 21
"""Sizes of the words across and down a sheet: 264 pixels wide, as a narrow chat shows it, they are 9 pixels high."""


@dataclass(frozen=True)
class Series:
    """A named row of values; None is a gap."""

    name: str
    values: Sequence[float | None]


class Sheet:
    """A white picture of `width` x `height` pixels to draw on, in those pixels; kept at twice the size. Series take
    `colours` in turn, RGB 0..255."""

    def __init__(self, width: int, height: int, colours: Sequence[tuple[int, int, int]] = COLOURS) -> None:
        from PIL import Image, ImageDraw

        self._colours = colours
        self.width, self.height = width, height
        self._picture = Image.new("RGB", (2 * width, 2 * height), (255, 255, 255))
        self._canvas = ImageDraw.Draw(self._picture, "RGBA")
        self.size = max(9, round(min(width / _EMS, height / _LINES)))

    def colour(self, series: int) -> tuple[int, int, int]:
        """That of a series, or of a slice."""
        return self._colours[series % len(self._colours)]

    def text(self, x: float, y: float, text: str, align: str = "left", fill: Any = _SOFT, weight: str = "regular",
             scale: float = 1.0) -> None:  # fmt: skip
        """A line of text; `y` is its middle."""
        typeset.draw_line(self._canvas, (2 * x, 2 * y), text, round(2 * self.size * scale), fill, weight, align)

    def text_width(self, text: str) -> float:
        """How wide that line is."""
        return typeset.width_of(text, round(2 * self.size)) / 2

    def fit(self, text: str, width: float) -> str:
        """The text cut to `width` with an ellipsis."""
        return typeset.shortened(text, 2 * width, 2 * self.size)

    def line(self, points: Sequence[tuple[float, float]], fill: Any, width: float = 1.0) -> None:
        """A line through points."""
        if len(points) > 1:
            self._canvas.line(
                [(2 * x, 2 * y) for x, y in points], fill=fill, width=max(1, round(2 * width)), joint="curve"
            )

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: Any, radius: float = 0.0) -> None:
        """A filled box, at least half a pixel each way."""
        x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
        area = (2 * x0, 2 * y0, max(2 * x1, 2 * x0 + 1), max(2 * y1, 2 * y0 + 1))
        self._canvas.rounded_rectangle(
            area, min(2 * radius, (area[2] - area[0]) / 2, (area[3] - area[1]) / 2), fill=fill
        )

    def dot(self, x: float, y: float, radius: float, fill: Any) -> None:
        """A filled circle."""
        self._canvas.ellipse((2 * (x - radius), 2 * (y - radius), 2 * (x + radius), 2 * (y + radius)), fill=fill)

    def slice(self, x: float, y: float, radius: float, start: float, end: float, fill: Any) -> None:
        """A slice of a pie, in degrees clockwise from the right."""
        area = (2 * (x - radius), 2 * (y - radius), 2 * (x + radius), 2 * (y + radius))
        self._canvas.pieslice(area, start, end, fill=fill, outline=(255, 255, 255), width=4)

    def array(self) -> np.ndarray:
        """The picture, uint8 (height, width, 3)."""
        return np.asarray(self._picture.reduce(2)).copy()


def palette(wished: Sequence[tuple[int, int, int]], is_pie: bool = False) -> Sequence[tuple[int, int, int]]:
    """The colours of the series: those that are wished for, then the usual ones that look unlike them. The slices of a
    pie in one colour are ever paler."""
    if is_pie and len(wished) == 1:
        return [_paler(wished[0], 0.1 * step) for step in range(len(COLOURS))]
    usual = [one for one in COLOURS if all(math.dist(one, other) > _UNLIKE for other in wished)]
    return (*wished, *usual)


def _paler(colour: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(part + (255 - part) * share) for part in colour)
    return red, green, blue


@dataclass(frozen=True)
class Frame:
    """The plotting area in pixels and the values at its ends."""

    left: float
    top: float
    right: float
    bottom: float
    low: float
    high: float

    def y(self, value: float) -> float:
        """The height of a value."""
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def ticks(low: float, high: float, count: int) -> list[float]:
    """Round numbers (1, 2, 2.5 or 5 times a power of ten) that span low..high, about `count` of them."""
    if high <= low:
        low, high = (low - 1, high + 1) if low == 0 else (low - abs(low) * 0.5, high + abs(high) * 0.5)
    raw = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def label(value: float) -> str:
    """A number on an axis: 1,500; 2.5 M; 0.25."""
    for size, unit in ((1e12, " T"), (1e9, " B"), (1e6, " M")):
        if abs(value) >= size:
            return shown(value / size, 4) + unit
    return f"{value:,.0f}" if value == int(value) else shown(value, 4)


def headed(sheet: Sheet, title: str, names: Sequence[str]) -> float:
    """Draws the title and, for several series, the legend. Returns where the plot may begin."""
    margin = sheet.size * 1.5
    y = margin
    if title:
        lines, scale = _title_lines(title, sheet, sheet.width - 2 * margin)
        for line in lines:
            sheet.text(margin, y + sheet.size * 0.5, line, fill=_INK, weight="semibold", scale=scale)
            y += sheet.size * scale * _LINE
        y += sheet.size * (2.4 - 1.45 * _LINE)
    if len(names) > 1:
        y = _legend(sheet, names, margin, y)
    return y + sheet.size * 0.6


def _title_lines(title: str, sheet: Sheet, width: float) -> tuple[list[str], float]:
    """The title in lines, smaller where it would fill too much of the sheet; only what is longer still is cut."""
    most = _TITLE_SHARE * sheet.height / sheet.size / _LINE
    for scale in _TITLE_SCALES:
        lines = typeset.wrapped(title, 2 * width, round(2 * sheet.size * scale), "semibold")
        if len(lines) * scale <= max(most, scale):
            return lines, scale
    scale = _TITLE_SCALES[-1]
    kept = max(1, int(most / scale))
    rest = typeset.shortened(" ".join(lines[kept - 1 :]), 2 * width, round(2 * sheet.size * scale), "semibold")
    return [*lines[: kept - 1], rest], scale


def _legend(sheet: Sheet, names: Sequence[str], margin: float, y: float) -> float:
    x = margin
    for i, name in enumerate(names):
        name = sheet.fit(name, sheet.width * 0.3)
        wide = sheet.size * 1.5 + sheet.text_width(name)
        if x > margin and x + wide > sheet.width - margin:
            x, y = margin, y + sheet.size * 1.7
        sheet.box(x, y, x + sheet.size, y + sheet.size, sheet.colour(i), sheet.size * 0.25)
        sheet.text(x + sheet.size * 1.4, y + sheet.size * 0.5, name, fill=_INK)
        x += wide + sheet.size * 1.6
    return y + sheet.size * 1.7


def framed(sheet: Sheet, top: float, low: float, high: float, below: float, right: float = 1.5) -> Frame:
    """Draws the value axis with its grid and returns the plotting area; `below` and `right` are free margins."""
    space = (sheet.height - below - top) / (sheet.size * 3.2)
    marks = ticks(low, high, max(2, min(8, round(space))))
    left = sheet.size * 2.2 + max(sheet.text_width(label(mark)) for mark in marks)
    frame = Frame(left, top, sheet.width - sheet.size * right, sheet.height - below, marks[0], marks[-1])
    for mark in marks:
        y = frame.y(mark)
        sheet.line([(frame.left, y), (frame.right, y)], _SOFT if mark == 0 and marks[0] < 0 else _GRID)
        sheet.text(frame.left - sheet.size * 0.7, y, label(mark), "right")
    return frame


def names_below(sheet: Sheet, frame: Frame, places: Sequence[float], names: Sequence[str]) -> None:
    """Category names under the axis; only every second, third ... when they would run into each other."""
    if not places:
        return
    room = (frame.right - frame.left) / max(1, len(places))
    widest = max(sheet.text_width(sheet.fit(name, sheet.width * 0.22)) for name in names[:400]) + sheet.size * 0.8
    every = max(1, math.ceil(widest / room)) if room < widest else 1
    if every > 1 and len(places) <= 20:
        every = max(1, math.ceil(sheet.size * 6 / room))
    for x, name in list(zip(places, names, strict=True))[::every]:
        sheet.text(
            x,
            frame.bottom + sheet.size * 1.2,
            sheet.fit(name, max(room * every - sheet.size * 0.6, sheet.size * 2)),
            "center",
        )


def bars(sheet: Sheet, frame: Frame, names: Sequence[str], series: Sequence[Series]) -> None:
    """Upright bars, side by side for several series, with values on top where there is room."""
    room = (frame.right - frame.left) / len(names)
    wide = min(room * 0.74, sheet.size * 12) / len(series)
    edge = (room - wide * len(series)) / 2
    base = frame.y(min(max(0.0, frame.low), frame.high))
    for s, one in enumerate(series):
        for i, value in enumerate(one.values):
            if value is None:
                continue
            x = frame.left + room * i + edge + wide * s
            y = frame.y(value)
            sheet.box(x, base, x + wide * (0.94 if len(series) > 1 else 1), y, sheet.colour(s), min(3.0, wide / 5))
            written = label(round(value, 2))
            if wide > sheet.text_width(written) + 2:
                sheet.text(x + wide / 2, y + (-0.75 if value >= 0 else 0.75) * sheet.size, written, "center", _INK)
    names_below(sheet, frame, [frame.left + room * (i + 0.5) for i in range(len(names))], names)


def flat_bars(sheet: Sheet, top: float, names: Sequence[str], series: Series) -> None:
    """Lying bars, for names too long to stand under bars. Zero is at the left unless values are negative."""
    filled = [value for value in series.values if value is not None]
    low, high = min(0.0, *filled), max(0.0, *filled)
    widest = max(sheet.text_width(label(round(value, 2))) for value in filled) + sheet.size
    left = sheet.size * 2.2 + min(sheet.width * 0.38, max(sheet.text_width(name) for name in names))
    first = left + (widest if low < 0 else 0)
    scale = (sheet.width - sheet.size * 1.5 - widest - first) / ((high - low) or 1)
    zero = first - low * scale
    room = (sheet.height - sheet.size * 1.5 - top) / len(names)
    thick = min(room * 0.7, sheet.size * 4)
    for i, (name, value) in enumerate(zip(names, series.values, strict=True)):
        y = top + room * (i + 0.5)
        sheet.text(left - sheet.size * 0.7, y, sheet.fit(name, left - sheet.size * 2), "right", _INK)
        if value is not None:
            end = zero + value * scale
            sheet.box(zero, y - thick / 2, end, y + thick / 2, sheet.colour(0), min(3.0, thick / 5))
            sheet.text(
                end + (0.5 if value >= 0 else -0.5) * sheet.size,
                y,
                label(round(value, 2)),
                "left" if value >= 0 else "right",
            )
    sheet.line([(zero, top), (zero, top + room * len(names))], _SOFT)


def are_long(sheet: Sheet, names: Sequence[str]) -> bool:
    """True for names that would be cut under upright bars, when lying bars would have room."""
    room = (sheet.width - sheet.size * 6) / len(names)
    fits = len(names) * sheet.size * 1.25 < sheet.height - sheet.size * 4.5
    return fits and max(sheet.text_width(name) for name in names) > room


def lines(sheet: Sheet, frame: Frame, names: Sequence[str], series: Sequence[Series]) -> None:
    """Lines over evenly spaced names, broken at gaps, with dots when there are few."""
    room = (frame.right - frame.left) / max(1, len(names) - 1) if len(names) > 1 else 0
    places = [frame.left + room * i if room else (frame.left + frame.right) / 2 for i in range(len(names))]
    for s, one in enumerate(series):
        part: list[tuple[float, float]] = []
        for x, value in zip(places, one.values, strict=True):
            if value is None:
                sheet.line(part, sheet.colour(s), sheet.size / 6)
                part = []
                continue
            part.append((x, frame.y(value)))
            if len(names) <= 40:
                sheet.dot(x, frame.y(value), sheet.size * 0.27, sheet.colour(s))
        sheet.line(part, sheet.colour(s), sheet.size / 6)
    names_below(sheet, frame, places, names)


def scatter(sheet: Sheet, frame: Frame, across: Sequence[float | None], series: Sequence[Series], name: str) -> None:
    """Dots at (across, value), with marks along the lower edge."""
    filled = [x for x in across if x is not None]
    marks = ticks(min(filled), max(filled), max(2, round((frame.right - frame.left) / (sheet.size * 6))))
    scale = (frame.right - frame.left) / (marks[-1] - marks[0])
    for mark in marks:
        x = frame.left + (mark - marks[0]) * scale
        sheet.line([(x, frame.top), (x, frame.bottom)], _GRID)
        sheet.text(x, frame.bottom + sheet.size * 1.2, label(mark), "center")
    sheet.text(
        (frame.left + frame.right) / 2,
        frame.bottom + sheet.size * 2.8,
        sheet.fit(name, frame.right - frame.left),
        "center",
        _INK,
    )
    for s, one in enumerate(series):
        for x, value in zip(across, one.values, strict=True):
            if x is not None and value is not None:
                sheet.dot(
                    frame.left + (x - marks[0]) * scale,
                    frame.y(value),
                    sheet.size * 0.36,
                    (*sheet.colour(s), 190),
                )


def pie(sheet: Sheet, top: float, names: Sequence[str], values: Sequence[float]) -> None:
    """Slices clockwise from the top, in the given order, with a list of names and shares at the right, and of
    the values where no name is cut for them."""
    total = math.fsum(values)
    shares = [f"{100 * value / total:.3g} %" for value in values]
    whole = [f"{label(round(value, 2))}  ({share})" for value, share in zip(values, shares, strict=True)]
    least, beside = sheet.width * 0.14, sheet.size * 9.5 + max(map(sheet.text_width, names))
    if beside + max(map(sheet.text_width, whole)) + 2 * least <= sheet.width:
        shares = whole
    wide = min(sheet.width * 0.26, max(least, (sheet.width - beside - max(map(sheet.text_width, shares))) / 2))
    radius = min((sheet.height - top - sheet.size * 1.5) / 2, wide)
    x, y = sheet.size * 2.5 + radius, top + (sheet.height - top - sheet.size * 1.5) / 2
    angle = -90.0
    step = min(sheet.size * 2.1, (sheet.height - top - sheet.size) / len(names))
    row = y - step * (len(names) - 1) / 2
    place = x + radius + sheet.size * 2.5
    for i, (name, value, written) in enumerate(zip(names, values, shares, strict=True)):
        colour = sheet.colour(i)
        sheet.slice(x, y, radius, angle, angle + 360 * value / total, colour)
        angle += 360 * value / total
        sheet.box(place, row - sheet.size * 0.5, place + sheet.size, row + sheet.size * 0.5, colour, sheet.size * 0.25)
        sheet.text(sheet.width - sheet.size * 1.5, row, written, "right")
        free = sheet.width - sheet.size * 3.5 - sheet.text_width(written) - place
        sheet.text(place + sheet.size * 1.5, row, sheet.fit(name, max(free, sheet.size * 3)), fill=_INK)
        row += step
