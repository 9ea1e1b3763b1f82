"""Conditions that say what stands in cells, in any inflection and beside the noun for the rows, and numbers beside no
column: in five languages.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from nodes._support.files import codecs
from nodes._support.tables import workbooks
from nodes.api import NodeError, ResourceType, RunContext, Table
from nodes.text.ask_table import by_words
from nodes.text.filter_table import filter_table
from nodes.text.sort_table import sort_table

BILLS = Table(
    ("Nummer", "Kunde", "Betrag", "Datum", "Status"),
    (
        ("R1", "Krüger", "1.180,00", "03.02.2025", "offen"),
        ("R2", "Wolf", "420,50", "11.02.2025", "bezahlt"),
        ("R3", "Blum", "96,30", "20.01.2025", "offen"),
    ),
)
PAID = Table(
    ("no", "client", "amount", "paid"),
    ((1001, "Hill", 820, "yes"), (1002, "Diaz", 145.5, "no"), (1003, "Oak", 1310, "no"), (1004, "Hill", 64, "yes")),
)
SALES = Table(
    ("date", "region", "product", "units", "amount"),
    (
        ("2025-01-05", "North", "Desk", 3, 750),
        ("2025-01-09", "South", "Lamp", 10, 420),
        ("2025-02-11", "North", "Chair", 12, 1440),
        ("2025-02-17", "East", "Desk", 4, 1000),
    ),
)
ORDERS = Table(
    ("Pedido", "Cliente", "Importe", "Estado"),
    (("P1", "Lola", 45, "pendiente"), ("P2", "Iván", 130, "entregado"), ("P3", "Eva", 80, "pendiente"),
     ("P4", "Lola", 22, "cancelado")),
)  # fmt: skip
CHINESE = Table(
    ("订单号", "地区", "金额", "状态"),
    (("A1", "华东", 320, "已付款"), ("A2", "华北", 980, "未付款"), ("A3", "华东", 150, "未付款")),
)
BILLED = Table(("Facture", "Client", "Montant", "Payé"), (("F1", "Roux", 90, "oui"), ("F2", "Petit", 40, "non")))
TASKS = Table(
    ("Task", "Owner", "Priority", "Done"),
    (("report", "Kim", "high", "yes"), ("bank", "Lee", "low", "no"), ("hall", "Kim", "medium", "no"),
     ("paper", "Max", "high", "no")),
)  # fmt: skip
PEOPLE = Table(
    ("Name", "E-mail", "Phone", "City"),
    (("Ana", "a@b.example", None, "Leeds"), ("Bo", None, "0113", "York"), ("Cy", "c@b.example", "0114", "Leeds")),
)


@pytest.mark.parametrize(
    ("table", "condition", "kept"),
    [
        (BILLS, "Status offen", ["R1", "R3"]),
        (BILLS, "die offenen Rechnungen", ["R1", "R3"]),
        (BILLS, "noch nicht bezahlt", ["R1", "R3"]),
        (BILLS, "bezahlte", ["R2"]),
        (BILLS, "unbezahlt", ["R1", "R3"]),
        (BILLS, "the unpaid ones", ["R1", "R3"]),
        (BILLS, "open invoices", ["R1", "R3"]),
        (BILLS, "les factures impayées", ["R1", "R3"]),
        (BILLS, "offene Rechnungen über 100", ["R1"]),
        (BILLS, "nicht bezahlt und Betrag unter 100", ["R3"]),
        (PAID, "open invoices", [1002, 1003]),
        (PAID, "only the unpaid ones", [1002, 1003]),
        (PAID, "invoices that are not paid yet", [1002, 1003]),
        (PAID, "paid invoices", [1001, 1004]),
        (PAID, "offene Rechnungen", [1002, 1003]),
        (PAID, "unpaid > 500", [1003]),
        (PAID, "de > 500", [1001, 1003]),
        (PAID, "Hill", [1001, 1004]),
        (SALES, "región North", ["2025-01-05", "2025-02-11"]),
        (SALES, "région North", ["2025-01-05", "2025-02-11"]),
        (SALES, "la region North", ["2025-01-05", "2025-02-11"]),
        (SALES, "North地区", ["2025-01-05", "2025-02-11"]),
        (SALES, "the North sales", ["2025-01-05", "2025-02-11"]),
        (SALES, "desks from the North", ["2025-01-05"]),
        (SALES, "North or South", ["2025-01-05", "2025-01-09", "2025-02-11"]),
        (SALES, "de > 800", ["2025-02-11", "2025-02-17"]),
        (SALES, "ventas de más de 800", ["2025-02-11", "2025-02-17"]),
        (SALES, "ventes supérieures à 800", ["2025-02-11", "2025-02-17"]),
        (SALES, "not the chairs", ["2025-01-05", "2025-01-09", "2025-02-17"]),
        (ORDERS, "los pedidos pendientes", ["P1", "P3"]),
        (ORDERS, "commandes en attente", ["P1", "P3"]),
        (ORDERS, "entregadas o canceladas", ["P2", "P4"]),
        (CHINESE, "华东地区", ["A1", "A3"]),
        (CHINESE, "华东地区的订单", ["A1", "A3"]),
        (CHINESE, "未付款的订单", ["A2", "A3"]),
        (CHINESE, "还没付款", ["A2", "A3"]),
        (BILLED, "les factures impayées", ["F2"]),
        (BILLED, "pas encore payées", ["F2"]),
        (BILLED, "factures payées", ["F1"]),
        (BILLED, "sin pagar", ["F2"]),
        (TASKS, "tasks that are not done", ["bank", "hall", "paper"]),
        (TASKS, "open tasks with high priority", ["paper"]),
        (TASKS, "high priority tasks that are not done", ["paper"]),
        (TASKS, "erledigte Aufgaben", ["report"]),
        (TASKS, "tasks are already done", ["report"]),
        (PAID, "bills that still have to be paid", [1002, 1003]),
        (SALES, "sales in February", ["2025-02-11", "2025-02-17"]),
        (SALES, "le North et le South over 700", ["2025-01-05", "2025-02-11"]),
        (TASKS, "tareas de Kim", ["report", "hall"]),
        (PEOPLE, "people with an e-mail", ["Ana", "Cy"]),
        (PEOPLE, "with an e-mail", ["Ana", "Cy"]),
        (PEOPLE, "without a phone number", ["Ana"]),
        (PEOPLE, "persons from Leeds without a phone", ["Ana"]),
    ],
)  # fmt: skip
def test_words_for_cells_are_conditions(table, condition, kept):
    assert [row[0] for row in filter_table(table, condition).rows] == kept


@pytest.mark.parametrize(
    ("table", "condition"),
    [
        (BILLS, "offene Rechnungen aus Berlin"),
        (SALES, "purple"),
        (SALES, "the Norwich sales"),
        (PAID, "invoices"),
        (SALES, "the purple ones over 800"),
    ],
)
def test_words_that_are_in_no_cell_are_not_overlooked(table, condition):
    with pytest.raises(NodeError) as found:
        filter_table(table, condition)
    assert found.value.port == "condition"


def test_a_failure_tells_the_values_of_columns_of_few():
    with pytest.raises(NodeError) as found:
        filter_table(SALES, "purple")
    assert "region (North, South, East)" in found.value.fix


def test_of_several_readings_it_is_told_which_was_taken(tmp_path: Path):
    context = RunContext(tmp_path)
    twice = Table(("from", "to"), (("Rome", "Bonn"), ("Bonn", "Rome"), ("Bonn", "Bern")))
    assert filter_table(twice, "de Rome", context=context).rows == (("Rome", "Bonn"),)
    assert "from" in context.told[0]
    context = RunContext(tmp_path)
    assert len(filter_table(SALES, "over 800", context=context).rows) == 2
    assert "amount" in context.told[0]
    context = RunContext(tmp_path)
    filter_table(SALES, "North", context=context)
    assert not context.told


@pytest.mark.parametrize(
    ("table", "said", "first"),
    [
        (BILLS, "dem Datum", "R3"), (BILLS, "danach, wann sie gestellt wurden", "R3"), (BILLS, "date", "R3"),
        (BILLS, "largest first", "R3"), (ORDERS, "the biggest first", "P4"), (SALES, "la fecha", "2025-01-05"),
        (SALES, "when they were sold", "2025-01-05"), (SALES, "largest first", "2025-01-09"),
    ],
)  # fmt: skip
def test_the_one_column_of_dates_or_of_amounts_needs_no_name(table, said, first):
    assert sort_table(table, said).rows[0][0] == first


@pytest.mark.parametrize("said", ["colour", "when", ""])
def test_a_column_that_is_not_there_is_told(said):
    with pytest.raises(NodeError):
        sort_table(PEOPLE, said)


SPENT = Table(
    ("Date", "Category", "Description", "Amount"),
    (("2024-10-01", "Food", "Market", 54.2), ("2024-10-04", "Transport", "Train", 38),
     ("2024-10-02", "Rent", "October", 900),
     ("2024-11-02", "Rent", "November", 900), ("2024-10-11", "Food", "Bakery", 12.6)),
)  # fmt: skip
FRENCH = Table(("Région", "Montant"), (("Nord", 750), ("Sud", 420), ("Est", 1000)))


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        (SALES, "which sales were over 800?",
         "2025-02-11 · North · Chair · 12 · 1440\n2025-02-17 · East · Desk · 4 · 1000"),
        (SALES, "welche Verkäufe waren über 1200?", "2025-02-11 · North · Chair · 12 · 1440"),
        (TASKS, "which high priority tasks are open?", "paper · Max · high · no"),
        (SPENT, "how much did we spend in October per category",
         "Σ Amount: 1004.8\nRent: 900\nFood: 66.8\nTransport: 38"),
        (FRENCH, "Quel est le total par région ?", "Σ Montant: 2170\nEst: 1000\nNord: 750\nSud: 420"),
        (PAID, "what is the sum of the unpaid invoices?", "amount: 1455.5"),
        (ORDERS, "¿cuál es el importe total de los pedidos pendientes?", "Σ Importe: 125\nP3: 80\nP1: 45"),
        (PAID, "how many invoices are unpaid?", "2"),
    ],
)  # fmt: skip
def test_questions_are_about_the_rows_that_they_name(table, question, answer):
    assert by_words(table, question) == answer


@pytest.mark.parametrize(
    ("cells", "sign", "asked", "told"),
    [
        (("1.180,00", "96,30", "12"), ";", "Summe", "Betrag: 1.288,30"),
        (("1 440,00", "750,00"), ";", "total", "Betrag: 2 190,00"),
        (("820.00", "145.50"), ",", "total", "Betrag: 965.50"),
        (("820", "145.25"), ",", "total", "Betrag: 965.25"),
    ],
)
def test_numbers_stay_as_they_are_written(tmp_path: Path, cells, sign, asked, told):
    (tmp_path / "a.csv").write_text("\n".join([f"Kunde{sign}Betrag", *(f"A{sign}{cell}" for cell in cells)]), "utf-8")
    table = codecs.decode(tmp_path / "a.csv", ResourceType.TABLE)
    saved = csv.reader(workbooks.content(table, ".csv").decode("utf-8-sig").splitlines())
    assert tuple(row[1] for row in saved)[1:] == cells
    assert all(isinstance(row["Betrag"], int | float) for row in json.loads(workbooks.content(table, ".json")))
    assert by_words(table, asked) == told
