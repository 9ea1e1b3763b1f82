"""Columns that are reckoned from others, amounts of a text, and units of measure."""

from __future__ import annotations

import datetime

import pytest

from nodes.api import NodeError, RunContext, Table
from nodes.text.add_column import add_column
from nodes.text.calculate import calculate
from nodes.text.read_table import read_table
from nodes.text.table_file import table_file

TODAY = datetime.date.today()
PEOPLE = Table(
    ("First name", "Last name", "Date of birth", "Joined", "Due date", "Price", "Amount", "Cost"),
    (
        ("Ana", "Diaz", f"{TODAY.year - 77}-12-31", f"{TODAY.year - 8}-01-01", str(TODAY), 10, 3, 4),
        ("Ben", "Fox", f"{TODAY.year - 31}-12-31", f"{TODAY.year - 3}-01-01", "2099-01-15", 2.5, 4, None),
    ),
)
AGES = [77 - (TODAY.month < 12 or TODAY.day < 31), 31 - (TODAY.month < 12 or TODAY.day < 31)]


def made(formula):
    table = add_column(PEOPLE, formula)
    return table.columns[-1], [row[-1] for row in table.rows]


@pytest.mark.parametrize(
    ("formula", "cells"),
    [
        ("price * amount", [30, 10]), ("Preis mal Menge", [30, 10]), ("prix fois quantité", [30, 10]),
        ("precio por cantidad", [30, 10]), ("单价乘以数量", [30, 10]),
        ("add a column with price times amount", [30, 10]),
        ("price with 19 % tax", [11.9, 2.97]), ("Preis mit 19 % MwSt", [11.9, 2.97]),
        ("prix avec 20 % de TVA", [12, 3]), ("precio con 20 % de IVA", [12, 3]),
        ("price with 10 % discount", [9, 2.25]),
        ("10 % of price", [1, 0.25]), ("difference between price and cost", [6, None]),
        ("sum of price and cost", [14, 2.5]), ("(price + cost) * amount", [42, None]), ("-price + 2 * 3", [-4, 3.5]),
        ("share of total price", [80, 20]), ("row number", [1, 2]), ('"open"', ["open", "open"]),
        ("first name + last name", ["Ana Diaz", "Ben Fox"]), ("first name and last name", ["Ana Diaz", "Ben Fox"]),
    ],
)  # fmt: skip
def test_a_column_is_reckoned_from_others(formula, cells):
    assert made(formula)[1] == cells


@pytest.mark.parametrize("formula", ["age", "age from date of birth", "Alter aus Geburtsdatum", "âge", "edad", "年龄"])
def test_ages_are_those_of_today(formula):
    assert made(formula)[1] == AGES


@pytest.mark.parametrize(
    "formula",
    ["how long each has been a member", "wie lange jeder Mitglied ist", "depuis combien de temps chacun est membre",
     "cuánto tiempo lleva cada uno de miembro", "会员多久了", "years since joined"],
)  # fmt: skip
def test_how_long_somebody_has_been_there_counts_from_the_day_of_joining(formula):
    assert made(formula) == ("Joined: years", [8, 3])


def test_parts_of_dates_and_the_time_between_two():
    assert made("year of joined")[1] == [TODAY.year - 8, TODAY.year - 3]
    assert made("Wochentag von Joined")[1][0] in [
        "Montag",
        "Dienstag",
        "Mittwoch",
        "Donnerstag",
        "Freitag",
        "Samstag",
        "Sonntag",
    ]
    assert made("days until due date")[1] == [0, (datetime.date(2099, 1, 15) - TODAY).days]
    trips = Table(("from", "to"), (("2025-03-01", "2025-03-08"), ("2025-02-27", "")))
    assert [row[2] for row in add_column(trips, "days between from and to").rows] == [7, None]


def test_the_column_gets_its_name():
    assert made("Total = price * amount")[0] == "Total"
    assert made("add a column with price * amount")[0] == "price * amount"
    assert add_column(PEOPLE, "price * amount", "Sum").columns[-1] == "Sum"
    with pytest.raises(NodeError, match="two columns") as found:
        add_column(PEOPLE, "price * amount", "PRICE")
    assert found.value.port == "name"


@pytest.mark.parametrize(
    ("formula", "told", "fix"),
    [
        ("weight * 2", "“weight” is not understood", "names of columns"),
        ("how pretty they are", "pretty", "names of columns"),
        ("first name * 2", "“First name” has no numbers", "Price, Amount, Cost"),
        ("price and amount", "cannot be read", "Price, Amount, Cost"),
        ("price *", "cannot be read", "Price, Amount, Cost"),
        ("share", "does not say of which column", "Price, Amount, Cost"),
    ],
)
def test_what_is_not_understood_is_told_with_the_columns_there_are(formula, told, fix):
    with pytest.raises(NodeError) as found:
        add_column(PEOPLE, formula)
    assert told in str(found.value) and fix in str(found.value.fix) and found.value.port == "formula"


def test_a_new_column_of_a_file_is_kept_in_a_spreadsheet(tmp_path):
    (tmp_path / "orders.csv").write_text("Artikel;Preis;Menge\nStuhl;49,90;2\nTisch;120,00;1\n", "utf-8")
    table = add_column(read_table(tmp_path / "orders.csv"), "Preis mal Menge plus 19 % MwSt", "Brutto")
    again = read_table(table_file(table, "xlsx", context=RunContext(tmp_path)))
    assert again.columns[-1] == "Brutto" and [row[-1] for row in again.rows] == [118.76, 142.8]


RECEIPT = "Cafe Roma\n2 Pizza 24.00\nWine 12.50\nSubtotal 36.50\nVAT 19 % 6.94\nTotal: EUR 43.44\nThank you"


@pytest.mark.parametrize(
    ("formula", "text", "result"),
    [
        ("the total plus 10 % tip", RECEIPT, 47.78), ("plus 10 % tip", RECEIPT, 47.78),
        ("Gesamtbetrag plus 10 % Trinkgeld", RECEIPT, 47.78), ("how much is each of 4 people's share", RECEIPT, 10.86),
        ("pro Person bei 4 Personen", RECEIPT, 10.86), ("每人多少，4个人", RECEIPT, 10.86),
        ("with 10 % tip, split among 4", RECEIPT, 11.95), ("wine + pizza", RECEIPT, 36.5), ("VAT", RECEIPT, 6.94),
        ("25 % of the total", RECEIPT, 10.86), ("plus 10 %", "The bill was 42 euros", 46.2), ("3 * (4 + 5)", "", 27),
        ("19 % of 249", "", 47.31), ("what is 12 times 7?", "", 84), ("20 % off 80", "", 64),
        ("1,250.50 * 2", "", 2501),
        ("80 split between 4 people", "", 20), ("convert 350 F", "", 176.67), ("350 F in C", "", 176.67),
        ("how many km are 5 miles", "", 8.05), ("100公里等于多少英里", "", 62.14), ("70 kg en libras", "", 154.32),
    ],
)  # fmt: skip
def test_amounts_and_units_are_reckoned_with(formula, text, result):
    number, told = calculate(formula, text)
    assert number == result and told.count("=") == 1


def test_the_amounts_that_were_taken_are_told():
    assert calculate("plus 10 % tip", RECEIPT)[1] == "plus 10 % tip (Total: 43.44) = 47.78"


@pytest.mark.parametrize(
    ("formula", "text", "port"),
    [
        ("200 / 0", "", "formula"), ("hello", "", "formula"), ("plus 5 %", "", "text"),
        ("plus 5 %", "Tea 3\nCake 4", "text"), ("(3 + 4", "", "formula"), ("  ", "", "formula"),
    ],
)  # fmt: skip
def test_what_cannot_be_reckoned_names_its_port(formula, text, port):
    with pytest.raises(NodeError) as found:
        calculate(formula, text)
    assert found.value.port == port and found.value.fix
