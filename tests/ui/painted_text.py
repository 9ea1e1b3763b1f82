"""What a widget writes, in which colours and where: its painting is told to a device that keeps the texts only.

So that what can be read is judged by the colours that are set, whatever a font makes of them on pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QColor, QPaintDevice, QPaintEngine, QPainter, QRegion, QTextItem
from PySide6.QtWidgets import QWidget

_Metric = QPaintDevice.PaintDeviceMetric


@dataclass(frozen=True)
class Text:
    """Words as one run of letters. `color` is the pen's, with its alpha; `area` is where the letters are, in the
    widget's coordinates, from the top of the line to its bottom. `dimmed`: painted with all round it at less opacity.
    """

    words: str
    color: QColor
    area: QRectF
    dimmed: bool


def painted_texts(widget: QWidget) -> list[Text]:
    """All that the widget itself writes now, those inside it not counted."""
    device = _Device(widget.size())
    QWidget.render(widget, device, QPoint(), QRegion(), QWidget.RenderFlag(0))  # a view has another `render`
    return device.texts


def texts_of(paint: Callable[[QPainter], None], size: QSize) -> list[Text]:
    """All that `paint` writes with the painter it is given, for what a widget paints into a picture first."""
    device = _Device(size)
    painter = QPainter(device)
    paint(painter)
    painter.end()
    return device.texts


class _Engine(QPaintEngine):
    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts: list[Text] = []

    def begin(self, device: QPaintDevice) -> bool:
        self.setActive(True)
        return True

    def end(self) -> bool:
        self.setActive(False)
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state) -> None:
        pass

    def drawPixmap(self, *_) -> None:
        pass

    drawImage = drawTiledPixmap = drawPath = drawPolygon = drawRects = drawLines = drawPoints = drawEllipse = drawPixmap

    def drawTextItem(self, start, item: QTextItem) -> None:
        painter = self.painter()
        line = QRectF(start.x(), start.y() - item.ascent(), item.width(), item.ascent() + item.descent())
        area = painter.combinedTransform().mapRect(line)
        self.texts.append(Text(item.text(), QColor(painter.pen().color()), area, painter.opacity() < 1))


class _Device(QPaintDevice):
    def __init__(self, size: QSize) -> None:
        super().__init__()
        self._engine = _Engine()
        self._metrics = {
            _Metric.PdmWidth: size.width(),
            _Metric.PdmHeight: size.height(),
            _Metric.PdmWidthMM: size.width() * 254 // 960,
            _Metric.PdmHeightMM: size.height() * 254 // 960,
            _Metric.PdmDpiX: 96,
            _Metric.PdmDpiY: 96,
            _Metric.PdmPhysicalDpiX: 96,
            _Metric.PdmPhysicalDpiY: 96,
            _Metric.PdmDepth: 32,
            _Metric.PdmNumColors: 0,
            _Metric.PdmDevicePixelRatio: 1,
            _Metric.PdmDevicePixelRatioScaled: 65536,
        }

    @property
    def texts(self) -> list[Text]:
        return self._engine.texts

    def paintEngine(self) -> QPaintEngine:
        return self._engine

    def metric(self, which: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(which, 0)
