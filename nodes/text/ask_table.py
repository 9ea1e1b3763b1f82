"""Answer a question about a table."""

from __future__ import annotations

import csv
import io

from nodes._support.inference import connected, text_models
from nodes._support.language.words import given_words
from nodes._support.tables import rows_asked, tables
from nodes.api import (
    Family,
    NodeError,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    TableValue,
    Text,
    backend_of,
    tool,
)  # fmt: skip

_MOST_CHARACTERS = 60_000
"""About 20,000 tokens: what models take in with room to spare."""


@tool(
    id="ask_table",
    title="Ask about table",
    domain="text",
    description="Answers a question about what stands in a table.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table that holds the answer"),
        Port(
            "question",
            ResourceType.TEXT,
            "the question about it",
            said=True,
            question="What do you want to know about it?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    families=(connected.CHAT,),
    **connected.ALONE,
    volatile=True,
    examples=(
        "Who in members.csv is over 60?",
        "Which city in the table sales.csv sold the most?",
        "Answer a question about the table: who joined after 2020?",
        "Which day was the hottest in weather.csv?",
    ),
    words=("table question answering", "question about the table", "ask the table", "look up in the table"),
    icon="message-square",
    result="answer",
    does="answers",
)
def ask_table(table: TableValue, question: Text, *, context: RunContext) -> Text:
    """In a sentence or two; the whole table is sent. NodeError for one that is too long to be read by a model."""
    tables.checked(table)
    question = given_words(question, "question")
    sheet = io.StringIO()
    csv.writer(sheet).writerows((table.columns, *table.rows))
    if len(sheet.getvalue()) > _MOST_CHARACTERS:
        raise NodeError(
            Phrase("The table with {n} rows is too long for a language model.", n=f"{len(table.rows):,}"),
            "table",
            "Filter it, or sort it and keep the first rows.",
        )
    order = f"Answer this question from the table alone, in a sentence or two: {question}"
    return connected.write(order, context, sheet.getvalue())


@backend_of(ask_table, id="table-words", title="Words of the question", quality=0.35, exact=True)
def by_words(table: TableValue, question: Text) -> Text:
    """The largest, smallest, sum, mean or number of what is asked about, or the rows that fit, in the table's words.
    How old somebody is rests on what day it is today. Below earlier questions, a line each, the last one is asked of
    the rows that those found, and of their column where it names none.

    Raises NodeError naming `question` where it is of another kind.
    """
    tables.checked(table)
    found = rows_asked.by_words(table, given_words(question, "question"))
    if found is None:
        raise NodeError(
            "The words of this question do not tell what to look for in the table.",
            "question",
            Phrase(
                "Ask for the most, the least, the sum, the average or how many, or connect a language model. "
                "The columns are: {names}.",
                names=", ".join(map(str, table.columns[:12])),
            ),
        )
    return found


@backend_of(ask_table, families=(Family("transformers table question", "ask table"),))
def by_table_reader(table: TableValue, question: Text, *, context: RunContext) -> Text:
    """The answer alone, in small letters, by a model that was taught questions in English on tables (TAPEX, Liu et al.
    2022). NodeError for a table of more rows than it takes in at once.
    """
    table, asked = rows_asked.narrowed(tables.checked(table), given_words(question, "question"))
    rows = [["" if cell is None else str(cell) for cell in row] for row in table.rows]
    return text_models.answer_in_table(list(map(str, table.columns)), rows, asked, context)
