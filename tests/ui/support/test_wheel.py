"""A wheel zooms; fingers on a touch pad and a wheel that turns sideways move what is seen, wherever it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication

from desktop_app.ui.pointing.pointing_view import PointPicker
from desktop_app.ui.results.preview import ZoomView
from tests.ui.conftest import use_theme

NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
TURNED, FINGERS = Qt.ScrollPhase.NoScrollPhase, Qt.ScrollPhase.ScrollUpdate


@pytest.fixture
def point(qtbot, qapp):
    picker = PointPicker()
    qtbot.addWidget(picker)
    picker.resize(900, 600)
    picker.show()
    picker.point_at(_image(), "Point", "photo.png")
    picker.view.set_zoom(3.0)
    return picker.view


@pytest.fixture
def large(qtbot, qapp):
    use_theme(qapp)
    made = ZoomView()
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    made.set_image(_image())
    made.set_zoom(3.0)
    return made


@pytest.fixture
def graph(view):
    return view.canvas


def _image() -> QImage:
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(0)
    return image


def turn(shown, x: int, y: int, phase=TURNED, keys=NONE, pixels: QPoint | None = None) -> None:
    port = shown.viewport()
    at = QPointF(port.rect().center())
    buttons = Qt.MouseButton.NoButton
    event = QWheelEvent(
        at, QPointF(port.mapToGlobal(at.toPoint())), pixels or QPoint(), QPoint(x, y), buttons, keys, phase, False
    )
    QApplication.sendEvent(port, event)


@pytest.fixture(params=["graph", "point", "large"])
def shown(request):
    return request.getfixturevalue(request.param)


def seen(shown) -> tuple[float, QPointF]:
    return shown.transform().m11(), shown.mapToScene(QPoint(10, 10))


def test_a_wheel_that_turns_sideways_moves_and_keeps_the_zoom(shown):
    zoom, corner = seen(shown)
    turn(shown, -120, 0)
    after, moved = seen(shown)
    assert after == zoom and moved.x() > corner.x() and abs(moved.y() - corner.y()) < 1


def test_two_fingers_move_and_keep_the_zoom(shown):
    zoom, corner = seen(shown)
    turn(shown, 0, -40, FINGERS, pixels=QPoint(0, -40))
    after, moved = seen(shown)
    assert after == zoom and moved.y() > corner.y()


def test_a_wheel_zooms_and_so_do_fingers_with_ctrl(shown):
    zoom, _ = seen(shown)
    turn(shown, 0, -120)
    closer, _ = seen(shown)
    turn(shown, 0, -40, FINGERS, CTRL, QPoint(0, -40))
    assert seen(shown)[0] < closer < zoom
