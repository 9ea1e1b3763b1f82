"""What a request calls the columns of the user's own tables, before the run: their names where it is plain which are
meant, a question where none is, or several.

Knows workflows and the names and words of tables; must not know how tables are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables
from desktop_app.plan.types import PortSpec, Question
from nodes.api import NodeError, Port, ResourceType, Table, Tool
from nodes.phrase import Phrase

_MOST_OFFERED = 12
_COUNT = "count"
_WORD = r"[^\W_]+(?:['’-][^\W_]+)*"
_HAN = "\u3400"
_SHORTEST_CELL = 2
_MOST_WORDS = 500
"""A column of more different cells is not one of kinds."""


@dataclass(frozen=True)
class Header:
    """The names of a table's columns, the words that stand in them, in small letters, the places of numbers, and its
    first rows."""

    names: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    numeric: frozenset[int] = frozenset()
    first: Table = field(default=Table((), ()), compare=False)

    @staticmethod
    def of(value: Table | Path) -> Header:
        """Of a table that was read, or of what a spreadsheet holds. Raises NodeError or ValueError for another file."""
        from nodes._support.tables import sheets, tables  # here: the first window does without

        table = sheets.spreadsheet(value) if isinstance(value, Path) else value
        cells = (
            {str(cell).strip().casefold() for cell in column if isinstance(cell, str)}
            for column in zip(*table.rows, strict=True)
        )
        words = frozenset[str]().union(*(each for each in cells if len(each) <= _MOST_WORDS))
        places = range(len(table.columns))
        numeric = frozenset(place for place in places if tables.is_numeric(tables.cells(table, place)))
        first = Table(table.columns, table.rows[:_MOST_WORDS])
        return Header(tuple(str(name) for name in table.columns), words, numeric, first)


Headers = Mapping[str, Header]
"""By the digest of the file."""
Vectors = Callable[[Any], Any]


def asked(
    workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, wish: str = "", vectors: Vectors | None = None
) -> tuple[Workflow, tuple[Question, ...]]:
    """The workflow with the names of columns for what the request calls them, and a question for each port of which it
    says something else, or nothing where it must. What `wish` names of the rows, and no step has, narrows the step that
    can. `vectors` compares what no list knows; without it nothing does.
    """
    questions = []
    for node, port, header in _ports(workflow, tools, headers):
        workflow = _as_wished(workflow, node, port, header, wish)
        said = workflow.node(node).values.get(port.name)
        if not said and not port.required:
            continue
        meant = _meant(said, port, header, vectors) if isinstance(said, str) and said else None
        meant = meant or _deciding(str(said or wish), port, header)
        if meant is not None:
            workflow = workflow.with_value(node, port.name, meant) if meant != said else workflow
            continue
        missing = Phrase("There is no column “{name}” here. Which one do you mean?", name=said)
        text = missing if said else Phrase(port.question or "Which column?", "docs")
        workflow = workflow.with_value(node, port.name, None) if said else workflow
        questions.append(Question(text, "text", header.names[:_MOST_OFFERED], node, port.name))
    return workflow, tuple(questions)


def refuses(
    workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, values: Mapping[tuple[str, str], Any]
) -> bool:
    """True where one of the values is to be a condition, and is none for the table that comes there: then something
    else is wanted."""
    from nodes._support.tables import conditions

    for (node, port), value in values.items():
        table = rows_into(workflow, tools, headers, node) if port == "condition" else None
        try:
            if table is not None:
                conditions.fitting(table, str(value))
        except NodeError:
            return True
    return False


def rows_into(workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, node: str) -> Table | None:
    """The beginning of the user's own table that comes into a node; None where none is known."""
    links = [link for link in workflow.links_into(node) if link.port == "table"]
    header = _header(workflow, tools, headers, links[0]) if links else None
    return header.first if header is not None and header.first.rows else None


def header_of_result(workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, node: str) -> Header | None:
    """Of the user's own table of which a node made one with the same columns; None where it made another."""
    return _header(workflow, tools, headers, Link(node, "", "", "")) if workflow.find(node) is not None else None


def _as_wished(workflow: Workflow, node: str, port: Port, header: Header, wish: str) -> Workflow:
    """With what the wish says for a port, where the plan says nothing, or what cannot be."""
    values = workflow.node(node).values
    if "month" in port.doc:
        by = _by_named(wish, header, str(values.get(port.name) or ""))
        return workflow.with_value(node, port.name, by) if by else workflow
    if "words in the rows" not in port.doc or values.get(port.name):
        return workflow
    named = _named_rows(wish, header, workflow)
    numbers = "" if named else _numbers_named(wish, port, header, values)
    is_sum = bool(numbers) or (bool(header.numeric) and not _speaks_of_counting(wish))
    counting = next((name for name, value in values.items() if value == _COUNT), "") if is_sum else ""
    # "How many goals" are a sum, and so is "how much did we take"
    workflow = workflow.with_value(node, counting, None) if counting else workflow
    return workflow.with_value(node, port.name, named or numbers) if named or numbers else workflow


def _speaks_of_counting(wish: str) -> bool:
    """True where it asks how many there are, and for nothing said: then the plan's word stands."""
    counted = Phrases((phrase, True) for phrase in tables().choices[_COUNT])
    return not wish or bool(counted.all(read_words(wish)))


def _by_named(wish: str, header: Header, said: str) -> str:
    """The column or stretch of time that the wish names behind "per" or "by"; "" where the plan has one that can be
    grouped by."""
    from desktop_app.plan.arguments.quoted_text import leads
    from nodes._support.tables import columns, dates

    if said and columns.place(said, header.names, columns.unlike) not in header.numeric:
        return ""
    for _, start in leads(wish):
        words = [found.end() for found in re.finditer(rf"[{_HAN}-\u9fff]|{_WORD}", wish[start : start + 60])][:4]
        for end in reversed(words):
            name = wish[start : start + end]
            place = columns.place(name, header.names, columns.unlike)
            if place is not None and place not in header.numeric:
                return header.names[place]
            if place is None and dates.period_of(name):
                return name
    return ""


def _ports(workflow: Workflow, tools: Mapping[str, Tool], headers: Headers) -> Iterator[tuple[str, Port, Header]]:
    """Each port that wants columns of the only table that comes into its node, where that is the user's own."""
    from desktop_app.plan.arguments.marked_text import names_columns  # here: the first window does without

    for node in workflow.nodes:
        tool = tools.get(node.tool)
        links = workflow.links_into(node.id) if tool is not None else ()
        into = [k for k in links if tool and (p := tool.input(k.port)) and p.type is ResourceType.TABLE]
        header = _header(workflow, tools, headers, into[0]) if len(into) == 1 else None
        inputs = sorted(tool.inputs, key=lambda port: "month" not in port.doc) if tool is not None else ()
        for port in inputs if header is not None and header.names else ():
            is_text = (
                port.type is ResourceType.TEXT and not port.choices and not any(k.port == port.name for k in links)
            )
            if is_text and names_columns(PortSpec(port.name, str(port.type), port.doc)):
                yield node.id, port, header or Header()


def _header(workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, link: Link) -> Header | None:
    """Of the user's own table that comes over a link, as it is, opened out of a file, or with but some of its rows."""
    source = workflow.resource(link.source)
    if source is not None:
        return headers.get(source.digest) if link.output == RESOURCE_OUTPUT else None
    tool = tools.get(workflow.node(link.source).tool)
    ports = [port for port in tool.inputs if port.required] if tool is not None else []
    same = [port.name for port in ports if port.type in (ResourceType.TABLE, ResourceType.FILE)]
    is_same = any(port.name == "condition" or "decides" in port.doc for port in ports) or same == ["file"]
    before = [k for k in workflow.links_into(link.source) if k.port in same]
    return _header(workflow, tools, headers, before[0]) if is_same and len(before) == 1 else None


def _meant(said: str, port: Port, header: Header, vectors: Vectors | None) -> str | None:
    """The column's name for what is said of it, or the words as they are where the tool reads them itself: a stretch of
    time, what stands in the cells, several. None for what means no column."""
    from nodes._support.tables import columns, dates  # here: the first window does without

    place = columns.place(said, header.names, vectors or columns.unlike)
    if place is not None:
        return header.names[place]
    if said.strip().casefold() in header.words or ("month" in port.doc and dates.period_of(said)):
        return said
    named = _cell_named(said, header) if "words in the rows" in port.doc else ""
    if named:
        return named
    several = "commas" in port.doc and (said.count(",") or _is_apart(said))
    return said if several else None


def _deciding(said: str, port: Port, header: Header) -> str | None:
    """The only column by which rows can be sorted as is said: "by date", "largest first"."""
    from nodes._support.tables import columns_said, sort_columns

    place = sort_columns.meant(columns_said.Sheet(header.first), said) if "decides" in port.doc else None
    return None if place is None else header.names[place]


def _named_rows(wish: str, header: Header, workflow: Workflow) -> str:
    """The words in the cells that the wish names, and no step does; "" where there are none, or several."""
    has = {str(value).casefold() for node in workflow.nodes for value in node.values.values()}
    word = _cell_named(wish, header)
    return "" if any(word in value for value in has) else word


def _cell_named(text: str, header: Header) -> str:
    """The only words of cells that stand in the text; "" where these are none, several, or a name of a column, too."""
    from nodes._support.tables import columns

    low = f" {' '.join(re.findall(_WORD, text.casefold()))} "
    found = [
        word
        for word in header.words
        if len(word) >= _SHORTEST_CELL and (word in low if word >= _HAN else f" {word} " in low)
        if columns.place(word, header.names, columns.unlike) is None
    ]
    return found[0] if len(found) == 1 else ""


def _numbers_named(wish: str, port: Port, header: Header, values: Mapping[str, Any]) -> str:
    """Of several columns of numbers the one that the wish names - all that it names, where the port takes several -
    beside what rows are grouped by; "" where there is but one to sum up."""
    from nodes._support.tables import columns

    if len(header.numeric) < 2 and _COUNT not in values.values():
        return ""
    said = {columns.beginning(wish[found.start() :]) for found in re.finditer(rf"[{_HAN}-\u9fff]|{_WORD}", wish)}
    named = (name for name in said if name and not name.isdecimal())
    places = {at for name in named if (at := columns.place(name, header.names, columns.unlike)) is not None}
    found = [
        header.names[place] for place in sorted(places & header.numeric) if header.names[place] not in values.values()
    ]
    return ", ".join(found) if "commas" in port.doc or len(found) == 1 else ""


def _is_apart(said: str) -> bool:
    """ "Sales per month": what, and by what."""
    from nodes._support.tables import dates

    return any(entry in said if entry >= _HAN else f" {entry} " in said for entry in dates.listed("spans")["per"])
