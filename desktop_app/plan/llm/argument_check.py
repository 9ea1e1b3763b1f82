"""Checks the inputs of one step that a language model wrote: names, types, ranges, and on what literals rest.

What cannot be used is a fault, in words that the model is told; nothing is left out in silence. What the model wrote
itself counts, and is told apart from what the user said; but an address or a path has to be the user's, and so has
everything that a tool is told which reaches outside. Every planning mode checks by these rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_app.plan.llm.grounding import Spoken
from desktop_app.plan.ranking.explanations import question_for
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import Argument, FromNode, FromResource, PortSpec, Question, Request, ToolSpec, clicks

MOST_FAULTS = 12
MOST = 1e15
LONGEST = 20_000
"""Characters of a literal."""
_KINDS = {"number": int | float, "flag": bool, "text": str, "url": str, "html": str}
PART = re.compile(r"<[\w ]+>-(?P<id>[\w-]+?)(?:\.(?P<port>\w+))?")
"""How a result of an earlier step is written: "<resource>-2", or "<resource>-2.boxes" for one of several."""

Outputs = Mapping[str, tuple[str, ToolSpec]]
"""The steps that a value may come from, with their tools, by the id that the model uses for each."""
Convert = Callable[[FromNode | FromResource, str, PortSpec, Collection[Argument]], FromNode | None]
"""Turns a source of a type into one that fits the port, by steps that it adds; None when there is no way. Last comes
what else feeds the step.
"""


@dataclass
class Checked:
    """The inputs that hold, by port, and what is wrong with the others, as sentences. `origins` says by port where a
    value comes from that the user has not said.
    """

    arguments: dict[str, Argument] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class Checker:
    """For one reply. `convert` is asked where types clash; without it a clash is a fault."""

    def __init__(self, request: Request, convert: Convert | None = None) -> None:
        self.spoken = Spoken(request)
        self.given = {given.name: given for given in request.resources}
        self._convert = convert

    def check(self, id: str, tool: ToolSpec, data: Any, outputs: Outputs) -> Checked:
        """The inputs that `data` (an object by port) gives to the tool as step `id`."""
        checked = Checked()
        if not isinstance(data, dict):
            checked.faults.append(f"The 'args' of {id} have to be an object.")
            return checked
        for port, value in self._by_port(id, tool, data, outputs, checked):
            argument = self._argument(id, tool, port, value, outputs, checked)
            if argument is not None and argument != ():
                checked.arguments[port.name] = argument
        checked.arguments |= clicks(tool, checked.arguments, self.given)
        self._guard(id, tool, checked)
        return checked

    def questions(self, id: str, tool: ToolSpec, arguments: Mapping[str, Argument]) -> list[Question]:
        """What to ask for the inputs that the tool cannot do without and that nothing fills."""
        open_ports = [port for port in tool.inputs if port.required and port.name not in arguments]
        return [question_for(port, tool, id, arguments) for port in open_ports]

    def _by_port(
        self, id: str, tool: ToolSpec, data: Mapping[str, Any], outputs: Outputs, checked: Checked
    ) -> list[tuple[PortSpec, Any]]:
        """Pairs of port and value; a key that names a type, and no port, means the only port of that type."""
        ports = {port.name: port for port in tool.inputs}
        found = [(ports[name], value) for name, value in data.items() if name in ports]
        left = [port for name, port in ports.items() if name not in data]
        for name in [name for name in data if name not in ports]:
            meant = [port for port in left if port.type == name.lower()]
            if len(meant) == 1:
                found.append((meant[0], data[name]))
                left.remove(meant[0])
            elif data[name] not in (None, "", []):
                known = ", ".join(ports) or "none"
                checked.faults.append(f"{tool.id} ({id}) has no input '{name}'; its inputs are {known}.")
        return found

    def _argument(
        self, id: str, tool: ToolSpec, port: PortSpec, value: Any, outputs: Outputs, checked: Checked
    ) -> Argument:
        if value is None or value == "":
            return None
        if isinstance(value, list) and not port.picked_on:
            if port.many:
                items = [self._single(id, tool, port, item, outputs, checked) for item in value]
                return tuple(item for item in items if item is not None)
            if len(value) != 1:
                checked.faults.append(f"'{port.name}' of {id} takes one value and not {len(value)}.")
                return None
            value = value[0]
        found = self._single(id, tool, port, value, outputs, checked)
        return (found,) if port.many and found is not None else found

    def _single(
        self, id: str, tool: ToolSpec, port: PortSpec, value: Any, outputs: Outputs, checked: Checked
    ) -> Argument:
        part = PART.fullmatch(value.strip()) if isinstance(value, str) else None
        if part is not None:
            return self._result(id, port, part["id"], part["port"] or "", outputs, checked)
        if isinstance(value, str) and value in self.given and not self._is_words(value, port):
            return self._fitting(id, port, FromResource(value), self.given[value].type, checked)
        if port.picked_on:
            return None  # the program asks for clicks
        return self._literal(id, tool, port, value, checked)

    def _is_words(self, name: str, port: PortSpec) -> bool:
        """True for an address that the user has typed, where words are wanted: those are the words."""
        return "://" in name and port.type in ("text", "url")

    def _result(self, id: str, port: PortSpec, source: str, name: str, outputs: Outputs, checked: Checked) -> Argument:
        step, tool = outputs.get(source, ("", None))
        if tool is None or not tool.outputs:
            checked.faults.append(f"'{port.name}' of {id} takes a result of '{source}', and there is no such task.")
            return None
        named = next((output for output in tool.outputs if output.name == name), None)
        fitting = next((output for output in tool.outputs if fits(output.type, port.type)), None)
        output = named or fitting or tool.outputs[0]
        return self._fitting(id, port, FromNode(step, output.name), output.type, checked)

    def _fitting(
        self, id: str, port: PortSpec, source: FromNode | FromResource, type: str, checked: Checked
    ) -> Argument:
        if fits(type, port.type):
            return source
        found = self._convert(source, type, port, checked.arguments.values()) if self._convert else None
        if found is None:
            what = source.name if isinstance(source, FromResource) else f"the result of {source.node}"
            checked.faults.append(f"'{port.name}' of {id} needs {port.type}, but {what} is {type}.")
        return found

    def _literal(self, id: str, tool: ToolSpec, port: PortSpec, value: Any, checked: Checked) -> Argument:
        """The value when it holds and rests on the user's words or on the port itself; None leaves the port open."""
        value = _of_kind(value, port)
        kind = _KINDS.get(port.type)
        if kind is None and isinstance(value, str):
            known = ", ".join(self.given) or "none"
            checked.faults.append(f"There is no resource '{value[:80]}' for '{port.name}' of {id}; there is: {known}.")
        elif kind is None or not isinstance(value, kind) or (isinstance(value, bool) and port.type != "flag"):
            checked.faults.append(f"'{port.name}' of {id} needs {port.type}, not {str(value)[:80]!r}.")
        elif port.choices and value not in port.choices:
            checked.faults.append(f"'{port.name}' of {id} has to be one of {', '.join(port.choices)}.")
        elif isinstance(value, int | float) and not isinstance(value, bool) and not _in_range(value, port):
            checked.faults.append(f"'{port.name}' of {id} goes from {port.minimum} to {port.maximum}.")
        elif isinstance(value, str) and len(value) > LONGEST:
            checked.faults.append(f"'{port.name}' of {id} has more than {LONGEST} characters.")
        else:
            return self._grounded(id, tool, port, value, checked)
        return None

    def _grounded(self, id: str, tool: ToolSpec, port: PortSpec, value: Any, checked: Checked) -> Argument:
        """The literal, with its origin noted; None, with a fault, where only the user's own word counts."""
        foreign = self.spoken.foreign(value) if isinstance(value, str) else ()
        said = not foreign and self.spoken.supports(value, port, tool)
        if foreign or ((tool.outside or port.type == "url") and not said):
            what = ", ".join(foreign)[:120] or repr(str(value)[:80])
            checked.faults.append(f"'{port.name}' of {id}: the user has not written {what}. Leave it out.")
            return None
        if not said or self.spoken.is_chosen(value, port, tool):
            checked.origins[port.name] = self.spoken.origin(value)
        return value

    def _guard(self, id: str, tool: ToolSpec, checked: Checked) -> None:
        """A tool that reaches outside needs the user's own word, or an address of the user's; data cannot ask."""
        if not tool.outside:
            return
        own = any(
            port.type == "url" and isinstance(checked.arguments.get(port.name), str | FromResource)
            for port in tool.inputs
        )
        if not own and not self.spoken.speaks_of(tool):
            checked.faults.append(
                f"{tool.id} ({id}) reaches outside, and the user has not asked for that. Leave it out."
            )


def _of_kind(value: Any, port: PortSpec) -> Any:
    """Figures in quotes as a number, and the like; anything else as it is."""
    if isinstance(value, str) and port.type == "number" and re.fullmatch(r"-?\d+(\.\d+)?", value.strip()):
        value = float(value)
    if isinstance(value, int | float) and not abs(value) < MOST:
        return str(value)[:80]  # no number that anything could be done with
    if isinstance(value, str) and port.type == "flag" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if isinstance(value, str) and port.choices:
        return next((choice for choice in port.choices if choice.lower() == value.strip().lower()), value)
    if isinstance(value, int | float) and not isinstance(value, bool) and port.type == "text":
        return f"{value:g}"
    if isinstance(value, float) and value == int(value) and port.integer:
        return int(value)
    return value


def _in_range(value: float, port: PortSpec) -> bool:
    low, high = port.minimum, port.maximum
    return (low is None or value >= low) and (high is None or value <= high) and not (port.integer and value % 1)
