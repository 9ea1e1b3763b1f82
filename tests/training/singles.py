"""Wishes for single tools as plain texts, with words for several files, a place pointed at, a thing in a picture."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_app.plan.language.clauses import STAND_INS, bare
from desktop_app.plan.language.tagger import REST
from desktop_app.plan.tools.tool_graph import REGIONS
from desktop_app.plan.types import ToolSpec
from tests.training import composed
from tests.training.composed import DATA

_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_KNOW_IT = ("cut_out", "replace_background")
"""Tools that know by themselves what the background is."""
_NAME = re.compile(r"\.\w{2,5}$")


@dataclass(frozen=True)
class Example:
    """A text with the tool that it means."""

    text: str
    means: str
    language: str
    weight: float
    finder: str = ""
    """The tool that finds the part of a picture that it speaks of."""


def wishes(tools: Mapping[str, ToolSpec]) -> list[Example]:
    """The wishes in tests/data/planning, and the tools' own texts."""
    found: list[Example] = []
    for row in composed.wishes():
        if row["tool"] in tools:
            text = bare(_plain(row["text"], tools[row["tool"]]))
            found.append(Example(text, row["tool"], row["language"], 1.0))
    for tool in tools.values():
        for text in (tool.title, tool.description.partition(". ")[0], *tool.examples, *tool.words):
            found.append(Example(bare(text), tool.id, "own", 0.3))
    return found


def varied(own: Sequence[Example], tools: Mapping[str, ToolSpec]) -> Iterator[Example]:
    """Wishes with words for several files, for a place that is pointed at, for a kind of thing in a picture."""
    held = tomllib.loads((DATA / "templates.toml").read_text("utf-8"))
    chance = random.Random(2)
    for example in own:
        if example.language not in held["modifiers"] or example.weight < 1:
            continue
        inputs = tools[example.means].inputs
        several = any(port.many for port in inputs)
        if not several and chance.random() < 0.35:
            words = chance.choice(held["modifiers"][example.language]).format(
                name=chance.choice(("Tom's", "c", "the plan"))
            )
            yield Example(_beside(example.text, words, chance), example.means, "varied", 0.7)
        if any(port.type in REGIONS and not port.required for port in inputs) or example.means == "remove_object":
            words = chance.choice(held["pointing"][example.language])
            text = _beside(example.text, words, chance)
            yield Example(text, example.means, "varied", 0.7, "segment_points")
        if any(port.type == "mask" and not port.required for port in inputs) and example.means not in _KNOW_IT:
            noun = chance.choice(held["nouns"][example.language])
            for words, finder in ((held["around"], "segment_subject"), (held["all_but"], "segment_described")):
                text = _beside(example.text, chance.choice(words[example.language]).format(noun=noun), chance)
                yield Example(text, example.means, "varied", 0.7, finder + REST)
    for tool, by_language in held["narrow"].items():
        for language, frames in by_language.items():
            for frame in frames:
                for noun in chance.sample(held["nouns"][language], min(8, len(held["nouns"][language]))):
                    yield Example(frame.format(noun=noun), tool, "narrow", 0.5, "detect_objects")
                for finder, nouns in held["nouns_of"].items():
                    for noun in nouns[language]:
                        yield Example(frame.format(noun=noun), tool, "narrow", 0.3, finder)


def _beside(text: str, words: str, chance: random.Random) -> str:
    return (
        f"{text}, {words}"
        if chance.random() < 0.6
        else f"{words}: {text}"
        if chance.random() < 0.5
        else f"{text} {words}"
    )


def _plain(text: str, tool: ToolSpec) -> str:
    """Without the marks of spans; the names of files as a clause is read."""
    types = {port.name: port.type for port in tool.inputs}

    def said(match: re.Match[str]) -> str:
        words, port = match.groups()
        return STAND_INS.get(types.get(port, ""), "the file") if _NAME.search(words) else words

    return _SPAN.sub(said, text)
