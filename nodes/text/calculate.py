"""Reckon with numbers, amounts in a text, and units of measure."""

from __future__ import annotations

import re

from nodes._support.language.words import given_words
from nodes._support.tables import formulas, tables, units
from nodes.api import Integer, NodeError, Number, Port, ResourceType, Table, Text, tool

_AMOUNT = re.compile(r"-?\d(?:[\d.,' ]*\d)?(?!\d|\s*%)")
_NO_NAME = re.compile(r"\b(?:EUR|USD|GBP|CHF|Euro)\b|[\d.,:=…|*_#$€£¥]+", re.IGNORECASE)


@tool(
    id="calculate",
    title="Calculate",
    domain="text",
    description="Calculates: sums, products, per cent, shares, amounts of a text, and converts units of measure.",
    inputs=(
        Port("formula", ResourceType.TEXT, "what is reckoned, such as 3 * (4 + 5), total plus 10 % tip, 350 F in C",
             said=True, question="What should be calculated?"),
        Port("text", ResourceType.TEXT, "a text with the amounts in it, such as that of a receipt", default=""),
        Port("digits", ResourceType.NUMBER, "digits after the point at most", default=2, minimum=0, maximum=10,
             integer=True, advanced=True),
    ),
    outputs=(
        Port("number", ResourceType.NUMBER, "the result"),
        Port("text", ResourceType.TEXT, "the result with what it was reckoned from"),
    ),
    quality=0.9,
    examples=(
        "The total on the receipt plus 10 % tip",
        "Convert 350 F to Celsius",
        "How much is each of 4 people's share of the bill?",
        "What is 19 % of 249?",
        "5 miles in km",
    ),
    words=("calculator", "reckon", "work out", "tip", "split the bill", "percent of", "convert units", "fahrenheit",
           "miles to kilometres", "plus tax", "per person"),
    icon="sigma",
    result="result",
)  # fmt: skip
def calculate(formula: Text, text: Text = "", digits: Integer = 2) -> tuple[Number, Text]:
    """Numbers, per cent, + - * / and brackets, or words for these in English, German, French, Spanish and Chinese. In a
    text, an amount is called by the words before it on its line; where none is named, the only one is meant, or the
    total. "For each of 4 people" divides. A quantity and another unit converts: cups, pints and gallons are American.

    NodeError naming `formula` for words that are not understood; `text` where it does not tell which amount is meant.
    """
    said = given_words(formula, "formula")
    changed = units.converted(said)
    if changed is not None:
        result = tables.tidy(round(changed.result, digits))
        return float(result), f"{tables.shown(changed.amount, 10)} {changed.unit} = {result} {changed.into}"
    names, amounts = _amounts(text)
    sheet = formulas.Amounts(Table(tuple(names), (tuple(amounts),)))
    found, used = formulas.amount(sheet, said, _implied(names, amounts))
    if found is None:
        raise NodeError("Nothing can be divided by zero.", "formula", "Write another number.")
    result = tables.tidy(round(found, digits))
    shown = ", ".join(f"{names[place]}: {tables.shown(amounts[place], 10)}" for place in used)
    return float(result), f"{' '.join(said.split()).strip(' ?=')}{f' ({shown})' if shown else ''} = {result}"


def _amounts(text: str) -> tuple[list[str], list[float]]:
    """The last number of each line, and what stands before it there."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        numbers = [*_AMOUNT.finditer(line)]
        value = tables.number(numbers[-1].group()) if numbers else None
        if value is not None:
            name = " ".join(_NO_NAME.sub(" ", line[: numbers[-1].start()]).split()).strip(" -%")
            found.setdefault(name or f"amount {len(found) + 1}", value)
    return [*found], [*found.values()]


def _implied(names: list[str], amounts: list[float]) -> int | None:
    """The amount that is meant where none is named: the only one, or the total."""
    if len({*amounts}) == 1:
        return 0
    totals = [place for place, name in enumerate(names) if formulas.is_total(name)]
    return totals[-1] if totals else None
