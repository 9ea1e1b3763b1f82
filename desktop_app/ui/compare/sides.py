"""The two sides of a comparison: their letters and colours, and what is known of each. Must not know the Session."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison.fulfilment import Fulfilment
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import Painted, color, px

SIDES = ("a", "b")
_TOKENS = {"a": "accent.line", "b": "resource_type.labels"}


@dataclass(frozen=True)
class Side:
    """One of two ways. `index` is that of its alternative, None for a result by itself.

    `seconds` is what its steps took together, or would take; None when unknown. `edited`: the user changed it.
    `left`: the steps that have not run. `running` while they do. `fulfilment` is None when the plan does not say what
    was asked for.
    """

    side: str
    title: str
    reason: str = ""
    index: int | None = None
    workflow: Workflow = field(default_factory=Workflow)
    run: Run = field(default_factory=Run)
    edited: bool = False
    has_run: bool = False
    failed: str = ""
    left: tuple[str, ...] = ()
    running: bool = False
    fraction: float = 0.0
    seconds: float | None = None
    memory_bytes: int = 0
    download_bytes: int = 0
    result: str = ""
    fulfilment: Fulfilment | None = None

    @property
    def letter(self) -> str:
        return self.side.upper()


def other(side: str) -> str:
    return "b" if side == "a" else "a"


def side_color(side: str) -> QColor:
    """The colour of a side, the same in graph, plates and tables."""
    return color(_TOKENS[side])


def side_tint(side: str) -> QColor:
    """The colour of a side, so thin that what lies below is seen."""
    return theme.current().tint(_TOKENS[side], 0.28)


def paint_tile(painter: QPainter, rect: QRectF, side: str) -> None:
    ground = side_color(side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    radius = rect.height() * 0.26
    painter.drawRoundedRect(rect, radius, radius)
    font = theme.current().font("small")
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(_ink_on(ground))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, side.upper())


def _ink_on(ground: QColor) -> QColor:
    """Near black or white, whichever can be read better: by relative luminance, as WCAG 2.2 defines it."""
    channels = (ground.redF(), ground.greenF(), ground.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return color("marker.glyph" if luminance > 0.18 else "marker.outline")


def paint_side_plate(painter: QPainter, area: QRectF, side: str, title: str, right: bool = False) -> None:
    """Letter and title on a dark plate in the upper left corner of `area`, or in the upper right one."""
    font = theme.current().font("control")
    metrics = QFontMetricsF(font)
    inset, high, tile = px(12), px(26), px(16)
    room = area.width() - 2 * inset - tile - px(26)
    if room < px(20):
        title, room = "", 0
    text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room)
    wide = tile + px(12) + (metrics.horizontalAdvance(text) + px(12) if text else 0)
    left = area.right() - inset - wide if right else area.left() + inset
    plate = QRectF(left, area.top() + inset, wide, high)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color("on_picture.background"))
    painter.drawRoundedRect(plate, px(6), px(6))
    paint_tile(painter, QRectF(plate.left() + px(6), plate.center().y() - tile / 2, tile, tile), side)
    painter.setFont(font)
    painter.setPen(color("on_picture.text"))
    painter.drawText(plate.adjusted(tile + px(13), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


class SideTile(Painted, QWidget):
    def __init__(self, side: str, size: int = 18) -> None:
        super().__init__()
        self._side = side
        self.setFixedSize(px(size), px(size))
        self.setAccessibleName(side.upper())

    def paint(self, painter: QPainter) -> None:
        paint_tile(painter, QRectF(self.rect()), self._side)


class RingSample(Painted, QWidget):
    """A dashed ring in the colour of a side, as an explanation of the picture of the graph."""

    def __init__(self, side: str) -> None:
        super().__init__()
        self._side = side
        self.setFixedSize(px(20), px(14))

    def paint(self, painter: QPainter) -> None:
        paint_ring(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), self._side, px(4))


def paint_ring(painter: QPainter, rect: QRectF, side: str, radius: float, width: float = 1.6) -> None:
    pen = QPen(side_color(side), width)
    pen.setDashPattern([3, 2])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)
