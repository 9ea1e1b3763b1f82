"""Planning mode "step by step": what is known before a step is chosen, what may be chosen, and how a choice is checked.

After Visual ChatGPT (Wu et al. 2023, section 3): chained names, strict names, results as text, asking back. Whoever
chooses (choosers.py), a choice counts only when it holds here. Must not know how a step is run or shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.core.values import several
from desktop_app.llm.chat import ChatMessage
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.types import Argument, FromResource, Given, Question, Request, Step, ToolSpec

FINISH, ASK, SEARCH = "finish", "ask", "search_tools"
"""What a language model names in place of a tool: it is done, or it has to know something first."""
MOST_WHY = 200
"""Characters of a reason that are kept."""
MOST_PICTURES = 4
"""Pictures of results that a model is shown before a step."""
_NEAR = 84
_PHRASE = re.compile(
    r"[\s,;:(–-]*\bstep[\s-]+by[\s-]+step\b[\s).!]*|[,，、\s]*(?:一步一步(?:地|来)?|逐步(?:地)?)[。！]?", re.I
)
_UNDO = re.compile(
    r"\s*(?:please\s+|no,?\s+)?(?:(?:undo|revert)(?:\s+(?:that|it|this|the last (?:step|one|change)|again))*"
    r"|take\s+(?:that|it|this|the last (?:step|one|change))\s+back|take\s+back\s+(?:that|the last (?:step|one|change)))"
    r"(?:,?\s+please)?\s*[.!]*\s*|\s*(?:请)?(?:撤销|撤回|取消上一步)(?:它|这一步|上一步)?[。！]?\s*",
    re.I,
)


@dataclass(frozen=True)
class StepResult:
    """What a step made: its chained name, its type, and what is known of it (observations.py). `picture` is a small
    one of it as a data: address, for a model that sees; "" where none may be shown.
    """

    name: str
    type: str
    output: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    picture: str = ""


@dataclass(frozen=True)
class Done:
    """A step that was run, with its results, or with what went wrong. Its `step.id` is the node in the graph."""

    step: Step
    results: tuple[StepResult, ...] = ()
    trouble: str = ""

    def names(self, output: str) -> tuple[str, ...]:
        """What it made at an output, by name."""
        return tuple(result.name for result in self.results if result.output == output)


@dataclass(frozen=True)
class Situation:
    """Where things stand before a step is chosen.

    `request` has every resource there is, also those made so far; `facts` tells something of each, by name. `declined`
    are steps that the user did not want or took back. `steps_left` counts this one.
    """

    request: Request
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    done: tuple[Done, ...] = ()
    declined: tuple[Step, ...] = ()
    steps_left: int = 12


@dataclass(frozen=True)
class Use:
    """Run this tool next. `questions` are about inputs that the user has to give first."""

    step: Step
    questions: tuple[Question, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Finish:
    """Nothing is left to do. `results` are the names that answer the request, () for the last ones made.

    `text` is what a model says where no step was needed or possible; beside results it does not count. `note` is what
    the program says in any case. `unfinished`: one can go on, in another way.
    """

    results: tuple[str, ...] = ()
    text: str = ""
    note: str = ""
    unfinished: bool = False


@dataclass(frozen=True)
class Ask:
    """The user has to say something first."""

    question: Question


Decision = Use | Finish | Ask


def wanted_in(text: str) -> bool:
    """True when the request itself asks to be done step by step."""
    return bool(_PHRASE.search(text))


def without_phrase(text: str) -> str:
    """The request without "step by step"; as it is when it says nothing else."""
    return _PHRASE.sub(" ", text).strip() or text


def takes_back(text: str) -> bool:
    """True for "undo that" and the like, with nothing else in it."""
    return bool(_UNDO.fullmatch(text))


def same(one: Step, other: Step) -> bool:
    """True when both use one tool on the same inputs."""
    return one.tool == other.tool and dict(one.arguments) == dict(other.arguments)


# What is shown


def messages(situation: Situation, budget: int, how: str) -> list[ChatMessage]:
    """What a model is told: the rules with `how` to answer, and the situation as one JSON object."""
    request = situation.request
    data: dict[str, Any] = {
        "resources": [_row(row, situation.facts) for row in prompt_context.table(request.resources, 30)],
        "steps": [_told(done) for done in situation.done],
        "steps left": situation.steps_left,
    }
    if situation.declined:
        data["not wanted by the user"] = [_written(step) for step in situation.declined]
    pictures = _pictures(situation, data)
    system, user = prompt_context.messages("step", request, budget, data, how=how)
    return [system, replace(user, images=pictures)]


def _pictures(situation: Situation, told: dict[str, Any]) -> tuple[str, ...]:
    """Pictures of what the last step made; `told` names them in their order."""
    last = situation.done[-1].results[:MOST_PICTURES] if situation.done else ()
    shown = [result for result in last if result.picture]
    if shown:
        told["pictures below show"] = [result.name for result in shown]
    return tuple(result.picture for result in shown)


def conversation(
    situation: Situation, budget: int, how: str, between: Mapping[int, Sequence[ChatMessage]]
) -> list[ChatMessage]:
    """The same for a model that calls functions: the rules and what there was at first, which stay the same from step
    to step; each step as a call with its result; and how things stand now. `between` are further messages that came
    before the step of that number.
    """
    request = situation.request
    made = {result.name for done in situation.done for result in done.results}
    first = replace(request, resources=tuple(given for given in request.resources if given.name not in made))
    rows = [_row(row, situation.facts) for row in prompt_context.table(first.resources, 30)]
    told = prompt_context.messages("step", first, budget, {"resources": rows}, how=how)
    for number, done in enumerate(situation.done):
        told += between.get(number, ())
        id, step = f"step_{number}", _written(done.step)
        call = (id, done.step.tool, json.dumps(step["args"], ensure_ascii=False))
        came = {key: value for key, value in _told(done).items() if key not in step}
        told += [
            ChatMessage("assistant", "", call=call),
            ChatMessage("tool", json.dumps(came, ensure_ascii=False), answers=id),
        ]
    told += between.get(len(situation.done), ())
    now: dict[str, Any] = {"steps left": situation.steps_left}
    if situation.declined:
        now["not wanted by the user"] = [_written(step) for step in situation.declined]
    if situation.done and (poor := _poor(situation.done[-1])):
        now["reflect"] = f"The last step {poor}. Say why in one sentence, then take another way, or finish and say so."
    pictures = _pictures(situation, now)
    return [*told, ChatMessage("user", json.dumps({"now": now}, ensure_ascii=False), pictures)]


def _poor(done: Done) -> str:
    """What is wrong with what a step came to, "" when nothing is."""
    if done.trouble:
        return "failed"
    about = [result.about for result in done.results]
    empty = [one for one in about if one.get("count") == 0 or one.get("value") == 0 or one.get("text") == ""]
    return "found nothing" if about and len(empty) == len(about) else ""


def _row(row: Mapping[str, Any], facts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    about = {key: value for key, value in facts.get(row["name"], {}).items() if key not in ("text", "rows")}
    return {**row, **about}


def _told(done: Done) -> dict[str, Any]:
    if done.trouble:
        return {**_written(done.step), "failed": done.trouble[:400]}
    made = [{"name": r.name, "type": r.type, **r.about} for r in done.results]
    return {**_written(done.step), "results": made}


def _written(step: Step) -> dict[str, Any]:
    return {"tool": step.tool, "args": {port: prompt_context.plain(value) for port, value in step.arguments.items()}}


def schema(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """The JSON schema of a choice among these tools."""
    return {
        "type": "object",
        "properties": {
            "why": {"type": "string"},
            "tool": {"type": "string", "enum": [*(tool.id for tool in tools), FINISH, ASK]},
            "args": {"type": "object"},
        },
        "required": ["tool", "args"],
    }


# What comes back


def read(data: Mapping[str, Any], situation: Situation, tools: Mapping[str, ToolSpec]) -> Decision:
    """The decision in `{"tool", "args", "why"}`. `tools` are all that there are, also those that were not shown.

    Raises BadReply that says all that is wrong with it.
    """
    name, args = data.get("tool"), data.get("args", {})
    if not isinstance(name, str) or not isinstance(args, dict):
        raise BadReply("The choice has to be one object with 'tool' (a name) and 'args' (an object).", "")
    if name == FINISH:
        return _finish(args, situation)
    if name == ASK:
        return _ask(args)
    tool = _tool(name, tools)
    from desktop_app.plan.llm.argument_check import (  # half the planner, not wanted before the first paint
        MOST_FAULTS,
        Checker,
    )

    checker = Checker(situation.request)
    checked = checker.check(tool.id, tool, args, {})
    if checked.faults:
        raise BadReply(" ".join(checked.faults[:MOST_FAULTS]), "")
    step = Step(tool.id, tool.id, checked.arguments)
    _new(step, situation)
    why = data.get("why")
    return Use(
        step,
        tuple(checker.questions(tool.id, tool, checked.arguments)),
        " ".join(why.split())[:MOST_WHY] if isinstance(why, str) else "",
    )


def _tool(name: str, tools: Mapping[str, ToolSpec]) -> ToolSpec:
    from rapidfuzz import fuzz, process

    if name in tools:
        return tools[name]
    plain = {id.replace("_", " "): id for id in tools} | {tool.title.lower(): tool.id for tool in tools.values()}
    near = process.extract(name.lower().replace("_", " "), list(plain), scorer=fuzz.ratio, limit=4)
    if near and near[0][1] >= _NEAR:
        return tools[plain[near[0][0]]]
    ids = dict.fromkeys(plain[found] for found, _, _ in near)
    known = " ".join(prompt_context.described(tools[id], False) for id in ids)
    raise BadReply(f"There is no tool '{name[:80]}'. The nearest are: {known}", "")


def _new(step: Step, situation: Situation) -> None:
    """Raises BadReply when the step was made already, failed, or was not wanted."""
    for done in situation.done:
        if same(done.step, step):
            came = f"it failed: {done.trouble[:200]}" if done.trouble else f"it made {_listed(done)}"
            raise BadReply(f"{step.tool} was run on just that; {came}. Choose what comes next, or {FINISH}.", "")
    if any(same(declined, step) for declined in situation.declined):
        raise BadReply(f"The user does not want {step.tool} on just that. Choose another way, or {FINISH}.", "")


def _listed(done: Done) -> str:
    return ", ".join(result.name for result in done.results) or "nothing"


def _finish(args: Mapping[str, Any], situation: Situation) -> Finish:
    names = args.get("results") or ()
    names = (names,) if isinstance(names, str) else names
    known = {given.name for given in situation.request.resources}
    if not isinstance(names, list | tuple) or any(name not in known for name in names):
        raise BadReply(f"'results' of {FINISH} has to list names of results; there are: {', '.join(known)}.", "")
    text = args.get("text")
    return Finish(tuple(names), text.strip()[:4000] if isinstance(text, str) else "")


def _ask(args: Mapping[str, Any]) -> Ask:
    question, choices = args.get("question"), args.get("choices") or ()
    if not isinstance(question, str) or not question.strip():
        raise BadReply(f"'args' of {ASK} has to hold a 'question'.", "")
    offered = tuple(str(one)[:80] for one in choices)[:6] if isinstance(choices, list) else ()
    return Ask(Question(question.strip()[:500], choices=offered))


# From a plan to single steps


def next_of(steps: Sequence[Step], situation: Situation) -> tuple[Step | None, dict[str, Done]] | None:
    """The first step of a plan that is still to be done, with results of earlier ones put in by name; None in its place
    when all are done; and what was done, by step of the plan. None when the plan leads nowhere: a step of it failed or
    was not wanted.
    """
    at: dict[str, Done] = {}
    for step in steps:
        ready = replace(step, arguments={port: _named(value, at) for port, value in step.arguments.items()})
        if any(same(ready, declined) for declined in situation.declined):
            return None
        done = next((d for d in situation.done if same(d.step, ready)), None)
        if done is None:
            return ready, at
        if done.trouble:
            return None
        at[step.id] = done
    return None, at


def _named(value: Argument, at: Mapping[str, Done]) -> Argument:
    """The argument with what earlier steps made in place of the steps."""
    if isinstance(value, tuple):
        items = [_named(item, at) for item in value]
        return tuple(one for item in items for one in several(item))
    node = getattr(value, "node", None)
    if node is None:
        return value
    names = at[node].names(value.port) if node in at else ()
    return FromResource(names[0]) if len(names) == 1 else tuple(FromResource(name) for name in names)


def given(results: Sequence[StepResult]) -> tuple[Given, ...]:
    """Results as resources of a request."""
    return tuple(Given(result.name, result.type, earlier=True) for result in results)
