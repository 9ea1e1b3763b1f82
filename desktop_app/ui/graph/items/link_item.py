"""Links between ports: their paths, their states while the graph runs, and how they are painted after tokens.link.

NodeGraphQt gives the class by which its scene knows a link; it has no dots, no way round cards and no states of a run,
so path and painting are done anew.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QStyleOptionGraphicsItem, QWidget

from desktop_app.graph.connect import modes_of
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.ui.graph.items.node_item import TypedPort
from desktop_app.ui.graph.nodegraphqt_adapter import PipeItem
from desktop_app.ui.theme import theme

_LINK = theme.tokens()["link"]
_HIT = 12.0
_CURVE = 30.0
_CLEAR = 10.0
_NEAR = 5.0
_SAMPLES = 32
_GAP_ELEMENTS = 8
"""Of a path through a gap: its start, a curve of three, the level line, another curve of three."""
_COLUMN = theme.tokens()["layout"]["column_gap"]


def run_state(run: Run, id: str) -> str:
    """The state of a card in the run, "" when it takes no part."""
    record = run.nodes.get(id)
    return record.state if record else ""


def state_of(link: Link, workflow: Workflow, run: Run, modes: Mapping[str, str] | None = None) -> str:
    """How a link is shown: "carried", "running" (feeds what runs), "waiting", or "skipped" (nothing will come).

    `modes` as `modes_of` gives them; they are looked up when they are not given.
    """
    modes = modes_of(workflow) if modes is None else modes
    source, target = run_state(run, link.source), run_state(run, link.target)
    if "mute" in (modes.get(link.source), modes.get(link.target)):
        return "skipped"
    if modes.get(link.target) == "bypass":
        target = ""
        if source == "done" or workflow.resource(link.source) is not None:
            return "carried"
    if modes.get(link.source) == "bypass":
        before = {state_of(other, workflow, run, modes) for other in workflow.links_into(link.source)}
        source = "skipped" if not before or "skipped" in before else "done" if before == {"carried"} else "waiting"
    if target in ("skipped", "cancelled") or source in ("failed", "skipped", "cancelled"):
        return "skipped"
    has = source == "done" or workflow.resource(link.source) is not None
    if has and target == "running":
        return "running"
    return "carried" if has and (target in ("done", "failed") or not run.nodes) else "waiting"


def curve(start: QPointF, end: QPointF) -> QPainterPath:
    """The path of a link: leaves and enters horizontally."""
    reach = max(40.0, 0.45 * abs(end.x() - start.x()))
    if end.x() > start.x():
        reach = min(reach, max(20.0, (end.x() - start.x()) * 0.9))
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(reach, 0), end - QPointF(reach, 0), end)
    return path


def route(start: QPointF, end: QPointF, obstacles: Sequence[QRectF], beside: float = 0.0) -> QPainterPath:
    """The path of a link that passes no card: through the nearest gap between rows when cards stand between.

    `obstacles` are the other cards, in the scene. In the gap it runs so many pixels `beside` the middle, where there is
    room for it.
    """
    if end.x() - start.x() < _COLUMN * 2:
        return curve(start, end)
    between = [r for r in obstacles if r.right() > start.x() + 4 and r.left() < end.x() - 4]
    straight = curve(start, end)
    if not any(crosses(straight, r) for r in between):
        return straight
    level = _free_level(start.y(), end.y(), between)
    signals = (level + beside, level - beside, level)
    level = next((y for y in signals if not any(r.top() - _NEAR < y < r.bottom() + _NEAR for r in between)), level)
    first, last = min(r.left() for r in between), max(r.right() for r in between)
    enter, leave = max(start.x() + _CURVE, first + 8), min(end.x() - _CURVE, last - 8)
    if enter >= leave:
        return straight
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(_CURVE, 0), QPointF(enter - _CURVE, level), QPointF(enter, level))
    path.lineTo(leave, level)
    path.cubicTo(QPointF(leave + _CURVE, level), end - QPointF(_CURVE, 0), end)
    return path


def crosses(path: QPainterPath, rect: QRectF) -> bool:
    """True when the line itself enters `rect` (QPainterPath.intersects also counts the area that it encloses)."""
    if not path.boundingRect().adjusted(-1, -1, 1, 1).intersects(rect):
        return False
    return any(rect.contains(path.pointAtPercent(i / _SAMPLES)) for i in range(_SAMPLES + 1))


def _free_level(y0: float, y1: float, between: Sequence[QRectF]) -> float:
    """The height, nearest to both ends, at which no card stands."""
    blocks: list[list[float]] = []
    for top, bottom in sorted((r.top() - _CLEAR, r.bottom() + _CLEAR) for r in between):
        if blocks and top <= blocks[-1][1]:
            blocks[-1][1] = max(blocks[-1][1], bottom)
        else:
            blocks.append([top, bottom])
    wish = (y0 + y1) / 2
    candidates = [wish]
    for i, (top, bottom) in enumerate(blocks):
        above = blocks[i - 1][1] if i else top - 28
        below = blocks[i + 1][0] if i + 1 < len(blocks) else bottom + 28
        candidates += [(top + max(above, top - 28)) / 2, (bottom + min(below, bottom + 28)) / 2]
    free = [y for y in candidates if not any(top < y < bottom for top, bottom in blocks)]
    return min(free, key=lambda y: (abs(y - y0) + abs(y - y1), y))


def through(start: QPointF, dots: Sequence[QPointF], end: QPointF) -> QPainterPath:
    path = QPainterPath(start)
    for a, b in itertools.pairwise((start, *dots, end)):
        path.connectPath(curve(a, b))
    return path


class LinkItem(PipeItem):
    """A link. `dots` are the places through which it is led, `straight` is the line from end to end.

    `state` is carried, running, waiting or skipped; `phase` moves the dashes of running ones. `extent` is its left,
    top, right and bottom in the scene. `changes` counts how often any link was led or lit anew.
    """

    phase = 0.0
    changes = 0

    def __init__(self, link: Link, start: TypedPort, end: TypedPort) -> None:
        super().__init__()
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self._dir_pointer.setVisible(False)
        self.link = link
        self.state = "waiting"
        self.dots: list[QPointF] = []
        self.obstacles: Sequence[QRectF] = ()
        self._beside = 0.0
        self._hit = QPainterPath()
        self.straight = QLineF()
        self.extent: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
        self.start, self.end = start, end
        self.set_connections(start, end)
        self.setZValue(-1)

    def set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            LinkItem.changes += 1
            self.update()

    @property
    def stretch(self) -> tuple[float, float, float] | None:
        """Where it runs level through a gap between rows: the height, and from where to where; None when nowhere."""
        path = self.path()
        if self.dots or path.elementCount() != _GAP_ELEMENTS:
            return None
        enter, leave = path.elementAt(3), path.elementAt(4)  # type: ignore[call-overload]
        return enter.y, enter.x, leave.x  # type: ignore[attr-defined]

    def set_obstacles(self, obstacles: Sequence[QRectF], beside: float = 0.0) -> None:
        """The cards that the link must not pass behind, and how far beside the middle of a gap it runs; draws the path
        anew.
        """
        self.obstacles, self._beside = obstacles, beside
        self.draw_path(self.start, self.end)

    def set_dots(self, places: Sequence[tuple[float, float]]) -> None:
        """Leads the link through these places; draws the path anew."""
        self.dots = [QPointF(*place) for place in places]
        self.draw_path(self.start, self.end)

    def move_dot(self, index: int, place: QPointF) -> None:
        self.dots[index] = QPointF(place)
        self.draw_path(self.start, self.end)

    def dot_index(self, place: QPointF) -> int:
        """Where among its dots a new one at `place`, on the link, belongs."""
        ends = [self.start.middle, *self.dots, self.end.middle]
        near = [_distance(curve(a, b), place) for a, b in itertools.pairwise(ends)]
        return near.index(min(near))

    @property
    def lit(self) -> bool:
        return bool(self._active) or self.isSelected()

    # What NodeGraphQt asks of a pipe

    def draw_path(self, start_port, end_port=None, cursor_pos=None) -> None:
        start, end = self.start.middle, self.end.middle
        self.straight = QLineF(start, end)
        path = through(start, self.dots, end) if self.dots else route(start, end, self.obstacles, self._beside)
        stroker = QPainterPathStroker()
        stroker.setWidth(_HIT)
        self._hit = stroker.createStroke(path)
        self.setPath(path)
        self.extent = path.boundingRect().getCoords()  # type: ignore[assignment]
        LinkItem.changes += 1

    def reset(self) -> None:
        self._active = False
        self.update()

    def activate(self) -> None:
        self._active = True
        self.update()

    # Qt

    def itemChange(self, change, value):
        if change == QGraphicsItem.GraphicsItemChange.ItemSelectedHasChanged:
            LinkItem.changes += 1
            self.update()
        return QGraphicsPathItem.itemChange(self, change, value)

    def hoverLeaveEvent(self, event) -> None:
        self.reset()

    def boundingRect(self) -> QRectF:
        return self.path().boundingRect().adjusted(-6, -6, 6, 6)

    def shape(self) -> QPainterPath:
        return self._hit

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        color = theme.current().type_color(self.start.face.type)
        zoom = painter.worldTransform().m11()
        paint_link(painter, self.path(), color, self.state, self.lit, self.phase, far=zoom < 0.45)


def _distance(path: QPainterPath, place: QPointF) -> float:
    return min((path.pointAtPercent(i / _SAMPLES) - place).manhattanLength() for i in range(_SAMPLES + 1))


def paint_link(
    painter: QPainter, path: QPainterPath, color: QColor, state: str, lit: bool = False, phase: float = 0.0,
    far: bool = False,
) -> None:  # fmt: skip
    """Paints a link; `state` also may be "refused". `phase` in pixels along the path; `far`: no knock-out, wider."""
    if not far:
        _stroke(painter, path, theme.current().color("background.canvas"), _LINK["knockout"]["width"])
    if lit:
        _stroke(painter, path, theme.faded(color, _LINK["glow_hover"]["alpha"]), _LINK["glow_hover"]["width"])
    width = _LINK["width_hover"] if lit else _LINK["width"] * (1.6 if far else 1.0)
    if state == "skipped":
        ink = theme.current().color("state.skipped")
        _stroke(painter, path, ink, _LINK["skipped"]["width"], (2, 6))
    elif state == "refused":
        ink = theme.current().color("state.failed")
        _stroke(painter, path, ink, width, _LINK["does_not_fit"]["dash"])
        _cross(painter, path.pointAtPercent(1.0), ink, _LINK["does_not_fit"]["end"])
    elif state == "running":
        running = _LINK["running"]
        _stroke(painter, path, theme.faded(color, running["under_alpha"]), running["width"])
        _stroke(painter, path, color, running["width"], running["dash"], phase)
    else:
        opacity = 1.0 if lit else _LINK["opacity"]["carried" if state == "carried" else "waiting"]
        _stroke(painter, path, theme.faded(color, opacity), width)


def _stroke(
    painter: QPainter, path: QPainterPath, color: QColor, width: float, dash: Sequence[float] = (), phase: float = 0.0
) -> None:
    pen = QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    if dash:
        pen.setDashPattern([length / width for length in dash])
        pen.setDashOffset(-phase / width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap if len(dash) and dash[0] > 4 else Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawPath(path)


def _cross(painter: QPainter, place: QPointF, color: QColor, size: str) -> None:
    half = float(str(size).split()[-1]) / 2
    painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(place + QPointF(-half, -half), place + QPointF(half, half))
    painter.drawLine(place + QPointF(-half, half), place + QPointF(half, -half))


class LiveLink(QGraphicsPathItem):
    """The link under the mouse, from a port to the cursor or to the port that would take it."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(10)
        self.setVisible(False)
        self._color = QColor()
        self._refused = False
        self._backwards = False

    def begin(self, port: TypedPort) -> None:
        self._color = theme.current().type_color(port.face.type)
        self._backwards = port.is_input
        self.setVisible(True)
        self.follow(port.middle, port.middle, False)

    def follow(self, start: QPointF, place: QPointF, refused: bool) -> None:
        self._refused = refused
        self.setPath(curve(place, start) if self._backwards else curve(start, place))

    def finish(self) -> None:
        self.setVisible(False)
        self.setPath(QPainterPath())

    def boundingRect(self) -> QRectF:
        return self.path().boundingRect().adjusted(-14, -14, 14, 14)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_link(painter, self.path(), self._color, "refused" if self._refused else "carried", lit=not self._refused)
        if not self._refused:
            end = self.path().pointAtPercent(0.0 if self._backwards else 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.faded(self._color, 0.3))
            painter.drawEllipse(end, 9, 9)
            painter.setBrush(self._color)
            painter.drawEllipse(end, 5, 5)
