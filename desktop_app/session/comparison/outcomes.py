"""What came of two ways: the results that can be compared, and what is still to be run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop_app.core.values import several
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison.pairs import ALIKE, CHANGED, REPLACED, Comparison, Pair, family
from desktop_app.session.comparison.traces import Tools
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType
from nodes.phrase import Phrase


@dataclass(frozen=True)
class SideResult:
    """What one side gives at one place: a result, or several, or none with the state of the node ("" : never ran)."""

    node: str
    values: tuple[Resource, ...] = ()
    state: str = ""
    message: str = ""


@dataclass(frozen=True)
class Outcome:
    """What A and B give that can be compared; `type` is A's (or B's where A has none)."""

    type: ResourceType
    a: SideResult | None
    b: SideResult | None

    def of(self, side: str) -> SideResult | None:
        return self.a if side == "a" else self.b


def outcomes(comparison: Comparison, run_a: Run, run_b: Run, tools: Tools) -> tuple[Outcome, ...]:
    """What can be compared: first the results that were asked for, then those of the steps on the way that differ."""
    runs = {"a": run_a, "b": run_b}
    ends = {side: list(execution_modes.results(comparison.workflow(side), tools)) for side in "ab"}

    def type_of(side: str, place: tuple[str, str]) -> ResourceType:
        return comparison.workflow(side).type_of(*place, tools) or ResourceType.FILE

    def made(side: str, place: tuple[str, str] | None) -> SideResult | None:
        return made_at(runs[side], place) if place else None

    found: list[Outcome] = []
    left = list(ends["b"])
    for place in ends["a"]:
        kind = family(type_of("a", place))
        other = next((o for o in left if family(type_of("b", o)) == kind), None)
        if other is not None:
            left.remove(other)
        found.append(Outcome(type_of("a", place), made("a", place), made("b", other)))
    found += [Outcome(type_of("b", place), None, made("b", place)) for place in left]
    found.sort(key=lambda each: each.a is None or each.b is None)  # stable: what both have first
    for pair in comparison.nodes:
        if pair.kind in (ALIKE, CHANGED, REPLACED):
            found += _on_the_way(comparison, pair, ends, type_of, made, tools)
    return tuple(found)


def _on_the_way(comparison: Comparison, pair: Pair, ends: Any, type_of: Any, made: Any, tools: Tools) -> list[Outcome]:
    """What a pair of nodes gives to others, where both give the like."""
    place_a, place_b = (_first_output(comparison.workflow(side), pair.of(side), tools) for side in "ab")
    if place_a is None or place_b is None or (place_a in ends["a"] and place_b in ends["b"]):
        return []
    if family(type_of("a", place_a)) != family(type_of("b", place_b)):
        return []
    return [Outcome(type_of("a", place_a), made("a", place_a), made("b", place_b))]


def _first_output(workflow: Workflow, id: str, tools: Tools) -> tuple[str, str] | None:
    node = workflow.find(id)
    tool = tools.get(node.tool) if node else None
    return (id, tool.outputs[0].name) if tool and tool.outputs else None


def made_at(run: Run, place: tuple[str, str]) -> SideResult:
    node = run.nodes.get(place[0])
    if node is None:
        return SideResult(place[0])
    value = node.outputs.get(place[1], ())
    values = several(value)
    return SideResult(place[0], values, node.state, node.message)


def has_run(workflow: Workflow, run: Run, tools: Tools) -> bool:
    """True when there is something to look at, and nothing that was asked for is still to be run: what another way
    has computed along with its own may be known without that.
    """
    wanted = [made_at(run, place) for place in execution_modes.results(workflow, tools)]
    return any(made.values for made in wanted) and all(made.state for made in wanted)


def left_to_run(workflow: Workflow, run: Run) -> tuple[str, ...]:
    """The nodes that a run would have to compute, as far as is known."""
    idle = workflow.idle()
    return tuple(
        node.id for node in workflow.nodes
        if node.id not in idle and (node.id not in run.nodes or run.nodes[node.id].state != "done")
    )  # fmt: skip


def told(title: Phrase, run: Run, workflow: Workflow, tools: Tools) -> Phrase:
    """What came of an alternative that ran beside the one shown, as a sentence."""
    failed = next(iter(run.failures()), "")
    if failed:
        tool = tools.get(workflow.node(failed).tool)
        why = Phrase.of(run.nodes[failed].message)
        said = "“{title}” ran too, and failed: {tool} - {why}"
        return Phrase(said, title=title, tool=Phrase(tool.title, "tools") if tool else failed, why=why)
    known = sum(node.cached for node in run.nodes.values())
    total = len(run.nodes)
    if known and known == total:
        return Phrase("“{title}” is known from before. Compare it with the one that is shown.", title=title)
    reused = Phrase("; {n} of {total} steps were known", n=known, total=total) if known else ""
    said = "“{title}” ran too, in {seconds} s{reused}. Compare it with the one that is shown."
    return Phrase(said, title=title, seconds=f"{max(0.1, run.seconds):.1f}", reused=reused)
