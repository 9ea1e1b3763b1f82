"""What a wheel, or two fingers on a touch pad, mean on what can be moved and zoomed: the graph, a picture."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QWheelEvent

_TURN = 1.0015
"""The zoom for each eighth of a degree that a wheel turns."""


def pan_of(event: QWheelEvent) -> QPointF | None:
    """Pixels by which the content goes along; None where it is to be zoomed.

    Fingers move it, and so does a wheel that turns sideways or with Shift; with Ctrl both zoom.
    """
    keys, turned, pixels = event.modifiers(), QPointF(event.angleDelta()), QPointF(event.pixelDelta())
    if keys & Qt.KeyboardModifier.ControlModifier:
        return None
    if keys & Qt.KeyboardModifier.ShiftModifier:
        return QPointF(turned.y() or turned.x(), 0)
    touch = event.deviceType() == QInputDevice.DeviceType.TouchPad or event.phase() != Qt.ScrollPhase.NoScrollPhase
    if touch and not pixels.isNull():
        return pixels
    return turned if touch or abs(turned.x()) > abs(turned.y()) else None


def zoom_of(event: QWheelEvent) -> float:
    turned = event.angleDelta()
    return _TURN ** (turned.y() or turned.x())
