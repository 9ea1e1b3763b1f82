"""What is planned can be given to the tools: every value is one of its input's choices, and within its limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from desktop_app.plan.batch import plan_row
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.offline import OfflinePlanner
from nodes import load_tools
from nodes.api import Port
from tests.benchmarks.blind_requests import LABELS
from tests.plan.worlds import own_planner
from tests.training.marked import is_held, rows

_EACH = 60
"""One in so many of the requests held back is planned."""


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner()


def test_every_value_is_one_that_its_input_takes(planner):
    unfit = []
    for row in [row for row in rows() if is_held(row) and "change" not in row["gold"]][::_EACH]:
        asked = {key: value for key, value in row.items() if key not in (*LABELS, "marked", "before", "takes", "held")}
        for solution in plan_row(planner, asked)["solutions"]:
            unfit += [(row["request"], *fault) for node in solution["nodes"] for fault in _unfit(node)]
    assert unfit == []


def _unfit(node: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    ports = {port.name: port for port in load_tools().tools[node["tool"]].inputs}
    for name, value in node["args"].items():
        if not isinstance(value, (dict, list)) and not _takes(ports[name], value):
            yield node["tool"], name, value


def _takes(port: Port, value: Any) -> bool:
    if port.choices:
        return value in port.choices
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    least, most = (limit if limit is not None else value for limit in (port.minimum, port.maximum))
    return least <= value <= most and not (port.integer and value % 1)
