"""Show a table as a web page."""

from __future__ import annotations

from typing import Any

from nodes._support.tables import tables
from nodes._support.web import pages
from nodes.api import Html, NodeError, Port, ResourceType, TableValue, Text, tool

_MOST_CELLS = 1_000_000


@tool(
    id="table_page",
    title="Table page",
    domain="web",
    description="Shows a table as a web page.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("title", ResourceType.TEXT, "the title of the page", default=""),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=("Show sales.csv as a web page", 'Make an HTML table page with the title "Prices" from prices.csv'),
    words=("html table", "table as html", "publish the table"),
    icon="table",
)
def table_page(table: TableValue, title: Text = "") -> Html:
    """Columns of numbers are aligned right; empty cells stay empty; wide tables scroll sideways.

    Raises NodeError for a table without columns, or of more than a million cells.
    """
    if not table.columns:
        raise NodeError("The table has no columns.", "table", "Give a table with a line of column names.")
    if len(table.rows) * len(table.columns) > _MOST_CELLS:
        raise NodeError("The table has more than a million cells.", "table", "Filter it, or keep its top rows.")
    columns = [
        {"name": name, "numeric": tables.is_numeric(tables.cells(table, i))} for i, name in enumerate(table.columns)
    ]
    rows = [[_shown(cell) for cell in row] for row in table.rows]
    note = "1 row" if len(rows) == 1 else f"{len(rows):,} rows"
    words = " ".join(str(name) for name in table.columns)
    named = " ".join(title.split())
    return pages.page(
        "table.html", named or "Table", words, bool(named), columns=columns, rows=rows, note=note, wide=True
    )


def _shown(cell: Any) -> str:
    if tables.is_empty(cell):
        return ""
    return tables.shown(cell, 12) if isinstance(cell, float) and abs(cell) != float("inf") else str(cell)
