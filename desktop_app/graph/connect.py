"""What may be joined to what, why not (in words), and what a link carries. Pure: it knows no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.i18n import catalogue
from nodes.api import Port, ResourceType, Tool

_NAMES = {
    "image": "a picture", "mask": "a mask", "edge": "an edge map", "line": "line art", "soft_edge": "a soft edge map",
    "scribble": "a scribble", "pose": "a pose map", "depth": "a depth map", "normal": "a normal map",
    "segmentation": "a segmentation", "points": "points", "boxes": "boxes", "labels": "labels", "text": "text",
    "number": "a number", "flag": "yes or no", "table": "a table", "audio": "sound", "video": "a video",
    "html": "a web page", "url": "a web address", "file": "a file",
}  # fmt: skip


@dataclass(frozen=True)
class Refusal:
    """Why a join cannot be made, and the tool (by id) that would make it possible, if there is one.

    `bare` is the reason without the words on the converter.
    """

    reason: str
    converter: str = ""
    bare: str = ""


def type_name(type: str) -> str:
    name = _NAMES.get(str(type), str(type))
    return catalogue.find(name, "window") or name


def accepts(port: Port, given: ResourceType) -> bool:
    return port.takes(given)


def converter(given: ResourceType, wanted: ResourceType, tools: Mapping[str, Tool]) -> Tool | None:
    """A tool that makes `wanted` from `given` and needs the fewest other things; None when there is none."""
    found = [
        (sum(p.required for p in tool.inputs), tool.id, tool)
        for tool in tools.values()
        if any(out.type is wanted for out in tool.outputs[:1]) and _main_input(tool, given) is not None
    ]
    return min(found, key=lambda entry: entry[:2])[2] if found else None


def _main_input(tool: Tool, given: ResourceType) -> Port | None:
    return next((p for p in tool.inputs if p.required and accepts(p, given)), None)


def first_fitting_input(tool: Tool, given: ResourceType, taken: frozenset[str] = frozenset()) -> Port | None:
    """The input that a value of that type goes to: required, free and of the very type first."""
    fitting = [p for p in tool.inputs if accepts(p, given)]
    return min(fitting, key=lambda p: (p.name in taken, p.type is not given, not p.required), default=None)


def first_fitting_output(tool: Tool, wanted: Port) -> Port | None:
    return next((out for out in tool.outputs if accepts(wanted, out.type)), None)


def refusal(workflow: Workflow, tools: Mapping[str, Tool], link: Link) -> Refusal | None:
    """None when the link may be made; otherwise why not."""
    target = workflow.find(link.target)
    if target is None:
        return Refusal(catalogue.say("A link must end at an input of a node."))
    given = workflow.type_of(link.source, link.output, tools)
    tool = tools.get(target.tool)
    if tool is None or given is None:
        return Refusal(catalogue.say("This tool is missing, so nothing new can be joined to it."))
    port = tool.input(link.port)
    if port is None:
        return Refusal(catalogue.say("{title} has no input '{port}'.", title=tool.title, port=link.port))
    if link.source in workflow.downstream(link.target):
        return Refusal(catalogue.say("This would make a circle: the result would feed itself."))
    if accepts(port, given):
        return None
    return _mismatch(port, given, tools)


def _mismatch(port: Port, given: ResourceType, tools: Mapping[str, Tool]) -> Refusal:
    reason = catalogue.say("needs {wanted}; this is {given}", wanted=type_name(port.type), given=type_name(given))
    found = converter(given, port.type, tools)
    if found is None:
        return Refusal(reason)
    return Refusal(catalogue.say("{reason} – add {title}", reason=reason, title=found.title), found.id, reason)


def tools_that_take(tools: Mapping[str, Tool], given: ResourceType) -> dict[str, Port]:
    """By tool id, the input that would take a value of that type."""
    found = {id: first_fitting_input(tool, given) for id, tool in tools.items()}
    return {id: port for id, port in found.items() if port is not None}


def tools_that_give(tools: Mapping[str, Tool], wanted: Port) -> dict[str, Port]:
    """By tool id, the output that would feed that port."""
    found = {id: first_fitting_output(tool, wanted) for id, tool in tools.items()}
    return {id: port for id, port in found.items() if port is not None}


def outputs_of(workflow: Workflow, tools: Mapping[str, Tool], source: str) -> tuple[str, ...]:
    """The outputs of a card by name; empty for a missing tool."""
    if workflow.resource(source) is not None:
        return (RESOURCE_OUTPUT,)
    node = workflow.find(source)
    tool = tools.get(node.tool) if node else None
    return tuple(port.name for port in tool.outputs) if tool else ()


def fitting_inputs(
    workflow: Workflow, tools: Mapping[str, Tool], source: str, output: str
) -> frozenset[tuple[str, str]]:
    """Every (node, input) to which a link from that output may go."""
    given = workflow.type_of(source, output, tools)
    if given is None:
        return frozenset()
    above = workflow.upstream(source)
    return frozenset(
        (node.id, port.name)
        for node in workflow.nodes
        if node.id not in above and node.tool in tools
        for port in tools[node.tool].inputs
        if accepts(port, given)
    )


def fitting_outputs(
    workflow: Workflow, tools: Mapping[str, Tool], target: str, port: str
) -> frozenset[tuple[str, str]]:
    """Every (card, output) from which a link to that input may come."""
    tool = tools.get(workflow.node(target).tool)
    wanted = tool.input(port) if tool else None
    if wanted is None:
        return frozenset()
    below = workflow.downstream(target)
    cards = [*(r.name for r in workflow.resources), *(id for id in workflow.ids() if id not in below)]
    return frozenset(
        (card, output)
        for card in cards
        for output in outputs_of(workflow, tools, card)
        if (given := workflow.type_of(card, output, tools)) is not None and accepts(wanted, given)
    )


def modes_of(workflow: Workflow) -> dict[str, str]:
    return {node.id: node.mode for node in workflow.nodes if node.mode}
