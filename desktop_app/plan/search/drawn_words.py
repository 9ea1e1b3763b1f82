"""Words laid beside a film that becomes pictures: they are drawn into it, as no picture shows a track."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import ToolSpec
from nodes.api import LAYS_BESIDE

_TAKES, _FILM = 0.5, "video"


def with_words_drawn(reading: Reading, graph: ToolGraph) -> Reading:
    """The reading in which another tool lays the words of a film into its pictures, where a GIF or stills are made of
    it; the same object where none are.
    """
    tools = [graph.tools.get(clause.tool) for clause in reading.clauses]
    lost = {
        giver
        for (giver, taker), share in reading.links.items()
        for one, other in [(tools[giver], tools[taker])]
        if share > _TAKES and one and other and one.does == LAYS_BESIDE
        and _FILM not in {out.type for out in other.outputs}
    }  # fmt: skip
    if not lost:
        return reading
    clauses = (_drawn(one, graph) if place in lost else one for place, one in enumerate(reading.clauses))
    return replace(reading, clauses=tuple(clauses))


def _drawn(clause: ToolClause, graph: ToolGraph) -> ToolClause:
    tool = graph.tools[clause.tool]
    alike = [one.id for one in graph.tools.values() if one is not tool and _shape(one) == _shape(tool)]
    likely = [id for id, _ in (*clause.others, *clause.faint) if id in alike]
    return replace(clause, tool=[*likely, *alike, clause.tool][0])


def _shape(tool: ToolSpec) -> tuple[list[str], list[str]]:
    """The types that it needs, and those of what it makes."""
    return sorted(port.type for port in tool.inputs if port.required), [out.type for out in tool.outputs]
