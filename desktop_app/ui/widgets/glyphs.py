"""Small painted things: states, types, points, progress, keys, icon tiles, lines of text that are cut.

Must not know the Session.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QWidget

from desktop_app.ui.support import formatting
from desktop_app.ui.theme import icons, shapes, theme
from desktop_app.ui.widgets.basic import Painted, Words, color, px, row
from nodes.api import ResourceType

_LEFT = Qt.AlignmentFlag.AlignLeft


class Glyph(Painted, QWidget):
    """A painted sign: the state of a node, or the shape of a resource type."""

    def __init__(self, side: int = 14) -> None:
        super().__init__()
        self._state = ""
        self._fraction = 0.0
        self._type: ResourceType | None = None
        self.setFixedSize(px(side), px(side))

    def set_state(self, state: str, fraction: float = 0.0) -> None:
        """`state` as in the theme: waiting, running, done, cached, failed, skipped, input."""
        if (state, fraction) != (self._state, self._fraction):
            self._state, self._fraction, self._type = state, fraction, None
            self.update()

    def set_type(self, type: ResourceType) -> None:
        self._type = type
        self.update()

    def paint(self, painter: QPainter) -> None:
        inner = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._type is not None:
            shapes.paint_type(painter, inner, self._type, True)
        elif self._state:
            shapes.paint_state(painter, inner, self._state, self._fraction)


class KindGlyph(Painted, QWidget):
    """The sign of a point: a plus on green, a minus on red."""

    def __init__(self) -> None:
        super().__init__()
        self._include = True
        self.setFixedSize(px(18), px(18))

    def set_include(self, include: bool) -> None:
        self._include = include
        self.update()

    def paint(self, painter: QPainter) -> None:
        paint_point(painter, QPointF(self.width() / 2, self.height() / 2), self.width() / 2 - 1.2, self._include)


def paint_point(painter: QPainter, center: QPointF, radius: float, include: bool) -> None:
    painter.setPen(QPen(color("marker.outline"), max(1.2, radius / 5)))
    painter.setBrush(color("marker.include" if include else "marker.exclude"))
    painter.drawEllipse(center, radius, radius)
    painter.setPen(QPen(color("marker.glyph"), max(1.4, radius / 4.5), c=Qt.PenCapStyle.RoundCap))
    arm = radius * 0.45
    painter.drawLine(center - QPointF(arm, 0), center + QPointF(arm, 0))
    if include:
        painter.drawLine(center - QPointF(0, arm), center + QPointF(0, arm))


def state_glyph(state: str, fraction: float = 0.0, side: int = 14) -> Glyph:
    glyph = Glyph(side)
    glyph.set_state(state, fraction)
    return glyph


class StateLine(QWidget):
    """The glyph of a state, and words in its colour that say what it means here."""

    def __init__(self, state: str, text: str) -> None:
        super().__init__()
        said = Words(text)
        said.setProperty("role", "small")
        said.set_tone("state.input" if state == "outdated" else f"state.{state}")
        row(state_glyph(state), said, gap=7, grow=1, parent=self)
        self.setAccessibleName(text)


def type_glyph(type: ResourceType, side: int = 11) -> Glyph:
    glyph = Glyph(side)
    glyph.set_type(type)
    glyph.setToolTip(formatting.type_word(type))
    return glyph


class ProgressLine(Painted, QWidget):
    """A rounded line, 4 high, filled from the left."""

    def __init__(self) -> None:
        super().__init__()
        self._fraction, self._token = 0.0, "state.running"
        self.setFixedHeight(px(4))

    def set_fraction(self, fraction: float, token: str = "") -> None:
        """`fraction` 0..1."""
        if (fraction, token or self._token) != (self._fraction, self._token):
            self._fraction, self._token = min(1.0, max(0.0, fraction)), token or self._token
            self.setAccessibleName(f"{self._fraction:.0%}")
            self.update()

    def paint(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        whole, radius = QRectF(self.rect()), self.height() / 2
        painter.setBrush(color("background.hover"))
        painter.drawRoundedRect(whole, radius, radius)
        if self._fraction > 0:
            done = QRectF(whole)
            done.setWidth(max(whole.height(), whole.width() * self._fraction))
            painter.setBrush(color(self._token))
            painter.drawRoundedRect(done, radius, radius)


class KeyHint(Painted, QWidget):
    """A key drawn as a small cap: `Esc`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        metrics = QFontMetrics(theme.current().font("key"))
        self.setFixedSize(metrics.horizontalAdvance(text) + px(12), px(19))

    def paint(self, painter: QPainter) -> None:
        paint_key(painter, QRectF(self.rect()), self._text)


def paint_key(painter: QPainter, cap: QRectF, text: str, ink: str = "text.secondary", framed: bool = True) -> None:
    if framed:
        painter.setPen(QPen(color("background.border_strong"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
    painter.setPen(color(ink))
    painter.setFont(theme.current().font("key"))
    painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, text)


class IconTile(Painted, QWidget):
    """An icon on a rounded tile, tinted with the colour of a resource type or with a plain grey."""

    def __init__(self, icon: str = "", type: ResourceType | None = None, side: int = 22) -> None:
        super().__init__()
        self._icon, self._type = icon, type
        self.setFixedSize(px(side), px(side))

    def show_icon(self, icon: str, type: ResourceType | None) -> None:
        self._icon, self._type = icon, type
        self.update()

    def paint(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        tint = theme.current().type_color(self._type) if self._type is not None else color("text.tertiary")
        ground = theme.faded(tint, 0.18)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()), px(5), px(5))
        side = round(self.width() * 0.66)
        ink = tint if self._type is not None else color("text.secondary")
        place = (self.width() - side) // 2
        if self._icon:
            icons.paint(painter, QRectF(place, place, side, side), self._icon, ink)


class ClampedText(Painted, QWidget):
    """A text over at most so many lines, the last one cut with an ellipsis; the whole of it is in the tooltip."""

    def __init__(self, text: str, lines: int = 2, token: str = "text.tertiary", font: str = "small") -> None:
        super().__init__()
        self._text, self._token, self._font = text, token, font
        self.set_lines(lines)
        self.setAccessibleName(text)
        self.setToolTip(text)

    def set_lines(self, lines: int) -> None:
        self.setFixedHeight(self._metrics().lineSpacing() * lines + px(2))

    def fits(self, width: int) -> bool:
        """True when the text is no longer than one line of so many pixels."""
        return self._metrics().horizontalAdvance(self._text) <= width

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(theme.current().font(self._font))

    def paint(self, painter: QPainter) -> None:
        painter.setFont(theme.current().font(self._font))
        painter.setPen(color(self._token))
        paint_lines(painter, QRectF(self.rect()), self._text)


def write(
    painter: QPainter, area: QRectF, text: str, role: str, ink: str | QColor, side: Qt.AlignmentFlag = _LEFT
) -> None:
    """One line of text at half the height of the area, cut with an ellipsis; `role` is a font, `ink` may be a token."""
    painter.setFont(theme.current().font(role))
    painter.setPen(color(ink) if isinstance(ink, str) else ink)
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
    painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), cut)


def paint_row_ground(painter: QPainter, area: QRectF, state: QStyle.StateFlag, radius: int) -> None:
    """What tells that a row of a list is chosen, or under the mouse."""
    if state & QStyle.StateFlag.State_Selected:
        painter.setPen(QPen(color("accent.line"), 1))
        painter.setBrush(color("accent.soft"))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), px(radius), px(radius))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("background.hover"))
        painter.drawRoundedRect(area, px(radius), px(radius))


def paint_lines(painter: QPainter, rect: QRectF, text: str) -> None:
    """As many whole lines of the text as fit into `rect`; the last one is cut with an ellipsis."""
    metrics = painter.fontMetrics()
    most = max(1, int(rect.height() // metrics.lineSpacing()))
    text = formatting.unbroken(text).replace("\n", "\u2028")
    layout, option = QTextLayout(text, painter.font()), QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    for index in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(rect.width())
        start, end = line.textStart(), line.textStart() + line.textLength()
        shown = text[start:end].rstrip()
        if index == most - 1 and end < len(text):
            rest = text[start:end].replace("\u2028", " ") + text[end:].partition("\u2028")[0]
            shown = metrics.elidedText(rest + " …", Qt.TextElideMode.ElideRight, int(rect.width()))
        painter.drawText(QPointF(rect.left(), rect.top() + index * metrics.lineSpacing() + metrics.ascent()), shown)
    layout.endLayout()
