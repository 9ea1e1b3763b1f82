"""What the links bring to a node, and whether it is to run once for it or once for each of several items.

A port that is not `many` and gets several values, from one link or from several, spreads the node over them. What is
missing among the values, because its item failed before, is None: so items keep their places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_app.core.values import several
from desktop_app.graph.workflow import Link
from desktop_app.run.backends.selection import Fault
from desktop_app.run.cache.cache_keys import Linked
from desktop_app.storage.resources import Resource
from nodes.api import Port, Tool
from nodes.phrase import Phrase

Row = tuple[Resource | None, ...]
Value = Resource | Row
"""What leaves an output."""


@dataclass(frozen=True)
class Inputs:
    """By port: `linked` what is the same for all items, tuples only for `many` ports; `spread` what differs."""

    linked: Mapping[str, Linked]
    spread: Mapping[str, Row] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return next((len(row) for row in self.spread.values() if len(row) != 1), 1)

    def item(self, tool: Tool, index: int) -> dict[str, Linked] | Fault | None:
        """What is linked for one item, why it cannot be worked on, or None when it is missing."""
        linked = dict(self.linked)
        for name, row in self.spread.items():
            value = _at(row, index)
            if value is None:
                return None
            port = tool.input(name)
            assert port is not None
            fault = _wrong_type(tool, port, value)
            if fault is not None:
                return fault
            linked[name] = value
        return linked

    def name(self, index: int) -> str:
        row = next((row for row in self.spread.values() if len(row) == self.count), ())
        value = _at(row, index) if row else None
        return value.name if value is not None else Phrase("item {n}", n=index + 1)


def gather(tool: Tool, links: Sequence[Link], value_of: Callable[[str, str], Value | None]) -> Inputs | Fault:
    """What `links` bring to the tool's ports, which must exist; `value_of` gives what leaves a source at an output."""
    if len(links) == 1 and (alone := _alone(tool, links[0], value_of)) is not None:
        return alone
    linked: dict[str, Linked] = {}
    spread: dict[str, Row] = {}
    rows: dict[str, Row] = {}
    for name in dict.fromkeys(link.port for link in links):
        port = tool.input(name)
        assert port is not None
        brought = _brought(name, [link for link in links if link.port == name], value_of)
        if isinstance(brought, Fault):
            return brought
        if port.many:
            rows[name] = several(brought)
        elif isinstance(brought, tuple):
            spread[name] = brought
        else:
            linked[name] = brought
            fault = _wrong_type(tool, port, brought)
            if fault is not None:
                return fault
    return _collect(tool, rows, linked) or _unequal(tool, spread) or Inputs(linked, spread)


def _alone(tool: Tool, link: Link, value_of: Callable[[str, str], Value | None]) -> Inputs | None:
    """What most nodes get, in a third of the time: one fitting value at a port that takes one. None for all else."""
    port, value = tool.input(link.port), value_of(link.source, link.output)
    if port is None or port.many or not isinstance(value, Resource) or _wrong_type(tool, port, value):
        return None
    return Inputs({link.port: value}, {})


def _brought(name: str, links: Sequence[Link], value_of: Callable[[str, str], Value | None]) -> Value | Fault:
    """One value as it is; several, in the order of the links, as one row."""
    found: list[Resource | None] = []
    for link in links:
        value = value_of(link.source, link.output)
        if value is None:
            said = Phrase("Nothing leaves '{source}' at '{output}'.", source=link.source, output=link.output)
            return Fault(said, name, "Remove the link or draw it anew.")
        if len(links) == 1:
            return value
        found.extend(several(value))
    return tuple(found)


def _collect(tool: Tool, rows: Mapping[str, Row], linked: dict[str, Linked]) -> Fault | None:
    """Puts what `many` ports get into `linked`, without what is missing. What is missing in one row is left out of
    every other of the same length too, so that pictures and their captions stay together."""
    for name, row in rows.items():
        port = tool.input(name)
        assert port is not None
        alike = [other for other in rows.values() if len(other) == len(row)]
        whole = [i for i in range(len(row)) if all(other[i] is not None for other in alike)]
        values = tuple(value for i in whole if (value := row[i]) is not None)
        fault = next((fault for value in values if (fault := _wrong_type(tool, port, value))), None)
        if fault is not None:
            return fault
        linked[name] = values
    return None


def _unequal(tool: Tool, spread: Mapping[str, Row]) -> Fault | None:
    counts = {name: len(row) for name, row in spread.items() if len(row) != 1}
    if len(set(counts.values())) < 2:
        return None
    first, *rest = counts
    other = next(name for name in rest if counts[name] != counts[first])
    return Fault(
        Phrase(
            "{tool} gets {one} as '{first}' and {two} as '{other}', and cannot tell which belong together.",
            tool=Phrase(tool.title, "tools"),
            one=_values(counts[first]),
            first=Phrase(first, "ports"),
            two=_values(counts[other]),
            other=Phrase(other, "ports"),
        ),
        other,
        "Give it equally many of both, or one of one of them.",
    )


def _values(count: int) -> str:
    return Phrase("{count} value", count=count) if count == 1 else Phrase("{count} values", count=count)


def _wrong_type(tool: Tool, port: Port, value: Resource) -> Fault | None:
    if port.takes(value.type) or value.fits(port.type):
        return None
    return Fault(
        Phrase(
            "{value} is of type {type}; {tool} takes {wanted} as '{port}'.",
            value=value.name,
            type=Phrase(value.type, "types"),
            tool=Phrase(tool.title, "tools"),
            wanted=Phrase(port.type, "types"),
            port=Phrase(port.name, "ports"),
        ),
        port.name,
        Phrase("Link something of type {type}.", type=Phrase(port.type, "types")),
    )


def _at(row: Row, index: int) -> Resource | None:
    return row[0] if len(row) == 1 else row[index]
