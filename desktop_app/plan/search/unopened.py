"""Files of a kind that no tool opens: told at the plan, and not only when a tool fails on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import PurePath

from desktop_app.core.values import several
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import FromResource, Plan, PortSpec, Request, Solution
from nodes.phrase import Phrase

_ENDING = re.compile(r"(?<!\w)\.[a-z0-9]{2,5}\b")


def with_opened_files(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan without solutions that hand a file to a tool which does not open its kind, by the endings that its
    inputs speak of, and without such as ask for another file beside one that no tool opens; where none is left because
    of such a file, with that as the cause.
    """
    kinds = {
        one.name: PurePath(one.name).suffix.lower() for one in request.resources if one.type == "file" and not one.by
    }
    if not kinds:
        return plan
    opened = {ending for tool in graph.tools.values() for port in tool.inputs for ending in _endings(port)}
    strange = {name for name, kind in kinds.items() if kind and kind not in opened}
    fitting = (one for one in plan.solutions if not any(_misfits(one, kinds, graph)))
    kept = tuple(one for one in fitting if not (strange and _asks_for_a_file(one)))
    if kept or not (plan.solutions or plan.questions):
        return replace(plan, solutions=kept)
    misfits = _misfits(plan.solutions[0], kinds, graph) if plan.solutions else ()
    lost = [name for name in (*misfits, *kinds) if name in strange]
    if not lost:
        return plan  # another tool opens it: what is said when it runs tells more
    cause = Phrase("No tool here opens {ending} files such as {name}.", ending=kinds[lost[0]], name=lost[0])
    return replace(plan, solutions=(), causes=(cause,), questions=())


def _misfits(solution: Solution, kinds: dict[str, str], graph: ToolGraph) -> Iterator[str]:
    """The names of files that an input takes whose endings leave out theirs."""
    for step in solution.steps:
        for port in graph.tools[step.tool].inputs:
            known = _endings(port)
            for item in several(step.arguments.get(port.name)):
                if isinstance(item, FromResource) and known and kinds.get(item.name, "") not in ("", *known):
                    yield item.name


def _asks_for_a_file(solution: Solution) -> bool:
    return any(question.kind == "file" for question in solution.questions)


def _endings(port: PortSpec) -> Collection[str]:
    return _ENDING.findall(port.description) if port.type == "file" else ()
