"""Take named facts out of a text into a table."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes._support.language.words import given_words
from nodes.api import NodeError, Port, ResourceType, RunContext, Table, TableValue, Text


@connected.worded(
    id="extract_values",
    title="Extract values",
    description="Takes named facts, such as sender, date and total, out of a text into a table.",
    takes="the text to look through",
    more=(
        Port(
            "columns",
            ResourceType.TEXT,
            "what to take out, separated by commas",
            said=True,
            question="What should be taken out of the text?",
        ),
    ),
    gives=Port("table", ResourceType.TABLE, "a column for each, a row for each thing that was found"),
    chat=connected.CHAT_HELD,
    examples=(
        'Extract "sender, date, total" from invoice.txt',
        'Put "name, phone number" of each person in this text into a table',
    ),
    words=("information extraction", "fields", "fill a table from text", "structured data", "key facts"),
    icon="table",
)
def extract_values(text: Text, columns: Text, *, context: RunContext) -> TableValue:
    """Cells hold what stands in the text, word for word; a cell that does not is empty. NodeError when none does."""
    named, text = connected.listed(columns, "columns"), given_words(text)
    cells = {"type": "object", "properties": {name: {"type": "string"} for name in named}, "required": named}
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": cells}}, "required": ["rows"]}
    order = "Fill a table from the text: a row for each thing it tells of, each cell word for word as it stands there."
    found = connected.structured(order, schema, context, text).get("rows")
    rows = [
        tuple(cell if (cell := str(one.get(name) or "").strip()) in text else "" for name in named)
        for one in (found if isinstance(found, list) else ())
        if isinstance(one, dict)
    ]
    kept = tuple(dict.fromkeys(row for row in rows if any(row)))
    if not kept:
        raise NodeError("Nothing of that stands in the text.", "columns", "Name other things to take out.")
    return Table(tuple(named), kept)
