"""A document of all that is written in a picture is of its text."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.all_written import with_all_written
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Question, Request, Solution, Step
from nodes import load_tools

GRAPH = ToolGraph(from_tools(load_tools().tools))
RECEIPT = FromResource("receipt.jpg")
TABLE = Step("table", "picture_to_table", {"image": RECEIPT})
PARTS = Step("parts", "segment_everything", {"image": RECEIPT})
READ = Step("read", "read_text", {"image": RECEIPT})
ASK = Step("ask", "ask_document", {"image": RECEIPT, "question": "the total"})
OF_TABLE = Step("write", "write_document", {"table": FromNode("table", "table"), "format": "docx"})
OF_BOTH = Step("write", "write_document", {"text": FromNode("ask", "text"), "table": FromNode("table", "table")})
EMPTY = Step("write", "write_document", {"format": "docx"})
SAID = (
    "Put everything that's written on the receipt into a word document",
    "Write everything from this receipt into a Word file", "put all the text into a docx",
    "Read the text on the receipt into a Word document",
    "Schreib alles, was auf dem Kassenzettel steht, in ein Word-Dokument",
    "Schreibe alles von diesem Kassenzettel in eine Word-Datei",
    "Mets tout ce qui est écrit sur le ticket dans un document Word",
    "Écris tout ce qu'il y a sur ce ticket dans un fichier Word",
    "Pon todo lo que está escrito en el recibo en un documento de Word",
    "Escribe todo lo de este recibo en un archivo de Word", "把小票上写的所有内容放进一个Word文档",
    "把这张收据上的全部文字写进Word文件",
)  # fmt: skip


def planned(text, *steps):
    asked = (Question("Not sure.", "confirm"),)
    solution = Solution("", "", 0.3, steps, ((steps[-1].id, "file"),))
    plan = Plan((solution,), asked)
    return with_all_written(plan, Request(text, (Given("receipt.jpg", "image"),)), GRAPH)


@pytest.mark.parametrize("text", SAID)
def test_a_document_of_all_that_is_written_is_of_the_text_that_was_read(text):
    for steps in ((TABLE, OF_TABLE), (PARTS, EMPTY), (READ,)):
        plan = planned(text, *steps)
        read, write = plan.solutions[0].steps
        assert (read.tool, read.arguments) == ("read_text", {"image": RECEIPT})
        assert (write.tool, write.arguments) == (
            "write_document",
            {"text": FromNode(read.id, "text"), "format": "docx"},
        )
        assert plan.solutions[0].wanted == ((write.id, "file"),) and not plan.questions


def test_what_is_asked_beside_it_is_answered_for_itself():
    text = "Read the total off the receipt and put everything that's written on it into a word document"
    ask, read, write = planned(text, ASK, TABLE, OF_BOTH).solutions[0].steps
    assert (ask, read.tool, write.arguments) == (ASK, "read_text", {"text": FromNode(read.id, "text")})


@pytest.mark.parametrize(
    "text",
    ["segment everything", "make a table of everything on the receipt and save it as a word file",
     "everything in the picture in black and white", "schneide alles aus"],
)  # fmt: skip
def test_everything_else_stays(text):
    for steps in ((TABLE, OF_TABLE), (PARTS,)):
        assert planned(text, *steps).solutions[0].steps == steps


def test_all_that_is_written_is_no_document_where_none_is_asked_for():
    assert planned("read everything that's written on the receipt", READ).solutions[0].steps == (READ,)
