"""A graph that ends with a file of some form ("make it an mp3") still does when a further wish changes what goes into
that file: "twice as loud" comes before the mp3, and not in its place or after it.

Pure: graphs in, a graph out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.session.follow_up import NEW
from nodes.api import ANSWERS, CONVERTS, Port, Tool


def in_kept_forms(old: Workflow, new: Workflow, tools: Mapping[str, Tool]) -> Workflow:
    """`new`, with the last steps of `old` that only made a file of some form behind what is made anew of the same
    things. As it is where it makes files itself, or what it makes fits into no such file.

    Those steps are set apart, as the others of `new` that are no nodes of `old`.
    """
    for id, _ in old.results(tools):
        node = old.find(id)
        if node is None or node.tool not in tools:
            continue
        fed = {link.port for link in old.links_into(id)}
        port = next((port for port in form_inputs(tools[node.tool]) if port.name in fed), None)
        if port is not None:
            new = _ended_with(old, new, node, port, tools)
    return new


def form_inputs(tool: Tool) -> Sequence[Port]:
    """What a tool puts into a file of some form, one of these, where it does no more than that; else ()."""
    return [port for port in tool.inputs if port.required or port.name in tool.any_of] if tool.does == CONVERTS else ()


def _ended_with(old: Workflow, new: Workflow, node: Node, port: Port, tools: Mapping[str, Tool]) -> Workflow:
    ends = [end for end in new.results(tools) if end[0] != node.id]
    sources = [link for link in old.links_into(node.id) if link.port == port.name]
    before = new if new.find(node.id) is None else _without(new, node.id, sources)
    fitting = before is not None and ends and all(_goes_in(end, port, new, tools) for end in ends)
    if before is None or not fitting:
        return new
    file = replace(node, id=f"{NEW}{node.id}", position=None)
    links = _from(ends, sources, before, file.id)
    if not links:
        return new
    there = {*before.ids(), *(resource.name for resource in before.resources)}
    kept = (link for link in old.links_into(node.id) if link.port != port.name and link.source in there)
    links += [replace(link, target=file.id) for link in kept]
    wanted = ((file.id, tools[node.tool].outputs[0].name),)
    after = replace(before, nodes=(*before.nodes, file), links=(*before.links, *links), wanted=wanted)
    try:
        after.check(tools)
    except BadWorkflow:
        return new
    return after


def _goes_in(end: tuple[str, str], port: Port, workflow: Workflow, tools: Mapping[str, Tool]) -> bool:
    """True for what a step makes that is no file by itself and no answer, where the port takes it."""
    node, type = workflow.find(end[0]), workflow.type_of(*end, tools)
    tool = tools.get(node.tool) if node is not None else None
    is_thing = tool is not None and tool.does not in (CONVERTS, ANSWERS)
    return is_thing and type is not None and type.is_a(port.type)


def _without(new: Workflow, node: str, sources: Sequence[Link]) -> Workflow | None:
    """`new`, in which what took the file takes what went into that; None where that was not one thing."""
    if len(sources) != 1:
        return None
    source = {"source": sources[0].source, "output": sources[0].output}
    links = [replace(link, **source) if link.source == node else link for link in new.links if link.target != node]
    return replace(new.without(node), links=tuple(dict.fromkeys(links)))


def _from(ends: Sequence[tuple[str, str]], sources: Sequence[Link], workflow: Workflow, file: str) -> list[Link]:
    """Into the file goes what rests on each of the things that went into it; [] where an end rests on none."""
    found = [
        Link(*end, file, link.port) for link in sources for end in ends if link.source in workflow.upstream(end[0])
    ]
    links = list(dict.fromkeys(found))
    return links if {(link.source, link.output) for link in links} == {*ends} else []
