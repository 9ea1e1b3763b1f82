"""Joins chosen tools into one graph: each with what feeds its inputs, the part of a picture of which its wish speaks,
and what the steps before have made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.fill import said_for
from desktop_app.plan.arguments.quoted_text import SaidText
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.found_parts import FoundParts
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.search.input_pairs import assigned, paired
from desktop_app.plan.search.input_sources import InputSources
from desktop_app.plan.search.open_ports import resource_ports
from desktop_app.plan.search.solution_draft import SolutionDraft
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, SETTINGS, ToolGraph, fits
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import FromNode, FromResource, PortSpec, Request, ToolSpec


class GraphBuilder:
    """Builds one solution; make a new one for each."""

    def __init__(
        self,
        graph: ToolGraph,
        index: Index,
        request: Request,
        intents: Sequence[Intent],
        strategy: str,
        guidance: Guidance,
        detour: int = -1,
    ) -> None:
        """`detour` is the number of the gap that is filled in the second-best way; -1: none."""
        self.draft = SolutionDraft(graph, index, request, intents, guidance)
        self._pool, self._words = self.draft.pool, self.draft.words
        self._parts = FoundParts(self.draft)
        self._inputs = InputSources(self.draft, self._parts, strategy, detour)

    def apply(self, intent: Intent, tool: ToolSpec) -> Value:
        """Adds the tool for the intent, with what it needs before it. Returns its first result."""
        tool = self.draft.files.choose(tool, intent)
        self._words.main = tool
        self._pool.searching = "find" in self.draft.index.profiles[tool.id].title
        sources = self._told(tool, intent)
        self._feed(tool, intent, sources)
        self._older_first(tool, sources)
        self._take_any(tool, sources)
        self._in_its_picture(tool, sources)
        made = self.draft.place(tool, intent, sources)[0]
        self._pool.stand_in(made, sources.values(), intent)
        return self._parts.selected(made, intent, tool) if made.type in REGIONS else made

    def _told(self, tool: ToolSpec, intent: Intent) -> dict[str, Value]:
        """By input what the wording itself gives to it: one of a pair, a file for that very input, a part of a picture.
        Sets the values up for the tool: those that are alike as one, or each by itself.
        """
        clause = self._words.clause(intent)
        told = (
            paired(self._pool.values, tool, intent, outright=True)
            or self.draft.files.sided(tool, intent)
            or paired(self._pool.values, tool, intent)
            or assigned(self._pool.values, tool, clause)
        )
        handed = [value for value in self._pool.values if value.made and self._pool.is_meant(value, intent)]
        told |= {
            port.name: value for port in tool.inputs for value in handed
            if port.type in REGIONS and value.type == port.type and port.name in told
        }  # fmt: skip
        typed = self._typed(tool, intent)
        sources = {port: value for port, value in told.items() if port not in typed}
        self._pool.forget([text.value for text in typed.values()])
        if all(value.type in REGIONS for value in sources.values()):
            self._pool.gather_parallel(tool, intent)
        self._pool.split_parallel(tool)
        part = self._parts.of_wish(tool, intent, sources) if not sources else None
        return sources if part is None else {**sources, part[0]: part[1]}

    def _feed(self, tool: ToolSpec, intent: Intent, sources: dict[str, Value]) -> None:
        """Adds to `sources` what feeds the inputs that are still open, and for which nothing is typed."""
        said = self._typed(tool, intent)
        for port in resource_ports(tool):
            typed = self.draft.guidance.direct and port.said and not self._pool.is_handed(port, tool, intent)
            if port.name in said or port.name in sources or typed:
                continue
            value = self._inputs.source(port, tool, intent, sources)
            if value is not None and (port.required or not all(isinstance(item, str) for item in value.items)):
                sources[port.name] = value

    def _typed(self, tool: ToolSpec, intent: Intent) -> dict[str, SaidText]:
        """The texts that the wording gives to inputs of their own; where a text is what something holds that is there,
        an address is no text, but where it is.
        """
        addresses = {token.text for token in intent.mentions("url")}
        contents = self.draft.guidance.contents
        return {
            port: text for port, text in said_for(tool, self._words.clause(intent)).items()
            if text.value not in addresses or f"{tool.id}.{port}" not in contents
        }  # fmt: skip

    def feed_left_over(self) -> None:
        """Gives each attached file that nothing has taken to an open port for just its type: the song to the slideshow,
        the painted mask to the blur.
        """
        used = {item for step in self.draft.steps for item in _items(step.arguments.values())}
        for given in self._pool.given.values():
            item = FromResource(given.name)
            if given.earlier or item in used or given.type in INLINE:
                continue
            for place, step in enumerate(self.draft.steps):
                ports = [p for p in self.draft.graph.tools[step.tool].inputs if p.name not in step.arguments]
                port = next((p for p in ports if p.type == given.type and not p.many), None)
                if port is not None:
                    self.draft.steps[place] = replace(step, arguments={**step.arguments, port.name: item})
                    self.draft.questions = [q for q in self.draft.questions if (q.step, q.port) != (step.id, port.name)]
                    break

    def gather(self, tool: ToolSpec, intent: Intent, port: PortSpec, value: Value) -> Value:
        """Adds a tool that takes all parallel items of a value into one."""
        return self.draft.place(tool, intent, {port.name: value})[0]

    def _older_first(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """Of a thing and what was made of it, in two inputs of a type, the thing comes first: before and after."""
        for type in dict.fromkeys(port.type for port in tool.inputs):
            names = [p.name for p in tool.inputs if p.type == type and not p.many and p.name in sources]
            if len(names) != 2 or len(self._pool.needed(tool, type)) != 2:
                continue
            one, other = (sources[name] for name in names)
            if one.made and self._behind(one) & {*other.items}:
                sources |= {names[0]: other, names[1]: one}

    def _take_any(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """To a tool that needs any one of some inputs, and got none, what was made last and goes into one of them; or
        what is there.
        """
        ports = [p for p in tool.inputs if p.name in tool.any_of and p.type not in SETTINGS and not p.choices]
        if not ports or any(port.name in sources for port in ports):
            return
        loose = [value for value in self._pool.values if not value.used and value.type]
        for value in sorted(loose, key=lambda one: (one.made, one.turn), reverse=True):
            port = next((port for port in ports if fits(value.type, port.type)), None)
            if port is not None:
                sources[port.name] = value
                return

    def _in_its_picture(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """A part that was found in one picture is worked on in that one, whatever other lies there."""
        region = next((value for value in sources.values() if value.type in REGIONS), None)
        names = [port.name for port in tool.inputs if port.required and port.type == "image" and port.name in sources]
        if region is None or len(names) != 1:
            return
        if not region.made:
            if source := self._source_of(region):
                sources[names[0]] = replace(sources[names[0]], items=(source,))
            return
        picture, behind = sources[names[0]], self._behind(region)
        if behind & ({*picture.items} | self._behind(picture)):
            return
        for value in self._pool.values:
            items = tuple(item for item in value.items if item in behind)
            if value.type == "image" and items:
                sources[names[0]] = replace(value, items=items)
                return

    def _source_of(self, region: Value) -> FromResource | None:
        """Of a part that was found before: the picture by which its file is called."""
        names = [item.name for item in region.items if isinstance(item, FromResource)]
        given = self._pool.given
        if len(names) != 1 or names[0] not in given:
            return None
        own = (given[names[0]].called or names[0]).rpartition(".")[0]
        stems = {one.name: one.name.rpartition(".")[0] for one in given.values() if one.type == "image"}
        found = [name for name, stem in stems.items() if stem and own.startswith(f"{stem}_")]
        return FromResource(max(found, key=len)) if found else None

    def _behind(self, value: Value) -> set[Any]:
        """The files and results out of which a value was made."""
        arguments = {step.id: step.arguments for step in self.draft.steps}
        found, todo = set[Any](), [*value.items]
        while todo:
            item = todo.pop()
            if isinstance(item, FromNode):
                todo += [part for argument in arguments.get(item.node, {}).values() for part in several(argument)]
            if isinstance(item, (FromNode, FromResource)) and item not in value.items:
                found.add(item)
        return found


def _items(arguments: Iterable[Any]) -> Iterator[Any]:
    for argument in arguments:
        for item in several(argument):
            if isinstance(item, FromResource):
                yield item
