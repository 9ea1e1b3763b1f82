"""What is composed for the planner's training is labelled as it is worded."""

from __future__ import annotations

import pytest

from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from tests.training.branches import Branches
from tests.training.marked import plain, wishes_of
from tests.training.several_files import SeveralFiles

TOOLS = {tool.id: tool for tool in from_tools(load_tools().tools)}


@pytest.mark.parametrize("maker", [SeveralFiles, Branches])
def test_rows_say_what_their_labels_say(maker):
    rows = maker(TOOLS, 5)
    for _ in range(200):
        row = rows.row()
        names = {file["name"] for file in row["resources"]}
        stretches = wishes_of(row)
        assert plain(row["marked"]) == row["request"] and not {*"⟦⟧«»"} & {*row["request"]}
        assert [ids for _, _, ids in stretches] == [(tool,) for tool in row["gold"]["nodes"]]
        assert len(row["takes"]) == len(stretches)
        for (_, _, (tool,)), taken in zip(stretches, row["takes"], strict=True):
            assert {*taken} <= {port.name for port in TOOLS[tool].inputs}
            assert {name for files in taken.values() for name in files} <= names
        assert all(one in row["gold"]["nodes"] and other in row["gold"]["nodes"] for one, other in row["gold"]["links"])


def test_the_same_seed_gives_the_same_rows():
    one, other = SeveralFiles(TOOLS, 3), SeveralFiles(TOOLS, 3)
    assert [one.row() for _ in range(5)] == [other.row() for _ in range(5)]
