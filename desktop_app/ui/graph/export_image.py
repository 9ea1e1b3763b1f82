"""The whole graph as a picture file, PNG or SVG, as it stands on the canvas: cards, links, notes, results."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsScene

from desktop_app.core.errors import BadRequest, StorageError
from desktop_app.ui.widgets.basic import color
from nodes.phrase import Phrase

_MARGIN = 32.0
_SHARPNESS = 2.0
_MOST_PIXELS = 60_000_000
_MOST_SIDE = 30_000


def save_graph_picture(scene: QGraphicsScene, path: Path) -> None:
    """Writes the scene to `path`, by its suffix (.png at twice the size on screen, or .svg).

    A very large graph is drawn smaller, so that a PNG stays below 60 million pixels. Raises BadRequest when there
    is nothing to draw, StorageError when the file cannot be written.
    """
    area = scene.itemsBoundingRect().adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
    if not scene.items():
        raise BadRequest("There is no graph to draw.", "Ask for something, or add a node.")
    chosen, ground = scene.selectedItems(), scene.backgroundBrush()
    blocked = scene.blockSignals(True)
    for item in chosen:  # a ring round what happens to be selected is no part of the graph
        item.setSelected(False)
    lines = getattr(scene, "grid_mode", None)
    scene.setBackgroundBrush(color("background.canvas"))
    if lines is not None:  # NodeGraphQt's scene draws lines, which on screen the view hides under its own ground
        scene.grid_mode = 0  # type: ignore[attr-defined]
    try:
        written = _save_svg(scene, area, path) if path.suffix.lower() == ".svg" else _save_png(scene, area, path)
    finally:
        for item in chosen:
            item.setSelected(True)
        scene.setBackgroundBrush(ground)
        if lines is not None:
            scene.grid_mode = lines  # type: ignore[attr-defined]
        scene.blockSignals(blocked)
    if not written:
        raise StorageError(
            Phrase("The picture could not be saved to {path}.", path=path), "Choose another folder, or free some space."
        )


def _save_png(scene: QGraphicsScene, area: QRectF, path: Path) -> bool:
    scale = min(
        _SHARPNESS,
        (_MOST_PIXELS / (area.width() * area.height())) ** 0.5,
        _MOST_SIDE / max(area.width(), area.height()),
    )
    image = QImage((area.size() * scale).toSize(), QImage.Format.Format_RGB32)
    image.fill(color("background.canvas"))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    scene.render(painter, QRectF(image.rect()), area, Qt.AspectRatioMode.IgnoreAspectRatio)
    painter.end()
    return image.save(str(path))


def _save_svg(scene: QGraphicsScene, area: QRectF, path: Path) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    size = area.size().toSize()
    generator.setSize(QSize(size.width(), size.height()))
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setResolution(96)  # CSS pixels, which is what sizes of fonts are read as
    generator.setTitle("Graphwright")
    painter = QPainter()
    if not painter.begin(generator):
        return False
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), color("background.canvas"))
    scene.render(painter, QRectF(0, 0, size.width(), size.height()), area, Qt.AspectRatioMode.IgnoreAspectRatio)
    return painter.end()
