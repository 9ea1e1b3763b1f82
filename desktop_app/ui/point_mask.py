"""Keeps a mask in step with the marks: asks for one shortly after each change, shows only the newest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QImage

from desktop_app.errors import AppError
from desktop_app.ui import media, theme
from nodes.api import NodeError

Preview = Callable[[tuple[Any, ...]], Awaitable[Any]]
WAIT_MILLISECONDS = 150
_LONGEST = 1600


@dataclass(frozen=True)
class Found:
    """`overlay` is coloured with alpha, `plain` black and white; both may be smaller than the picture by `step`.

    `area` counts the selected pixels of the picture, `fraction` is their share of it, 0..1.
    """

    overlay: QImage
    plain: QImage
    step: int
    area: int
    fraction: float


class MaskPreview(QObject):
    """`came(found or None, words, trouble)`: the mask to lay over the picture, and what to say about it.

    `asked` tells that one is being found; the one before stays until then.
    """

    came = Signal(object, str, bool)
    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self._marks: tuple[Any, ...] = ()
        self._newest = 0
        self._tasks: set[asyncio.Future[None]] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MILLISECONDS)
        self._timer.timeout.connect(self._begin)

    def use(self, preview: Preview | None) -> None:
        """`preview(marks)` gives uint8 (height, width), 255 = selected, or None. None: no mask is shown."""
        self._newest += 1
        self._timer.stop()
        self._marks = ()
        self._preview = preview
        self.came.emit(None, "", False)

    def ask(self, marks: tuple[Any, ...]) -> None:
        """Asks for the mask of the marks, once they have rested a moment. The same ones again ask for nothing."""
        if self._preview is None or marks == self._marks:
            return
        self._marks = marks
        self._newest += 1
        if marks:
            self._timer.start()
        else:
            self._timer.stop()
            self.came.emit(None, "", False)

    def _begin(self) -> None:
        if self._preview is not None:
            self.asked.emit()
            task = asyncio.ensure_future(self._one(self._marks, self._preview, self._newest))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _one(self, marks: tuple[Any, ...], preview: Preview, mine: int) -> None:
        began = time.monotonic()
        found, trouble = None, ""
        try:
            mask = await preview(marks)
            if mask is not None:
                found = await asyncio.to_thread(shown, mask)
        except (AppError, NodeError) as error:
            trouble = f"{error.message} {error.fix}".strip()
        if mine != self._newest or not shiboken6.isValid(self):
            return
        took = round((time.monotonic() - began) * 1000)
        words = self.tr("Mask in {ms} ms").format(ms=took) if found is not None else ""
        self.came.emit(found, trouble or words, bool(trouble))


def shown(mask: Any) -> Found:
    """The mask as pictures, with its area; `mask` is uint8 (height, width). May run on a thread."""
    import numpy as np

    area = int(np.count_nonzero(mask > 127))
    step = max(1, -(-max(mask.shape) // _LONGEST))
    small = np.ascontiguousarray(mask[::step, ::step])
    return Found(coloured(small), media.from_array(small), step, area, area / mask.size)


def coloured(mask: Any) -> QImage:
    """The mask in the overlay's colour with a light edge, ARGB; `mask` is uint8 (height, width)."""
    import numpy as np

    fill, edge = theme.current().color("mask_overlay.fill"), theme.current().color("mask_overlay.edge")
    inside = mask > 127
    rim = inside & ~_eroded(inside)
    out = np.zeros((*mask.shape, 4), np.uint8)
    out[inside] = _rgba(fill)
    out[rim] = _rgba(edge)
    return media.from_array(out)


def _eroded(inside: Any) -> Any:
    import numpy as np

    padded = np.pad(inside, 1, mode="edge")
    return padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]


def _rgba(color: QColor) -> tuple[int, int, int, int]:
    return color.red(), color.green(), color.blue(), color.alpha()
