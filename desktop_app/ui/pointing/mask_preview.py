"""Keeps masks in step with a drawing: asks for one right after each change, shows only the newest.

What the tool finds is asked for by clicks and reading, and kept; strokes are laid over it here.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QImage

from desktop_app.core.errors import AppError
from desktop_app.i18n import catalogue
from desktop_app.services.mask_preview import step_of
from desktop_app.ui.pointing.drawing import BEST, READINGS, Drawing, MarkedObject
from desktop_app.ui.pointing.marks import Mark
from desktop_app.ui.pointing.rasterize import fitted, over, painted
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.thread_pool import in_thread
from desktop_app.ui.theme import theme
from nodes.api import NodeError

Preview = Callable[..., Awaitable[Any]]
"""`preview(points)`, or `preview(points, reading)` where there are readings, gives uint8 (height, width) or None."""
PATIENCE_SECONDS = 0.3
"""A request that takes longer is overtaken by a newer one; a shorter one is let end, so that something is seen."""
FIRST_PATIENCE_SECONDS = 20.0
"""The first look at a picture takes longer, and what stops it stops all that it has done."""
READINGS_AFTER_MILLISECONDS = 250
_LONGEST = 1600
_KEPT = 40
_PALETTE = ("mask_overlay.fill", "resource_type.image", "resource_type.boxes", "resource_type.audio",
            "resource_type.labels", "resource_type.points", "resource_type.number")  # fmt: skip


@dataclass(frozen=True)
class FoundMask:
    """`overlay` is coloured with alpha, `plain` black and white; both may be smaller than the picture by `step`.

    `area` counts the selected pixels of the picture, `fraction` is their share of it, 0..1. `whole` is the mask of all
    things together, uint8 (height, width) of the picture, for a large one smaller by `step_of`, before its edge is
    changed; `drawing` what it was made of.
    """

    overlay: QImage
    plain: QImage
    step: int
    area: int
    fraction: float
    whole: Any
    drawing: Drawing


@dataclass(frozen=True)
class MaskReading:
    """One way to read the clicks: its name, the mask's picture (white with alpha, small), its share of the picture, and
    whether it is what the likeliest reading gives."""

    name: str
    overlay: QImage
    fraction: float
    usual: bool


def tint(number: int, alpha: float = 1.0) -> QColor:
    """The colour of the thing of that number, 1 the first."""
    return theme.current().tint(_PALETTE[(number - 1) % len(_PALETTE)], alpha)


class MaskPreview(QObject):
    """`came(found or None, words, trouble)`: the masks to lay over the picture, and what to say about them.

    `asked` tells that one is being found; the one before stays until then. `read(readings)` brings the readings of the
    present thing's clicks, () when there are none. `settled` tells that nothing more is to come for the drawing.
    """

    came = Signal(object, str, bool)
    asked = Signal()
    read = Signal(tuple)
    settled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self._with_readings = self._boxes = False
        self._drawing = Drawing()
        self._size = (1, 1)
        self._newest = self._shown = 0
        self._began: float | None = None
        self._patience = FIRST_PATIENCE_SECONDS
        self._found: OrderedDict[tuple[Any, str], Any] = OrderedDict()
        self._tasks: set[asyncio.Future[None]] = set()
        self._timer = self._single(0, self._begin)
        self._late = self._single(READINGS_AFTER_MILLISECONDS, self._begin_readings)

    def use(
        self,
        preview: Preview | None,
        size: tuple[int, int],
        readings: bool = False,
        boxes: bool = False,
        look: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Finds masks of a picture of `size` (width, height) by `preview` from now on; None: no mask is shown.

        With `boxes` the boxes are what is asked for; else they bound what is selected. `look()` lets the tool see the
        picture ahead of the first click.
        """
        self._newest += 1
        self._shown = self._newest
        self._began = None
        self._timer.stop()
        self._late.stop()
        self._found.clear()
        self._drawing, self._size = Drawing(), size
        self._preview, self._with_readings, self._boxes = preview, readings, boxes
        self._patience = FIRST_PATIENCE_SECONDS
        self.came.emit(None, "", False)
        self.read.emit(())
        if preview is not None and look is not None:
            self._began = time.monotonic()
            self._start(self._look(look, self._began))

    async def _look(self, look: Callable[[], Awaitable[Any]], began: float) -> None:
        await look()
        if shiboken6.isValid(self):
            self._ended(began)

    def _ended(self, began: float) -> None:
        if self._began == began:
            self._began, self._patience = None, PATIENCE_SECONDS
            if self._timer.isActive():
                self._timer.start(0)

    def find_anew(self, preview: Preview) -> None:
        """Another way to find masks of the same picture: what was found before is forgotten, and asked for again."""
        drawing, self._drawing = self._drawing, Drawing()
        self._preview, self._patience = preview, FIRST_PATIENCE_SECONDS
        self._began = None  # what is on its way is not waited for
        self._found.clear()
        self.read.emit(())
        self.ask(drawing)

    @property
    def pending(self) -> bool:
        """True while the masks of the newest drawing are not there."""
        return self._preview is not None and self._shown < self._newest

    def ask(self, drawing: Drawing) -> None:
        """Asks for the masks of the drawing. The same again asks for nothing."""
        if self._preview is None or drawing == self._drawing:
            return
        if drawing.thing.clicks != self._drawing.thing.clicks:
            self.read.emit(())
        self._drawing = drawing
        self._newest += 1
        self._late.stop()
        if not drawing.marked:
            self._timer.stop()
            self._shown = self._newest
            self.came.emit(None, "", False)
            self.read.emit(())
        elif not self._timer.isActive():
            self._timer.start(self._wait())

    def _wait(self) -> int:
        """Milliseconds until the next request may begin: one that goes on is given a little time."""
        if self._began is None:
            return 0  # clicks that came together are in the loop before it
        return max(0, round((self._patience - (time.monotonic() - self._began)) * 1000))

    def _single(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=milliseconds)
        timer.timeout.connect(slot)
        return timer

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _begin(self) -> None:
        if self._preview is not None:
            self._began = time.monotonic()
            keys = [self._key(thing) for thing in self._drawing.marked]
            if any(said and (said, reading) not in self._found for said, reading in keys):
                self.asked.emit()
            self._start(self._one(self._drawing, self._newest, self._began))

    async def _one(self, drawing: Drawing, mine: int, began: float) -> None:
        found, trouble = None, ""
        try:
            for thing in sorted(drawing.marked, key=lambda thing: thing is not drawing.thing):
                if not await self._find(*self._key(thing)):
                    break
            else:
                masks = {thing.number: self._found.get(self._key(thing)) for thing in drawing.marked}
                found = await in_thread(shown, drawing, masks, *self._size, not self._boxes)
        except (AppError, NodeError) as error:
            trouble = catalogue.translated(str(error))
        if not shiboken6.isValid(self):
            return
        self._ended(began)
        if mine <= self._shown or self._preview is None:
            return
        if found is None and not trouble and mine != self._newest:
            return  # overtaken
        self._shown = mine
        words = self.tr("Mask in {time}").format(time=formatting.duration(time.monotonic() - began)) if found else ""
        self.came.emit(found, trouble or words, bool(trouble))
        if mine == self._newest:
            self._late.start()
            self.settled.emit()

    def _key(self, thing: MarkedObject) -> tuple[Any, str]:
        """What is asked for the thing: its clicks or boxes, () when it is painted alone; and its reading."""
        return (thing.marks if self._boxes else thing.clicks), thing.reading

    async def _find(self, clicks: Any, reading: str) -> bool:
        """True when the mask is there now; false when a newer request overtook this one, or there is no tool."""
        key = (clicks, reading)
        if clicks and key not in self._found:
            preview = self._preview
            assert preview is not None
            mask = await (preview(clicks) if reading == BEST else preview(clicks, reading))
            if mask is None or preview is not self._preview:
                return False
            self._found[key] = mask
            if len(self._found) > _KEPT:
                self._found.popitem(last=False)
        if clicks:
            self._found.move_to_end(key)
        return True

    def _begin_readings(self) -> None:
        thing = self._drawing.thing
        if not self._with_readings or not thing.clicks:
            self.read.emit(())
        elif self._preview is not None:
            self._start(self._readings(thing, self._newest))

    async def _readings(self, thing: MarkedObject, mine: int) -> None:
        """Finds the readings one after the other; clicks that come meanwhile go first."""
        try:
            for reading in (BEST, *READINGS):
                if mine != self._newest or not await self._find(thing.clicks, reading):
                    return
            masks = {reading: self._found[thing.clicks, reading] for reading in (BEST, *READINGS)}
            made = await in_thread(_readings, masks, () if self._boxes else thing.marks, *self._size)
        except (AppError, NodeError, KeyError):
            made = ()
        if mine == self._newest and shiboken6.isValid(self):
            self.read.emit(made)


def shown(drawing: Drawing, masks: dict[int, Any], width: int, height: int, paint: bool = True) -> FoundMask:
    """The masks as one picture, with their area; `masks` holds what the tool found, by number.

    With `paint` strokes and boxes count over it. May run on a thread. Of a large picture all is smaller by `step_of`.
    """
    import numpy as np

    coarse = step_of(width, height)
    width, height = -(-width // coarse), -(-height // coarse)
    grow, feather = round(drawing.grow / coarse), round(drawing.feather / coarse)
    found = []
    for thing in drawing.marked:
        by_hand = painted(thing.marks, width, height, coarse) if paint else None
        mask = masks.get(thing.number)
        mask = fitted(mask, width, height) if mask is not None else None
        found.append((thing, over(mask, by_hand, width, height)))
    together = functools.reduce(np.maximum, (mask for _, mask in found), np.zeros((height, width), np.uint8))
    whole = _edged(together, grow, feather)
    step = max(1, -(-max(width, height) // _LONGEST))
    overlay = np.zeros((*whole[::step, ::step].shape, 4), np.uint8)
    if drawing.grow or drawing.feather:
        found = [(thing, _edge_of(mask, grow, feather, whole, len(found) == 1)) for thing, mask in found]
    small = [(int(np.count_nonzero(mask[::step, ::step])), mask[::step, ::step], thing) for thing, mask in found]
    alpha = theme.current().color("mask_overlay.fill").alphaF()
    for _, mask, thing in sorted(small, key=lambda one: -one[0]):  # small things lie on large ones
        _lay(overlay, mask, tint(thing.number, alpha), soft=bool(drawing.feather))
    area = int(np.count_nonzero(whole > 127))
    plain = np.ascontiguousarray(whole[::step, ::step])
    return FoundMask(
        media_reader.from_array(overlay),
        media_reader.from_array(plain),
        step * coarse,
        area * coarse * coarse,
        area / whole.size,
        together,
        drawing,
    )


def _edge_of(mask: Any, grow: int, feather: int, whole: Any, alone: bool) -> Any:
    """One thing of the `whole` whose edge was changed: where it touches another, that is not taken from it."""
    import numpy as np

    return whole if alone else np.minimum(_edged(mask, max(0, grow), feather), whole)


def _edged(mask: Any, grow: int, feather: int) -> Any:
    """As the tools do it; those libraries are not loaded until then."""
    if not grow and not feather:
        return mask
    from nodes._support.imaging.mask_edge import edged

    return edged(mask, grow, feather)


def _lay(overlay: Any, mask: Any, fill: QColor, soft: bool = False) -> None:
    """Lays a mask in a colour with a light edge on the RGBA picture; `soft`: paler where it selects less."""
    import numpy as np

    inside = mask > 127
    if soft:
        alpha = (mask.astype(np.uint16) * fill.alpha() // 255).astype(np.uint8)
        more = inside | (alpha > overlay[..., 3])
        overlay[more] = _rgba(fill)
        overlay[..., 3] = np.where(more, alpha, overlay[..., 3])
    else:
        overlay[inside] = _rgba(fill)
    overlay[inside & ~_eroded(inside)] = _rgba(theme.current().color("mask_overlay.edge"))


def _eroded(inside: Any) -> Any:
    import numpy as np

    padded = np.pad(inside, 1, mode="edge")
    return padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]


def _readings(masks: dict[str, Any], marks: Sequence[Mark], width: int, height: int) -> tuple[MaskReading, ...]:
    """Of each mask what would be shown: within what is painted by hand."""
    import numpy as np

    coarse = step_of(width, height)
    width, height = -(-width // coarse), -(-height // coarse)
    by_hand = painted(marks, width, height, coarse)
    masks = {name: over(fitted(mask, width, height), by_hand, width, height) for name, mask in masks.items()}
    usual = masks[BEST]
    made = []
    for name in READINGS:
        mask = masks[name]
        step = max(1, max(mask.shape) // 200)
        small = np.ascontiguousarray(mask[::step, ::step])
        alpha = np.zeros((*small.shape, 4), np.uint8)
        alpha[small > 127] = _rgba(theme.current().color("mask_overlay.fill"))
        fraction = float(np.count_nonzero(mask > 127)) / mask.size
        differ = float(np.count_nonzero((mask > 127) != (usual > 127))) / mask.size
        made.append(MaskReading(name, media_reader.from_array(alpha), fraction, differ < 0.002))
    return tuple(made)


def _rgba(color: QColor) -> tuple[int, int, int, int]:
    return color.red(), color.green(), color.blue(), color.alpha()
