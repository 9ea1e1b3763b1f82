"""Doubtful clauses over tools that are known by their texts alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.ranking.doubtful_clauses import checked
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.tools.tool_specs import from_data


def _tool(name: str, description: str) -> dict[str, object]:
    return {"name": name, "description": description, "args": [{"name": "text", "type": "text"}], "returns": []}


INDEX = Index(
    from_data({"tools": [
        _tool("priceLabelPrinter", "Prints a price tag for an article."),
        _tool("inventoryCheck", "How many pieces of an article are in stock."),
        _tool("emailCustomer", "Sends an email to a customer."),
    ]}),
    lexicon(),
)  # fmt: skip
TEXT = "how many mugs are in stock, as I said, and print a price tag"


def _clause(words: str, tool: str, share: float, *others: tuple[str, float]) -> ToolClause:
    start = TEXT.index(words)
    return ToolClause(start, start + len(words), tool, share, others)


STOCK = _clause("how many mugs are in stock", "inventoryCheck", 0.9)
ASIDE = _clause("as I said", "emailCustomer", 0.4)
TAG = _clause("print a price tag", "priceLabelPrinter", 0.9)


def _read(*clauses: ToolClause, links: dict[tuple[int, int], float] | None = None) -> Reading:
    return Reading(clauses, np.zeros((1, 1), np.float32), {}, links or {}, files={len(clauses) - 1: {"a.txt": 0.9}})


def test_an_aside_that_neither_is_sure_of_is_left_out_with_its_links() -> None:
    found = checked(_read(STOCK, ASIDE, TAG, links={(0, 1): 0.3, (0, 2): 0.8, (1, 2): 0.1}), TEXT, INDEX)
    assert found.clauses == (STOCK, TAG)
    assert found.links == {(0, 1): 0.8}
    assert found.files == {1: {"a.txt": 0.9}}


def test_a_doubtful_clause_stays_where_the_lexicon_finds_the_same_tool() -> None:
    doubtful = replace(TAG, probability=0.3)
    assert checked(_read(STOCK, doubtful), TEXT, INDEX).clauses == (STOCK, doubtful)


def test_one_doubtful_clause_alone_stays() -> None:
    assert checked(_read(ASIDE), TEXT, INDEX).clauses == (ASIDE,)


def test_what_sounds_like_no_tools_work_is_done_by_the_tool_whose_texts_say_it() -> None:
    beyond = replace(TAG, tool="", probability=0.5, others=(("priceLabelPrinter", 0.99), ("emailCustomer", 0.01)))
    served = checked(_read(STOCK, beyond), TEXT, INDEX).clauses[1]
    assert (served.tool, served.others) == ("priceLabelPrinter", (("emailCustomer", 0.01),))
    assert 0.7 < served.probability < 0.9


def test_what_no_tools_texts_say_stays_beyond() -> None:
    beyond = replace(ASIDE, tool="", probability=0.5, others=(("emailCustomer", 0.99),))
    assert checked(_read(STOCK, beyond), TEXT, INDEX).clauses == (STOCK, beyond)
