"""Which sounds play together: with one sound beside a film the other is the film's own, and how loud one of them is
said to be is said of the mix.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.degrees import direction
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Request, ToolSpec

_SOUND, _FILM = "audio", "video"


def with_sounds_mixed(reading: Reading, request: Request, graph: ToolGraph) -> Reading:
    """The reading in which a sound is mixed with that of the only film, and in which "but not too loud" belongs to the
    clause before it; the same object where neither is said.
    """
    return _with_degrees(_with_films_sound(reading, request, graph), request.text, graph)


def _with_films_sound(reading: Reading, request: Request, graph: ToolGraph) -> Reading:
    if sorted(one.type for one in request.resources if one.type in (_SOUND, _FILM)) != [_SOUND, _FILM]:
        return reading  # most requests: the tools are not looked at for them
    tools = [graph.tools[one.tool] for one in reading.clauses if one.tool in graph.tools]
    dubbing = next((tool.id for tool in graph.tools.values() if _is_like(tool, [_SOUND, _FILM], _FILM)), None)
    mixing = {tool.id for tool in tools if _is_like(tool, [_SOUND, _SOUND], _SOUND)}
    makes = any(_SOUND not in _needed(tool) and _SOUND in (out.type for out in tool.outputs) for tool in tools)
    if dubbing is None or not mixing or makes:
        return reading
    clauses = (replace(one, tool=dubbing) if one.tool in mixing else one for one in reading.clauses)
    return replace(reading, clauses=tuple(clauses))


def _with_degrees(reading: Reading, text: str, graph: ToolGraph) -> Reading:
    clauses, kept = list(reading.clauses), list(range(len(reading.clauses)))
    for number, after in pairwise(range(len(clauses))):
        if _is_told(clauses[number], clauses[after], text, graph):
            clauses[number] = replace(clauses[number], end=clauses[after].end)
            kept.remove(after)
    return replace(reading, clauses=tuple(clauses)).of(kept) if len(kept) < len(clauses) else reading


def _is_told(mix: ToolClause, louder: ToolClause, text: str, graph: ToolGraph) -> bool:
    """True where the second clause says no more than how quiet one of the sounds is that the first one mixes."""
    tool, other = graph.tools.get(mix.tool), graph.tools.get(louder.tool)
    if tool is None or other is None or not (_is_like(other, [_SOUND], _SOUND) and _SOUND in _needed(tool)[:1]):
        return False
    own = Clause(text, ((louder.start, louder.end),))
    gains = [port for port in tool.inputs if port.unit == "dB" and port.default is None]
    return any(direction(port, tool, own) for port in gains) and len(_needed(tool)) > 1


def _needed(tool: ToolSpec) -> list[str]:
    return sorted(port.type for port in tool.inputs if port.required)


def _is_like(tool: ToolSpec, needed: list[str], made: str) -> bool:
    return _needed(tool) == needed and [port.type for port in tool.outputs] == [made]
