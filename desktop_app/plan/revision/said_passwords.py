"""Files that get a password, or open without one: "join these and lock the result with Maple-42", "unlock it and
read it aloud".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.arguments.password_words import PasswordWish, password_wish
from desktop_app.plan.ranking.explanations import question_for, reason_for, worded
from desktop_app.plan.tools.rewiring import Source, ends_at, rewired, taken
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import SAID, FromNode, FromResource, Given, Plan, Request, Solution, Step, ToolSpec, step_id
from nodes.api import LOCKS, UNLOCKS

_ENDING, _TYPE, _PORT = ".pdf", "file", "password"


def with_passwords(request: Request, planned: Callable[[Request], Plan], graph: ToolGraph) -> Plan | None:
    """The plan of a request that is about a password, with what is asked for besides as `planned`; None for others, and
    where nothing that is there or made can have one.
    """
    locker, opener = graph.doing(LOCKS), graph.doing(UNLOCKS)
    wish = password_wish(request) if locker is not None and opener is not None else None
    if wish is None or locker is None or opener is None:
        return None
    rest = planned(wish.rest) if wish.rest.text.strip() else Plan((Solution("", "", SAID, ()),))
    files = _files(request.resources, wish)
    found = list[Solution]()
    for one in rest.solutions:
        ends = _ends(one, graph)
        is_off = wish.off if wish.off is not None else not ends
        sources = [] if is_off else ends
        sources = sources or [FromResource(name) for name in files]
        if sources:
            found.append(
                (_opened if is_off else _locked)(one, sources, wish.password, opener if is_off else locker, graph)
            )
    return replace(rest, solutions=worded(tuple(found), graph)) if found else None


def without_lockers(plan: Plan, graph: ToolGraph, cause: str) -> Plan:
    """A request that is not about a password is not for these tools, whatever it says of passwords and keys; `cause`
    says that no other is there."""
    tools = {tool.id for tool in (graph.doing(LOCKS), graph.doing(UNLOCKS)) if tool is not None}
    kept = tuple(one for one in plan.solutions if not any(s.tool in tools and s.id not in one.kept for s in one.steps))
    if len(kept) == len(plan.solutions):
        return plan
    questions = plan.questions if kept else ()
    return replace(plan, solutions=kept, questions=questions, causes=plan.causes if kept else (cause,))


def _files(resources: Sequence[Given], wish: PasswordWish) -> list[str]:
    """The PDF files that are meant: those named with the password, else all of the turn."""
    there = [one for one in resources if one.name.lower().endswith(_ENDING)]
    there = [one for one in there if not one.earlier] or there[-1:]
    said = " ".join(wish.said)
    return [one.name for one in there if one.name in said] or [one.name for one in there]


def _ends(solution: Solution, graph: ToolGraph) -> list[Source]:
    """The files that it is for."""
    tools = {step.id: graph.tools[step.tool] for step in solution.steps}
    types = {(id, port.name): port.type for id, tool in tools.items() for port in tool.outputs if not port.many}
    return [FromNode(*end) for end in solution.wanted if types.get(end) == _TYPE]


def _locked(solution: Solution, sources: Sequence[Source], password: str, tool: ToolSpec, graph: ToolGraph) -> Solution:
    """The files that it is for get the password, or else those that were brought."""
    made = _steps(sources, password, tool, solution.steps)
    ends = [FromNode(step.id, tool.outputs[0].name) for step in made]
    old = {source.node: end for source, end in zip(sources, ends, strict=True) if isinstance(source, FromNode)}
    wanted = ends_at(solution.wanted, old) if old else (*solution.wanted, *((end.node, end.port) for end in ends))
    return _asked(replace(solution, steps=(*solution.steps, *made), wanted=wanted), made, tool, graph)


def _opened(solution: Solution, sources: Sequence[Source], password: str, tool: ToolSpec, graph: ToolGraph) -> Solution:
    """What works on the files gets them opened."""
    made, out = _steps(sources, password, tool, solution.steps), tool.outputs[0].name
    opened: Mapping[Source, Source] = {a: FromNode(b.id, out) for a, b in zip(sources, made, strict=True)}
    steps = tuple(
        rewired(step, lambda item: opened.get(item, item) if isinstance(item, FromResource) else item)
        for step in solution.steps
    )
    ends = tuple((step.id, out) for step in made if step.id not in taken(steps))
    return _asked(replace(solution, steps=(*made, *steps), wanted=(*ends, *solution.wanted)), made, tool, graph)


def _steps(sources: Sequence[Source], password: str, tool: ToolSpec, others: Sequence[Step]) -> list[Step]:
    made = list[Step]()
    for source in sources:
        arguments = {main_inputs(tool)[0].name: source, **({_PORT: password} if password else {})}
        made.append(Step(step_id(tool.id, (*others, *made)), tool.id, arguments))
    return made


def _asked(solution: Solution, made: Sequence[Step], tool: ToolSpec, graph: ToolGraph) -> Solution:
    """Asks for the password where it was not said."""
    left = [step for step in made if _PORT not in step.arguments]
    asked = tuple(question_for(tool.input(_PORT), tool, step.id, step.arguments) for step in left)
    return replace(solution, questions=(*solution.questions, *asked), reason=reason_for(solution.steps, (), graph))
