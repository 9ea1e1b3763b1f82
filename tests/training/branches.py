"""Composes requests of several wishes, for the tagger of the planner to learn which takes what which has made.

They go on from each other, from the same thing, or each from the file itself. The rows are as those of marked.py.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import ToolSpec
from tests.training.composed import DATA, wishes
from tests.training.marked import has_signs, plain

_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_LANGUAGES = {"en": 0.5, "de": 0.14, "fr": 0.12, "es": 0.12, "zh": 0.12}
_FILES = {
    "image": "IMG_{}.jpg", "audio": "REC_{}.wav", "video": "VID_{}.mp4", "text": "text {}.txt", "table": "{}.csv"
}  # fmt: skip
_LONGEST_WISH = 80


class Branches:
    """Makes rows without end; the same seed gives the same ones."""

    def __init__(self, tools: Mapping[str, ToolSpec], seed: int = 0) -> None:
        self._chance = random.Random(seed)
        self._ways = tomllib.loads((DATA / "branches.toml").read_text("utf-8"))
        self._takes = {id: taken for id, tool in tools.items() if (taken := _taken(tool))}
        self._makes = {id: tool.outputs[0].type for id, tool in tools.items() if tool.outputs}
        self._wishes: dict[str, dict[str, list[str]]] = {language: {} for language in _LANGUAGES}
        for row in wishes():
            if row["tool"] in self._takes and len(row["text"]) < _LONGEST_WISH and not has_signs(row["text"]):
                self._wishes[row["language"]].setdefault(row["tool"], []).append(row["text"])
        self._made = 0

    def row(self) -> dict[str, Any]:
        """One request."""
        while True:
            language = self._chance.choices([*_LANGUAGES], [*_LANGUAGES.values()])[0]
            plan = self._plan(language)
            if plan:
                return self._written(language, *plan)

    def _plan(self, language: str) -> tuple[list[str], list[str], list[tuple[int, int]]] | None:
        """Tools, how each goes on from those before, and the links between their places."""
        chance, own = self._chance, self._wishes[language]
        first = chance.choice([*own])
        if self._takes[first][2] or self._takes[first][1] not in _FILES:
            return None
        tools, ways, links = [first], ["start"], list[tuple[int, int]]()
        source = -1  # the place whose result the latest wish took; -1 for the file
        for _ in range(chance.choice((1, 1, 2, 2, 3))):
            way = chance.choices(("then", "apart", "same"), (0.5, 0.3, 0.2))[0]
            source = len(tools) - 1 if way == "then" else -1 if way == "apart" else source
            way = "apart" if way == "same" and source < 0 else way
            there = self._makes.get(tools[source], "") if source >= 0 else self._takes[first][1]
            fitting = [
                id for id in own if not self._takes[id][2] and id not in tools and fits(there, self._takes[id][1])
            ]
            if not fitting:
                break
            tools.append(chance.choice(fitting))
            ways.append(way)
            if source >= 0:
                links.append((source, len(tools) - 1))
        last = [place for place in range(len(tools)) if not any(one == place for one, _ in links)]
        kinds = {self._makes.get(tools[place]) for place in last}
        if len(last) == 2 and len(kinds) == 1 and chance.random() < 0.8:
            made = kinds.pop() or ""
            if joining := self._after(made, own, several=True):
                tools.append(chance.choice(joining))
                ways.append("all")
                links += [(place, len(tools) - 1) for place in last]
        return (tools, ways, links) if len(tools) > 1 else None

    def _after(self, type: str, own: Mapping[str, Sequence[str]], several: bool) -> list[str]:
        """The tools that take what is of this type, one or several."""
        return [id for id in own if self._takes[id][2] == several and fits(type, self._takes[id][1])]

    def _written(
        self, language: str, tools: Sequence[str], ways: Sequence[str], links: Sequence[tuple[int, int]]
    ) -> dict[str, Any]:
        chance, marked = self._chance, ""
        for place, (tool, way) in enumerate(zip(tools, ways, strict=True)):
            said = self._wish(tool, way, language).rstrip(".。!！ ")
            form = "{w}" if way == "start" else chance.choice(self._ways["then" if way == "all" else way][language])
            between = chance.choice(self._ways["between"][language]) if place else ""
            if place and not between.strip(" ,，;；-"):
                said = said[:1].lower() + said[1:]
            marked += f"{between}⟦{form.format(w=said)}|{tool}⟧"
        if chance.random() < 0.3:
            marked = marked.lower()
        type = self._takes[tools[0]][1]
        name = _FILES[type].format(chance.randrange(1, 900))
        fed = {other for _, other in links}
        self._made += 1
        return {
            "id": f"branches-{self._made}", "language": language, "split": "branching", "request": plain(marked),
            "marked": marked, "resources": [{"name": name, "type": type}],
            "gold": {"nodes": [*tools], "links": [[tools[a], tools[b]] for a, b in links], "args": {}},
            "takes": [{} if n in fed else {self._takes[tool][0]: [name]} for n, tool in enumerate(tools)],
        }  # fmt: skip

    def _wish(self, tool: str, way: str, language: str) -> str:
        words = self._chance.choice(self._ways["all" if way == "all" else "own" if way == "apart" else "it"][language])
        port = self._takes[tool][0]
        text = self._chance.choice(self._wishes[language][tool])
        return _SPAN.sub(lambda match: words if match[2] == port else f"«{match[1]}|{match[2]}»", text)


def _taken(tool: ToolSpec) -> tuple[str, str, bool] | None:
    """Name and type of the one input that such a wish goes on from, and whether it takes several."""
    found = [port for port in tool.inputs if port.required and not port.choices and port.type in _FILES]
    things = [port for port in found if port.type != "text"] or [
        port for port in found if port.name in ("text", "texts")
    ]
    return (things[0].name, things[0].type, things[0].many) if len(things) == 1 else None
