"""Questions about a table that are answered without a model, in five languages; and those that are not."""

from __future__ import annotations

import pytest

from nodes._support.table_answers import answer
from nodes.api import NodeError, Table
from nodes.text.ask_table import by_words

MONTHS = Table(("month", "sales"), (("May", "1720"), ("June", 2140), ("July", "980"), ("August", "1,480")))
FEES = Table(("name", "fee", "paid"), (("Anna Berg", 40, "yes"), ("Tom Fisher", 40, "no"), ("Omar Said", 30, "no")))
SPENT = Table(
    ("date", "shop", "item", "amount"),
    (
        ("3 May", "Green Corner", "Coffee", 14.6),
        ("4 May", "Build-It", "Paint", 42.35),
        ("5 May", "Build-It", "Tape", 3),
    ),
)
UMSATZ = Table(("Monat", "Umsatz"), (("Mai", 1720), ("Juni", 2140)))


@pytest.mark.parametrize(
    ("table", "question", "says"),
    [
        (MONTHS, "which month was best", "June (sales: 2140)"),
        (MONTHS, "what was the worst month?", "July (sales: 980)"),
        (MONTHS, "average sales?", "sales: 1580"), (MONTHS, "how much did we sell in May?", "sales: 1720"),
        (MONTHS, "welcher Monat war am besten?", "June (sales: 2140)"),
        (UMSATZ, "Welcher Monat war am stärksten?", "Juni (Umsatz: 2140)"),
        (UMSATZ, "Wie viel Umsatz insgesamt?", "Umsatz: 3860"), (MONTHS, "哪个月销售额最高？", "June (sales: 2140)"),
        (FEES, "who has not paid yet?", "Tom Fisher, Omar Said"),
        (FEES, "Wer hat noch nicht bezahlt?", "Tom Fisher, Omar Said"),
        (FEES, "qui n'a pas encore payé ?", "Tom Fisher, Omar Said"), (FEES, "谁还没有付款？", "Tom Fisher, Omar Said"),
        (FEES, "¿Quién no ha pagado todavía?", "Tom Fisher, Omar Said"), (FEES, "who has paid?", "Anna Berg"),
        (FEES, "how many have paid?", "1"), (FEES, "how much is outstanding?", "fee: 70"),
        (FEES, "what about Anna Berg?", "Anna Berg · 40 · yes"),
        (SPENT, "what did we pay altogether, and where?", "amount: 59.95\nBuild-It: 45.35\nGreen Corner: 14.6"),
        (SPENT, "combien avons-nous dépensé en tout ?", "amount: 59.95"),
        (SPENT, "¿Cuánto gastamos en total y dónde?", "amount: 59.95\nBuild-It: 45.35\nGreen Corner: 14.6"),
        (SPENT, "how much did we spend at Build-It?", "amount: 45.35"), (SPENT, "when did we buy paint?", "4 May"),
    ],
)  # fmt: skip
def test_plain_questions_are_answered_from_the_cells(table, question, says):
    assert answer(table, question) == says


@pytest.mark.parametrize("question", ["what is the meaning of it all?", "why did it rain", "compare these"])
def test_other_questions_ask_for_a_model_and_name_the_columns(question):
    with pytest.raises(NodeError) as raised:
        by_words(MONTHS, question)
    assert raised.value.port == "question" and "month, sales" in raised.value.fix
