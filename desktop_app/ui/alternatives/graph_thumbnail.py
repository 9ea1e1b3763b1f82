"""A very small picture of a workflow, for the strip of alternatives. Must not know panels."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_app.graph.layout import layout
from desktop_app.graph.workflow import Workflow
from desktop_app.ui.theme import theme
from nodes.api import Tool

_TOKENS = theme.tokens()["thumbnail_of_graph"]
_NODE_WIDTH, _NODE_HEIGHT = _TOKENS["node"]
_MARGIN = 5.0
_CARD = (192.0, 120.0)


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
