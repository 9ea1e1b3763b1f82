"""Whether a graph is the user's own: built in another way than the alternative that it came from.

Values, back ends and what answers a question of the plan - a file, clicks, a drawing - do not make it another graph.
"""

from __future__ import annotations

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Workflow

_FILE = ("", RESOURCE_OUTPUT)
"""Stands for every resource: which one goes in is no matter of how the graph is built."""


def is_own(way: Workflow, workflow: Workflow) -> bool:
    """True where the user built it in another way than `way` has it; False when it is only filled in."""
    before, now = (flow.nodes_by_id for flow in (way, workflow))
    if {(id, node.tool, node.mode) for id, node in before.items()} != {(id, n.tool, n.mode) for id, n in now.items()}:
        return True
    fed_before, fed_now = _fed(way), _fed(workflow)
    return any(_differs(id, fed_before, fed_now) for id in now)


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
