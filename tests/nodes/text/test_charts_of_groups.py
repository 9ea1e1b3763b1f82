"""Charts that sum up first: the rows of one name, of a month; and what words for columns mean to tools of tables."""

from __future__ import annotations

import numpy as np
import pytest

from nodes._support.tables import chart_plot, table_answers
from nodes.api import NodeError, Table
from nodes.text.chart import chart
from nodes.text.group_table import group_table

SPENT = Table(
    ("date", "category", "shop", "amount"),
    (
        ("2025-01-03", "groceries", "Aldi", 50.5),
        ("2025-01-20", "transport", "Bahn", 30),
        ("2025-02-02", "groceries", "Rewe", 70),
        ("2025-02-14", "fun", "Kino", 20),
        ("2025-03-09", "groceries", "Rewe", 100),
    ),
)


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn: kind, names of the rows, values of the first series."""
    found = []
    for kind in ("bars", "lines"):
        real = getattr(chart_plot, kind)
        monkeypatch.setattr(
            chart_plot,
            kind,
            lambda sheet, frame, labels, series, kind=kind, real=real: (
                found.append((kind, dict(zip(labels, series[0].values, strict=True)))),
                real(sheet, frame, labels, series),
            ),
        )
    pie = chart_plot.pie
    monkeypatch.setattr(
        chart_plot,
        "pie",
        lambda sheet, top, labels, values: (
            found.append(("pie", dict(zip(labels, values, strict=True)))),
            pie(sheet, top, labels, values),
        ),
    )
    return found


@pytest.mark.parametrize(("settings", "wanted"), [
    ({"kind": "pie", "names": "category"}, ("pie", {"groceries": 220.5, "transport": 30, "fun": 20})),
    ({"kind": "bar", "names": "Kategorie", "measure": "count"}, ("bars", {"groceries": 3, "transport": 1, "fun": 1})),
    ({"kind": "bar", "names": "month", "values": "groceries"},
     ("bars", {"2025-01": 50.5, "2025-02": 70, "2025-03": 100})),
    ({"kind": "bar", "names": "category", "measure": "mean"},
     ("bars", {"groceries": 73.5, "transport": 30, "fun": 20})),
    ({"values": "Beträge pro Monat"}, ("lines", {"2025-01": 80.5, "2025-02": 90, "2025-03": 100})),
    ({"kind": "pie", "measure": "count"}, ("pie", {"groceries": 3, "transport": 1, "fun": 1})),
])  # fmt: skip
def test_a_chart_sums_up_the_rows_of_one_name(drawn, settings, wanted):
    chart(SPENT, **settings)
    kind, values = drawn[-1]
    assert kind == wanted[0]
    assert values == pytest.approx(wanted[1])


def test_rows_whose_names_come_once_are_drawn_as_they_are(drawn):
    chart(SPENT, kind="bar", names="date", width=1600)
    assert list(drawn[-1][1].values()) == [50.5, 30, 70, 20, 100]


@pytest.mark.parametrize(("by", "first"), [
    ("per month", ("2025-01", 80.5)), ("par mois", ("2025-01", 80.5)), ("每月", ("2025-01", 80.5)),
    ("jeder Kategorie", ("groceries", 220.5)), ("类别", ("groceries", 220.5)), ("magasin", ("Aldi", 50.5)),
])  # fmt: skip
def test_groups_are_named_in_other_words(by, first):
    assert group_table(SPENT, by).rows[0] == first


def test_what_stands_in_a_column_takes_those_rows():
    assert group_table(SPENT, "month", "groceries").rows == (("2025-01", 50.5), ("2025-02", 70), ("2025-03", 100))


@pytest.mark.parametrize("settings", [{"names": "phone"}, {"values": "phone"}, {"values": "phone per month"}])
def test_a_column_that_is_not_there_is_told_with_those_that_are(settings):
    with pytest.raises(NodeError) as found:
        chart(SPENT, **settings)
    assert "category" in str(found.value.fix)


def test_the_mean_of_the_sums_of_each_month():
    assert group_table(SPENT, "month", measure="mean of sums").rows == (("mean", pytest.approx(270.5 / 3)),)


def test_what_makes_no_sum_is_the_mean_of_the_means():
    weather = Table(("day", "temperature"), (("2025-01-01", 2), ("2025-01-02", 4), ("2025-02-01", 9)))
    assert group_table(weather, "month", measure="mean of sums").rows == (("mean", 6),)


@pytest.mark.parametrize(("question", "mean"), [
    ("what do I spend on average a month?", "90.167"),
    ("Wie viel gebe ich im Durchschnitt pro Monat aus?", "90,167"),
    ("combien je dépense en moyenne par mois ?", "90,167"),
])  # fmt: skip
def test_an_average_a_month_is_that_of_the_sums(question, mean):
    assert table_answers.answer(SPENT, question) == f"amount: {mean}"


@pytest.mark.parametrize(
    "title",
    [
        "每月用电量",
        "每月用电量与去年同期相比的变化以及各个楼层的详细统计数据汇总说明图（含空调与照明）每月用电量",
        "Monthly power use of the whole house in the years 2020 to 2024, compared with that of the neighbours in town",
        "Расход электроэнергии по месяцам в сравнении с прошлым годом и с соседними домами на нашей улице",
    ],
)
@pytest.mark.parametrize("width", [300, 700])
def test_a_title_is_written_whole_within_the_picture(monkeypatch, title, width):
    drawn = []
    monkeypatch.setattr(chart_plot.Sheet, "text", lambda sheet, x, y, text, *_, **how: drawn.append((y, text, how)))
    table = Table(("月", "用电量"), (("1月", 100), ("2月", 140)))
    chart(table, "bar", title=title, width=width, height=width * 3 // 5)
    lines = [(y, text) for y, text, how in drawn if how.get("weight") == "semibold"]
    assert "".join(text for _, text in lines).replace(" ", "") == title.replace(" ", "")
    below = min(y for y, text, how in drawn if how.get("weight") != "semibold")
    assert max(y for y, _ in lines) < below < 0.45 * width * 3 // 5
    monkeypatch.undo()
    picture = chart(table, "bar", title=title, width=width, height=width * 3 // 5)
    assert (picture[:, :4] == 255).all() and (picture[:, -4:] == 255).all(), "ink at the edge: something is cut"


TWO = Table(("shop", "spring", "summer"), (("Aldi", 3, 5), ("Rewe", 4, 2), ("Bahn", 6, 1)))


def shares(picture, *colours) -> list[float]:
    """How much of a picture has each colour."""
    return [float((np.abs(picture.astype(int) - colour).max(axis=2) < 12).mean()) for colour in colours]


GREEN, RED, USUAL = (0, 128, 0), (255, 0, 0), chart_plot.COLOURS[0]


@pytest.mark.parametrize(("kind", "values"), [("bar", "spring"), ("line", "spring"), ("pie", "spring"),
                                              ("scatter", "spring, summer")])  # fmt: skip
def test_a_chart_is_drawn_in_the_colour_that_is_asked_for(kind, values):
    def greenish(picture):
        red, green, blue = (picture[:, :, n].astype(int) for n in range(3))
        return int(((green > red + 20) & (green > blue + 20)).sum())

    before, after = (greenish(chart(TWO, kind, values, colour=colour)) for colour in ("", "green"))
    assert after > 300 + 2 * before
    if kind != "pie":
        assert shares(chart(TWO, kind, values, colour="green"), USUAL)[0] < 0.0005


def test_several_colours_go_to_the_series_in_turn():
    picture = chart(TWO, "bar", "spring, summer", colour="green, red")
    assert min(shares(picture, GREEN, RED)) > 0.02 > 0.0005 > shares(picture, USUAL)[0]


def test_two_series_and_one_colour_stay_apart():
    picture = chart(TWO, "bar", "spring, summer", colour="#d96c2c")
    first, second = shares(picture, chart_plot.COLOURS[1], USUAL)
    assert first > 0.02 and second > 0.02, "the second series has a colour that nobody asked for, and not the same"


def test_a_chart_refuses_a_colour_that_nobody_knows():
    with pytest.raises(NodeError) as found:
        chart(TWO, "bar", colour="plaid")
    assert found.value.port == "colour"
