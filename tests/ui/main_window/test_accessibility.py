"""Every control has a name for those who cannot see it, and is large enough to be hit: a walk over the widget tree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_app.ui.main_window.main_window import MainWindow
from tests.ui.conftest import served, use_theme
from tests.ui.every_screen import SCREENS
from tests.ui.fakes import finish

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QGraphicsView, QLineEdit,
    QPlainTextEdit, QTextEdit,
)  # fmt: skip
LEAST = 24
_OWNERS = (QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)
_SEARCH = "TabSearchMenuWidget"
"""Widgets of Qt that speak for their parts; the last is NodeGraphQt's and never shown."""


def name_of(widget: QWidget) -> str:
    """What a screen reader says."""
    interface = QAccessible.queryAccessibleInterface(widget)
    said = interface.text(QAccessible.Text.Name) if interface is not None else ""
    return said or widget.accessibleName()


def controls(window: QWidget) -> list[QWidget]:
    """Every control of ours that is seen, be it after scrolling; not the inner parts of Qt's own widgets."""
    return [
        widget for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS) and widget.isVisible() and not isinstance(widget, QScrollBar)
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget, QHeaderView)
        and not any(isinstance(o, _OWNERS) or type(o).__name__ == _SEARCH for o in owners(widget))
    ]  # fmt: skip


def owners(widget: QWidget) -> Iterator[QWidget]:
    """What the widget is a part of, from the inside out."""
    while (parent := widget.parentWidget()) is not None:
        widget = parent
        yield widget


@pytest.fixture(params=SCREENS)
def window(request, qtbot, qapp, session):
    use_theme(qapp)
    fill, act = SCREENS[request.param]
    if fill is not None:
        fill(session)
    made = MainWindow(session, spawn=finish)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    qtbot.waitExposed(made)
    act(made)
    served()
    yield made
    made.close()


def test_every_control_has_a_name_a_tip_where_it_shows_only_a_sign_room_for_a_finger_and_the_keyboard(window):
    seen = [(widget, type(widget).__name__, name_of(widget)) for widget in controls(window)]
    nameless = [
        (kind, *(type(owner).__name__ for owner in owners(widget))) for widget, kind, name in seen if not name.strip()
    ]
    assert not nameless
    silent = [
        (kind, name, type(widget.parentWidget()).__name__)
        for widget, kind, name in seen
        if isinstance(widget, QToolButton | QPushButton) and not widget.text() and not widget.toolTip()
    ]
    assert not silent, "they say on hover what they do"
    small = [
        (kind, name, widget.width(), widget.height())
        for widget, kind, name in seen
        if isinstance(widget, QAbstractButton) and min(widget.width(), widget.height()) < LEAST
    ]
    assert not small
    deaf = [
        (kind, name, type(widget.parentWidget()).__name__)
        for widget, kind, name in seen
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() == Qt.FocusPolicy.NoFocus
        and not isinstance(widget, QTextEdit)
    ]  # fmt: skip
    assert not deaf
