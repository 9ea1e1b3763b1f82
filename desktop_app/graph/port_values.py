"""Whether the values that nodes hold are of the form of their ports. Only the form: what a port allows, a run tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Workflow
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase

_T = ResourceType
_TEXTS = frozenset((_T.TEXT, _T.HTML, _T.URL))
_NUMBERS = {_T.POINTS: (2, 3), _T.BOXES: (4, 6)}
"""With how many parts, of which the first of so many are numbers."""


def check(workflow: Workflow, tools: Mapping[str, Tool]) -> None:
    """Raises BadWorkflow for the first value that the window could not show. Values of unknown tools are not looked at;
    those of unknown ports, and of ports that take files, are told when the node runs.
    """
    for node in workflow.nodes:
        for port in tools[node.tool].inputs if node.tool in tools else ():
            value = node.values.get(port.name)
            if value is not None and not fits(port, value):
                said = Phrase(
                    "'{port}' of the node '{node}' is {value}, which is no {type}.",
                    port=Phrase(port.name, "ports"),
                    node=node.id[:60],
                    value=repr(str(value)[:60]),
                    type=Phrase(port.type, "types"),
                )
                raise BadWorkflow(said, "Open another file, or mend this one.")


def fits(port: Port, value: Any) -> bool:
    """True for a value of the port's type, or several of them where it takes many."""
    if port.many and isinstance(value, list | tuple) and port.type not in (_T.POINTS, _T.BOXES, _T.LABELS):
        return all(_fits(port.type, one) for one in value)
    return _fits(port.type, value)


def _fits(type: ResourceType, value: Any) -> bool:
    if type in _TEXTS:
        return isinstance(value, str)
    if type is _T.NUMBER:
        return _is_number(value)
    if type is _T.FLAG:
        return isinstance(value, bool)
    if type in _NUMBERS:
        least, most = _NUMBERS[type]
        return _are_lists(value, least, most) and all(_is_number(part) for one in value for part in one[:least])
    if type is _T.LABELS:
        return _are_lists(value, 1, 2) and all(
            isinstance(one[0], str) and all(map(_is_number, one[1:])) for one in value
        )
    if type is _T.TABLE:
        return (
            isinstance(value, Mapping)
            and isinstance(value.get("columns"), list)
            and isinstance(value.get("rows"), list)
        )
    return isinstance(value, str | Mapping)


def _are_lists(value: Any, least: int, most: int) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(one, list | tuple) and least <= len(one) <= most for one in value
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
