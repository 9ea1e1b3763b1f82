"""Conditions that only name a column, as "the bills that are not paid" leaves them, and such as say which rows go: in
five languages, of columns of yes and no, of words in cells and of amounts.
"""

from __future__ import annotations

import pytest

from nodes._support.tables.conditions_said import asked
from nodes.api import NodeError, Table
from nodes.text.filter_table import filter_table

BILLS = Table(("item", "paid", "amount"), (("rent", "yes", 900), ("power", "no", 80), ("water", None, 30)))


@pytest.mark.parametrize(("condition", "items"), [
    ("paid is not", ["power", "water"]),
    ("paid is", ["rent"]),
    ("paid is not and amount > 50", ["power"]),
    ("power", ["power"]),
])  # fmt: skip
def test_a_column_of_yes_and_no_says_itself_what_it_is_compared_with(condition, items):
    assert [row[0] for row in filter_table(BILLS, condition).rows] == items


@pytest.mark.parametrize("condition", ["over 50", "items over 50", "the items > 50", "more than 50"])
def test_a_number_is_compared_with_numbers_and_not_with_the_words_of_the_column_that_is_named(condition):
    assert [row[0] for row in filter_table(BILLS, condition).rows] == ["rent", "power"]


def test_a_million_is_one_of_them():
    towns = Table(("Town", "People"), (("Oslo", 717_000), ("Cairo", 10_100_000)))
    for condition in (
        "over a million",
        "towns over a million",
        "mehr als eine Million",
        "más de un millón",
        "plus d'un million",
    ):
        assert [row[0] for row in filter_table(towns, condition).rows] == ["Cairo"]


@pytest.mark.parametrize("condition", ["amount is not", "item is", "amount >", "item contains"])
def test_a_comparison_with_nothing_is_told(condition):
    with pytest.raises(NodeError) as found:
        filter_table(BILLS, condition)
    assert found.value.port == "condition"


def test_a_question_of_how_many_ends_before_what_is_counted():
    assert asked("Combien d'adhérents ont plus de 60 ans") == ("count", "adhérents ont plus de 60 ans")


def members(*columns: str, yes: str = "yes", no: str = "no") -> Table:
    """Ana and Cleo have paid; Ana and Dan live in Leeds."""
    rows = (("Ana", "Leeds", 120, yes, "1"), ("Ben", "York", 80, no, None),
            ("Cleo", "Hull", 40, yes, ""), ("Dan", "Leeds", 120, no, "7"))  # fmt: skip
    return Table(columns, rows)


TABLES = {
    "en": members("Name", "City", "Fee", "Paid", "Phone"),
    "de": members("Name", "Stadt", "Beitrag", "bezahlt", "Telefon", yes="ja", no="nein"),
    "fr": members("Nom", "Ville", "Cotisation", "Payé", "Téléphone", yes="oui", no="non"),
    "es": members("Nombre", "Ciudad", "Cuota", "Pagado", "Teléfono", yes="sí"),
    "zh": members("姓名", "城市", "会费", "已付款", "电话", yes="是", no="否"),
}


@pytest.mark.parametrize(
    ("language", "condition"),
    [
        ("en", "leave out those who have already paid"), ("en", "all but the ones who paid"), ("en", "unpaid"),
        ("en", "excluding those who already paid"), ("en", "everyone except those who have paid"),
        ("en", "those who still have to pay"), ("en", "not (have already paid)"),
        ("de", "lass die weg, die schon bezahlt haben"), ("de", "ohne die, die schon bezahlt haben"),
        ("de", "alle außer denen, die bezahlt haben"), ("de", "alle, die noch nicht bezahlt haben"),
        ("de", "die noch zahlen müssen"), ("de", "unbezahlt"), ("de", "die bereits bezahlt haben, weglassen"),
        ("fr", "sans ceux qui ont déjà payé"), ("fr", "enlève ceux qui ont déjà payé"), ("fr", "impayé"),
        ("fr", "laisse de côté ceux qui ont payé"), ("fr", "ceux qui n'ont pas encore payé"), ("fr", "non payé"),
        ("es", "sin los que ya han pagado"), ("es", "quita a los que ya pagaron"), ("es", "excepto los que han pagado"),
        ("es", "deja fuera a los que ya han pagado"), ("es", "los que aún no han pagado"),
        ("zh", "去掉已经付款的人"), ("zh", "除了已付款的"), ("zh", "还没付款的"), ("zh", "不要已付款的人"),
    ],
)  # fmt: skip
def test_those_who_have_paid_are_left_out(language, condition):
    assert [row[0] for row in filter_table(TABLES[language], condition).rows] == ["Ben", "Dan"]


@pytest.mark.parametrize(
    ("language", "condition", "names"),
    [
        ("en", "already paid", "Ana Cleo"), ("en", "remove the ones who haven't paid", "Ana Cleo"),
        ("en", "leave out fees over 100", "Ben Cleo"), ("en", "leave out those with a fee over 100", "Ben Cleo"),
        ("en", "leave out those without a phone", "Ana Dan"), ("en", "omit rows with empty phone", "Ana Dan"),
        ("en", "skip everyone from Leeds", "Ben Cleo"), ("en", "everyone but Ben", "Ana Cleo Dan"),
        ("en", "all from Leeds except Dan", "Ana"), ("en", "except those from Leeds who have paid", "Ben Cleo Dan"),
        ("en", "from Leeds but not paid", "Dan"), ("en", "neither from Leeds nor from York", "Cleo"),
        ("en", "leave out the two lowest fees", "Ana Dan"), ("en", "not (fee under 50 or fee over 100)", "Ben"),
        ("en", "everyone who paid", "Ana Cleo"), ("en", "without a phone", "Ben Cleo"),
        ("de", "weder aus Leeds noch aus York", "Cleo"), ("de", "alle bis auf Ben", "Ana Cleo Dan"),
        ("de", "schon bezahlt", "Ana Cleo"), ("fr", "tous sauf Ben", "Ana Cleo Dan"),
        ("es", "todos menos Ben", "Ana Cleo Dan"), ("es", "cuota menos de 100", "Ben Cleo"),
        ("zh", "排除Leeds的", "Ben Cleo"),
    ],
)  # fmt: skip
def test_only_the_rows_that_are_meant_go(language, condition, names):
    assert [row[0] for row in filter_table(TABLES[language], condition).rows] == names.split()


def test_words_for_leaving_out_that_stand_in_a_cell_are_looked_for():
    table = Table(("task", "what"), (("a", "drop the box"), ("b", "skip"), ("c", "unpaid"), ("d", "paid")))
    assert [row[0] for row in filter_table(table, "what contains drop").rows] == ["a"]
    assert [row[0] for row in filter_table(table, "what is skip").rows] == ["b"]
    assert [row[0] for row in filter_table(table, "unpaid").rows] == ["c"]
