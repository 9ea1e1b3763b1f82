"""Questions about what was found last: "how many are there?", "how much do they owe altogether?", "and the average?".

Knows the steps and the words; not the networks.
"""

from __future__ import annotations

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import Insert, Present, SetValues
from desktop_app.plan.tools.tool_graph import ToolGraph, answers_from_tables, main_inputs
from desktop_app.plan.types import FromNode, Step, ToolSpec
from nodes.api import SUMS_UP, Table

_MOST_EARLIER = 6  # chosen: so many questions are kept that narrow the next one
_FIRST_PLACES = 3
"""Among so many words at the beginning a question says what it asks for."""
_AROUND = ("how many", "filler", "them", "found", "onward", "thanks")
_ELLIPTIC = ("measures", "asks", "how many", "filler", "onward", "thanks", "found")


def counted(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | None:
    """ "How many are there?", after things in a picture that were found; "how many words is that?", after a text."""
    made = present.steps[-1]
    output = next(iter(graph.tools[made.tool].outputs), None)
    if not said.has("how many") or output is None:
        return None
    for tool in graph.tools.values():
        if not _counts(tool, output.type):
            continue
        units = fill(tool, [port for port in tool.inputs if port.choices], Clause.of(said.text))
        places = [(place, place) for place in units.places]
        if bool(places) == (output.type == "text") and not said.left(_AROUND, places):
            return Insert(tool.id, units.values, (FromNode(made.id, output.name),))
    return None


def _counts(tool: ToolSpec, type: str) -> bool:
    is_number = [(out.type, out.integer) for out in tool.outputs] == [("number", True)]
    needed = [port.type for port in tool.inputs if port.required]
    return type in ("boxes", "labels", "text") and is_number and needed == [type]


def asked_of_found(graph: ToolGraph, present: Present, said: MessageWords) -> Insert | SetValues | None:
    """A question about the rows of a table that were found last: as a further step, or below the question before."""
    last = present.steps[-1]
    spec = graph.tools[last.tool]
    if present.brought or not (_is_of_found(said) or _goes_on(present, last, spec, said.text)):
        return None
    if answers_from_tables(spec):
        port = _question_of(spec)
        earlier = last.arguments.get(port)
        lines = earlier.splitlines() if isinstance(earlier, str) else []
        return SetValues({(last.id, port): "\n".join([*lines[-_MOST_EARLIER:], said.text])})
    asked = next((tool for tool in graph.tools.values() if answers_from_tables(tool)), None)
    outputs = spec.outputs[:1]
    if asked is None or not outputs or outputs[0].type != "table":
        return None
    return Insert(asked.id, {_question_of(asked): said.text}, (FromNode(last.id, outputs[0].name),))


def asked_of_rows(graph: ToolGraph, present: Present, text: str) -> Insert | None:
    """ "What is the highest price?", after rows that were sorted or kept: asked of these, and no change of the step."""
    if present.brought or not present.steps:
        return None
    last = present.steps[-1]
    spec, asked = (
        graph.tools[last.tool],
        next((tool for tool in graph.tools.values() if answers_from_tables(tool)), None),
    )
    if asked is None or [out.type for out in spec.outputs] != ["table"] or spec.does == SUMS_UP:
        return None
    from nodes._support.tables import table_answers  # here: only a table needs it

    if not table_answers.is_number_question(text):
        return None
    return Insert(asked.id, {_question_of(asked): text}, (FromNode(last.id, spec.outputs[0].name),))


def asks_statistics(graph: ToolGraph, present: Present, found: object) -> bool:
    """Whether a question would be asked of statistics: what is new is asked of the data that they were made of."""
    if not isinstance(found, Insert) or not answers_from_tables(graph.tools[found.tool]):
        return False
    steps = {step.id: step for step in present.steps}
    return any(one.node in steps and graph.tools[steps[one.node].tool].does == SUMS_UP for one in found.after)


def _is_of_found(said: MessageWords) -> bool:
    """True for a question that speaks of what was found, or names nothing of which it might speak else."""
    places = (first for first, _ in said.spans("asks", "how many"))
    asks = any(first < _FIRST_PLACES or said.words[first].text > "\u3400" for first in places)
    if any(first == 0 for first, _ in said.spans("same")):
        return False  # "what about making them red?"
    if asks and said.has("found"):
        return True
    return said.has("measures", "how many") and not said.left(_ELLIPTIC)


def _goes_on(present: Present, last: Step, spec: ToolSpec, text: str) -> bool:
    """Whether it asks what was asked of a table before, of other rows or another column of it: "and in April?"."""
    if not answers_from_tables(spec):
        return False
    from nodes._support.tables import table_answers  # here: only a table needs it

    rows, asked = _rows_used(present), str(last.arguments.get(_question_of(spec), ""))
    return rows is not None and bool(asked) and table_answers.continued(rows, asked, text) is not None


def _rows_used(present: Present) -> Table | None:
    """The beginning of the only table that the steps take."""
    tables = [one.rows for one in present.files if one.rows is not None and one.name in present.used()]
    return tables[0] if len(tables) == 1 else None


def of_other_column(present: Present, text: str) -> SetValues | None:
    """The condition that rows were kept by, of another column: "and in German?"."""
    last = present.steps[-1] if present.steps and not present.brought else None
    said, rows = (last.arguments.get("condition") if last else None), _rows_used(present)
    if last is None or rows is None or not isinstance(said, str):
        return None
    from nodes._support.tables import table_answers  # here: only a table needs it

    meant = table_answers.of_other_column(rows, said, text)
    return None if meant is None else SetValues({(last.id, "condition"): meant})


def _question_of(asked: ToolSpec) -> str:
    return next(port.name for port in main_inputs(asked) if port.type == "text")
