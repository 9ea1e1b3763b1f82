"""Replays the recorded replies of tests/data/llm/ through the planner and says whether what comes of them is right.

The replies were written from the request and the list of tools alone, and are never changed to fit the program. A
row's `gold` is scored as in tests/benchmarks/own_requests.py; `values` lists, by "tool.port", what the nodes of that
tool have there, in any order.
"""

from __future__ import annotations

import asyncio
import json
import lzma
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.core.values import several
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.token_usage import Spent, Tally, estimated
from desktop_app.llm.tool_calls import Called
from desktop_app.models.selection import Facts
from desktop_app.plan.batch import request_of, row_of
from desktop_app.plan.llm.argument_check import PART
from desktop_app.plan.modes.step_policies import LanguageStepPolicy
from desktop_app.plan.modes.stepwise import Ask, Done, Situation, StepResult, Use
from desktop_app.plan.planner import PIPELINE, SOLUTIONS, TASK_LIST, Planner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Placed, Plan, Request, Step
from nodes import load_tools
from tests.benchmarks import own_requests

RECORDED = Path(__file__).parent.parent / "data" / "llm" / "requests.jsonl.xz"
MODES = {"plan": SOLUTIONS, "task list": TASK_LIST, "pipeline": PIPELINE}


@dataclass(frozen=True)
class Outcome:
    """What came of one row: whether it is right and if not why; round trips, and tokens by our estimate."""

    row: Mapping[str, Any]
    right: bool
    why: str
    trips: int
    spent: Spent


def rows(held: bool | None = False) -> list[dict[str, Any]]:
    """The recorded rows; those that are held back, those that are not, or (None) all."""
    found = [json.loads(line) for line in lzma.decompress(RECORDED.read_bytes()).decode().splitlines()]
    return [row for row in found if held is None or row["held"] is held]


class Recorded:
    """A chat model that replies as recorded. What depends on what the program found is made of the record: the expert
    of the pipeline finds that solution best which has the tools of the label, and fills in what the row says; of models
    the first is chosen.
    """

    name = "recorded"

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.heard: list[Sequence[ChatMessage]] = []
        self._row = row
        self._replies = [reply for reply in row["replies"] if "expert" not in reply]

    async def stream(self, messages, schema=None):
        self.heard.append(messages)
        kind = next(iter((schema or {}).get("properties", {})), "")
        if kind == "solutions":
            yield json.dumps(self._judged(json.loads(messages[1].text)))
        elif kind == "choices":
            steps = json.loads(messages[1].text)["data"]["steps"]
            chosen = [{"step": s["step"], "id": s["models"][0]["id"], "reason": "the first"} for s in steps]
            yield json.dumps({"choices": chosen})
        else:
            reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            yield reply if isinstance(reply, str) else json.dumps(reply)

    def _judged(self, told: Mapping[str, Any]) -> dict[str, Any]:
        wanted = [graph.nodes for graph in own_requests.accepted(self._row["gold"])]
        fills = next(reply["expert"] for reply in self._row["replies"] if "expert" in reply)
        found = []
        for solution in told["data"]["solutions"]:
            tools = Counter(step["tool"] for step in solution["steps"])
            right = tools in wanted
            near = any((tools & one).total() * 2 > one.total() for one in wanted)
            said = fills if right else []
            score = 5 if right else 3 if near else 2
            found.append({"id": solution["id"], "score": score, "title": "A way", "reason": "It fits.",
                          "arguments": said})  # fmt: skip
        return {"solutions": found}


@cache
def _planner(mode: str) -> Planner:
    facts = Facts(memory_bytes=8 << 30)
    return Planner(lambda: load_tools().tools, "adaptive", None, MODES[mode], lambda: facts)


def replayed(row: Mapping[str, Any]) -> Outcome:
    """One row of any mode."""
    if row["mode"] == "step":
        return stepped(row)
    planner, model, tally = _planner(row["mode"]), Recorded(row), Tally()
    planner._chat = model
    started = time.perf_counter()
    plan = asyncio.run(planner.plan(request(row), tally=tally))
    why = fault(row, plan, row_of(plan, row["id"], started))
    return Outcome(row, not why, why, len(model.heard), tally.spent)


class Calling:
    """A model that calls functions as recorded, and costs what our estimate says."""

    name = "recorded"

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.calls = list(row["replies"])
        self.trips = 0

    async def call(self, messages, functions):
        self.trips += 1
        call = self.calls.pop(0)
        arguments = json.dumps(call["args"], ensure_ascii=False)
        sent = sum(estimated(json.dumps(message.sent, ensure_ascii=False)) for message in messages)
        sent += estimated(json.dumps(list(functions), ensure_ascii=False))
        return Called(call["call"], arguments, "", Spent(sent, estimated(arguments) + 8, True))

    async def stream(self, messages, schema=None):
        raise AssertionError("it calls functions")
        yield ""


def stepped(row: Mapping[str, Any]) -> Outcome:
    """One row of the mode that goes step by step; what each step comes to is in the row."""
    return asyncio.run(_stepped(row))


async def _stepped(row: Mapping[str, Any]) -> Outcome:
    model, tally, asked = Calling(row), Tally(), request(row)
    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    policy = LanguageStepPolicy(model, tuple(tools.values()), _planner("plan").offline, tally)
    done: list[Done] = []
    came = list(row["results"])
    last: Any = None
    while True:
        made = tuple(result for one in done for result in one.results)
        there = (*asked.resources, *(Given(one.name, one.type, earlier=True) for one in made))
        where = Situation(replace(asked, resources=there), done=tuple(done), steps_left=12 - len(done))
        try:
            last = await policy.choose(where)
        except (BadReply, IndexError) as error:
            return Outcome(row, False, f"refused: {error}", model.trips, tally.spent)
        if not isinstance(last, Use):
            break
        if last.questions:
            return Outcome(row, False, f"asks: {last.questions[0].text}", model.trips, tally.spent)
        done.append(_came(replace(last.step, id=f"{last.step.tool}_{len(done)}"), came.pop(0), tools))
    why = _step_fault(row, done, last)
    return Outcome(row, not why, why, model.trips, tally.spent)


def _came(step: Step, told: Mapping[str, Any], tools: Mapping[str, Any]) -> Done:
    if "failed" in told:
        return Done(step, trouble=told["failed"])
    types = {port.name: port.type for port in tools[step.tool].outputs}
    results = [
        StepResult(about["name"], types[output], output, {key: value for key, value in about.items() if key != "name"})
        for output, about in told.items()
    ]
    return Done(step, tuple(results))


def _step_fault(row: Mapping[str, Any], done: Sequence[Done], last: Any) -> str:
    gold = row["gold"]
    if "ask" in gold:
        return "" if isinstance(last, Ask) and not done else "did not ask"
    made = {result.name: one for one in done for result in one.results}
    tools = Counter(one.step.tool for one in done)
    links = Counter(
        (made[item.name].step.tool, one.step.tool)
        for one in done
        for value in one.step.arguments.values()
        for item in several(value)
        if isinstance(item, FromResource) and item.name in made
    )
    found = own_requests.Graph(tools, links)
    if found not in own_requests.accepted(gold):
        return f"did {found}"
    return _wrong_values(gold.get("values", {}), [one.step for one in done])


def request(row: Mapping[str, Any]) -> Request:
    """The request of a row with the graph that is shown; what that has made is there as well."""
    plain = request_of({key: row[key] for key in ("request", "resources", "history") if key in row})
    tools = load_tools().tools
    placed, made = [], []
    for node in row.get("graph", ()):
        arguments = {port: _argument(value, node, row) for port, value in node["args"].items()}
        results = {port: tuple(names) for port, names in node["results"].items()}
        placed.append(Placed(Step(node["id"], node["tool"], arguments), node["state"], results))
        types = {port.name: str(port.type) for port in tools[node["tool"]].outputs}
        made += [Given(name, types[port], earlier=True) for port, names in results.items() for name in names]
    known = {given.name for given in plain.resources} - {given.name for given in made}
    kept = tuple(given for given in plain.resources if given.name in known)
    return Request(plain.text, (*kept, *made), plain.history, tuple(placed), tuple(row.get("ways", ())))


def _argument(value: Any, node: Mapping[str, Any], row: Mapping[str, Any]) -> Any:
    part = PART.fullmatch(value) if isinstance(value, str) else None
    if part is not None:
        return FromNode(part["id"], part["port"])
    return FromResource(value) if value in {one["name"] for one in row["resources"]} else value


def fault(row: Mapping[str, Any], plan: Plan, answer: Mapping[str, Any]) -> str:
    """What is wrong with a plan, "" when nothing."""
    gold = row["gold"]
    if plan.mode == "offline":
        return f"planned offline: {plan.notice}"
    if "command" in gold:
        return "" if plan.command == gold["command"] else f"command {plan.command!r}"
    if "ask" in gold:
        return "" if plan.questions and not plan.solutions else "did not ask"
    if gold.get("left_out") and not plan.left_out:
        return "what is left out is not said"
    verdict = own_requests.judge(row, answer, load_tools().tools)
    if not verdict.right:
        return f"planned {verdict.planned}, not {verdict.best}"
    if any(question["kind"] != "point" for question in answer["questions"]):
        return f"asks: {answer['questions'][0]['text']}"
    return _wrong_values(gold.get("values", {}), plan.solutions[0].steps)


def _wrong_values(wanted: Mapping[str, Sequence[Any]], steps: Sequence[Step]) -> str:
    for place, values in wanted.items():
        tool, _, port = place.partition(".")
        held = Counter(
            str(item.name if isinstance(item, FromResource) else item)
            for step in steps
            if step.tool == tool
            for item in several(step.arguments.get(port, ()))
        )
        if held != Counter(map(str, values)):
            return f"{place} is {sorted(held)}, not {values}"
    return ""
