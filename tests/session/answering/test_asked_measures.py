"""Which cells of a table of measures a request asks for."""

import pytest

from desktop_app.session.answering.asked_measures import asked_measures

NAMES = ("column", "kind", "sum", "mean")
ROWS = (("region", "text", None, None), ("revenue", "number", 6800, 1133.3), ("units", "number", 151, 25.2))


@pytest.mark.parametrize(
    ("request_text", "cells"),
    [
        ("the sum of the second column", [("revenue", "sum", 6800)]),
        ("add up the last column", [("units", "sum", 151)]),
        ("the total of the first column", [("region", "sum", None)]),
        ("average revenue please", [("revenue", "mean", 1133.3)]),
        ("what do all columns sum up to", [("revenue", "sum", 6800), ("units", "sum", 151)]),
        ("第二列的总和", [("revenue", "sum", 6800)]),
        ("Summe und Durchschnitt von units", [("units", "sum", 151), ("units", "mean", 25.2)]),
        ("statistics of the table", []),
    ],
)
def test_measures_are_those_named_of_the_columns_named(request_text, cells):
    found = asked_measures(request_text, NAMES, ROWS)
    assert [(one.column, one.measure, one.value) for one in found] == cells


def test_another_table_has_none():
    assert asked_measures("the sum of it", ("fact", "sum"), (("width", 3),)) == ()
