"""Which of several files goes to which input: by its own type, by what the words around its name say, or as a part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.span_labels import files_allowed, is_known, stretch_for
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.tokenizer import Token
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, fits
from desktop_app.plan.types import FromResource, PortSpec, ToolSpec

_BY = frozenset(("with", "by", "to", "against", "using", "mit", "durch", "gegen", "avec", "par", "con", "por"))
"""What follows is put in: "replace the background of a.jpg with b.jpg"."""

_EARLIER = -2
"""The turn of what an answer gave, and nothing speaks of now."""
_THEM = frozenset(("them", "they", "their"))
"""The faces that were blurred, where "it" is the picture."""
_AND = frozenset((",", "&", "and", ", and", "und", "et", "y", "e", "和", "、"))
_WORKED_ON = frozenset(
    ("of", "in", "from", "for", "behind", "von", "im", "aus", "für", "hinter", "de", "du", "dans", "derrière", "del")
)
_AS = frozenset(("as", "for", "als", "für", "comme", "pour", "como", "para", "做", "作", "作为", "当", "当作"))
_ROLE = 3
"""So many words after a file, or before, may its part be told: "b.jpg as the new background"."""


def assigned(values: Sequence[Value], tool: ToolSpec, clause: Clause) -> dict[str, Value]:
    """The named files for inputs of one type, by input, as the words beside their names tell ("lay a.png over b.jpg");
    and what is of the very type of an input that no other has (a mask is a picture too).
    """
    held = {
        item.name: value
        for value in values
        if not value.made and len(value.items) == 1
        for item in value.items
        if isinstance(item, FromResource)
    }
    ports = [port for port in tool.inputs if not port.many and port.type not in INLINE and not port.choices]
    found: dict[str, Value] = {}
    for type in dict.fromkeys(port.type for port in ports):
        alike = [port for port in ports if port.type == type]
        own = {name: value for name, value in held.items() if value.type == type}
        named = [token for token in clause.mentions if token.text in own]
        listed = not all(port.required for port in alike) and _is_list(named, clause.text)
        known = all(clause.marks.knows(port.name) if clause.marks else is_known(tool.id, port.name) for port in alike)
        others = [value for value in values if fits(value.type, type) and value.type not in REGIONS]
        if len({token.text for token in named}) == len(others) < len(alike):  # "the background of a.jpg in blue"
            alike = [port for port in alike if port.required] or alike
        if len(alike) > 1 and named and not listed and known:
            names = [token.text for token in named]
            found |= {port: own[name] for port, name in _by_words(alike, names, tool, clause).items()}
        wider = any(port.type != type and fits(type, port.type) for port in ports)
        if len(alike) == len(own) == 1 and wider:
            (only,) = own.values()
            spent = only.used and not alike[0].required and not {token.text for token in clause.mentions} & {*own}
            if not spent and (only.turn != _EARLIER or clause.vocabulary & _THEM):
                found[alike[0].name] = only
    return found


def _is_list(named: Sequence[Token], text: str) -> bool:
    """ "a.jpg and b.jpg": with all of them the same shall be done."""
    between = {text[one.end : other.start].strip().lower() for one, other in pairwise(named)}
    return bool(between) and between <= _AND


def _by_words(ports: Sequence[PortSpec], names: Sequence[str], tool: ToolSpec, clause: Clause) -> dict[str, str]:
    """The likeliest of all ways to give files to inputs, each to one."""
    names = list(dict.fromkeys(names))[: len(ports)]

    def margin(port: PortSpec, name: str) -> float:
        if clause.marks is not None:
            places = [token for token in clause.mentions if token.text == name]
            return max(clause.marks.share_at(tool, port.name, token.start, token.end) for token in places)
        stretch = stretch_for(clause.text, tool.id, port.name, port.type, files_allowed(clause.text, [name]))
        return stretch.margin if stretch is not None else -99.0

    margins = {(port.name, name): margin(port, name) for port in ports for name in names}
    ways = (dict(zip(way, names, strict=True)) for way in permutations([port.name for port in ports], len(names)))
    return max(ways, key=lambda way: sum(margins[pair] for pair in way.items()))


def paired(values: Sequence[Value], tool: ToolSpec, intent: Intent, outright: bool = False) -> dict[str, Value]:
    """The values for two ports of one type, by port: what is worked on, and what the wording gives for the part that
    the other, optional port is called after; {} where the wording speaks of no such part or of other than two files.
    `outright` where it has to be called so itself: "b.jpg as the background".
    """
    is_put_in = _is_called if outright else _is_put_in
    for type in dict.fromkeys(port.type for port in tool.inputs if port.required):
        needed = [p for p in tool.inputs if p.required and p.type == type]
        parts = [p for p in tool.inputs if not p.required and p.type == type and not p.many and _is_said(p, intent)]
        if type in INLINE | REGIONS or len(needed) != 1 or len(parts) != 1 or needed[0].many:
            continue
        there = [v for v in values if not v.made and len(v.items) == 1 and fits(v.type, type)]
        named = [v for v in there if v.turn == intent.index]
        loose = [v for v in there if v.turn != intent.index and v.type == type]
        put_in = [v for v in named if is_put_in(v, parts[0], intent)]
        others = [v for v in named if v not in put_in] or loose[-1:]
        if len(put_in) == len(others) == 1:
            return {needed[0].name: others[0], parts[0].name: put_in[0]}
    return {}


def _is_said(port: PortSpec, intent: Intent) -> bool:
    words = {token.word for token in intent.tokens if token.kind == "word"}
    return bool(_called(port) & words)


def _called(port: PortSpec) -> set[str]:
    """The words that it goes by."""
    return {port.name, *tables().names.get(port.name, ())}


def _is_put_in(value: Value, port: PortSpec, intent: Intent) -> bool:
    """True for "... with b.jpg" and "b.jpg as the background"; not for "the background of b.jpg"."""
    before = [token.word for token in intent.tokens[: _place(value, intent)]]
    nearest = next((word for word in reversed(before) if word in _BY | _WORKED_ON), "")
    return _is_called(value, port, intent) or nearest in _BY


def _is_called(value: Value, port: PortSpec, intent: Intent) -> bool:
    """ "b.jpg as the background", "for the background b.jpg"."""
    place, words = _place(value, intent), [token.word for token in intent.tokens]
    after, before = words[place + 1 : place + 2 + _ROLE], words[max(0, place - _ROLE - 1) : place]
    if after and after[0] in _AS:
        return bool(_called(port) & {*after})
    told = next((i for i, word in enumerate(before) if word in _AS), len(before))
    return bool(_called(port) & {*before[told:]}) and not _WORKED_ON & {*before[told + 1 :]}


def _place(value: Value, intent: Intent) -> int:
    """Where the file is named; 0 where it is not."""
    names = {item.name for item in value.items if isinstance(item, FromResource)}
    return next((i for i, token in enumerate(intent.tokens) if token.kind == "file" and token.text in names), 0)
