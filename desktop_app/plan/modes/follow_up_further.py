"""A further step like one that is there: behind it ("another border, in red"), or beside it, of the same thing ("and
the phone numbers too", after the mail addresses).

Knows the steps and the words; not the networks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Another, Insert, Present
from desktop_app.plan.modes.follow_up_inserts import made_last
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs

Spans = Mapping[str, Sequence[tuple[int, int]]]
_AROUND = ("further", "filler", "besides", "picture", "thanks", "add")
_MOST_UNKNOWN = 1
_LOOKED_AT = ("table", "text", "labels", "number", "url")
"""Of these two stand beside each other; a picture is changed once more instead."""


def one_more(graph: ToolGraph, present: Present, said: MessageWords, named: Spans) -> Insert | None:
    """ "One more red border", "noch ein Rahmen": the step that is named once more, with the values that are said,
    behind what was made last; the last step, where no other is named.
    """
    further = said.covered(("further",))
    degrees = said.covered(("slightly", "up", "down", "way"))
    if not further or degrees - further:
        return None
    type, after = made_last(graph, present)
    for step in reversed([step for step in present.steps if step.id in named] or present.ends()):
        spec = graph.tools[step.tool]
        main = [port.type for port in main_inputs(spec) if is_fed(step.arguments.get(port.name))]
        if main != [type] or [port.type for port in spec.outputs] != [type]:
            continue
        ports = [port for port in spec.inputs if not is_fed(step.arguments.get(port.name))]
        filled = fill(spec, ports, Clause.of(said.text))
        places = [(place, place) for place in filled.places]
        if len(said.left(_AROUND, [*places, *named.get(step.id, ())])) > _MOST_UNKNOWN:
            continue
        alone = not filled.values and not named.get(step.id)
        needed = [port.name for port in ports if alone or port in main_inputs(spec)]
        same = {name: step.arguments[name] for name in needed if name in step.arguments}
        return Insert(spec.id, {**same, **filled.values}, after) if named.get(step.id) or alone else None
    return None


def one_too(graph: ToolGraph, present: Present, said: MessageWords) -> Another | None:
    """ "The phone numbers too": what tells one kind of something tells another kind as well, and the first stays."""
    if not said.has("besides") or said.removing():
        return None
    for step in reversed(present.steps):
        spec = graph.tools[step.tool]
        if not spec.outputs or spec.outputs[0].type not in _LOOKED_AT:
            continue
        ports = [port for port in spec.inputs if port.choices and port.name in step.arguments]
        filled = fill(spec, ports, Clause.of(said.text))
        values = {port: value for port, value in filled.values.items() if value != step.arguments[port]}
        places = [(place, place) for port in values for place in filled.read_from[port]]
        if values and places and len(said.left(_AROUND, places)) <= _MOST_UNKNOWN:
            return Another(step.id, values)
    return None
