"""Keeps a mask in step with the points: asks for one after each change, shows only the newest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QImage

from desktop_app.errors import AppError
from desktop_app.ui import media, theme
from nodes.api import NodeError, Point

Preview = Callable[[tuple[Point, ...]], Awaitable[Any]]


class MaskPreview(QObject):
    """`came(picture or None, words)`: the coloured mask to lay over the picture, and what to say about it."""

    came = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self._wanted: tuple[Point, ...] | None = None
        self._task: asyncio.Future[None] | None = None

    def use(self, preview: Preview | None) -> None:
        """`preview(points)` gives uint8 (height, width), 255 = selected, or None. None: no mask is shown."""
        self._preview = preview
        self._wanted = None

    def ask(self, points: tuple[Point, ...]) -> str:
        """Asks for the mask of the points; returns what to say meanwhile."""
        if self._preview is None:
            return ""
        self._wanted = points
        if not points:
            self.came.emit(None, "")
            return ""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._follow())
        return self.tr("Finding the mask…")

    async def _follow(self) -> None:
        while (points := self._wanted) is not None:
            self._wanted = None
            if points and self._preview is not None:
                await self._one(points, self._preview)

    async def _one(self, points: tuple[Point, ...], preview: Preview) -> None:
        began = time.monotonic()
        try:
            mask = await preview(points)
        except (AppError, NodeError) as error:
            self.came.emit(None, error.message)
            return
        if self._wanted is None and preview is self._preview:
            took = round((time.monotonic() - began) * 1000)
            words = self.tr("Mask follows in {ms} ms").format(ms=took) if mask is not None else ""
            self.came.emit(None if mask is None else coloured(mask), words)


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
