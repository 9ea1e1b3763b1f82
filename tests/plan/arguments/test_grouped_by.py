""" "Per month", "je Abteilung": what rows are grouped by, for the port that takes stretches of time."""

from __future__ import annotations

import pytest

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quoted_text import columns
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools

TOOLS = {spec.id: spec for spec in from_tools(load_tools().tools)}


def said(tool, text):
    spec = TOOLS[tool]
    found = [columns(port, spec, Clause.of(text)) for port in spec.inputs]
    return {one.port: one.value for one in found if one is not None}


@pytest.mark.parametrize(("tool", "text", "values"), [
    ("group_table", "sum of the amounts by month", {"by": "month"}),
    ("group_table", "average salary per department", {"by": "department"}),
    ("group_table", "the total for each day of the week", {"by": "day of the week"}),
    ("group_table", "Umsatz je Monat", {"by": "Monat"}),
    ("group_table", "regroupe par code postal", {"by": "code postal"}),
    ("group_table", "按月份汇总金额", {"by": "月份"}),
    ("group_table", "每个部门有多少人", {"by": "部门"}),
    ("group_table", "how many by gizmo", {"by": "gizmo"}),
    ("group_table", "group the column points by city", {"by": "city", "column": "points"}),
    ("chart", "bar chart of the sales per city", {"names": "city"}),
    ("chart", "a chart by Ann", {}),
    ("sort_table", "sort by points", {"column": "points"}),
])  # fmt: skip
def test_what_stands_behind_per_is_what_rows_are_grouped_by(tool, text, values):
    assert said(tool, text) == values
