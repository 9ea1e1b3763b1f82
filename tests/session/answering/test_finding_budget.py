"""What a language model is told of findings: never more than the budget, and always what the question needs."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.llm.token_usage import estimated
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering.finding_budget import AnswerLimits, Finding, told
from desktop_app.storage.resources import Resource
from nodes.api import Box, Label, ResourceType, Table

MONTHS = ("January", "February", "March", "April", "May", "June")
NAMES = tuple(f"{first} {last}" for first in ("Anna", "Ben", "Carla", "Dilan") for last in ("Berg", "Costa", "Ito"))


def finding(value, type, node="n", wanted=True, facets=None):
    return Finding(node, "Tool", "out", Resource(f"{node}.x", type, "0" * 64, ".x", facets or {}), value, (), wanted)


def told_of(request, *found, limits=AnswerLimits(), value_of=None):
    workflow = Workflow(nodes=tuple(Node(f.node, "tool", {"note": "as set"}) for f in found))
    run = Run("r", nodes={f.node: NodeRun("done") for f in found})
    values = {f.resource: f.value for f in found}
    return told(request, workflow, run, {}, found, [], value_of or values.__getitem__, limits)


def tokens_of(data):
    return estimated(json.dumps(data, ensure_ascii=False, default=str))


def sales(rows):
    body = tuple(
        (f"{NAMES[i % 12]} {i}", MONTHS[i % 6], i % 7 + 0.5, f"note {i} " + "x" * (i % 40)) for i in range(rows)
    )
    return Table(("customer", "month", "price", "remark"), body)


def test_long_table_is_told_by_the_row_and_the_column_that_are_asked_for():
    table = sales(20_000)
    data = told_of("What price did Carla Ito 12344 pay?", finding(table, ResourceType.TABLE))
    value = data["findings"][0]["value"]
    assert tokens_of(data) <= 3000 and value["rows in all"] == 20_000
    wanted = next(row for row in table.rows if row[0].endswith(" 12344"))
    assert any(set(wanted[:3]) <= set(row) for row in value["rows"])
    assert value["rows"][0][0] == table.rows[0][0], "and the first rows"
    assert value["totals"]["price"]["sum"] == sum(row[2] for row in table.rows), "and the totals"


def test_many_rows_that_match_are_told_by_their_totals():
    data = told_of("How much came in March?", finding(sales(6000), ResourceType.TABLE), limits=AnswerLimits(900))
    totals = data["findings"][0]["value"]["totals of matching rows"]
    assert totals["rows"] == 1000 and totals["price"]["sum"] == sum(r[2] for r in sales(6000).rows if r[1] == "March")


def test_long_text_is_told_by_the_passage_that_is_asked_for():
    text = " ".join(f"Chapter {i} tells of nothing in particular." for i in range(5000))
    text = text.replace("Chapter 4000 ", "The lighthouse keeper was called Ingrid. Chapter 4000 ")
    data = told_of("What was the keeper of the lighthouse called?", finding(text[:2400], ResourceType.TEXT),
                   value_of=lambda _: text)  # fmt: skip
    assert "called Ingrid" in data["findings"][0]["value"] and tokens_of(data) <= 3000


def test_contents_stay_here_where_the_settings_say_so():
    found = (finding("my secret", ResourceType.TEXT, "a"), finding(sales(3), ResourceType.TABLE, "b"),
             finding(24.0, ResourceType.NUMBER, "c"))  # fmt: skip
    sent = json.dumps(told_of("what?", *found, limits=AnswerLimits(contents=False)))
    assert "secret" not in sent and "Anna" not in sent and "24.0" in sent


def test_plan_and_the_model_that_ran_are_told():
    from nodes.api import Backend, Port, Tool

    tool = Tool("t", "Describe", "image", "Does.", (), (Port("out", ResourceType.TEXT, ""),),
                (Backend("blip", "BLIP large", lambda: None, kind="model"),))  # fmt: skip
    workflow = Workflow(nodes=(Node("a", "t", {"detailed": True}),))
    run = Run("r", nodes={"a": NodeRun("done", backend="blip")})
    data = told("say", workflow, run, {"t": tool}, [], [], lambda _: None, AnswerLimits())
    assert data["plan"] == [{"node": "a", "tool": "Describe", "values": {"detailed": True}, "model": "BLIP large"}]


texts = st.text(st.characters(codec="utf-8"), max_size=400)
cells = st.one_of(st.none(), st.integers(-(10**9), 10**9), st.floats(-1e6, 1e6), texts)


@st.composite
def tables(draw):
    width = draw(st.integers(1, 60))
    row = st.tuples(*[cells] * min(width, 8)).map(lambda r: (r * 8)[:width])
    rows = draw(st.lists(row, max_size=6))
    columns = tuple(f"{draw(st.sampled_from(['', 'total ', 'ж']))}{i}" for i in range(width))
    return Table(columns, tuple(rows * draw(st.integers(1, 40))))


values = st.one_of(
    tables().map(lambda v: (v, ResourceType.TABLE)),
    st.tuples(texts, st.integers(1, 60)).map(lambda v: (v[0] * v[1], ResourceType.TEXT)),
    st.lists(st.builds(Label, texts, st.floats(0, 1)), max_size=200).map(lambda v: (tuple(v), ResourceType.LABELS)),
    st.lists(st.builds(Box, *[st.floats(0, 4000)] * 4, label=texts), max_size=200).map(
        lambda v: (tuple(v), ResourceType.BOXES)
    ),
    st.floats(-1e12, 1e12).map(lambda v: (v, ResourceType.NUMBER)),
)


@settings(max_examples=60, deadline=None)
@given(texts, st.lists(values, max_size=20), st.integers(300, 6000))
def test_budget_is_never_exceeded(request, given_values, budget):
    found = [finding(value, type, f"n{i}", i % 2 == 0) for i, (value, type) in enumerate(given_values)]
    assert tokens_of(told_of(request, *found, limits=AnswerLimits(budget))) <= budget


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 3000), st.data(), st.integers(600, 6000))
def test_needed_cell_is_told(rows, data, budget):
    table = sales(rows)
    index, column = data.draw(st.integers(0, rows - 1)), data.draw(st.sampled_from(("month", "price")))
    found = told_of(
        f"{column} of {table.rows[index][0]}?", finding(table, ResourceType.TABLE), limits=AnswerLimits(budget)
    )
    value = found["findings"][0]["value"]
    place = value["columns"].index(column)
    key = value["columns"].index("customer")
    assert (table.rows[index][0], table.rows[index][table.columns.index(column)]) in [
        (row[key], row[place]) for row in value["rows"]
    ]
