"""What has to be asked before a plan can run, put into it: an input is left open, and its question says what for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from desktop_app.core.values import several
from desktop_app.plan.ranking.explanations import question_for
from desktop_app.plan.ranking.missing_input import settings_of
from desktop_app.plan.tools.rewiring import files
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, main_inputs
from desktop_app.plan.types import (
    FromNode,
    FromResource,
    PortSpec,
    Question,
    Request,
    Solution,
    Step,
    ToolSpec,
    step_id,
)
from nodes.phrase import Phrase


def one_of_each(request: Request) -> tuple[Request, Mapping[str, tuple[str, ...]]]:
    """The request with one file of each type; by the name of that file those of all of its type."""
    kinds: dict[str, list[str]] = {}
    for given in request.resources:
        kinds.setdefault(given.type, []).append(given.name)
    kept = tuple(given for given in request.resources if kinds[given.type][0] == given.name)
    return replace(request, resources=kept), {names[0]: tuple(names) for names in kinds.values() if len(names) > 1}


def which_file(solution: Solution, alike: Mapping[str, Sequence[str]], tools: Mapping[str, ToolSpec]) -> Solution:
    """Leaves each input open that takes one of several files; `alike` are these by that one. Where one of two is to be
    changed and joined with the other, it is the first: nobody could say so of both. Where no input lacks a file, none
    is asked for.
    """
    if (joined := _beside_the_other(solution, alike, tools)) is not None:
        return joined
    steps, questions = list(solution.steps), list(solution.questions)
    for place, step in enumerate(steps):
        for port in tools[step.tool].inputs:
            item = step.arguments.get(port.name)
            if port.many or not isinstance(item, FromResource) or item.name not in alike:
                continue
            left = {name: value for name, value in steps[place].arguments.items() if name != port.name}
            steps[place] = replace(step, arguments=left)
            text = Phrase("{tool}: which file do you mean?", tool=Phrase(tools[step.tool].title, "tools"))
            questions.append(Question(text, "file", tuple(alike[item.name]), step.id, port.name))
    return replace(solution, steps=tuple(steps), questions=tuple(questions))


def _beside_the_other(
    solution: Solution, alike: Mapping[str, Sequence[str]], tools: Mapping[str, ToolSpec]
) -> Solution | None:
    """None where it is not one of two files that is joined with something made of one of them."""
    pair = next(iter(alike.values()), ())
    joins = [(step, port.name, several(step.arguments.get(port.name)))
             for step in solution.steps for port in tools[step.tool].inputs if port.many]  # fmt: skip
    items = joins[0][2] if len(joins) == 1 else ()
    made = [item for item in items if isinstance(item, FromNode)]
    if len(alike) != 1 or len(pair) != 2 or len(made) != 1 or len(items) > 2:
        return None
    first, second = map(FromResource, pair)
    changed = {step.id for step in solution.steps if first in step.arguments.values()}
    join, name, _ = joins[0]
    if join.id in changed or len(changed) != 1:
        return None
    both = (*made, second) if items[:1] == (made[0],) else (second, *made)
    steps = (replace(one, arguments={**one.arguments, name: both}) if one is join else one for one in solution.steps)
    return replace(solution, steps=tuple(steps))


def which_document(solution: Solution, request: Request, tools: Mapping[str, ToolSpec]) -> Solution:
    """Where it asks for a text to work on, while several documents are there of which it uses none, it asks which of
    these is meant, and reads that one.
    """
    names = tuple(given.name for given in request.resources if given.type in DOCUMENTS)
    texts = {given.name for given in request.resources if given.type in (*DOCUMENTS, "text")}
    used = {item.name for step in solution.steps for item in files(step)}
    if len(names) < 2 or len(names) < len(texts) or texts & used:
        return solution
    reader = next((tool for tool in tools.values() if _reads(tool)), None)
    if reader is None:
        return solution
    steps, questions = list(solution.steps), list(solution.questions)
    for place, question in enumerate(questions):
        step = next((one for one in steps if one.id == question.step), None)
        if step is None or question.choices or not _is_of_a_text(question, tools[step.tool]):
            continue
        id, port = step_id(reader.id, steps), main_inputs(reader)[0].name
        steps[steps.index(step)] = replace(
            step, arguments={**step.arguments, question.port: FromNode(id, reader.outputs[0].name)}
        )
        steps.insert(0, Step(id, reader.id, {}))
        text = Phrase("{tool}: which file do you mean?", tool=Phrase(tools[step.tool].title, "tools"))
        questions[place] = Question(text, "file", names, id, port)
    return replace(solution, steps=tuple(steps), questions=tuple(questions))


def _reads(tool: ToolSpec) -> bool:
    return [port.type for port in main_inputs(tool)] == ["file"] and [port.type for port in tool.outputs] == ["text"]


def _is_of_a_text(question: Question, tool: ToolSpec) -> bool:
    """Whether it asks for what the tool works on."""
    ports = [port for port in main_inputs(tool) if port.name == question.port]
    return any(port.type == "text" and not port.choices and not port.said for port in ports)


def what_value(solution: Solution, tools: Mapping[str, ToolSpec], said: Collection[tuple[str, str]]) -> Solution:
    """Asks for a value that nobody said; `said` are tools and their inputs of which the words say one."""
    if any(question.kind == "text" for question in solution.questions) or not solution.steps:
        return solution
    worded = any(port.question for tool in tools.values() for port in tool.inputs)  # what then has none is the seed
    found = [(step, port) for step in solution.steps for port in _settings(step, tools[step.tool], said, worded)]
    if not found:
        return solution
    step, port = found[0]
    left = {name: value for name, value in step.arguments.items() if name != port.name}
    steps = tuple(replace(one, arguments=left) if one is step else one for one in solution.steps)
    question = question_for(port, tools[step.tool], step.id, left)
    return replace(solution, steps=steps, questions=(*solution.questions, question))


def _settings(step: Step, tool: ToolSpec, said: Collection[tuple[str, str]], worded: bool) -> list[PortSpec]:
    """The inputs that a question in words could fill, those that have to be filled first; `worded` for tools whose
    inputs have questions.
    """
    own = [port for port in settings_of(tool) if port.type in INLINE and (tool.id, port.name) not in said]
    own = [port for port in own if port.required or not (port.advanced or (worded and not port.question))]
    silent = not any(id == tool.id for id, _ in said) and not _is_handed(step, tool)  # else the rest may stay as it is
    silent = silent and not any(port.name in step.arguments for port in own if not port.required)
    left = [port for port in own if port.name not in step.arguments and (port.required or silent)]
    typed = [port for port in own if port.required and isinstance(step.arguments.get(port.name), str)]
    return sorted((*typed, *left), key=lambda port: (not port.required, not (port.choices or port.offered)))


def _is_handed(step: Step, tool: ToolSpec) -> bool:
    """True where what the words would say is in a file or a result: "put the text of poem.txt on the card"."""
    if all(port.type in INLINE for port in tool.inputs if port.required):
        return False  # there the file is what is worked on
    needed = (step.arguments.get(port.name) for port in tool.inputs if port.required and port.type in INLINE)
    return any(isinstance(value, FromResource | FromNode) for value in needed)
