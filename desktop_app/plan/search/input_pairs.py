"""Two files of a kind for a tool that works on one of them and may take the other for a named part of its work."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, fits
from desktop_app.plan.types import FromResource, PortSpec, ToolSpec

_BY = frozenset(("with", "by", "to", "against", "using"))
"""What follows is put in: "replace the background of a.jpg with b.jpg"."""

_WORKED_ON = frozenset(("of", "in", "from", "for", "behind"))
_ROLE = 3
"""So many words after a file may its part be told: "b.jpg as the new background"."""


def paired(values: Sequence[Value], tool: ToolSpec, intent: Intent) -> dict[str, Value]:
    """The values for two ports of one type, by port: what is worked on, and what the wording gives for the part that
    the other, optional port is called after; {} where the wording speaks of no such part or of other than two files.
    """
    for type in dict.fromkeys(port.type for port in tool.inputs if port.required):
        needed = [p for p in tool.inputs if p.required and p.type == type]
        parts = [p for p in tool.inputs if not p.required and p.type == type and not p.many and _is_said(p, intent)]
        if type in INLINE | REGIONS or len(needed) != 1 or len(parts) != 1 or needed[0].many:
            continue
        there = [v for v in values if not v.made and len(v.items) == 1 and fits(v.type, type)]
        named = [v for v in there if v.turn == intent.index]
        loose = [v for v in there if v.turn == -1]
        put_in = [v for v in named if _is_put_in(v, parts[0], intent)]
        others = [v for v in named if v not in put_in] or loose
        if len(put_in) == len(others) == 1:
            return {needed[0].name: others[0], parts[0].name: put_in[0]}
    return {}


def _is_said(port: PortSpec, intent: Intent) -> bool:
    words = {token.word for token in intent.tokens if token.kind == "word"}
    return set(plain_words(port.name)) <= words


def _is_put_in(value: Value, port: PortSpec, intent: Intent) -> bool:
    """True for "... with b.jpg" and "b.jpg as the background"; not for "the background of b.jpg"."""
    names = {item.name for item in value.items if isinstance(item, FromResource)}
    place = next((i for i, token in enumerate(intent.tokens) if token.kind == "file" and token.text in names), None)
    if place is None:
        return False
    words = [token.word for token in intent.tokens]
    before = next((word for word in reversed(words[:place]) if word in _BY | _WORKED_ON), "")
    after = words[place + 1 : place + 2 + _ROLE]
    if after[:1] in (["as"], ["for"]) and set(plain_words(port.name)) & set(after):
        return True
    return before in _BY
