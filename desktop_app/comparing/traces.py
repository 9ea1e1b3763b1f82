"""What the result of a node depends on, as a digest: its trace.

Two nodes of the same trace, be it in two alternatives or before and after an edit, have the same result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from desktop_app.errors import BadWorkflow
from desktop_app.workflow import Link, Node, Workflow
from nodes.api import Tool

Tools = Mapping[str, Tool]
as_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode
"""A plain value as text that is the same for equal values."""


def traces(workflow: Workflow, tools: Tools) -> dict[str, str]:
    """By node, a digest of all that its result depends on: tool, back end, values, and what feeds it, up to the files.

    A value that says what the tool takes anyway counts as left out. Empty when the workflow runs in a circle.
    """
    found: dict[str, str] = {}
    files = {r.name: f"{r.type}:{r.digest}{r.suffix}" for r in workflow.resources}
    nodes = {node.id: node for node in workflow.nodes}
    into: dict[str, list[Link]] = {}
    for link in workflow.links:
        into.setdefault(link.target, []).append(link)
    try:
        order = workflow.order()
    except BadWorkflow:
        return {}
    for id in order:
        fed = [(k.port, k.output, files.get(k.source) or found.get(k.source, "")) for k in into.get(id, ())]
        fed.sort(key=lambda each: each[0])  # stable: links into a port of many keep their order
        found[id] = hashlib.sha256(as_text([self_of(nodes[id], tools), fed]).encode()).hexdigest()
    return found


def self_of(node: Node, tools: Tools) -> list[Any]:
    """What a node is, whatever feeds it."""
    return [node.tool, node.backend or "", node.mode, own_values(node, tools)]


def own_values(node: Node, tools: Tools) -> dict[str, Any]:
    """The values of a node that differ from what its tool takes by itself."""
    tool = tools.get(node.tool)
    usual = {port.name: port.default for port in tool.inputs if not port.required} if tool else {}
    return {name: value for name, value in node.values.items() if name not in usual or usual[name] != value}
