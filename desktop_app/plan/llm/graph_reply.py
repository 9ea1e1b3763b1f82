"""A typed graph as a language model writes it in one reply: tasks with what each takes, and changes to the graph that
is shown. It is checked against the tools here.

The form is that of HuggingGPT's task list (Shen et al. 2023, section 3.1). What is small and sure is mended at once: a
misspelt tool, an order that is only mixed up, an input that only one thing fits, a type that tools of the graph turn
into the wanted one. The rest goes back to the model once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rapidfuzz import fuzz, process

from desktop_app.core.errors import BadReply
from desktop_app.core.values import several
from desktop_app.plan.llm.argument_check import MOST_FAULTS, PART, Checker
from desktop_app.plan.llm.type_conversion import Converters, Source, Steps, merged
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.search.wanted_outputs import wanted_of
from desktop_app.plan.tools.tool_graph import REGIONS, SETTINGS, ToolGraph, fits
from desktop_app.plan.types import (
    Argument,
    FromNode,
    FromResource,
    PortSpec,
    Question,
    Request,
    Solution,
    Step,
    ToolSpec,
)

_VALUE = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}
_ARGS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "input": {"type": "string"},
            "value": {"anyOf": [*_VALUE["anyOf"], {"type": "array", "items": _VALUE}]},
        },
        "required": ["input", "value"],
    },
}
_DOING = ("set", "replace", "remove")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "tasks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "task": {"type": "string"},
                    "id": {"type": "integer"},
                    "args": _ARGS,
                    "or": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["task", "id", "args", "or"],
            },
        },
        "changes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "node": {"type": "string"},
                    "do": {"type": "string", "enum": [*_DOING]},
                    "task": {"type": "string"},
                    "args": _ARGS,
                },
                "required": ["node", "do", "task", "args"],
            },
        },
        "command": {"type": "string"},
        "left_out": {"type": "string"},
        "question": {"type": "string"},
        "fit": {"type": "integer"},
    },
    "required": ["title", "tasks", "changes", "command", "left_out", "question", "fit"],
}
"""Of a strict schema every property is required; whatever does not apply is empty."""
MOST_TASKS = 40
NEAR = 84
"""Tool names that are so alike (0 to 100) are taken for each other."""
_MOST_SAID = 500
_FIT = 4
"""How well a plan does what is asked, 1 to 5, where the model does not say."""


@dataclass(frozen=True)
class Reply:
    """What a reply says, checked. `others` are tools that could do a step in another way, by step; `command` is
    "undo" or "way 2".
    """

    solution: Solution | None = None
    question: str = ""
    left_out: str = ""
    command: str = ""
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read(data: Mapping[str, Any], request: Request, graph: ToolGraph) -> Reply:
    """The reply in the data. Raises BadReply with every fault."""
    question, left_out = _said(data.get("question")), _said(data.get("left_out"))
    command = _said(data.get("command")).lower()
    reader = _Reader(request, graph)
    question, left_out = reader.harmless(question), reader.harmless(left_out)
    if data.get("tasks") or data.get("changes"):
        solution = reader.solution(data)
        return Reply(solution, question, left_out, others=reader.others)
    if command:
        return Reply(command=_command(command, request))
    if question or left_out:
        return Reply(None, question, left_out)
    raise BadReply("There has to be at least one task, change, command or question, or what is left out.", "")


def _said(text: Any) -> str:
    return " ".join(text.split())[:_MOST_SAID] if isinstance(text, str) else ""


def _command(command: str, request: Request) -> str:
    number = command.removeprefix("way").strip()
    if command == "undo" or (number.isdecimal() and 1 <= int(number) <= len(request.ways)):
        return command if command == "undo" else f"way {number}"
    known = ", ".join(["undo", *(f"way {n}" for n in range(1, len(request.ways) + 1))])
    raise BadReply(f"There is no command '{command[:40]}'; there is: {known}.", "")


@dataclass(frozen=True)
class _Task:
    """A task as the model wrote it, with the tool that is meant. `after` are the ids of tasks that it names."""

    id: str
    tool: ToolSpec
    args: Mapping[str, Any]
    after: tuple[str, ...]
    others: tuple[str, ...] = ()


class _Reader:
    """Reads one reply. Steps are made in an order in which everything is there before it is used."""

    def __init__(self, request: Request, graph: ToolGraph) -> None:
        self.graph = graph
        self.faults: list[str] = []
        self.others: dict[str, tuple[str, ...]] = {}
        self.checker = Checker(request, self._converted)
        named = [id for id, tool in graph.tools.items() if self.checker.spoken.speaks_of(tool)]
        self.converters = Converters(graph, named)
        placed = [one for one in request.graph if one.step.tool in graph.tools]
        self.steps = Steps([one.step for one in placed])
        self._kept = [one.step.id for one in placed]
        self._made = {one.step.id: (one.step.id, graph.tools[one.step.tool]) for one in placed}
        self._results = {
            name: FromNode(one.step.id, port) for one in placed for port, names in one.results.items() for name in names
        }
        self._origins: dict[tuple[str, str], str] = {}

    def solution(self, data: Mapping[str, Any]) -> Solution:
        changes = data.get("changes")
        for change in changes if isinstance(changes, list) else ():
            self._change(change)
        tasks = self._ordered(self._read(data.get("tasks")))
        questions: list[Question] = []
        for task in tasks:
            questions += self._add(task)
        if not tasks and not changes and not self.faults:
            self.faults.append("'tasks' has to be a list with at least one task.")
        if self.faults:
            raise BadReply(" ".join(self.faults[:MOST_FAULTS]), "")
        steps = tuple(self._linked(step) for step in self.steps.steps)
        steps = steps if changes else self._needed(steps)
        plain = Solution(
            "", reason_for(steps, (), self.graph), _score(data.get("fit")), steps, wanted(steps, self.graph),
            tuple(questions), origins=self._origins, kept=frozenset(self._kept) & {step.id for step in steps},
        )  # fmt: skip
        plain = merged(plain, self.graph)
        title = data.get("title")
        said = self.harmless(" ".join(title.split())[:40]) if isinstance(title, str) else ""
        return replace(plain, title=said or worded([plain], self.graph)[0].title)

    def harmless(self, text: str) -> str:
        """Words that the user will read, without addresses that are not the user's."""
        for address in self.checker.spoken.foreign(text):
            text = text.replace(address, "…")
        return text

    def _linked(self, step: Step) -> Step:
        """With the node in place of the name of what a node of the shown graph has made."""

        def source(value: Argument) -> Argument:
            if isinstance(value, tuple):
                return tuple(dict.fromkeys(map(source, value)))
            return self._results.get(value.name, value) if isinstance(value, FromResource) else value

        return replace(step, arguments={port: source(value) for port, value in step.arguments.items()})

    def _needed(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """The new steps, and of the shown graph what feeds them."""
        needed = {step.id for step in steps} - set(self._kept)
        for step in reversed(steps):
            if step.id in needed:
                needed |= {source.node for source in _sources(step.arguments.values()) if isinstance(source, FromNode)}
        return tuple(step for step in steps if step.id in needed)

    # Changes ------------------------------------------------------------------------------------------------------

    def _change(self, data: Any) -> None:
        node, doing = (str(data.get("node", "")), data.get("do")) if isinstance(data, dict) else ("", None)
        place = next((n for n, step in enumerate(self.steps.steps) if step.id == node), None)
        if place is None or doing not in _DOING:
            known = ", ".join(self._kept) or "none"
            self.faults.append(
                f"A change needs a 'node' of the graph ({known}) and one of {', '.join(_DOING)} to 'do'."
            )
            return
        step, args = self.steps.steps[place], _by_input(data.get("args"))
        if doing == "set":
            self._set(place, step, args or {})
        elif doing == "remove":
            self._without(place, step)
        elif (tool := self._tool(str(data.get("task", "")))) is not None:
            self._replace(place, step, tool, args or {})

    def _set(self, place: int, step: Step, args: Mapping[str, Any]) -> None:
        tool = self.graph.tools[step.tool]
        checked = self.checker.check(step.id, tool, args, self._before(place))
        self.faults += checked.faults
        self._note(step.id, checked.origins)
        self.steps.steps[place] = replace(step, arguments={**step.arguments, **checked.arguments})

    def _without(self, place: int, step: Step) -> None:
        """Takes the step out: what it took goes where its result went, if that fits."""
        del self.steps.steps[place]
        self._kept.remove(step.id)
        del self._made[step.id]
        tool = self.graph.tools[step.tool]
        for n, other in enumerate(self.steps.steps):
            arguments = {}
            for port, value in other.arguments.items():
                kept = []
                for item in several(value):
                    if not (isinstance(item, FromNode) and item.node == step.id):
                        kept.append(item)
                    elif (fed := self._through(step, tool, item.port)) is not None:
                        kept.append(fed)
                if kept:
                    arguments[port] = tuple(kept) if isinstance(value, tuple) else kept[0]
            lost = [p.name for p in self.graph.tools[other.tool].inputs if p.required and p.name in other.arguments
                    and p.name not in arguments]  # fmt: skip
            if lost:
                self.faults.append(f"{other.id} needs what {step.id} makes for '{lost[0]}': change or remove it too.")
            self.steps.steps[n] = replace(other, arguments=arguments)

    def _through(self, step: Step, tool: ToolSpec, output: str) -> Source | None:
        made = next((port.type for port in tool.outputs if port.name == output), "")
        found = [s for s in _sources(step.arguments.values()) if fits(self._type(s), made)]
        return found[0] if found else None

    def _replace(self, place: int, step: Step, tool: ToolSpec, args: Mapping[str, Any]) -> None:
        """Another tool in the place of the step, on the same things."""
        old = self.graph.tools[step.tool]
        checked = self.checker.check(step.id, tool, args, self._before(place))
        self.faults += checked.faults
        arguments = dict(checked.arguments)
        sources = [s for s in _sources(step.arguments.values()) if s not in _sources(arguments.values())]
        for port in tool.inputs:
            fed = next((s for s in sources if fits(self._type(s), port.type)), None)
            if fed is not None and port.name not in arguments and port.type not in SETTINGS and not port.choices:
                arguments[port.name] = (fed,) if port.many else fed
                sources.remove(fed)
        new = Step(self.steps.add(tool.id, arguments), tool.id, arguments)
        self._note(new.id, checked.origins)
        self.steps.steps[place] = self.steps.steps.pop()
        self._kept.remove(step.id)
        self._made[step.id] = self._made[new.id] = new.id, tool
        outputs = {
            port.name: next((p.name for p in tool.outputs if fits(p.type, port.type)), "") for port in old.outputs
        }

        def source(value: Argument) -> Argument:
            if isinstance(value, tuple):
                return tuple(map(source, value))
            mine = isinstance(value, FromNode) and value.node == step.id
            return FromNode(new.id, outputs.get(value.port) or value.port) if mine else value

        for n, other in enumerate(self.steps.steps):
            arguments = {port: source(value) for port, value in other.arguments.items()}
            if arguments != dict(other.arguments) and "" in outputs.values():
                self.faults.append(f"{other.id} cannot take what {tool.id} makes: replace or remove it too.")
            self.steps.steps[n] = replace(other, arguments=arguments)

    def _before(self, place: int) -> dict[str, tuple[str, ToolSpec]]:
        """What a changed step may take: the steps before it."""
        ids = {step.id for step in self.steps.steps[:place]}
        return {id: made for id, made in self._made.items() if made[0] in ids}

    def _note(self, id: str, origins: Mapping[str, str]) -> None:
        self._origins |= {(id, port): origin for port, origin in origins.items()}

    # Tasks --------------------------------------------------------------------------------------------------------

    def _read(self, data: Any) -> list[_Task]:
        if not isinstance(data, list):
            return []
        if len(data) > MOST_TASKS:
            self.faults.append(f"There are {len(data)} tasks; at most {MOST_TASKS} are allowed.")
            return []
        tasks = [task for item in data if (task := self._task(item)) is not None]
        ids = [task.id for task in tasks]
        for id in sorted({id for id in ids if ids.count(id) > 1}):
            self.faults.append(f"Two tasks have the id {id}.")
        for id in sorted(set(ids) & set(self._made)):
            self.faults.append(f"A node of the graph has the id {id}; a new task needs another one.")
        return tasks

    def _task(self, data: Any) -> _Task | None:
        whole = isinstance(data, dict) and isinstance(data.get("task"), str) and isinstance(data.get("id"), int | str)
        if not whole:
            self.faults.append("Each task has to be an object with 'task', 'id' and 'args'.")
            return None
        args = _by_input(data.get("args"))
        if args is None:
            self.faults.append(f"The 'args' of task {data['id']} have to list pairs of 'input' and 'value'.")
            return None
        tool = self._tool(data["task"])
        if tool is None:
            return None
        dep, ways = data.get("dep"), data.get("or")
        after = [str(id) for id in dep if str(id) != "-1"] if isinstance(dep, list) else []
        others = tuple(str(id) for id in ways if str(id) in self.graph.tools) if isinstance(ways, list) else ()
        return _Task(str(data["id"]), tool, args, tuple(dict.fromkeys([*after, *_named(args)])), others)

    def _tool(self, name: str) -> ToolSpec | None:
        """The tool of that name, or the one whose name or title is nearest to it, if that is near."""
        if name in self.graph.tools:
            return self.graph.tools[name]
        titles = {tool.title.lower(): id for id, tool in self.graph.tools.items()}
        known = {**titles, **{id.replace("_", " "): id for id in self.graph.tools}}
        plain = name.lower().replace("-", " ").replace("_", " ").strip()
        near = process.extractOne(plain, list(known), scorer=fuzz.ratio)
        if near is not None and near[1] >= NEAR:
            return self.graph.tools[known[near[0]]]
        hint = f"; did you mean {known[near[0]]}?" if near else "."
        self.faults.append(f"There is no tool '{name[:80]}'{hint}")
        return None

    def _ordered(self, tasks: Sequence[_Task]) -> list[_Task]:
        """Each task after those whose results it takes. A circle is a fault."""
        done: list[_Task] = []
        left = list(tasks)
        ids = {task.id for task in tasks}
        while left:
            known = {task.id for task in done}
            ready = [task for task in left if all(id in known or id not in ids for id in task.after)]
            if not ready:
                circle = ", ".join(task.id for task in left)
                self.faults.append(f"The tasks {circle} wait for each other. Each may only take earlier results.")
                return done
            done.append(ready[0])
            left.remove(ready[0])
        return done

    # Steps --------------------------------------------------------------------------------------------------------

    def _add(self, task: _Task) -> list[Question]:
        checked = self.checker.check(task.id, task.tool, task.args, self._made)
        self.faults += checked.faults
        arguments = checked.arguments
        for port in task.tool.inputs:
            if port.required and port.name not in arguments and port.type not in SETTINGS and not port.choices:
                self._supply(task, port, arguments)
        step = self.steps.add(task.tool.id, arguments)
        self._note(step, checked.origins)
        self._made[task.id] = step, task.tool
        if task.others:
            self.others[step] = task.others
        return self.checker.questions(step, task.tool, arguments)

    def _supply(self, task: _Task, port: PortSpec, arguments: dict[str, Any]) -> None:
        """Feeds an open input when just one thing can be meant: a result that the task waits for, or a resource."""
        before = [self._made[id] for id in task.after if id in self._made]
        results = [FromNode(step, o.name) for step, tool in before for o in tool.outputs if fits(o.type, port.type)]
        given = [g for g in self.checker.given.values() if fits(g.type, port.type)]
        newest = [FromResource(g.name) for g in given if not g.earlier] or [FromResource(g.name) for g in given]
        taken = _sources(arguments.values())
        free = [source for source in (results or newest) if source not in taken]
        if len(free) == 1 and not port.picked_on:
            arguments[port.name] = (free[0],) if port.many else free[0]

    def _converted(self, source: Source, type: str, port: PortSpec, beside: Collection[Argument]) -> FromNode | None:
        """The source as what the port wants, by tools put in between; they take what the step takes, where it fits."""
        made = dict(self._made.values())
        results = [FromNode(step, output.name) for step, tool in made.items() for output in tool.outputs]
        given = [FromResource(name) for name in self.checker.given if name not in self._results]
        others = [one for one in dict.fromkeys([*_sources(beside), *results, *given]) if one != source]
        way = self.converters.way(type, port, [self._type(one) for one in others])
        if way is None:
            return None
        sources: dict[str, object] = {str(number): one for number, one in enumerate([source, *others])}
        return self.steps.place(way, sources, self.graph, port.type)

    def _type(self, source: Source) -> str:
        if isinstance(source, FromResource):
            return self.checker.given[source.name].type if source.name in self.checker.given else ""
        tool = next((self.graph.tools[step.tool] for step in self.steps.steps if step.id == source.node), None)
        return next((output.type for output in tool.outputs if output.name == source.port), "") if tool else ""


def _by_input(args: Any) -> dict[str, Any] | None:
    """The arguments by input, of a list of pairs or of an object; None when they are neither."""
    if isinstance(args, dict):
        return args
    found: dict[str, Any] = {}
    for one in args if isinstance(args, list) else (None,):
        if not isinstance(one, dict) or not isinstance(one.get("input"), str):
            return None
        name, value = one["input"], one.get("value")
        found[name] = [*_items(found[name]), *_items(value)] if name in found else value
    return found


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _score(fit: Any) -> float:
    number = fit if isinstance(fit, int | float) and not isinstance(fit, bool) and fit > 0 else _FIT
    return min(5.0, max(1.0, float(number))) / 5.0


def _sources(arguments: Collection[Argument]) -> list[Source]:
    """The resources and results among arguments."""
    flat = [item for value in arguments for item in several(value)]
    return [item for item in flat if isinstance(item, Source)]


def _named(args: Any) -> list[str]:
    """The ids of tasks whose results stand somewhere in the arguments."""
    if isinstance(args, str):
        part = PART.fullmatch(args.strip())
        return [part["id"]] if part else []
    items = args.values() if isinstance(args, dict) else args if isinstance(args, list) else ()
    return [id for item in items for id in _named(item)]


def wanted(steps: Sequence[Step], graph: ToolGraph) -> tuple[tuple[str, str], ...]:
    """The results that answer: those of the last steps, without the regions that lie beside something better."""
    values = []
    for step in steps:
        outputs = graph.tools[step.tool].outputs
        better = [output for output in outputs if output.type not in REGIONS] or list(outputs)
        values += [Value((FromNode(step.id, output.name),), output.type, 0, made=True) for output in better]
    return wanted_of(steps, values, (), graph.tools)
