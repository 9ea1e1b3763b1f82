"""What of a graph is the user's own: where it is built in another way than the alternative that it came from.

Values, back ends and what answers a question of the plan - a file, clicks, a drawing - do not make it another graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Workflow

_FILE = ("", RESOURCE_OUTPUT)
"""Stands for every resource: which one goes in is no matter of how the graph is built."""


@dataclass(frozen=True)
class OwnChanges:
    """Ids of nodes: those that were added; those that the alternative has and the graph not; and those that both join
    or switch (bypass, mute) in different ways.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def own_changes(way: Workflow, workflow: Workflow) -> OwnChanges:
    """What the user built in another way than `way` has it; nothing when it is only filled in."""
    before, now = (flow.nodes_by_id for flow in (way, workflow))
    kept = [id for id in now if id in before and before[id].tool == now[id].tool]
    fed_before, fed_now = _fed(way), _fed(workflow)
    return OwnChanges(
        tuple(id for id in now if id not in kept),
        tuple(id for id in before if id not in kept),
        tuple(id for id in kept if before[id].mode != now[id].mode or _differs(id, fed_before, fed_now)),
    )


Feeds = dict[str, dict[str, list[tuple[str, str]]]]
"""What goes into each port of each node, in order."""


def _fed(workflow: Workflow) -> Feeds:
    nodes = set(workflow.ids())
    found: Feeds = {}
    for link in workflow.links:
        source = (link.source, link.output) if link.source in nodes else _FILE
        found.setdefault(link.target, {}).setdefault(link.port, []).append(source)
    return found


def _differs(node: str, before: Feeds, now: Feeds) -> bool:
    was, is_ = before.get(node, {}), now.get(node, {})
    ports = dict.fromkeys([*was, *is_])
    return any(was.get(port) != is_.get(port) and not _answers(was.get(port), is_.get(port)) for port in ports)


def _answers(was: list[tuple[str, str]] | None, is_: list[tuple[str, str]] | None) -> bool:
    """True for files in a port into which nothing went, or other files only."""
    return bool(is_) and set(is_ or ()) | set(was or ()) == {_FILE}
