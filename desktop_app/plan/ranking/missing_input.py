"""Facts about a request and the tools that it asks for, out of which the tagger says whether something has to be asked
first: a file that is not there or one of several, a value nobody said, a click.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from desktop_app.plan.arguments.quoted_text import clears_a_colour
from desktop_app.plan.tools.tool_graph import INLINE, fits
from desktop_app.plan.types import Given, PortSpec, ToolSpec

KINDS = ("", "file", "text", "point", "way")
"""What has to be asked, as kinds of questions, and "way" for what is to be done at all; "" for nothing. The tagger's
weights know them by their order."""

_SELDOM = 0.05
"""Of a tool that nothing was trained on: how often it is asked about."""


def facts(
    tools: Sequence[ToolSpec],
    given: Sequence[Given],
    said: Collection[tuple[str, str]],
    followed: bool,
    words: int,
    habits: Mapping[str, float],
) -> list[float]:
    """For the tools of the wishes in their order; `said` are tools with those of their inputs of which the words say
    the value; `followed` where something was said before; of a request of so many `words`. `habits` as in `habit`.
    """
    types = Counter(file.type for file in given)
    made = [port.type for tool in tools for port in tool.outputs]
    short = absent = several = many = picked = 0
    unsaid_text = unsaid_choice = silent = 0
    for tool in tools:
        files = [port for port in tool.inputs if port.type not in INLINE and not port.choices]
        needed = [port for port in files if port.required]
        own = Counter(port.type for port in needed)
        for port in needed:
            is_there = _is_there(port, types) or any(fits(type, port.type) for type in made)
            absent += not is_there and not port.picked_on
            picked += bool(port.picked_on)
        short += any(
            sum(types.values()) and sum(count for held, count in types.items() if fits(held, type)) < wanted
            for type, wanted in own.items()
            if wanted > 1 and not any(fits(one, type) for one in made)
        )
        takers = [port for port in files if any(fits(type, port.type) and count > 1 for type, count in types.items())]
        several += len(takers) == 1 and not takers[0].many
        many += any(port.many for port in takers)
        settings = settings_of(tool)
        unsaid_text += any(
            port.required and (tool.id, port.name) not in said and not (port.type == "text" and types["text"])
            for port in settings
        )
        unsaid_choice += any(port.choices and (tool.id, port.name) not in said for port in settings)
        silent += is_silent(tool, said)
    most = max(types.values(), default=0)
    found = (
        1.0, followed, not given, len(given) == 1, most > 1, most > 2, len(types) > 1, not tools, len(tools) == 1,
        len(tools) > 2, absent > 0, short > 0, several > 0, many > 0, picked > 0, unsaid_text > 0, unsaid_choice > 0,
        silent > 0, bool(tools) and silent == len(tools), not said, words < 4, words < 8, words > 20,
        any(not tool.inputs or not any(port.type not in INLINE for port in tool.inputs) for tool in tools),
        habit(tools, said, habits),
    )  # fmt: skip
    return [float(fact) for fact in found]


def settings_of(tool: ToolSpec) -> list[PortSpec]:
    """The inputs that are set and may be asked for; none where a colour is made see-through, which is so only where one
    is named.
    """
    own = [port for port in tool.inputs if port.type in INLINE or port.choices]
    return [] if any(map(clears_a_colour, own)) else own


def is_silent(tool: ToolSpec, said: Collection[tuple[str, str]]) -> bool:
    """True for a tool with settings of which the words say none."""
    settings = settings_of(tool)
    return bool(settings) and not any((tool.id, port.name) in said for port in settings)


def habit(tools: Sequence[ToolSpec], said: Collection[tuple[str, str]], habits: Mapping[str, float]) -> float:
    """How often (0..1) people have to be asked for a setting of the tools of which they say none: by tool as often as
    it was so, the most of all; "trim this" nearly always, "stabilise this" never.
    """
    return max((habits.get(tool.id, _SELDOM) for tool in tools if is_silent(tool, said)), default=0.0)


def _is_there(port: PortSpec, types: Collection[str]) -> bool:
    return any(fits(type, port.type) for type in types)
