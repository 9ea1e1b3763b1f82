"""A server that misbehaves in every known way: each ends in a valid plan or in a clear sentence, in all modes."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.errors import BadReply
from desktop_app.plan.llm import experts, graph_reply, subtasks
from desktop_app.plan.tools.tool_graph import ToolGraph
from tests.llm.server import Turn, serving
from tests.llm.world import MODES, REQUEST, SAY, TOOLS, Told, plan, task, tasks, tools_of
from tests.plan.worlds import faults

BROKEN = {
    "half a reply, then silence": [Turn('{"tasks": [{', hang=True)],
    "500": [Turn(status=500)],
    "429 for ever": [Turn(status=429)],
    "401": [Turn(status=401)],
    "a refusal": [Turn(refusal="I may not do that")],
    "200 kB of text": [Turn("x" * 200_000, piece=50_000)],
    "nothing": [Turn("")],
    "prose": [Turn("I would first read the text and then say it.")],
    "wrong types": [Turn('{"tasks": {"0": 1}, "subtasks": "all", "solutions": 7}')],
    "unknown tools": [Turn(json.dumps(tasks(task("levitate", 0, {"height": 3}))))],
    "an empty list": [Turn('{"tasks": [], "subtasks": []}')],
    "JSON without end": [Turn('{"a":' * 15_000, piece=20_000)],
    "null": [Turn("null")],
    "half of the JSON": [Turn(json.dumps(SAY["task list"][0])[:90])],
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_server_leaves_the_offline_plan_and_a_clear_sentence(name, mode):
    with serving(*BROKEN[name]) as (url, _):
        found = plan(url, mode)
    assert found.solutions == plan(None).solutions
    assert found.notice.startswith("The language model") and found.notice.endswith(" Planned offline instead.")
    assert found.notice.removesuffix(" Planned offline instead.")[-1] in ".?" and len(found.notice) < 500


MENDABLE = {
    "429 three times": lambda replies: [Turn(status=429)] * 3 + replies,
    "500 once": lambda replies: [Turn(status=500), *replies],
    "prose around": lambda replies: [Turn(f"Of course! Here {{it}} is:\n{r.text}\nGood luck.") for r in replies],
    "a fence": lambda replies: [Turn(f"Sure:\n```json\n{r.text}\n```") for r in replies],
    "thinking aloud": lambda replies: [Turn(f'<think>{{"tasks": 1}} hm</think>{r.text}') for r in replies],
    "one bad reply": lambda replies: [Turn("no"), *replies],
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", MENDABLE)
def test_what_can_be_mended_is_mended(name, mode):
    with serving(*MENDABLE[name]([Turn(json.dumps(reply)) for reply in SAY[mode]])) as (url, _):
        found = plan(url, mode)
    assert tools_of(found) == ["read_text", "speak"] and not found.notice
    assert found.mode == ("llm" if mode == "solutions" else mode)


@pytest.mark.parametrize("mode", MODES)
def test_server_that_is_not_there_is_named(mode):
    found = plan("http://127.0.0.1:9/v1", mode)
    assert "http://127.0.0.1:9/v1 cannot be reached" in found.notice and found.solutions


@pytest.mark.parametrize("second", [Turn("{", hang=True), Turn(status=500), Turn(refusal="no"), Turn("nonsense")])
def test_fault_of_the_second_call_keeps_what_the_first_one_gave(second):
    with serving(json.dumps(SAY["pipeline"][0]), second) as (url, _):
        found = plan(url, "pipeline")
    assert tools_of(found) == ["read_text", "speak"] and found.mode == "pipeline"
    assert "order in which they were found" in found.notice


# Whatever a model writes ----------------------------------------------------------------------------------------------

GRAPH = ToolGraph(TOOLS)
NAMES = st.sampled_from(
    [*(tool.id for tool in TOOLS), "sign.png", "<resource>-0", "<resource>-1", "<resource>-1.boxes", "<text>-1",
     "<image>-2", "image", "text", "boxes", "mask", "number", "url", "nobody", "", "http://evil.example", "say"]
)  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10) | st.floats() | st.integers(10**300, 10**310) | NAMES
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
PORTS = st.sampled_from([*sorted({port.name for tool in TOOLS for port in tool.inputs}), "other", "image"])
TASKS = st.fixed_dictionaries(
    {"tasks": st.lists(
        st.fixed_dictionaries({
            "task": NAMES, "id": st.integers(0, 3) | ANYTHING, "dep": st.lists(st.integers(-1, 3)) | ANYTHING,
            "args": st.dictionaries(PORTS, ANYTHING, max_size=3) | ANYTHING,
        }), max_size=4)
    | ANYTHING}, optional={"title": ANYTHING, "question": ANYTHING},
)  # fmt: skip
TYPED = st.fixed_dictionaries({"type": NAMES | ANYTHING, "value": NAMES | ANYTHING, "name": NAMES | ANYTHING})
SUBTASKS = st.fixed_dictionaries(
    {"subtasks": st.lists(
        st.fixed_dictionaries({
            "id": st.integers(0, 3) | ANYTHING, "description": NAMES | ANYTHING, "domains": ANYTHING,
            "dependencies": st.lists(st.integers(-1, 3)) | ANYTHING,
            "arguments": st.lists(TYPED, max_size=2) | ANYTHING,
            "returns": st.lists(TYPED, min_size=1, max_size=2) | ANYTHING, "tools": ANYTHING,
        }), max_size=3)
    | ANYTHING}, optional={"question": ANYTHING},
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(TASKS)
def test_any_task_list_is_a_valid_plan_or_a_sentence(data):
    with contextlib.suppress(BadReply):
        found = graph_reply.read(data, REQUEST, GRAPH)
        assert found.solution is None or not faults(found.solution, REQUEST, TOOLS)


@settings(max_examples=100, deadline=None)
@given(SUBTASKS)
def test_any_subtasks_are_valid_plans_or_a_sentence(data):
    found = plan(Told(json.dumps(data), {"solutions": [{"id": 1, "score": 4}]}), "pipeline")
    for solution in found.solutions:
        assert not faults(solution, REQUEST, TOOLS)
    assert found.solutions or found.questions


@settings(max_examples=80, deadline=None)
@given(st.lists(st.fixed_dictionaries({
    "id": st.integers(0, 3) | ANYTHING, "score": ANYTHING, "title": ANYTHING, "reason": ANYTHING,
    "arguments": st.lists(st.fixed_dictionaries({"step": NAMES, "port": PORTS, "value": ANYTHING}), max_size=3),
}), max_size=3) | ANYTHING)  # fmt: skip
def test_any_scores_are_valid_plans_or_a_sentence(data):
    found = plan(Told(SAY["pipeline"][0], json.dumps({"solutions": data})), "pipeline")
    assert tools_of(found)
    for solution in found.solutions:
        assert not faults(solution, REQUEST, TOOLS)


def test_schemas_are_such_as_servers_take():
    for schema in (graph_reply.SCHEMA, subtasks.SCHEMA, experts.SCHEMA):
        json.dumps(schema)
        assert schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"])
