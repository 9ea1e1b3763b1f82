"""Which pages a request names, in figures, words and Chinese."""

from __future__ import annotations

import pytest

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.page_list import pages
from desktop_app.plan.types import PortSpec


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pages 1, 3-5 and 8", "1, 3-5, 8"),
        ("page 4 to 7", "4-7"),
        ("only page two", "2"),
        ("from page twelve on", "12-"),
        ("Seite drei und fünf", "3, 5"),
        ("die ersten drei Seiten", "1-3"),
        ("de la page sept à la neuf", "7-9"),
        ("las páginas dos y cuatro", "2, 4"),
        ("第二页", "2"),
        ("第3页到第5页", "3-5"),
        ("第十二页", "12"),
        ("前三页", "1-3"),
        ("the last page", "last"),
    ],
)
def test_pages_are_read_in_figures(text, value):
    said = pages(PortSpec("pages", "text"), Clause.of(text))
    assert said is not None and said.value == value


@pytest.mark.parametrize("text", ["pages and more", "page a", "a page for seven people"])
def test_no_number_is_no_page(text):
    assert pages(PortSpec("pages", "text"), Clause.of(text)) is None
