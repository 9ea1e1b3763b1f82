"""Keep the rows of a table that fit a condition."""

from __future__ import annotations

from nodes._support.imaging.pixels import SILENT
from nodes._support.tables import conditions, tables
from nodes.api import NodeError, Port, ResourceType, RunContext, Table, TableValue, Text, tool


@tool(
    id="filter_table",
    title="Filter table",
    domain="text",
    description='Keeps only the rows of a table that fit a condition, such as "price > 20" or "older than 60".',
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port(
            "condition",
            ResourceType.TEXT,
            'what the rows must fit, such as "price > 20 and city is Rome"',
            said=True,
            question="Which rows should stay?",
        ),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the rows that fit"),),
    quality=0.8,
    examples=(
        'Keep only the rows where "price > 20"',
        'Filter the table sales.csv by "city is Rome"',
        'Which rows of the table have "name contains Smith"?',
        "Who in members.csv is over 60?",
        "Only the members from Leeds or York",
        "Remove the rows without a phone number",
        "The ten largest orders of the table",
    ),
    words=(
        "where",
        "select rows",
        "only rows",
        "matching rows",
        "older than",
        "younger than",
        "not empty",
        "top ten",
        "rows with gaps",
        "remove empty rows",
    ),
    volatile=True,
    does="filters",
    icon="list-filter",
)
def filter_table(table: TableValue, condition: Text, *, context: RunContext = SILENT) -> TableValue:
    """Comparisons: > >= < <= = != in signs or words, contains, starts with, ends with, between A and B, in A, B,
    is empty; joined by "and" and "or" ("and" binds closer). Text is compared whatever its case, numbers as numbers.
    Of a column of dates a stretch of time may be said alone: "from March on", "first half of the year", "weekends".

    In English, German, French, Spanish and Chinese also: ages, from a column of them or of dates of birth ("over 60",
    "adults"), how long ago a date is ("member for more than 5 years"), what stands in cells ("not from Leeds"), whether
    anything does ("without a phone number", "no gaps"), and so many of the largest, oldest or newest rows. It rests on
    what day it is today.

    No row fitting gives a table without rows. Raises NodeError for a condition that cannot be read.
    """
    tables.checked(table)
    if not isinstance(condition, str) or not condition.strip():
        raise NodeError("There is no condition.", "condition", 'Write one such as "price > 20".')
    return Table(table.columns, conditions.fitting(table, condition.strip(), context.tell))
