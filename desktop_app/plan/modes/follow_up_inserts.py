"""A step put behind those that are there, where few words leave no doubt which: "make them smaller", said of pictures
with a frame; "only the largest one", said of faces that are blurred.

Knows the steps and the words; not the networks.
"""

from __future__ import annotations

from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.language.exceptions import chosen_place, excepted_place
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Insert, Present, SetValues
from desktop_app.plan.modes.follow_up_degrees import factors, opposites
from desktop_app.plan.search.regions import selectors
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, cuts, main_inputs
from desktop_app.plan.types import FromNode, ToolSpec

_AROUND = ("them", "picture", "filler", "all", "same", "up", "down", "slightly", "greatly", "thanks", "no")
_BY_ITSELF, _SLIGHT, _GREAT = 1.5, 1.2, 2.0
"""By how much "larger" multiplies a size; with "a bit", with "much"."""
_WHOLE = 100.0
_BESIDE = ("filler", "only", "spare", "picture", "no", "all", "instead", "mean", "thanks")
_MOST_UNKNOWN = 1
"""So many other words may stand beside those for a place: for the things themselves."""
_TELLING = ("number", "text", "flag")


def resized(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | None:
    """ "Make them a bit smaller", and nothing else: of the pictures that the last steps made, in per cent."""
    clause, times = Clause.of(said.text), factors(said.text)
    sizes = [(hit.first, hit.last) for hit in clause.hits if hit.sense.quality == "size"]
    signs = [hit.sense.sign for hit in clause.hits if hit.sense.quality == "size"]
    if not signs or any(q.unit != "x" and not q.one for q in clause.quantities):
        return None
    if said.left(_AROUND, [*sizes, *((first, last) for _, first, last in times)]):
        return None
    type, after = made_last(graph, present)
    found = next((pair for tool in graph.tools.values() if (pair := _percent(tool, type))), None)
    if found is None:
        return None
    usual = _SLIGHT if said.has("slightly") else _GREAT if said.has("greatly") else _BY_ITSELF
    by = times[0][0] if times else usual
    share = min(by, 1 / by) if signs[0] < 0 else max(by, 1 / by)
    tool, port = found
    return Insert(tool, {port: round(_WHOLE * share)}, after)


def made_last(graph: ToolGraph, present: Present) -> tuple[str, tuple[FromNode, ...]]:
    """What the last steps made, of the type of the last: "" and () where a part of a picture may be meant as well."""
    found = [(end, output) for end in present.ends() for output in graph.tools[end.tool].outputs[:1]]
    type = found[-1][1].type if found else ""
    made = [(end, output.name) for end, output in found if output.type == type]
    parts = [port for end, _ in made for port in graph.tools[end.tool].inputs
             if port.type in REGIONS and is_fed(end.arguments.get(port.name))]  # fmt: skip
    return ("", ()) if parts else (type, tuple(FromNode(end.id, name) for end, name in made))


def _percent(tool: ToolSpec, type: str) -> tuple[str, str] | None:
    """The tool's id and its input for per cent of the old size, where it makes such things larger and smaller."""
    if [port.type for port in main_inputs(tool)] != [type] or [port.type for port in tool.outputs] != [type]:
        return None
    ports = [port for port in tool.inputs if port.unit == "%" and (port.maximum or 0) > _WHOLE]
    sizes = {"width", "height"} <= {port.name for port in tool.inputs}
    return (tool.id, ports[0].name) if sizes and len(ports) == 1 else None


def retouched(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | None:
    """ "More colourful", "etwas wärmer", and nothing else, where no step knows of that: by the tool that does this and
    its opposite to what the last steps made.
    """
    clause, (type, after) = Clause.of(said.text), made_last(graph, present)
    for tool in graph.tools.values():
        if [port.type for port in main_inputs(tool)] != [type] or [port.type for port in tool.outputs] != [type]:
            continue
        for port in tool.inputs:
            value = fill(tool, [port], clause) if opposites(port) else None
            change = value.values.get(port.name) if value else None
            if value is None or change not in opposites(port):
                continue
            places = [(place, place) for place in value.read_from[port.name]]
            hits = [(hit.first, hit.last) for hit in clause.hits]
            if not said.left(_AROUND, [*places, *hits]):
                return Insert(tool.id, {port.name: change}, after)
    return None


def narrowed(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | SetValues | None:
    """ "Only the largest one", "all cars but the left one": of the things in a picture that a step found for others,
    or chose. What is chosen already of one kind is chosen of that kind.
    """
    excepted, chosen = excepted_place(said.text), chosen_place(said.text)
    spared = excepted is not None or said.covered(("spare",)) >= {0}
    place = excepted or (chosen if spared or said.has("only") else None)
    span = said.at(*place[1:]) if place else None
    if place is None or span is None or len(said.left(_BESIDE, [span])) > _MOST_UNKNOWN:
        return None
    which = place[0]
    for step in reversed(present.steps):
        spec = graph.tools[step.tool]
        for output in (one for one in spec.outputs if one.type not in (*INLINE, "table")):
            for selector in selectors(graph, output.type):
                port = next(port.name for port in main_inputs(selector) if port.type == "text")
                if step.tool == selector.id:
                    values = {(step.id, port): _of_kind(step.arguments.get(port), which, spared)}
                    return SetValues(values)
                if _is_worked_on(graph, present, FromNode(step.id, output.name)):
                    after = tuple(FromNode(one, output.name) for one in present.alike(step.id))
                    return Insert(selector.id, {port: f"all but {which}" if spared else which}, after)
    return None


def shortened(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | None:
    """ "Cut off the last two seconds too", "keep the first ten", and nothing else: of the film or the sound that the
    last steps made.
    """
    quantities, goes, stays = Clause.of(said.text).quantities, said.has("cut"), said.has("keep")
    if len(quantities) != 1 or not (goes or stays) or said.has("no", "instead", "rather", "mean"):
        return None
    (one,), (type, after) = quantities, made_last(graph, present)
    tool = next((tool.id for tool in graph.tools.values() if cuts(tool, type)), None)
    if tool is None or one.unit != "s" or one.bound not in ("first", "last"):
        return None
    span = min(one.bound_at, one.first), max(one.bound_at, one.last)
    if said.left(("cut", "keep", "besides", *_AROUND), [span]):
        return None
    length = int(one.value) if one.value.is_integer() else one.value
    values = {"start": -length, "end": length} if stays else {"start": length, "end": -length}
    port = "start" if (one.bound == "first") != stays else "end"
    return Insert(tool, {port: values[port]}, after)


def _is_worked_on(graph: ToolGraph, present: Present, source: FromNode) -> bool:
    """True where a step takes that, and not only to tell something of it: how many are the largest is no question."""
    takers = [step for step in present.steps if any(source in several(value) for value in step.arguments.values())]
    return any(out.type not in _TELLING for step in takers for out in graph.tools[step.tool].outputs)


def _of_kind(old: Any, which: str, spared: bool) -> str:
    """What is chosen now: of the kind that was, where a kind was named and no place."""
    kind = old if isinstance(old, str) and old and chosen_place(old) is None and excepted_place(old) is None else ""
    if spared:
        return f"{kind or 'all'} but {which}"
    return f"{which} {kind}".strip()
