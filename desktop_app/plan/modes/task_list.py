"""Planning mode "task list": the language model writes all tasks at once, with what each takes from earlier ones.

After HuggingGPT (Shen et al. 2023, section 3.1). What is small and sure is mended here: a misspelt tool, an order that
is only mixed up, an input that only one thing fits, a type that a tool of the graph turns into the wanted one. The
rest goes back to the model once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rapidfuzz import fuzz, process

from desktop_app.core.errors import BadReply
from desktop_app.core.values import several
from desktop_app.llm.chat import ChatModel
from desktop_app.llm.structured_reply import asked
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.llm.argument_check import MOST_FAULTS, PART, Checker
from desktop_app.plan.llm.type_conversion import Converters, Source, Steps
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.search.wanted_outputs import wanted_of
from desktop_app.plan.tools.tool_graph import REGIONS, SETTINGS, ToolGraph, fits
from desktop_app.plan.types import (
    Argument,
    FromNode,
    FromResource,
    Plan,
    PortSpec,
    Question,
    Request,
    Solution,
    Step,
    ToolSpec,
)
from nodes.phrase import Phrase

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
                    "dep": {"type": "array", "items": {"type": "integer"}},
                    "args": {"type": "object"},
                },
                "required": ["task", "id", "dep", "args"],
            },
        },
        "question": {"type": "string"},
    },
    "required": ["tasks"],
}
MOST_TASKS = 40
MOST_ALTERNATIVES = 5
NEAR = 84
"""Tool names that are so alike (0 to 100) are taken for each other."""


async def improve(
    draft: Plan,
    request: Request,
    tools: Sequence[ToolSpec],
    model: ChatModel,
    graph: ToolGraph | None = None,
    budget: int = prompt_context.HISTORY_TOKENS,
) -> Plan:
    """The model's task list as the first solution, the draft's behind it. `tools` are shown, `graph` holds all.

    Raises BadReply when the list does not hold after one repair round.
    """
    graph = graph or ToolGraph(tools)
    drafted = prompt_context.steps_of(draft.solutions[0]) if draft.solutions else None
    messages = prompt_context.messages(
        "task_list", request, budget, {"draft": drafted}, tools=prompt_context.toolbox(tools)
    )
    found = await asked(
        model, messages, SCHEMA, lambda data: read(data, request, graph), "task list", listed="tasks"
    )  # fmt: skip
    if isinstance(found, Question):
        return without_steps(draft, found, "task list")
    return in_front(found, draft, "task list")


def without_steps(draft: Plan, question: Question, mode: str) -> Plan:
    """The model asks instead of planning: that counts when the rules have no plan either, else it is only told."""
    if draft.solutions:
        return replace(draft, notice=Phrase("The language model asks: {text}", text=question.text))
    return Plan((), (question,), (question.text,), draft.subtasks, mode)


def in_front(found: Solution, draft: Plan, mode: str) -> Plan:
    """The draft with a solution before its own, none of which does the same."""
    kind = frozenset(step.tool for step in found.steps)
    others = [s for s in draft.solutions if frozenset(step.tool for step in s.steps) != kind]
    return replace(draft, solutions=(found, *others)[:MOST_ALTERNATIVES], causes=(), mode=mode)


def read(data: Mapping[str, Any], request: Request, graph: ToolGraph) -> Solution | Question:
    """The solution in the data, or the question that stands there instead. Raises BadReply with every fault."""
    question = data.get("question")
    if not data.get("tasks") and isinstance(question, str) and question.strip():
        return Question(question.strip()[:500])
    return _Reader(request, graph).solution(data)


@dataclass(frozen=True)
class _Task:
    """A task as the model wrote it, with the tool that is meant. `after` are the ids of tasks that it names."""

    id: str
    tool: ToolSpec
    args: Mapping[str, Any]
    after: tuple[str, ...]


class _Reader:
    """Reads one list. Steps are made in an order in which everything is there before it is used."""

    def __init__(self, request: Request, graph: ToolGraph) -> None:
        self.graph = graph
        self.faults: list[str] = []
        self.checker = Checker(request, self._converted)
        named = [id for id, tool in graph.tools.items() if self.checker.spoken.speaks_of(tool)]
        self.converters = Converters(graph, named)
        self.steps = Steps()
        self._made: dict[str, tuple[str, ToolSpec]] = {}

    def solution(self, data: Mapping[str, Any]) -> Solution:
        tasks = self._ordered(self._read(data.get("tasks")))
        questions: list[Question] = []
        for task in tasks:
            questions += self._add(task)
        if self.faults:
            raise BadReply(" ".join(self.faults[:MOST_FAULTS]), "")
        steps = tuple(self.steps.steps)
        plain = Solution("", reason_for(steps, (), self.graph), 0.9, steps, wanted(steps, self.graph), tuple(questions))
        title = data.get("title")
        said = " ".join(title.split())[:40] if isinstance(title, str) else ""
        return replace(plain, title=said or worded([plain], self.graph)[0].title)

    # Tasks --------------------------------------------------------------------------------------------------------

    def _read(self, data: Any) -> list[_Task]:
        if not isinstance(data, list) or not data:
            self.faults.append("'tasks' has to be a list with at least one task.")
            return []
        if len(data) > MOST_TASKS:
            self.faults.append(f"There are {len(data)} tasks; at most {MOST_TASKS} are allowed.")
            return []
        tasks = [task for item in data if (task := self._task(item)) is not None]
        ids = [task.id for task in tasks]
        for id in sorted({id for id in ids if ids.count(id) > 1}):
            self.faults.append(f"Two tasks have the id {id}.")
        return tasks

    def _task(self, data: Any) -> _Task | None:
        whole = isinstance(data, dict) and isinstance(data.get("task"), str) and isinstance(data.get("id"), int | str)
        if not whole:
            self.faults.append("Each task has to be an object with 'task', 'id', 'dep' and 'args'.")
            return None
        args = data.get("args")
        if not isinstance(args, dict):
            self.faults.append(f"The 'args' of task {data['id']} have to be an object.")
            return None
        tool = self._tool(data["task"])
        if tool is None:
            return None
        dep = data.get("dep")
        after = [str(id) for id in dep if str(id) != "-1"] if isinstance(dep, list) else []
        return _Task(str(data["id"]), tool, args, tuple(dict.fromkeys([*after, *_named(args)])))

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
        self._made[task.id] = step, task.tool
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
        results = [FromNode(step, output.name) for step, tool in self._made.values() for output in tool.outputs]
        given = [FromResource(name) for name in self.checker.given]
        others = [one for one in dict.fromkeys([*_sources(beside), *results, *given]) if one != source]
        way = self.converters.way(type, port, [self._type(one) for one in others])
        if way is None:
            return None
        sources: dict[str, object] = {str(number): one for number, one in enumerate([source, *others])}
        return self.steps.place(way, sources, self.graph, port.type)

    def _type(self, source: Source) -> str:
        if isinstance(source, FromResource):
            return self.checker.given[source.name].type
        tool = next(self.graph.tools[step.tool] for step in self.steps.steps if step.id == source.node)
        return next(output.type for output in tool.outputs if output.name == source.port)


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
