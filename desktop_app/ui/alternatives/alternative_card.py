"""One way to do a request as a card: a small graph, its reason, its costs. Must not know the strip that it is in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from desktop_app.graph.layout import layout
from desktop_app.graph.workflow import Workflow
from desktop_app.session.session import Alternative
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import ClickableFrame, ElidedLabel, Painted, Toned, color, mark, px, row, stack
from desktop_app.ui.widgets.glyphs import ClampedText
from nodes.api import Tool

WIDE, DENSE = 232, 176
"""The least width of a card with its picture beside the title, and of one with the picture below it."""
_MOST, HIGH, HIGHER = 420, 94, 112
"""The most width of a card, and its height with a title of one line and of two."""
_PICTURE, _SMALL_PICTURE = (86, 54), (62, 39)
_BESIDE = 22
"""Margins and border of a card, and what a line of text takes more than its advance."""
_TOKENS = theme.tokens()["thumbnail_of_graph"]
_NODE_WIDTH, _NODE_HEIGHT = _TOKENS["node"]
_MARGIN = 5.0
_CARD = (192.0, 120.0)


class GraphPicture(Painted, QWidget):
    """A workflow as a thumbnail; what the first alternative has not is outlined. Painted once for each look."""

    def __init__(self, ui: UiContext, alternative: Alternative, changed: tuple[str, ...]) -> None:
        super().__init__()
        self._ui, self._alternative, self._changed = ui, alternative, changed
        self._cache: tuple[object, QPixmap] | None = None
        self.set_small(False)

    def set_small(self, small: bool) -> None:
        """62 x 39 at 100 %, else 86 x 54."""
        wide, high = _SMALL_PICTURE if small else _PICTURE
        self.setFixedSize(px(wide), px(high))

    def paint(self, painter: QPainter) -> None:
        key = (theme.current().name, self.devicePixelRatioF(), self.width())
        if self._cache is None or self._cache[0] != key:
            self._cache = (key, self._painted())
        painter.drawPixmap(0, 0, self._cache[1])

    def _painted(self) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("background.canvas"))
        painter.drawRoundedRect(rect, px(6), px(6))
        inset = px(5) * rect.width() / px(_PICTURE[0])
        inner = rect.adjusted(inset, inset, -inset, -inset)
        paint_thumbnail(painter, inner, self._alternative.workflow, self._ui.session.tools, self._changed)
        painter.end()
        return pixmap


class _FactWords(ElidedLabel, Toned):
    """A few words in a colour, cut where there is no room."""

    def __init__(self, text: str, token: str) -> None:
        super().__init__(text, "caption")
        self.set_tone(token)


class Fact(Painted, QWidget):
    """A small icon with a few words."""

    def __init__(self, icon: str, text: str, tip: str, token: str = "text.secondary") -> None:
        super().__init__()
        self._icon, self._token = icon, token
        self._words = _FactWords(text, "" if token == "text.secondary" else token)
        self.setToolTip(tip)
        self.setLayout(row(self._words, margins=(15, 0, 0, 0)))

    @property
    def whole_width(self) -> int:
        """Pixels in which its words are not cut."""
        return px(15) + self._words.sizeHint().width()

    def paint(self, painter: QPainter) -> None:
        side = px(12)
        icons.paint(painter, QRectF(0, (self.height() - side) / 2, side, side), self._icon, color(self._token))


class AlternativeCard(ClickableFrame):
    def __init__(self, ui: UiContext, alternative: Alternative, changed: tuple[str, ...]) -> None:
        super().__init__(formatting.said(alternative.solution.title))
        self.setProperty("surface", "raised")
        self.setMaximumWidth(px(_MOST))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(HIGH))
        solution = alternative.solution
        self._dense: bool | None = None
        title, why = formatting.said(solution.title), formatting.said(solution.reason)
        self._title = ClampedText(title, 1, "text.primary", "heading")
        self._reason = ClampedText(formatting.reason_of(title, why, alternative.workflow, ui.session.tools))
        self._picture = GraphPicture(ui, alternative, changed)
        self._costs = self._facts(alternative)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        stack(self._grid, None, self._costs, parent=self, gap=2, margins=(8, 7, 10, 7))
        self.set_dense(False)
        why = whys(ui, alternative)
        self.setToolTip(why)
        self.setAccessibleDescription(why.replace("\n", " "))

    def set_dense(self, dense: bool) -> None:
        """The picture smaller and below the title, so that a card can be narrower."""
        if dense != self._dense:
            self._dense = dense
            self._grid.setHorizontalSpacing(px(8 if dense else 10))
            self._grid.setVerticalSpacing(px(4 if dense else 2))
            self._picture.set_small(dense)
            self._costs.setSpacing(px(6 if dense else 14))
            self._place()
            self._leave_out()

    def _place(self) -> None:
        """The picture beside the title and the reason; beside the reason alone, where it is dense."""
        grid, top, dense = self._grid, Qt.AlignmentFlag.AlignTop, bool(self._dense)
        for widget in (self._picture, self._title, self._reason):
            grid.removeWidget(widget)
        grid.addWidget(self._picture, 1 if dense else 0, 0, 1 if dense else 2, 1, top)
        grid.addWidget(self._title, 0, 0 if dense else 1, 1, 2 if dense else 1)
        grid.addWidget(self._reason, 1, 1, top)

    def is_long(self, width: int) -> bool:
        """True when the title takes more than a line on a card of that width."""
        beside = 0 if self._dense else self._picture.width() + self._grid.horizontalSpacing()
        return not self._title.fits(width - px(_BESIDE) - beside)

    def set_title_room(self, high: bool, long: bool) -> None:
        """The title with two lines where it is `long`: ways are told apart by their titles. A `high` card has room for
        that.
        """
        self._title.set_lines(2 if long else 1)
        self.setFixedHeight(px(HIGHER if high else HIGH))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._leave_out()

    def _leave_out(self) -> None:
        """Where not all that it costs has room, memory and then time are left out: half a figure says nothing."""
        shown, room = list(self._all_facts), self.width() - px(_BESIDE)
        for fact in self._all_facts[1:-1]:
            if sum(one.whole_width + self._costs.spacing() for one in shown) <= room:
                break
            shown.remove(fact)
        for fact in self._all_facts:
            fact.setVisible(fact in shown)

    def _facts(self, alternative: Alternative) -> QHBoxLayout:
        facts: list[Fact] = []
        if alternative.download_bytes:
            text = formatting.size(alternative.download_bytes)
            facts.append(Fact("download", text, self.tr("Has to be downloaded first"), "state.input"))
        else:
            facts.append(Fact("check", self.tr("On disk"), self.tr("Nothing to download"), "state.done"))
        if alternative.memory_bytes:
            facts.append(Fact("memory-stick", formatting.size(alternative.memory_bytes), self.tr("Memory at most")))
        if alternative.seconds is not None:
            known = formatting.duration(alternative.seconds)
            rough = self.tr("Time, roughly, by the size of its models") if alternative.rough else ""
            facts.append(Fact("clock", f"≈ {known}" if rough else known, rough or self.tr("Time, from earlier runs")))
        sure = f"{alternative.solution.score:.0%}".replace("%", " %")
        tip = self.tr("How sure the planner is that this is what you want")
        self._all_facts = [*facts, Fact("gauge", sure, tip)]
        return row(*facts, None, self._all_facts[-1], gap=14)

    def set_chosen(self, chosen: bool) -> None:
        mark(self, "surface", "accent" if chosen else "raised")
        name = self.accessibleName().removesuffix(self.tr(", shown"))
        self.setAccessibleName(name + self.tr(", shown") if chosen else name)


def whys(ui: UiContext, alternative: Alternative) -> str:
    """Why the planner chose the models of an alternative, a line for each node where it had a choice; "" for none."""
    tools, flow = ui.session.tools, alternative.workflow
    found = [
        (node, formatting.said(reason)) for node, reason in alternative.solution.reasons.items() if node in flow.ids()
    ]
    lines = [f"{flow.title_of(node, tools)} – {why}" for node, why in found if why]
    return "\n".join([formatting.translate("Why these models:"), *lines]) if lines else ""


def paint_thumbnail(
    painter: QPainter, rect: QRectF, workflow: Workflow, tools: Mapping[str, Tool], changed: Collection[str] = ()
) -> None:
    """Paints the graph into `rect` (86 x 54 at 100 %): cards in the colour of what they give, links, and an outline
    round the cards in `changed` (node ids and resource names).
    """
    cards = [*(r.name for r in workflow.resources), *workflow.ids()]
    if not cards:
        return
    boxes = _boxes(rect, layout(workflow, dict.fromkeys(cards, _CARD)))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for link in workflow.links:
        if link.source in boxes and link.target in boxes:
            kind = str(workflow.type_of(link.source, link.output, tools) or "any")
            _link(painter, boxes[link.source], boxes[link.target], theme.current().type_color(kind))
    resources = {r.name: str(r.type) for r in workflow.resources}
    for id, box in boxes.items():
        kind = resources.get(id) or workflow.kind_of(id, tools)
        _card(painter, box, kind, id in resources, id in changed)
    painter.restore()


def _boxes(rect: QRectF, places: Mapping[str, tuple[float, float]]) -> dict[str, QRectF]:
    """The cards' little rectangles: columns and rows spread over `rect`, never larger than the tokens' size."""
    columns = sorted({x for x, _ in places.values()})
    rows = sorted({y for _, y in places.values()})
    inner = rect.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    scale = min(rect.width() / _TOKENS["size"][0], rect.height() / _TOKENS["size"][1])
    wide = min(_NODE_WIDTH / 2 * scale, inner.width() / (1.6 * len(columns)))
    high = min(_NODE_HEIGHT / 2 * scale, inner.height() / (1.4 * len(rows)))
    step_x = (inner.width() - wide) / max(1, len(columns) - 1)
    step_y = min((inner.height() - high) / max(1, len(rows) - 1), high * 2.2)
    step_x = min(step_x, wide * 1.9)
    left = inner.center().x() - (step_x * (len(columns) - 1) + wide) / 2
    top = inner.center().y() - (step_y * (len(rows) - 1) + high) / 2
    return {
        id: QRectF(left + columns.index(x) * step_x, top + rows.index(y) * step_y, wide, high)
        for id, (x, y) in places.items()
    }


def _link(painter: QPainter, source: QRectF, target: QRectF, color: QColor) -> None:
    start = QPointF(source.right(), source.center().y())
    end = QPointF(target.left(), target.center().y())
    reach = max(3.0, (end.x() - start.x()) * 0.5)
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(reach, 0), end - QPointF(reach, 0), end)
    faint = theme.faded(color, 0.6)
    painter.setPen(QPen(faint, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


def _card(painter: QPainter, box: QRectF, kind: str, is_resource: bool, changed: bool) -> None:
    current = theme.current()
    color = current.type_color(kind)
    radius = (_TOKENS["resource_radius"] if is_resource else _TOKENS["node_radius"]) * box.width() / _NODE_WIDTH
    edge = (
        current.color("accent.line") if changed else color if is_resource else current.color("background.border_strong")
    )
    painter.setPen(QPen(edge, 1.8 if changed else 0.8))
    painter.setBrush(current.color("background.card"))
    painter.drawRoundedRect(box, radius, radius)
    inset = max(1.2, box.width() * 0.12)
    block = theme.faded(color, 0.75 if is_resource else 0.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(block)
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius / 2, radius / 2)
