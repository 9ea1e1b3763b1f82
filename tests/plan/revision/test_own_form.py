"""A file that has a form is not made into it; pages that are named are kept as a file of their own."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.own_form import with_own_form
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Question, Request, Solution, Step
from nodes import load_tools

GRAPH = ToolGraph(from_tools(load_tools().tools))
REPORT = FromResource("report.pdf")
PAGES = Step("pages", "pdf_pages", {"file": REPORT})
CONVERT = Step("convert", "convert_document", {"file": REPORT, "format": "pdf"})
AFTER = Step("convert", "convert_document", {"file": FromNode("pages", "file"), "format": "pdf"})


def planned(text, *steps, name="report.pdf"):
    asked = (Question("Which pages?", "text", step="pages", port="pages"), Question("Not sure.", "confirm"))
    solution = Solution("", "", 0.3, steps, ((steps[-1].id, "file"),), asked[: PAGES in steps])
    return with_own_form(Plan((solution,), asked[1:]), Request(text, (Given(name, "file"),)), GRAPH)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Give me page 2 as its own pdf", "2"), ("give me the third page as a separate pdf", "3"),
        ("What is the second page about? Give me that page as its own pdf", "2"),
        ("Gib mir die zweite Seite als eigenes PDF", "2"), ("Donne-moi la deuxième page dans un pdf séparé", "2"),
        ("Dame la página 2 como pdf aparte", "2"), ("把第2页单独存成一个pdf", "2"),
    ],
)  # fmt: skip
def test_pages_as_a_pdf_of_their_own_are_kept_and_nothing_is_converted(text, said):
    for plan in (
        planned(text, CONVERT), planned(text, PAGES), planned(text, PAGES, AFTER),
        planned(text, Step("convert", "convert_document", {"file": REPORT})),
    ):  # fmt: skip
        (step,) = plan.solutions[0].steps
        assert step.tool == "pdf_pages" and step.arguments == {"file": REPORT, "pages": said}
        assert plan.solutions[0].wanted == ((step.id, "file"),)
        assert not plan.questions and not plan.solutions[0].questions


def test_another_form_is_made_and_a_page_waits_where_none_is_named():
    word = Step("convert", "convert_document", {"file": FromNode("pages", "file"), "format": "docx"})
    assert [one.tool for one in planned("page 2 as docx", PAGES, word).solutions[0].steps] == [PAGES.tool, word.tool]
    letter = Step("convert", "convert_document", {"file": FromResource("letter.docx"), "format": "pdf"})
    assert planned("page 2 as a pdf", letter, name="letter.docx").solutions[0].steps == (letter,)
    assert planned("some pages as a pdf", PAGES).solutions[0].questions
    assert planned("convert it to pdf", CONVERT).solutions[0].steps == (CONVERT,)


def test_what_took_the_file_in_its_own_form_takes_what_was_made_before():
    last = Step("turn", "turn_pages", {"file": FromNode("convert", "file")})
    pages, turn = planned("page 2 as a pdf, turned", PAGES, AFTER, last).solutions[0].steps
    assert (pages.tool, turn.arguments) == ("pdf_pages", {"file": FromNode("pages", "file")})
