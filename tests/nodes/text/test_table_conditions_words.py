"""Rows are kept by what people say of them, in five languages; what is not understood is told."""

from __future__ import annotations

import datetime

import pytest

from nodes.api import NodeError, RunContext, Table
from nodes.text.ask_table import by_words
from nodes.text.filter_table import filter_table
from nodes.text.read_table import read_table
from nodes.text.table_file import table_file

THIS_YEAR = datetime.date.today().year


def born(age: int) -> str:
    """A date of birth of somebody who has been so old for some time."""
    return f"{THIS_YEAR - age - 1}-12-31" if age else f"{THIS_YEAR}-01-01"


MEMBERS = Table(
    ("Name", "Date of birth", "City", "Joined", "Fee", "Phone", "Paid", "Visits"),
    (
        ("Ana", born(76), "Leeds", "2019-03-01", 120, "0113 1", "yes", 5),
        ("Ben", born(38), "York", "2024-06-15", 80, None, "no", 12),
        ("Cleo", born(16), "Hull", "2025-04-20", 40, "", "yes", 3),
        ("Dan", born(65), "Leeds", "2021-05-05", 120, "077", "no", 31),
        ("Eve", born(27), "Bath", "2023-12-31", 95, "078", "yes", 8),
    ),
)
AGES = Table(("Name", "Age", "City"), (("Ana", 75, "Leeds"), ("Ben", 37, "York"), ("Cleo", 16, "Hull")))


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("Who is over 60?", "Ana Dan"), ("older than 60", "Ana Dan"), ("age > 60", "Ana Dan"), ("60+", "Ana Dan"),
        ("Alter über 60", "Ana Dan"), ("älter als 60", "Ana Dan"), ("plus de 60 ans", "Ana Dan"),
        ("mayores de 60", "Ana Dan"), ("60岁以上", "Ana Dan"), ("18 or older", "Ana Ben Dan Eve"),
        ("not older than 40", "Ben Cleo Eve"), ("entre 20 et 40 ans", "Ben Eve"), ("minderjährig", "Cleo"),
        ("未成年", "Cleo"), ("adults from York", "Ben"), ("city is Leeds and over 70", "Ana"),
    ],
)  # fmt: skip
def test_ages_are_reckoned_from_dates_of_birth(condition, names):
    assert [row[0] for row in filter_table(MEMBERS, condition).rows] == names.split()


@pytest.mark.parametrize("condition", ["over 30", "jünger als 20", "au moins 18 ans"])
def test_a_column_of_ages_is_meant_where_there_is_one(condition):
    kept = {"over 30": "Ana Ben", "jünger als 20": "Cleo", "au moins 18 ans": "Ana Ben"}[condition]
    assert [row[0] for row in filter_table(AGES, condition).rows] == kept.split()


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("from Leeds or York", "Ana Ben Dan"),
        ("aus Leeds oder York", "Ana Ben Dan"), ("de Leeds ou York", "Ana Ben Dan"),
        ("来自 Leeds 或 York", "Ana Ben Dan"), ("Leeds, York", "Ana Ben Dan"), ("not from Leeds or York", "Cleo Eve"),
        ("nicht aus Leeds", "Ben Cleo Eve"), ("Stadt ist nicht Leeds", "Ben Cleo Eve"), ("城市是York", "Ben"),
        ("phone missing", "Ben Cleo"), ("without a phone number", "Ben Cleo"), ("Telefon ist leer", "Ben Cleo"),
        ("sans téléphone", "Ben Cleo"), ("teléfono vacío", "Ben Cleo"), ("电话为空", "Ben Cleo"),
        ("with a phone", "Ana Dan Eve"), ("phone is not empty", "Ana Dan Eve"), ("ohne Lücken", "Ana Dan Eve"),
        ("have not paid", "Ben Dan"), ("nicht bezahlt", "Ben Dan"), ("who paid", "Ana Cleo Eve"),
        ("Name enthält an", "Dan"), ("nom commence par E", "Eve"),
    ],
)  # fmt: skip
def test_what_stands_in_cells_is_said_in_words(condition, names):
    assert {row[0] for row in filter_table(MEMBERS, condition).rows} >= {*names.split()}
    if condition != "Name enthält an":
        assert [row[0] for row in filter_table(MEMBERS, condition).rows] == names.split()


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("born before 1970", "Ana Dan"), ("geboren vor 1970", "Ana Dan"), ("nés avant 1970", "Ana Dan"),
        ("beigetreten 2024", "Ben"), ("vor Mai 2021 beigetreten", "Ana"), ("joined after 2022", "Ben Cleo Eve"),
        ("fee over 90 or under 50", "Ana Cleo Dan Eve"), ("Beitrag zwischen 50 und 100", "Ben Eve"),
        ("cotisation supérieure à 90", "Ana Dan Eve"), ("cuota mayor que 90", "Ana Dan Eve"),
        ("会费大于90", "Ana Dan Eve"), ("Beitrag größer als 90 und Stadt ist Leeds", "Ana Dan"),
        ("more than 10 visits", "Ben Dan"), ("mehr als 10 Besuche", "Ben Dan"), ("at least 100 euros", "Ana Dan"),
    ],
)  # fmt: skip
def test_dates_and_numbers_are_compared_by_the_column_that_is_spoken_of(condition, names):
    if "1970" in condition and THIS_YEAR - 66 >= 1970:
        condition = condition.replace("1970", str(THIS_YEAR - 50))
    assert [row[0] for row in filter_table(MEMBERS, condition).rows] == names.split()


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("the two oldest", "Ana Dan"), ("die zwei ältesten", "Ana Dan"), ("les 2 plus âgés", "Ana Dan"),
        ("los dos más jóvenes", "Cleo Eve"), ("最年长的两个", "Ana Dan"), ("top 3 visits", "Dan Ben Eve"),
        ("the two newest", "Cleo Ben"), ("die drei höchsten Beiträge", "Ana Dan Eve"),
        ("the oldest one from Leeds", "Ana"),
    ],
)  # fmt: skip
def test_so_many_of_the_largest_come_in_their_order(condition, names):
    assert [row[0] for row in filter_table(MEMBERS, condition).rows] == names.split()


@pytest.mark.parametrize("condition", ["more than 5 stars", "weight over 5", "from Paris", "prettiest", "über 5 kg"])
def test_what_is_not_understood_keeps_no_rows_by_chance(condition):
    with pytest.raises(NodeError) as found:
        filter_table(MEMBERS, condition)
    assert found.value.port == "condition" and "Visits" in str(found.value.fix)


def test_rows_of_a_spreadsheet_are_kept_by_age(tmp_path):
    made = table_file(MEMBERS, "xlsx", context=RunContext(tmp_path))
    assert [row[0] for row in filter_table(read_table(made), "under 30").rows] == ["Cleo", "Eve"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is over 60?", "Ana, Dan"), ("How many members are over 60?", "2"), ("Wer ist älter als 60?", "Ana, Dan"),
        ("Qui a plus de 60 ans ?", "Ana, Dan"), ("谁超过60岁？", "Ana, Dan"), ("¿Quién vive en Leeds?", "Ana, Dan"),
        ("How many have no phone?", "2"), ("Who are the two oldest?", "Ana, Dan"), ("How many members?", "5"),
        ("How many visits?", "Visits: 59"), ("Who is over 90?", "0"),
    ],
)  # fmt: skip
def test_questions_after_rows_are_answered_with_those_that_fit(question, answer):
    assert by_words(MEMBERS, question) == answer
