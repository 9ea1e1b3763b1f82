"""Which plans are the same."""

from __future__ import annotations

import pytest

from desktop_app.plan.ranking.plan_judge import graph_of
from desktop_app.plan.types import Solution, Step


def asking(question: str) -> Solution:
    return Solution("", "", 1.0, (Step("one", "ask_document", {"question": question}),))


@pytest.mark.parametrize(
    ("question", "other", "same"),
    [
        ("What did I pay?", "What did I pay", True),
        ("what did I pay", "What did I pay?", True),
        ("我付了多少？", "我付了多少", True),
        ("What did I pay?", "What did Ann pay?", False),
        (".", "", False),
    ],
)
def test_a_question_without_its_mark_is_no_other_way(question, other, same):
    assert (graph_of(asking(question)) == graph_of(asking(other))) == same
