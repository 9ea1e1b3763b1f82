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
        ("the second page", "2"),
        ("give me the third page as a separate pdf", "3"),
        ("the 2nd page", "2"),
        ("the second and the fourth page", "2, 4"),
        ("the first, second and fifth pages", "1, 2, 5"),
        ("die zweite Seite", "2"),
        ("die dritte und vierte Seite", "3, 4"),
        ("die 2. Seite", "2"),
        ("la deuxième page", "2"),
        ("la 3e page", "3"),
        ("la segunda página", "2"),
        ("la tercera y la cuarta página", "3, 4"),
        ("只要第二页", "2"),
        ("Give me page 2 as its own pdf", "2"),
        ("Dame la página 2 como pdf aparte", "2"),
    ],
)
def test_pages_are_read_in_figures(text, value):
    said = pages(PortSpec("pages", "text"), Clause.of(text))
    assert said is not None and said.value == value


@pytest.mark.parametrize(
    "text",
    [
        "pages and more",
        "page a",
        "a page for seven people",
        "the second to last page",
        "the second one",
        "a two page letter",
        "倒数第二页",
    ],
)
def test_no_number_is_no_page(text):
    assert pages(PortSpec("pages", "text"), Clause.of(text)) is None
