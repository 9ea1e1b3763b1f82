"""Icons: 24-grid SVGs of resources/icons, tinted, and cached by colour, size and pixel density.

`logo` is our own drawing and keeps its colours, `play-solid` and `stop-solid` are our own too; the others are from
Lucide (see the LICENSE beside them).
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop_app.core.paths import RESOURCES
from desktop_app.ui.theme import theme

FOLDER = RESOURCES / "icons"
FALLBACK = "box"


def icon(name: str, color: QColor | None = None, size: int = 16) -> QIcon:
    """An icon that is sharp at every density. Without `color` it takes the theme's secondary text, the primary
    text while hovered or checked and where it is solid, and the disabled text; `size` is the one that buttons ask for
    by default.
    """
    return QIcon(_Engine(name, QColor(color) if color is not None else None, size))


def pixmap(name: str, color: QColor, size: float, dpr: float = 1.0) -> QPixmap:
    """A square of `size` logical pixels with the tinted icon; an unknown name gives the box. Do not change it."""
    return _pixmap(name, color.rgba(), round(size * dpr), dpr)


def paint(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Paints the icon into `rect`, as sharp as the painter's present scale allows."""
    scale = max(0.1, painter.worldTransform().m11()) * painter.device().devicePixelRatioF()
    pixels = max(1, round(rect.width() * scale))
    painter.drawPixmap(rect, _pixmap(name, color.rgba(), pixels, 1.0), QRectF(0, 0, pixels, pixels))


def exists(name: str) -> bool:
    return bool(_svg(name))


@cache
def _svg(name: str) -> str:
    path = FOLDER / f"{name}.svg"
    return path.read_text(encoding="utf-8") if name and path.is_file() else ""


@lru_cache(maxsize=2000)
def _pixmap(name: str, rgba: int, pixels: int, dpr: float) -> QPixmap:
    color = QColor.fromRgba(rgba)
    text = (_svg(name) or _svg(FALLBACK)).replace("currentColor", color.name())
    result = QPixmap(pixels, pixels)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(color.alphaF())
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    result.setDevicePixelRatio(dpr)
    return result


class _Engine(QIconEngine):
    """Draws the SVG in the colour that mode and theme ask for, so that a change of theme needs no new icons."""

    def __init__(self, name: str, color: QColor | None, size: int) -> None:
        super().__init__()
        self._name = name
        self._color = color
        self._size = size

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._color, self._size)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        side = min(size.width(), size.height())
        return QSize(side, side)

    def availableSizes(self, mode: QIcon.Mode = QIcon.Mode.Normal, state: QIcon.State = QIcon.State.Off) -> list[QSize]:
        return [QSize(self._size, self._size)]

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        pixels = max(1, min(size.width(), size.height()))  # already in pixels of the device
        return _pixmap(self._name, self._tint(mode, state).rgba(), pixels, scale)

    def paint(self, painter: QPainter, rect, mode: QIcon.Mode, state: QIcon.State) -> None:  # type: ignore[override]
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        paint(painter, square, self._name, self._tint(mode, state))

    def _tint(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        look = theme.current()
        if mode == QIcon.Mode.Disabled:
            return look.color("text.disabled")
        if self._color is not None:
            return self._color
        lit = mode != QIcon.Mode.Normal or state == QIcon.State.On or self._name.endswith("-solid")
        return look.color("text.primary" if lit else "text.secondary")


def density() -> float:
    """Device pixels per logical pixel of the main screen."""
    screen = QGuiApplication.primaryScreen()
    return screen.devicePixelRatio() if screen else 1.0
