"""The bars of a run over time, to look at closely and to click on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPaintEvent,
    QWheelEvent,
)

from desktop_app.run.events.run_record import Run
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.timeline.interaction import Hands
from desktop_app.ui.timeline.painter import paint_chart
from desktop_app.ui.timeline.view import TimelineView


class Chart(TimelineView):
    """Hands events on to `hands`, and paints."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui)
        self._by_key = False
        self.hands = Hands(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click on a bar leaves the keyboard with the graph

    def show_run(self, run: Run, now: float) -> None:
        if run.id != self.run_id:
            self.hands.let_go()
        super().show_run(run, now)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hands.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hands.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.hands.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.look(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.hands.wheel(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.hands.key(event):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.hands.menu(event.pos()).popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Two fingers on a touch pad zoom."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1 + event.value(), self.time_at(event.position().x()))
            return True
        return super().event(event)

    @property
    def ringed(self) -> bool:
        """True when the keyboard is here and came by keys."""
        return self.hasFocus() and self._by_key

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._by_key = event.reason() in keys  # a ring is for those who came by the keyboard
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_chart(self, self.hands.marked, self.ringed)
