"""Sum up the rows of a table group by group."""

from __future__ import annotations

from nodes._support.language.words import given_words
from nodes._support.tables import grouping, tables
from nodes.api import Port, ResourceType, TableValue, Text, tool


@tool(
    id="group_table",
    title="Group table",
    domain="text",
    description="Puts the rows of a table into groups, by a column or by day, week, month or year, and sums up each.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("by", ResourceType.TEXT, "a column, or day, weekday, week, month, quarter or year", said=True,
             question="By which column, or by day, week, month or year?"),
        Port("column", ResourceType.TEXT, "the column that is summed up, or words in the rows to take; empty takes all "
             "with numbers", default="", said=True),
        Port("measure", ResourceType.TEXT, "what is told of each group", default="sum",
             choices=(*grouping.MEASURES, grouping.MEAN_OF_SUMS),
             question="What should be taken of rows that belong together?"),
    ),
    outputs=(Port("table", ResourceType.TABLE, "one row for each group"),),
    quality=0.9,
    examples=(
        "Sum up expenses.csv by category",
        "Mean temperature per week in weather.csv",
        "How many visitors came each month?",
        "Group the table by city",
    ),
    words=("pivot table", "per month", "per week", "by category", "mean per week", "monthly totals", "subtotals",
           "for each group"),
    does="groups",
    icon="group",
    result="grouped",
)  # fmt: skip
def group_table(table: TableValue, by: Text, column: Text = "", measure: Text = "sum") -> TableValue:
    """Columns: what is grouped by, and each that is summed up under its name ("count" for how many rows there are).
    Times are in order and named 2025-03-01, 2025-W09, 2025-03, 2025-Q1, 2025; other groups stand as they come, whatever
    the case of their letters. Rows without a date, and empty cells, count for nothing.

    "mean of sums" is one row: what the groups come to, in the mean.

    NodeError naming `by` or `column` for a column that is not there, and where no column has dates or numbers.
    """
    return grouping.grouped(tables.checked(table), given_words(by, "by"), column, measure)
