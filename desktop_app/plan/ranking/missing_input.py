"""Facts about a request and the tools that it asks for, out of which the tagger says whether something has to be asked
first: a file that is not there or one of several, a value nobody said, a click.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop_app.plan.arguments.quoted_text import clears_a_colour
from desktop_app.plan.language.file_choice import files_meant, named_in
from desktop_app.plan.ranking.one_of_several import (
    means_all,
    names_one,
    speaks_of_more,
    speaks_of_original,
    speaks_of_others,
    speaks_of_several,
)
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, fits
from desktop_app.plan.types import Given, PortSpec, ToolSpec

KINDS = ("", "file", "text", "point", "way")
"""What has to be asked, as kinds of questions, and "way" for what is to be done at all; "" for nothing. The tagger's
weights know them by their order."""

_SELDOM = 0.05
"""Of a tool that nothing was trained on: how often it is asked about."""

_MEANT, _FAINT = 0.5, 1e-3


@dataclass(frozen=True)
class Said:
    """A request of so many `words`; `values` are tools with those of their inputs of which the words say the value;
    `followed` where something was said before; `taken` how probable each of several files is (0..1) for the first wish
    that may work on any of them; `outside` how probable it is that something is asked for that no tool does.
    """

    text: str
    given: Sequence[Given]
    words: int
    values: Collection[tuple[str, str]]
    followed: bool = False
    taken: Mapping[str, float] = field(default_factory=dict)
    outside: float = 0.0


def facts(
    tools: Sequence[ToolSpec], said: Said, habits: Mapping[str, float], spoken: Sequence[float] = ()
) -> list[float]:
    """For the tools of the wishes in their order. `habits` as in `habit`; `spoken` as `spoken_of` gives it, if that is
    known. One number for each fact; training knows them by their order.
    """
    spoken = spoken or spoken_of(said.text, said.given)
    own = (*_of_tools(tools, said, habits), *_of_shares(said.taken))
    return [*own, *spoken, said.outside, math.log(said.outside + _FAINT)]


def _of_shares(taken: Mapping[str, float]) -> list[float]:
    """Which of several files the first wish may work on."""
    shares = sorted(taken.values(), reverse=True)
    best, second = (*shares, *shares[:1])[:2] if shares else (0.0, 0.0)
    return [
        float(bool(shares)), best, min(shares, default=0.0), second,
        sum(share > _MEANT for share in shares) / max(1, len(shares)), best - second if len(shares) > 1 else 0.0,
    ]  # fmt: skip


def spoken_of(text: str, given: Sequence[Given]) -> list[float]:
    """Which of several files the words mean, and whether they speak of one, or of more, whatever the wishes are."""
    types = Counter(file.type for file in given)
    alike = [file for file in given if types[file.type] > 1]
    return [*map(float, (
        bool(files_meant(text, alike)), bool(named_in(text, given)), speaks_of_several(text),
        speaks_of_more(text), speaks_of_others(text), speaks_of_original(text), names_one(text),
        means_all(text, given),
        bool(alike) and len(alike) == len(given),
    ))]  # fmt: skip


def _as_read(given: Sequence[Given], tools: Sequence[ToolSpec]) -> list[Given]:
    """Documents as texts where no tool takes them as they are: they are read first."""
    opened = any(fits(file.type, port.type) for file in given if file.type in DOCUMENTS
                 for tool in tools for port in tool.inputs)  # fmt: skip
    return [replace(file, type="text") if file.type in DOCUMENTS and not opened else file for file in given]


def _of_tools(tools: Sequence[ToolSpec], about: Said, habits: Mapping[str, float]) -> list[float]:
    """What the tools need, and what of it is there or said."""
    said, words, given = about.values, about.words, _as_read(about.given, tools)
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
        1.0, about.followed, not given, len(given) == 1, most > 1, most > 2, len(types) > 1, not tools, len(tools) == 1,
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
