"""What steps have made of a file, in words: "brighter", "with a border (40 px, red)", and what they were told.

The words are in resources/made.toml. Must not know runs or files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from desktop_app.core.paths import RESOURCES
from desktop_app.graph.workflow import Node
from desktop_app.i18n import catalogue
from nodes._support.language.languages import name_of
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase, english, filled, listed

_MOST_VALUES = 3
_SIGNS = {"degrees": "°", "x": "×"}
"""Units that are a sign behind the number, in every language."""
_HANDED_OVER = (ResourceType.IMAGE, ResourceType.AUDIO, ResourceType.VIDEO, ResourceType.FILE, ResourceType.HTML)


def changes(tool: Tool) -> bool:
    """True for a step of which one speaks on the way to a result: it gives no find, mask or text for another one."""
    return tool.outputs[0].type in _HANDED_OVER


def made_by(tool: Tool, node: Node) -> str:
    """What the step has made of what it got, with the values that it was given, in the language in use; "" where there
    are no words for that.
    """
    form, used = _form(tool, node)
    if not form:
        return ""
    shown = {
        port.name: catalogue.translated(_shown(port, _value(port, node))) for port in tool.inputs if port.name in used
    }
    form = (english if catalogue.language() == "en" else filled)(form, shown)
    told = [
        _told(port, node.values[port.name], tool) for port in tool.inputs
        if port.name not in used and _is_said(port, node.values.get(port.name))
    ][:_MOST_VALUES]  # fmt: skip
    return catalogue.translated(Phrase("{made} ({values})", made=form, values=listed(told))) if told else form


def told_values(tool: Tool, node: Node) -> str:
    """What the step was told in words and figures, as far as it is not so by itself, in the language in use: "853 px",
    "paid is no", "red, 40 px"; "" for nothing.
    """
    given = ((port, node.values.get(port.name)) for port in tool.inputs)
    told = [
        _told(port, value, tool, named=not port.unit)
        for port, value in given
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value not in ("", port.default)
    ]
    return catalogue.translated(listed([" ".join(one.split()) if type(one) is str else one for one in told]))


def _form(tool: Tool, node: Node) -> tuple[str, set[str]]:
    """The words, "" where there are none in the language in use, and the ports whose values they tell."""
    for port in tool.inputs:
        if port.choices and (words := _words(f"{tool.id}:{_value(port, node)}")):
            return words, {port.name, *_named(words, tool)}
    signed = [_words(f"{tool.id}:{port.name}{sign}") for port in tool.inputs if (sign := _sign(_value(port, node)))]
    if words := [one for one in signed if one]:
        return catalogue.say(", ").join(words), set()
    words = _words(tool.id)
    used = _named(words, tool)
    if any(_value(port, node) in (None, "") for port in tool.inputs if port.name in used):
        return "", set()
    return words, used


def _sign(value: object) -> str:
    """Of a yes that of more: what is so by itself has no words of its own."""
    if not isinstance(value, int | float):
        return ""
    return "+" if value > 0 else "-" if value < 0 else ""


def _named(words: str, tool: Tool) -> set[str]:
    return {port.name for port in tool.inputs if f"{{{port.name}}}" in words}


def _words(key: str) -> str:
    return _table().get(key, {}).get(catalogue.language(), "")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    held = tomllib.loads((RESOURCES / "made.toml").read_text("utf-8"))
    return {key: dict(zip(held["languages"], words, strict=True)) for key, words in held["made"].items()}


def _value(port: Port, node: Node) -> object:
    return node.values.get(port.name, port.default)


def _is_said(port: Port, value: object) -> bool:
    """Other than by itself, and what people say: a length or a time, a choice or a colour, and no bare number."""
    if value in (None, "none") or isinstance(value, bool) or value == port.default:
        return False
    return (isinstance(value, int | float) and bool(port.unit)) or bool(port.choices) or "colour" in port.name


def _told(port: Port, value: object, tool: Tool, named: bool = False) -> str:
    """The value; with the name of the port where it is a number and `named`, or another one is told in that unit."""
    alike = [other for other in tool.inputs if other.type is ResourceType.NUMBER and other.unit == port.unit]
    if isinstance(value, int | float) and (named or len(alike) > 1):
        name = Phrase(port.name, "ports", spelled=port.name.replace("_", " "))
        return Phrase("{port} {value}", port=name, value=_shown(port, value))
    return _shown(port, value)


def _shown(port: Port, value: object) -> str:
    if isinstance(value, int | float):
        return f"{value:g}{_SIGNS[port.unit]}" if port.unit in _SIGNS else f"{value:g} {port.unit}".rstrip()
    if value in port.choices:
        return Phrase(name_of(str(value)) if port.name == "language" else str(value), "choices")
    return Phrase(str(value), "colours") if "colour" in port.name else str(value)
