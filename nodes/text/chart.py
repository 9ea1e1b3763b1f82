"""Draw a table as a bar, line, scatter or pie chart."""

from __future__ import annotations

import itertools
import re
from typing import Any

from nodes._support.imaging.pixels import colour_of
from nodes._support.tables import chart_plot, columns, dates, grouping, tables
from nodes._support.tables.chart_plot import Series, Sheet
from nodes.api import Image, Integer, NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool

_MOST = {"bar": 60, "line": 5000, "scatter": 20_000, "pie": 5000}
_SLICES = 8


@tool(
    id="chart",
    title="Chart",
    domain="text",
    description="Draws a table as a chart: bars, lines, dots or a pie.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table to draw"),
        Port("kind", ResourceType.TEXT, "the kind of chart", default="auto",
             choices=("auto", "bar", "line", "pie", "scatter"), question="Which kind of chart should it be?"),
        Port("values", ResourceType.TEXT, "the columns to draw, apart by commas, or words in the rows to draw; empty "
             "draws those with numbers", default=""),
        Port("names", ResourceType.TEXT, "the column, or day, weekday, week, month, quarter or year, that names the "
             "rows; empty takes the first one with text", default=""),
        Port("measure", ResourceType.TEXT, "what is drawn of rows with the same name", default="sum",
             choices=tuple(grouping.MEASURES), question="What should be taken of rows that belong together?"),
        Port("title", ResourceType.TEXT, "a title above", default=""),
        Port("colour", ResourceType.TEXT, "of the bars, lines, dots or slices, or several apart by commas; empty gives "
             "the usual ones", default=""),
        Port("width", ResourceType.NUMBER, "width", default=960, minimum=200, maximum=4000, integer=True, unit="px",
             advanced=True),
        Port("height", ResourceType.NUMBER, "height", default=720, minimum=150, maximum=4000, integer=True, unit="px",
             advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the chart"),),
    backend="pillow",
    backend_title="Pillow",
    quality=0.7,
    examples=(
        "Draw a bar chart of sales.csv",
        "Make a pie chart from this table",
        "Plot the temperatures in weather.csv as a line chart",
        "Bar chart of sales.csv with green bars",
    ),
    words=("graph of the data", "plot", "diagram", "histogram", "visualise the table", "pie chart", "line chart"),
    icon="chart-bar",
)  # fmt: skip
def chart(
    table: TableValue, kind: Text = "auto", values: Text = "", names: Text = "", measure: Text = "sum",
    title: Text = "", colour: Text = "", width: Integer = 960, height: Integer = 720,
) -> Image:  # fmt: skip
    """uint8 (height, width, 3) on white. Up to eight columns are drawn, each in its colour: `colour` tells those of
    the first ones.

    With `names`, rows of the same name become one, by `measure`; a stretch of time groups by the column of dates.
    `values` that stand in the cells of a column, and name none, take these rows only.
    "auto": lines when the rows are named by dates or years, else bars. Bars begin at zero. A pie shows the first
    column of values, its smallest slices joined to "Other"; scatter has the first number column along the lower edge.
    Raises NodeError when no column holds numbers, or there are more rows than the kind can show.
    """
    tables.checked(table)
    if kind != "scatter":
        table, values, names = _summed_up(table, values, names, measure)
    chosen = _value_columns(table, values, names)
    if not values.strip() and kind != "scatter":
        chosen = _of_one_scale(table, chosen)
    naming = _name_column(table, names, chosen)
    kind = _kind(table, naming, len(table.rows)) if kind == "auto" else kind
    if len(table.rows) > _MOST[kind]:
        raise NodeError(
            Phrase(
                "{count} rows are too many for a {kind} chart; {most} is the most.",
                count=f"{len(table.rows):,}",
                kind=Phrase(kind, "choices"),
                most=f"{_MOST[kind]:,}",
            ),
            "table",
            "Sort the table and keep its top rows, or draw a line chart.",
        )
    labels = [_name(row[naming]) if naming is not None else str(i) for i, row in enumerate(table.rows, 1)]
    series = [_series(table, place) for place in chosen[: len(chart_plot.COLOURS)]]
    wished = [colour_of(part) for part in tables.listed(colour)]
    sheet = Sheet(width, height, chart_plot.palette(wished, kind == "pie"))
    if kind == "pie":
        _draw_pie(sheet, title, labels, series[0])
    elif kind == "scatter":
        _draw_scatter(sheet, title, table, chosen, series)
    else:
        _draw_axes(sheet, title, kind, labels, series)
    return sheet.array()


def _summed_up(table: Table, values: str, names: str, measure: str) -> tuple[Table, str, str]:
    """The table with one row for each name, and the columns of it to draw and to name rows; all as it is where no name
    comes twice. "sales per month" for the values says both. Raises NodeError."""
    if not names.strip():
        values, names = _said_apart(table, values)
    kept, values = grouping.narrowed(table, values)
    names = names if names.strip() or measure != "count" else _first_repeated(kept)
    if not names.strip() or (measure == "sum" and not dates.period_of(names) and not _repeats(kept, names)):
        return kept, values, names
    parts = [part for part in values.split(",") if part.strip()]
    made = [grouping.grouped(kept, names, part, measure) for part in parts or [""]]
    joined = Table(
        (made[0].columns[0], *(name for one in made for name in one.columns[1:])),
        tuple(
            (rows[0][0], *(cell for row in rows for cell in row[1:]))
            for rows in zip(*(m.rows for m in made), strict=True)
        ),
    )
    return joined, "", joined.columns[0]


def _said_apart(table: Table, values: str) -> tuple[str, str]:
    """ "Sales per month" as what is drawn and what names it; the words and "" where they say no such thing."""
    if not values.strip() or columns.place(values, [str(name) for name in table.columns]) is not None:
        return values, ""
    for entry in dates.listed("spans")["per"]:
        first, found, second = values.partition(entry if entry >= "\u3400" else f" {entry} ")
        if found and second.strip():
            return first.strip(), second.strip()
    return values, ""


def _repeats(table: Table, names: str) -> bool:
    cells = [str(cell).casefold().strip() for cell in tables.cells(table, tables.column(table, names, "names"))]
    return len(set(cells)) < len(cells)


def _first_repeated(table: Table) -> str:
    """The first column of words that come more than once; "" for none."""
    for name, place in zip(table.columns, range(len(table.columns)), strict=True):
        cells = tables.cells(table, place)
        if not tables.is_numeric(cells) and len({*map(str, cells)}) < len(cells):
            return str(name)
    return ""


def _value_columns(table: Table, values: str, names: str) -> list[int]:
    if values.strip():
        found = [tables.column(table, name, "values") for name in values.split(",") if name.strip()]
        for place in found:
            if not any(tables.number(cell) is not None for cell in tables.cells(table, place)):
                raise NodeError(
                    Phrase('There are no numbers in the column "{columns}".', columns=table.columns[place]),
                    "values",
                    "Choose another.",
                )
        return found
    skipped = tables.column(table, names, "names") if names.strip() else None
    found = [i for i in range(len(table.columns)) if i != skipped and tables.is_numeric(tables.cells(table, i))]
    if len(found) > 1 and skipped is None and _is_axis(table, found[0]):
        found = found[1:]
    if not found:
        raise NodeError("No column of the table holds numbers.", "table", "Give a table with a column of numbers.")
    return found


def _of_one_scale(table: Table, found: list[int]) -> list[int]:
    """The first column and those that can share its axis: no years, and middles within a factor of 30."""
    middles = {}
    for place in found:
        numbers = sorted(abs(n) for cell in tables.cells(table, place) if (n := tables.number(cell)) is not None)
        whole = all(1500 <= n <= 2100 and n == int(n) for n in numbers)
        if not whole or len(found) == 1:
            middles[place] = numbers[len(numbers) // 2] or 1.0
    first = next(iter(middles.values()), 1.0)
    return [place for place, middle in middles.items() if first / 30 <= middle <= first * 30] or found[:1]


def _is_axis(table: Table, place: int) -> bool:
    """True for a first column of years, days or row numbers: it rises steadily in whole numbers."""
    found = [tables.number(cell) for cell in tables.cells(table, place)]
    whole = [value for value in found if value is not None and value == int(value)]
    rises = all(a < b for a, b in itertools.pairwise(whole))
    return place == 0 and len(whole) == len(found) and len(whole) > 1 and rises


def _name_column(table: Table, names: str, chosen: list[int]) -> int | None:
    if names.strip():
        return tables.column(table, names, "names")
    rest = [i for i in range(len(table.columns)) if i not in chosen]
    text = [i for i in rest if not tables.is_numeric(tables.cells(table, i))]
    axis = [i for i in rest if _is_axis(table, i)]
    return (text or axis or [None])[0]


def _kind(table: Table, naming: int | None, rows: int) -> str:
    if naming is None:
        return "bar" if rows <= 30 else "line"
    names = [str(cell) for cell in tables.cells(table, naming)]
    dated = sum(
        bool(re.fullmatch(r"(1[5-9]|20)\d\d(\.0)?|\d{4}-\d\d(-\d\d)?.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}", n))
        for n in names
    )
    return "line" if rows > 60 or (dated >= 0.9 * len(names) and rows > 2) else "bar"


def _name(cell: Any) -> str:
    if tables.is_empty(cell):
        return "–"
    return tables.shown(cell) if isinstance(cell, float) else str(cell)


def _series(table: Table, place: int) -> Series:
    return Series(str(table.columns[place]), [tables.number(cell) for cell in tables.cells(table, place)])


def _draw_axes(sheet: Sheet, title: str, kind: str, labels: list[str], series: list[Series]) -> None:
    found = [value for one in series for value in one.values if value is not None]
    low, high = min(found), max(found)
    if kind == "bar" or 0 <= low < (high - low) * 0.5:
        low, high = min(0.0, low), max(0.0, high)
    title = title or (series[0].name if len(series) == 1 else "")
    top = chart_plot.headed(sheet, title, [one.name for one in series])
    if kind == "bar" and len(series) == 1 and chart_plot.are_long(sheet, labels):
        return chart_plot.flat_bars(sheet, top, labels, series[0])
    frame = chart_plot.framed(
        sheet, top + sheet.size, low, high, below=sheet.size * 3, right=1.5 if kind == "bar" else 3
    )
    return (chart_plot.bars if kind == "bar" else chart_plot.lines)(sheet, frame, labels, series)


def _draw_scatter(sheet: Sheet, title: str, table: Table, chosen: list[int], series: list[Series]) -> None:
    across, rest = series[0], series[1:]
    if not rest:
        others = [i for i in range(len(table.columns)) if i not in chosen and tables.is_numeric(tables.cells(table, i))]
        if not others:
            raise NodeError("Dots need two columns of numbers.", "table", "Draw bars or lines instead.")
        across, rest = _series(table, others[0]), series
    found = [value for one in rest for value in one.values if value is not None]
    named = title or (f"{rest[0].name} by {across.name}" if len(rest) == 1 else "")
    top = chart_plot.headed(sheet, named, [one.name for one in rest])
    frame = chart_plot.framed(sheet, top + sheet.size, min(found), max(found), below=sheet.size * 4.2, right=2.5)
    chart_plot.scatter(sheet, frame, across.values, rest, across.name)


def _draw_pie(sheet: Sheet, title: str, labels: list[str], series: Series) -> None:
    pairs = [(value, name) for name, value in zip(labels, series.values, strict=True) if value]
    if any(value < 0 for value, _ in pairs) or not pairs:
        raise NodeError("A pie needs values above zero.", "table", "Draw bars instead.")
    pairs.sort(key=lambda pair: -pair[0])
    if len(pairs) > _SLICES:
        pairs = [*pairs[: _SLICES - 1], (sum(value for value, _ in pairs[_SLICES - 1 :]), "Other")]
    top = chart_plot.headed(sheet, title or series.name, [])
    chart_plot.pie(sheet, top, [name for _, name in pairs], [value for value, _ in pairs])
