"""A panel that opens over the window below a button, and goes away with Esc or a click beside it. Never modal."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_app.ui.widgets.basic import IconButton, divider, label, px, row, scroll_area

_GAP = 10
_BACK = Qt.FocusReason.PopupFocusReason


class PopupPanel(QFrame):
    """`body` is the widget below the heading; it scrolls when the window is too low. `closed` when it went away."""

    closed = Signal()

    def __init__(self, window: QWidget, title: str, width: int) -> None:
        super().__init__(window)
        self._home = window
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self._body: QWidget | None = None
        self._wide = width
        self.setProperty("surface", "overlay")
        self.setAccessibleName(title)
        self.close_button = IconButton("x", self.tr("Close (Esc)"), 24)
        self.close_button.clicked.connect(self.dismiss)
        self.head = row(label(title, "title"), None, self.close_button, margins=(16, 10, 10, 8))
        self._scroll = scroll_area()
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, px(8))
        column.setSpacing(0)
        column.addLayout(self.head)
        column.addWidget(divider())
        self.column = column
        column.addWidget(self._scroll, 1)
        window.installEventFilter(self)
        self.hide()

    def set_body(self, body: QWidget) -> None:
        self._body = body
        self._scroll.setWidget(body)
        body.installEventFilter(self)

    def show_whole(self, widget: QWidget) -> None:
        self._scroll.ensureWidgetVisible(widget)

    def scroll_up(self) -> None:
        self._scroll.verticalScrollBar().setValue(0)

    def toggle(self, anchor: QWidget) -> None:
        self.dismiss() if self.isVisible() else self.open_below(anchor)

    def open_below(self, anchor: QWidget) -> None:
        focused = self._home.focusWidget()
        self._anchor, self._before = anchor, anchor if focused is None or self._holds(focused) else focused
        self.place()
        self.show()
        self.raise_()
        for widget in self._beside():
            widget.installEventFilter(self)
        self.first_focus().setFocus(Qt.FocusReason.PopupFocusReason)

    def first_focus(self) -> QWidget:
        """What gets the keyboard when it opens."""
        return self.close_button

    def dismiss(self) -> None:
        """Closes; the keyboard goes back to what had it before, else to the button it hangs on, if it was in here."""
        if not self.isVisible():
            return
        for widget in self._beside():
            widget.removeEventFilter(self)
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        self.hide()
        if held and self._anchor is not None:
            before = self._before if self._before is not None and isValid(self._before) else self._anchor
            (before if before.isVisible() and before.isEnabled() else self._anchor).setFocus(_BACK)
        self.closed.emit()

    def place(self) -> None:
        """Below the anchor, as high as its content and the window allow."""
        window, body = self._home, self._body
        if body is None or self._anchor is None:
            return
        below = self._anchor.mapTo(window, QPoint(self._anchor.width(), self._anchor.height() + px(_GAP)))
        wide = min(px(self._wide), window.width() - 2 * px(8))
        body.setFixedWidth(wide - 2)
        wanted = self.head.sizeHint().height() + px(14) + body_height(body, wide - 2) + self.extra_height()
        high = min(wanted, window.height() - below.y() - px(34))
        left = below.x() - wide if below.x() > window.width() / 2 else below.x() - self._anchor.width()
        self.setGeometry(max(px(8), min(left, window.width() - wide - px(8))), below.y(), wide, max(px(160), high))

    def extra_height(self) -> int:
        """What stands between heading and body."""
        return 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if not self.isVisible():
            return False
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget):
            if self._is_beside(watched, event.globalPosition()):
                self.dismiss()
        elif watched is self._home and kind == QEvent.Type.Resize:
            self.place()
        elif watched is self._body and kind == QEvent.Type.LayoutRequest:
            QTimer.singleShot(0, self, self.place)
        return False

    def _beside(self) -> list[QWidget]:
        """The widgets of the window in which a press closes it. What watches the whole application instead is asked for
        each of its events, and makes a window that is built meanwhile take twice as long.
        """
        return [widget for widget in self._home.findChildren(QWidget) if not self._holds(widget)]

    def _holds(self, widget: QWidget) -> bool:
        return widget is self or self.isAncestorOf(widget)

    def _is_beside(self, widget: QWidget, place: QPointF) -> bool:
        if widget.window() is not self.window() or self._holds(widget):
            return False  # the list of a combo box is a window of its own
        return not (
            self._anchor is not None and self._anchor.rect().contains(self._anchor.mapFromGlobal(place).toPoint())
        )

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event) -> None:
        event.accept()


def body_height(body: QWidget, width: int) -> int:
    """What the widget needs at that width."""
    layout = body.layout()
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return body.sizeHint().height()
