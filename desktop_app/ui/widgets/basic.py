"""Small widgets that every panel uses: buttons with icons, labels, glyphs, progress lines.

Must not know the Session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict, TypeVar, Unpack

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.support import formatting
from desktop_app.ui.theme import icons, theme

_Box = TypeVar("_Box", bound=QBoxLayout)
_Item = QWidget | QLayout | int | None


class _About(TypedDict, total=False):
    """Of a row or stack: the `gap` between all (8 pixels), `margins` left, above, right and below (none), the place of
    the one that may `grow`, and the widget that it is the layout of. In pixels of the 100 % design.
    """

    gap: int
    margins: tuple[int, int, int, int]
    grow: int
    parent: QWidget


def px(length: float) -> int:
    """Pixels of the 100 % design as pixels at the user's scale."""
    return round(theme.current().px(length))


def color(name: str) -> QColor:
    """A colour of the theme by its token: `text.secondary`."""
    return theme.current().color(name)


def label(text: str = "", role: str = "", wrap: bool = False) -> QLabel:
    """A label of plain text; `role` is one of the theme's ("secondary", "tertiary", "heading", "caption", ...)."""
    made = Words(text) if wrap else QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


class Painted:
    """What widgets that are painted begin with: `paint` gets a painter that smooths edges."""

    def paint(self, painter: QPainter) -> None:
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)  # type: ignore[arg-type]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter)
        painter.end()


class Toned(QLabel):
    """A label of plain text whose colour can be set by token."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_tone(self, token: str) -> None:
        """ "state.done", "state.input" or "state.failed", which the style sheet knows; "" for the role's colour."""
        if token or self.property("tone"):
            mark(self, "tone", token)


class Words(Toned):
    """A label that breaks its lines. It asks for one line at least, so that a panel does not keep room for more."""

    def __init__(self, text: str = "") -> None:
        super().__init__(formatting.unbroken(text))
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def setText(self, text: str) -> None:
        super().setText(formatting.unbroken(text))

    def text(self) -> str:
        return super().text().replace("\N{NO-BREAK SPACE}", " ")

    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.fontMetrics().lineSpacing())


def divider(vertical: bool = False, length: int = 0) -> QFrame:
    """A hairline; `length` bounds a vertical one."""
    line = QFrame(frameShape=QFrame.Shape.NoFrame)
    line.setProperty("divider", True)
    line.setFixedWidth(1) if vertical else line.setFixedHeight(1)
    if length:
        line.setMaximumHeight(px(length))
    return line


def surface(kind: str) -> QFrame:
    """A frame on one of the theme's levels: panel, raised, card, field, canvas, overlay."""
    frame = QFrame()
    frame.setProperty("surface", kind)
    return frame


def scroll_area(inside: QWidget | None = None) -> QScrollArea:
    """A scroll area without a frame that gives `inside` its own width, and so never scrolls sideways."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if inside is not None:
        area.setWidget(inside)
    return area


def row(*items: _Item, **about: Unpack[_About]) -> QHBoxLayout:
    """Widgets side by side; None stretches, a number is a gap in pixels."""
    return _filled(QHBoxLayout(), items, about)


def stack(*items: _Item, **about: Unpack[_About]) -> QVBoxLayout:
    """Widgets one below the other, otherwise as a `row`."""
    return _filled(QVBoxLayout(), items, about)


def _filled(layout: _Box, items: Iterable[_Item], about: _About) -> _Box:
    if (parent := about.get("parent")) is not None:
        parent.setLayout(layout)
    layout.setContentsMargins(*(px(margin) for margin in about.get("margins", (0, 0, 0, 0))))
    layout.setSpacing(px(about.get("gap", 8)))
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(px(item))
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        else:
            layout.addWidget(item)
    if (grow := about.get("grow")) is not None:
        layout.setStretch(grow, 1)
    return layout


def clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear(inner)


def mark(widget: QWidget, name: str, value: object) -> None:
    """Sets a dynamic property that the style sheet looks at, and restyles the widget when it changed."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        _restyle(widget)


def _restyle(widget: QWidget) -> None:
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # else it is styled when it is first shown
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class PushButton(QPushButton):
    """Enter presses it when it has the keyboard, as Space does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _entered(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """As `PushButton`."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _entered(self, event):
            super().keyPressEvent(event)


def _entered(button: QPushButton | QToolButton, event: QKeyEvent) -> bool:
    """Presses the button, or opens its menu, for Enter; False for another key."""
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    entered = plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    if entered and not event.isAutoRepeat():
        button.showMenu() if button.menu() is not None else button.click()
    return entered


class Button(PushButton):
    """A push button with an icon that follows the theme. Kinds: "", primary, danger, quiet; `small` is 26 high."""

    def __init__(self, text: str = "", icon: str = "", kind: str = "", small: bool = False, tip: str = "") -> None:
        super().__init__()
        self._icon = ""
        self._kind = kind
        for name in (kind, "small" if small else ""):
            if name:
                self.setProperty(name, True)
        if tip:
            self.setToolTip(tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._icon = icon
        self.set_words(text)
        self._tint()

    def set_words(self, text: str) -> None:
        """The text; a space keeps the icon off it."""
        self.setText(f" {text}" if text and self._icon else text)
        if text:
            self.setAccessibleName(text)

    def set_icon(self, name: str) -> None:
        if name != self._icon:
            self._icon = name
            self._tint()

    def set_kind(self, kind: str) -> None:
        if kind != self._kind:
            for name in (self._kind, kind):
                if name:
                    self.setProperty(name, name == kind)
            self._kind = kind
            _restyle(self)
            self._tint()

    def _tint(self) -> None:
        if not self._icon:
            return
        side = px(15 if self.text() else 17)
        ink = color("text.on_accent") if self._kind == "primary" else None
        self.setIcon(icons.icon(self._icon, ink, side))
        self.setIconSize(QSize(side, side))


class ElidedButton(Button):
    """A button whose words go on in further lines when they do not fit; those of a primary one, which is as wide as
    there is room, are cut with an ellipsis.
    """

    def __init__(self, text: str, icon: str = "", about: str = "", kind: str = "primary") -> None:
        """`about` is what it means or costs."""
        super().__init__(text, icon, kind)
        self._whole, self._about, self._wraps = text, about, kind != "primary"
        wide = QSizePolicy.Policy.Ignored if kind == "primary" else QSizePolicy.Policy.Maximum
        high = QSizePolicy.Policy.Minimum if self._wraps else QSizePolicy.Policy.Fixed
        self.setSizePolicy(wide, high)
        self._say(text)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return super().sizeHint() + metrics.size(0, self._whole) - metrics.size(0, self.text().strip())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(QSize(px(80), 1 << 20))

    def hasHeightForWidth(self) -> bool:
        return self._wraps

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return self.sizeHint().height() + (len(lines) - 1) * self.fontMetrics().lineSpacing() + px(8) * (len(lines) > 1)

    def _lines(self, width: int) -> list[str]:
        """The words in lines that fit into a button so wide."""
        hint = self.sizeHint().width()
        if hint <= width:
            return [self._whole]
        option, layout = QTextOption(), QTextLayout(self._whole, self.font())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        room, found = max(px(24), self.fontMetrics().horizontalAdvance(self._whole) - hint + width), list[str]()
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room)
            found.append(self._whole[line.textStart() : line.textStart() + line.textLength()].strip())
        layout.endLayout()
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._wraps:
            self._say("\n".join(self._lines(self.width())))
        else:
            self._cut()

    def _cut(self) -> None:
        metrics, lacks = self.fontMetrics(), self.sizeHint().width() - self.width()
        room = max(px(24), metrics.horizontalAdvance(self._whole) - lacks)
        self._say(metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, room) if lacks > 0 else self._whole)

    def _say(self, shown: str) -> None:
        self.set_words(shown)
        self.setAccessibleName(self._whole)
        self.setAccessibleDescription(self._about)
        cut = self._whole if shown.replace("\n", " ") != self._whole and not self._wraps else ""
        self.setToolTip("\n".join(part for part in (cut, self._about) if part))


class Caption(Toned):
    def __init__(self, text: str = "", token: str = "") -> None:
        super().__init__(text)
        self.setProperty("role", "caption")
        self.set_tone(token)


class IconButton(ToolButton):
    """A square quiet button without text; `tip` is its tooltip and, up to a bracket, its accessible name."""

    def __init__(self, icon: str, tip: str, side: int = 30, checkable: bool = False) -> None:
        super().__init__()
        self.setToolTip(tip)
        self.setAccessibleName(tip.split(" (")[0])
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCheckable(checkable)
        if side < 30:  # the style sheet's smallest size is that of a tool bar
            inner = px(side) - 2
            self.setStyleSheet(f"min-width: {inner}px; min-height: {inner}px; padding: 0;")
        self.setFixedSize(px(side), px(side))
        self.set_icon(icon)

    def set_icon(self, name: str) -> None:
        inner = px(17 if self.width() >= px(30) else 14)
        self.setIcon(icons.icon(name, None, inner))
        self.setIconSize(QSize(inner, inner))


class ElidedLabel(Toned):
    """One line of text, cut with an ellipsis; the whole of it is in the tooltip when cut."""

    def __init__(self, text: str = "", role: str = "") -> None:
        super().__init__()
        self._whole = ""
        if role:
            self.setProperty("role", role)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._cut()

    def text_width(self) -> int:
        self.ensurePolished()
        return self.fontMetrics().horizontalAdvance(self._whole)

    def sizeHint(self) -> QSize:
        return QSize(self.text_width() + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(px(24), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def cut_to(self, room: int) -> str:
        """What is shown of the text in so many pixels."""
        return self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)

    def _cut(self) -> None:
        shown = self.cut_to(max(0, self.width()))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class ClickableFrame(QFrame):
    """A frame that acts as one button: mouse, Enter and Space."""

    clicked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            event.accept()
            self.clicked.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


def make_clearable(field: QLineEdit) -> None:
    """Gives the field a button that empties it, with the cross of the program, while there is something in it."""
    clear = field.addAction(icons.icon("x"), QLineEdit.ActionPosition.TrailingPosition)
    clear.setVisible(bool(field.text()))
    clear.triggered.connect(field.clear)
    field.textChanged.connect(lambda text: clear.setVisible(bool(text)))
