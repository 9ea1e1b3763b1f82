"""What a step takes, said anew: in another order, with another file for a part of it, with a fade from one to the next.

Knows the steps and the words, and which of them name a step or a file; not the networks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from desktop_app.core.values import several
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.degrees import side
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.quantity_evidence import is_about
from desktop_app.plan.arguments.value_tables import Phrases, tables
from desktop_app.plan.language.file_choice import called
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Present, Relink, SetValues, Source
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, fits
from desktop_app.plan.types import FromNode, FromResource, PortSpec, Step, ToolSpec

Spans = Sequence[tuple[int, int]]
_LONGEST_FADE = 30.0
_ENDS = ("fade_in", "fade_out")
_USUAL_FADE = 1.0  # chosen: seconds, for what has none by itself


def reordered(
    specs: Mapping[str, ToolSpec], present: Present, said: MessageWords, files: Collection[str], spans: Spans,
    named: Mapping[str, Spans],
) -> Relink | None:  # fmt: skip
    """ "Swap them", "the other way round", "b.wav first", "the cartoon on the left". `files` are those that the message
    names, at `spans`; `named` the steps that it names, by id.
    """
    by_stem = _by_stem(present, said)
    places = (*spans, *by_stem.values(), *(span for found in named.values() for span in found))
    front, back = said.has("in front"), said.has("behind")
    swaps = said.has("reorder")
    if not (swaps or front or back) or said.left(("reorder", "in front", "behind", "filler", "no", "picture"), places):
        return None
    spoken = {*map(FromResource, by_stem or files)}  # "the notes first" is not the first file
    for step in reversed(present.steps):
        taken = _in_a_row(specs[step.id], step)
        if len(taken) < 2:
            continue
        order = [source for _, source in taken]
        own = [one for one in order if one in spoken or (isinstance(one, FromNode) and one.node in named)]
        if len(own) == 1 and front != back:
            rest = [one for one in order if one != own[0]]
            order = [*own, *rest] if front else [*rest, *own]
        elif swaps:
            order.reverse()
        else:
            continue
        links: dict[tuple[str, str], tuple[Source, ...]] = {}
        for (port, _), source in zip(taken, order, strict=True):
            links[step.id, port] = (*links.get((step.id, port), ()), source)
        return Relink(links)
    return None


def _by_stem(present: Present, said: MessageWords) -> dict[str, tuple[int, int]]:
    """The files that are called by their names without the ending, and where: "the notes first"."""
    found: dict[str, tuple[int, int]] = {}
    for given in present.files:
        at = called(given.name, said.text)
        if at is not None and (span := said.at(*at.span())):
            found[given.name] = span
    return found


def _in_a_row(spec: ToolSpec, step: Step) -> list[tuple[str, Source]]:
    """What the step takes one after the other, with the port of each: in one port for many, or in two of one type."""
    fed = {port.name: [one for one in several(step.arguments.get(port.name)) if is_fed(one)] for port in spec.inputs}
    for port in spec.inputs:
        if port.many and len(fed[port.name]) > 1:
            return [(port.name, one) for one in fed[port.name]]
    kinds = dict.fromkeys(port.type for port in spec.inputs if port.type not in REGIONS)
    for kind in kinds:
        pair = [(port.name, one) for port in spec.inputs if port.type == kind for one in fed[port.name]]
        if len(pair) == 2:
            return pair
    return []


def other_part(
    specs: Mapping[str, ToolSpec], present: Present, said: MessageWords, files: Sequence[str], spans: Spans
) -> Relink | None:
    """ "Use b.jpg as the background", of a step that has one: the file goes there, and the picture stays."""
    if len(files) != 1 or not said.has("as"):
        return None
    type = next((given.type for given in present.files if given.name == files[0]), "")
    for step in reversed(present.steps):
        for port in _parts(specs[step.id], type):
            words = [(first, last) for _, first, last in _calls(port).all(said.words)]
            around = ("as", "filler", "choose", "instead", "no", "swap", "picture")
            if words and not said.left(around, [*spans, *words]):
                return Relink({(step.id, port.name): (FromResource(files[0]),)})
    return None


def grounded(specs: Mapping[str, ToolSpec], present: Present, said: MessageWords) -> SetValues | None:
    """ "A black background", after a collage: what lies behind the pictures has its own input, and gets that value."""
    ideas = [idea for idea in ("ground", "corners") if said.has(idea)]
    for step in reversed(present.steps) if ideas else ():
        spec = specs[step.id]
        ports = [port for port in spec.inputs if port.type == "text" and _is_of(port, ideas)]
        filled = fill(spec, [port for port in ports if not is_fed(step.arguments.get(port.name))], Clause.of(said.text))
        values = {(step.id, port): value for port, value in filled.values.items() if value != step.arguments.get(port)}
        places = [(place, place) for port in filled.values for place in filled.read_from[port]]
        if values and not said.left((*ideas, "filler", "choose", "swap", "no", "instead", "thanks"), places):
            return SetValues(values)
    return None


def _is_of(port: PortSpec, ideas: Sequence[str]) -> bool:
    """True where the input is called by one of these ideas, or is described as the colour of it."""
    return MessageWords(f"{port.name} {port.description}").has(*ideas)


def is_for_a_part(tools: Iterable[ToolSpec], said: MessageWords, type: str) -> bool:
    """ "Use b.jpg as the background", "put it on b.jpg": the file does not take the place of another one."""
    if said.has("placing"):
        return True
    parts = {port for tool in tools for port in _parts(tool, type)} if said.has("as") else ()
    starts = said.covered(("as",))
    return any({first - 1, first - 2} & starts for port in parts for _, first, _ in _calls(port).all(said.words))


def _parts(spec: ToolSpec, type: str) -> Iterator[PortSpec]:
    """The inputs beside that of which the tool makes something else."""
    for port in spec.inputs:
        if not port.required and not port.many and port.type not in INLINE and fits(type, port.type):
            yield port


def _calls(port: PortSpec) -> Phrases:
    return Phrases((word, port.name) for word in (port.name, *tables().names.get(port.name, ())))


def faded(specs: Mapping[str, ToolSpec], present: Present, said: MessageWords) -> SetValues | None:
    """ "Add a fade between them", "with soft transitions": what a step plays one after the other runs into the next."""
    clause = Clause.of(said.text)
    counts = [q for q in clause.quantities if q.unit == "s"]
    is_between = said.has("transition") or (said.has("fade") and said.has("between"))
    around = ("transition", "fade", "between", "filler", "picture", "no", "remove", "add")
    if not is_between or len(counts) > 1 or said.left(around, [(q.first, q.last) for q in counts]):
        return None
    for step in reversed(present.steps):
        port = _fade_port(specs[step.id])
        if port is None or len(_in_a_row(specs[step.id], step)) < 2:
            continue
        seconds = counts[0].value if counts else abs(port.default or 0) or _USUAL_FADE
        seconds = 0.0 if said.has("remove", "no") and not counts else min(float(seconds), _LONGEST_FADE)
        value = -seconds if is_about(port, "overlap") else seconds
        return SetValues({(step.id, port.name): int(value) if value.is_integer() else value})
    return None


def faded_at_an_end(specs: Mapping[str, ToolSpec], present: Present, said: MessageWords) -> SetValues | None:
    """ "With a fade out at the end", "fade it in over 3 seconds", after a film with another sound: what the step itself
    can do of that, if nothing but a file is made of it."""
    clause = Clause.of(said.text)
    lengths = [q for q in clause.quantities if q.unit == "s"]
    around = ("fade", "at an end", "filler", "picture", "no", "add", "besides", "as")
    for step in reversed(present.steps) if said.has("fade") and not said.has("between", "remove") else ():
        if specs[step.id].outputs[0].type == "file":
            continue
        ports = [port for port in specs[step.id].inputs if port.name in _ENDS and port.type == "number"]
        named = {port.name: meant for port in ports if (meant := side(port, specs[step.id], clause))}
        values = {
            (step.id, port): (_whole(lengths[0].value) if lengths else _whole(usual))
            for port, (usual, _) in named.items()
        }
        values = {place: value for place, value in values.items() if step.arguments.get(place[1]) != value}
        places = [(place, place) for _, read in named.values() for place in read]
        is_all = len(lengths) < 2 and not said.left(around, [*places, *((q.first, q.last) for q in lengths)])
        return SetValues(values) if values and is_all else None
    return None


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def _fade_port(spec: ToolSpec) -> PortSpec | None:
    """The number that says for how long one runs into the next: a fade, or a gap that may be less than none."""
    return next(
        (
            port for port in spec.inputs
            if port.type == "number"
            and (port.name == "fade" or (is_about(port, "overlap") and (port.minimum or 0) < 0))
        ),
        None,
    )  # fmt: skip
