"""Which files a wish works on, and how: one at a time or all at once, each in its own input.

What the words do not tell is told by what was made last. Adds no step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.one_of_several import (
    names_one,
    speaks_of_each,
    speaks_of_its_own,
    speaks_of_original,
    speaks_of_others,
    speaks_of_several,
)
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.search.slots import SlotExtractor
from desktop_app.plan.search.value_pool import Value, ValuePool
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, fits
from desktop_app.plan.types import FromResource, Given, Request, ToolSpec

_PLAYED = ("audio", "video")
"""Of several things one of these can be made, in which each has its turn."""


class FileChoice:
    """For one solution in the making."""

    def __init__(
        self, graph: ToolGraph, pool: ValuePool, words: SlotExtractor, request: Request, guidance: Guidance
    ) -> None:
        self._meant, self._sides = guidance.meant, guidance.sides
        self._graph, self._pool, self._words, self._text = graph, pool, words, request.text
        self._answered = next((turn.made for turn in reversed(request.history) if turn.made), ())

    def choose(self, tool: ToolSpec, intent: Intent) -> ToolSpec:
        """Makes one value of the files that the intent means, as if it had brought them. Returns the tool that serves
        so many: that which makes one thing of all, or one of each.
        """
        told = self._meant.get(intent.index, ())
        told = self._joined(tool, told, intent) or told
        names = self._all_alike(told or self._newest_for(tool, intent), intent)
        if {*names} != {*told}:
            shares = {**dict.fromkeys(told, 0.0), **dict.fromkeys(names, 1.0)}
            self._pool.files = {**self._pool.files, intent.index: {**self._pool.files.get(intent.index, {}), **shares}}
        tool = self._of_each(self._of_all(tool, intent), intent) if len(names) > 1 else tool
        self._bring_forward(names, tool, intent)
        return tool

    def sided(self, tool: ToolSpec, intent: Intent) -> dict[str, Value]:
        """By input the files that it is told to take there."""
        found = {port: tuple(map(FromResource, names)) for port, names in self._sides_of(tool, intent).items()}
        return {port: value for port, items in found.items() for value in self._pool.values if value.items == items}

    def one_by_one(self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value]) -> Mapping[str, Value]:
        """ "Each as its own PDF": what a tool that takes any number takes one by one; empty where it takes all."""
        several = {name: value for name, value in sources.items() if len(value.items) > 1}
        if len(several) != 1 or any(port.least > 1 for port in tool.inputs if port.name in several):
            return {}
        return several if speaks_of_its_own(self._text[slice(*intent.stretch)]) else {}

    def last_made(self) -> Given | None:
        """What the last answer gave, where nothing new came since."""
        newest = next(reversed(self._pool.given.values()), None)
        return newest if newest is not None and newest.by else None

    def _all_alike(self, names: Sequence[str], intent: Intent) -> Sequence[str]:
        """The files that are meant; of "them" all that the same tool made before, where one of these is, and all that
        was made last, where these are what came before it.
        """
        made = {name: (given.by, given.type) for name, given in self._pool.given.items() if given.earlier and given.by}
        newest = self.last_made()
        if intent.pronoun and newest is not None and newest.type not in REGIONS and not speaks_of_several(self._text):
            names = [name for name in names if made.get(name, ("", ""))[1] not in REGIONS]  # "it" is the whole picture
        if speaks_of_each(self._text) and not intent.mentions("file"):
            names = [name for name in names if name in made] or names
        kinds = {made.get(name) for name in names}
        given = [self._pool.given[name] for name in names]
        if newest is not None and kinds == {None} and all(g.earlier and g.type == newest.type for g in given):
            kinds = {(newest.by, newest.type)}
        if len(kinds) != 1 or None in kinds or intent.mentions("file") or not speaks_of_several(self._text):
            return names
        return [name for name, kind in made.items() if kind in kinds]

    def _newest_for(self, tool: ToolSpec, intent: Intent) -> Sequence[str]:
        """ "Blur them", where nothing tells which files: what the last answer gave, if the tool takes it."""
        newest = self.last_made()
        if newest is None or intent.index or not intent.pronoun or not speaks_of_several(self._text):
            return ()
        takes = any(fits(newest.type, port.type) and not port.choices for port in tool.inputs if port.required)
        return (newest.name,) if takes and newest.type not in INLINE else ()

    def _joined(self, tool: ToolSpec, told: Sequence[str], intent: Intent) -> Sequence[str]:
        """ "And make a collage", after several pictures: all that the last answer gave, where nothing else is meant and
        the tool makes one thing of several.
        """
        newest, needed = self.last_made(), [port for port in tool.inputs if port.required]
        if newest is None or intent.index or intent.pronoun or len(needed) != 1 or not needed[0].many:
            return ()
        there = list(self._pool.given.values())
        if self._points_out(there) or not all(self._pool.given[name].earlier for name in told):
            return ()
        answered = [self._pool.given[name] for name in self._answered if name in self._pool.given]
        alike = [given.name for given in answered if (given.by, given.type) == (newest.by, newest.type)]
        return alike if fits(newest.type, needed[0].type) else ()

    def _points_out(self, files: Sequence[Given]) -> bool:
        """True where words tell which files are meant: "both", "the second one", "the original", a name."""
        text = self._text
        return speaks_of_others(text) or speaks_of_original(text) or names_one(text) or bool(files_meant(text, files))

    def _of_all(self, tool: ToolSpec, intent: Intent) -> ToolSpec:
        """ "Turn them into a video": the one tool that makes one thing of that type of all, for one that would make one
        of each; where another type is made of them, and that not said of each.
        """
        made = next((port.type for port in tool.outputs), "")
        words = [token.text.lower() for token in intent.tokens]
        if speaks_of_each(self._text) or any(word.endswith("s") and stem(word) == stem(made) for word in words):
            return tool  # "into videos"
        return self._counterpart(tool, made, many=True)

    def _of_each(self, tool: ToolSpec, intent: Intent) -> ToolSpec:
        """ "Turn each into a video": the one tool that makes one of each, for one that makes one of all."""
        if len(tool.outputs) != 1 or not speaks_of_each(self._text) or self._is_called(tool, intent):
            return tool
        return self._counterpart(tool, tool.outputs[0].type, many=False)

    def _counterpart(self, tool: ToolSpec, made: str, many: bool) -> ToolSpec:
        """The one tool that makes just the same type of `many` things, or of one, where this tool does not."""
        needed = [port for port in tool.inputs if port.required]
        if len(needed) != 1 or needed[0].many == many or fits(made, needed[0].type) or made not in _PLAYED:
            return tool
        others = [
            other for other in self._graph.tools.values()
            if [port.type for port in other.outputs] == [made]
            and [(port.type, port.many) for port in other.inputs if port.required] == [(needed[0].type, many)]
        ]  # fmt: skip
        return others[0] if len(others) == 1 else tool

    def _is_called(self, tool: ToolSpec, intent: Intent) -> bool:
        """True where the tool is named, or it is said how long each is shown: "each for 4 seconds", in one film."""
        named = tool.title.lower() in self._text.lower()
        return named or any(not q.one for q in self._words.clause(intent).quantities)

    def _bring_forward(self, names: Sequence[str], tool: ToolSpec, intent: Intent) -> None:
        """Makes one parallel value of the files that an intent means, as if it had brought them; files that are one
        after the other for ports of their own stay single.
        """
        held = {
            item.name: v for v in self._pool.values if not v.made for item in v.items if isinstance(item, FromResource)
        }
        values = [held[name] for name in names if name in held]
        if not values or len({value.type for value in values}) > 1:
            return
        type = values[0].type
        ports = [port for port in tool.inputs if port.required and fits(type, port.type) and not port.choices]
        ports = self._pool.needed(tool, type) if type in INLINE else ports
        singly = len(ports) > 1 and not any(port.many for port in ports)
        items = [FromResource(name) for name in names if name in held]
        for item in reversed(items):
            value = held[item.name]
            rest = tuple(other for other in value.items if other != item)
            self._pool.values = [other for other in self._pool.values if other is not value]
            if rest:
                left = replace(value, items=rest)
                self._pool.values.append(left)
                held.update((other.name, left) for other in rest if isinstance(other, FromResource))
        groups = [(item,) for item in items] if singly else [tuple(items)]
        if sides := self._sides_of(tool, intent):
            groups = [tuple(map(FromResource, own)) for own in sides.values()]
        fresh = [Value(group, type, intent.index) for group in groups]
        self._pool.values = [*fresh, *self._pool.values]

    def _sides_of(self, tool: ToolSpec, intent: Intent) -> Mapping[str, Sequence[str]]:
        """None where another tool than that of the reading is tried, which has not these inputs."""
        sides = self._sides.get(intent.index, {})
        return sides if {*sides} <= {port.name for port in tool.inputs} else {}
