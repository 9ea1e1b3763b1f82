"""Which results of a solution answer the request, and which are only steps on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_app.plan.ranking.port_fit import FACTS, MEDIA
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.rewiring import results
from desktop_app.plan.tools.tool_graph import REGIONS, main_inputs
from desktop_app.plan.types import Step, ToolSpec


def wanted_of(
    steps: Sequence[Step], made: Sequence[Value], sums: Sequence[Value], tools: Mapping[str, ToolSpec]
) -> tuple[tuple[str, str], ...]:
    """Pairs (step, port): the results that nothing takes further; pictures, sounds, films and files that later steps
    only look at; the parts of a sum. `made` are the results of the wishes, `sums` what was added up.
    """
    taken = {(item.node, item.port) for step in steps if not _only_looks(tools[step.tool]) for item in results(step)}
    looked_at = {(item.node, item.port) for step in steps for item in results(step)} - taken
    types = {(step.id, port.name): port.type for step in steps for port in tools[step.tool].outputs}
    taken |= {pair for pair in looked_at if types[pair] not in (*MEDIA, "file")}
    summed = {(item.node, item.port) for value in made for item in value.items if sums and len(value.items) > 1}
    pairs = [(item.node, item.port) for value in (*made, *sums) for item in value.items]
    return tuple(pair for pair in dict.fromkeys(pairs) if pair not in taken or pair in summed)


def is_taken(value: Value, steps: Sequence[Step]) -> bool:
    """True when a step takes something of the value."""
    return any(source in value.items for step in steps for source in results(step))


def _only_looks(tool: ToolSpec) -> bool:
    """True for a tool that tells or draws something about one thing, which itself stays as it is."""
    takes, gives = {port.type for port in main_inputs(tool)}, {port.type for port in tool.outputs}
    return gives <= {"text", *FACTS, *REGIONS} or (takes == {"audio"} and gives == {"image"})
