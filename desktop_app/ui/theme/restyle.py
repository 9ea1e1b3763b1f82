"""Gives the application another style sheet without stopping the window: first what is seen of the one in use.

`QApplication.setStyleSheet` styles every widget once for itself and once more for each of its parents: 0.8 s for the
900 widgets of this window. Here each is styled once (0.08 s), the others when there is time or when one is painted.
Must not know the theme.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

_SLICE = 0.01
"""Seconds that hidden widgets may take at a time."""
_SEEN = frozenset({QEvent.Type.Show, QEvent.Type.Paint})


def restyle(app: QApplication, sheet: str) -> None:
    """Makes `sheet` the style sheet of the application. What is seen has the new look when this returns."""
    if not app.styleSheet() or not sheet:
        app.setStyleSheet(sheet)  # the first one: Qt styles each widget once, and those not shown yet when they are
        return
    later = app.findChild(_Later) or _Later(app)
    later.end()
    app.style().unpolish(app)  # forgets the rules of all widgets; with them Qt forgets whom to style anew
    app.setStyleSheet(sheet)
    app.style().polish(app)
    hidden: dict[QWidget, None] = {}
    seen: dict[QWidget, QRect] = {}
    used = _window_in_use(app)
    for window in app.topLevelWidgets():
        if window.parent() is not None:
            continue  # comes with its parent
        for widget in (window, *window.findChildren(QWidget)):  # parents before their children
            part = _seen_part(widget, seen) if used in (None, window) else QRect()
            if part.isEmpty():
                hidden[widget] = None
            else:
                seen[widget] = part
                _style(widget)
    later.begin(hidden)


def _window_in_use(app: QApplication) -> QWidget | None:
    """The one the user works in: the others have time. None when it is not known."""
    used = app.activeWindow()
    while used is not None and used.parentWidget() is not None:
        used = used.parentWidget()
    return used if used is not None and used.windowType() == Qt.WindowType.Window else None


def _seen_part(widget: QWidget, seen: Mapping[QWidget, QRect]) -> QRect:
    """What is seen of a widget in its own coordinates: empty when it is hidden or scrolled away, like its parent.

    What lies over it does not count: a child that covers it may let it paint the ground.
    """
    if not widget.isVisible():
        return QRect()
    parent = widget.parentWidget()
    if parent is None or widget.isWindow():
        return widget.rect()
    around = seen.get(parent)
    return around.intersected(widget.geometry()).translated(-widget.pos()) if around is not None else QRect()


def _style(widget: QWidget) -> None:
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().polish(widget)
    QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


class _Later(QObject):
    """The hidden widgets that have the old look. Until they are done it watches for those that are shown or painted."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._left: dict[QWidget, None] = {}
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._slice)

    def begin(self, widgets: dict[QWidget, None]) -> None:
        """These, soon."""
        self._left = widgets
        self._app.installEventFilter(self)
        self._timer.start()

    def end(self) -> None:
        """What is left keeps its look: all is done, or begins anew with another look."""
        self._left = {}
        self._timer.stop()
        self._app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in self._left and isinstance(watched, QWidget) and event.type() in _SEEN:
            self._style_now(watched)
        return False

    def _style_now(self, widget: QWidget) -> None:
        """This one; before it the parents, which hand down colours and fonts."""
        parent = widget.parentWidget()
        if parent is not None and parent in self._left:
            self._style_now(parent)
        if widget in self._left:  # what its parent's turn has not shown, and so styled, already
            del self._left[widget]
            _style(widget)

    def _slice(self) -> None:
        end = time.perf_counter() + _SLICE
        while self._left:
            widget = next(iter(self._left))
            del self._left[widget]
            if isValid(widget):
                _style(widget)
            if time.perf_counter() > end:
                return
        self.end()
