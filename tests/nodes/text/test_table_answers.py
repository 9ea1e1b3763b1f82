"""Questions about a table that are answered without a model, in five languages; and those that are not."""

from __future__ import annotations

import pytest

from nodes._support.tables.table_answers import answer, of_other_column
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
        (MONTHS, "which month is better?", "June (sales: 2140)"),
        (UMSATZ, "welcher Monat ist schlechter?", "Mai (Umsatz: 1720)"),
        (MONTHS, "哪个月更好？", "June (sales: 2140)"), (MONTHS, "quel mois est mieux ?", "June (sales: 2140)"),
        (MONTHS, "welcher Monat war am besten?", "June (sales: 2140)"),
        (UMSATZ, "Welcher Monat war am stärksten?", "Juni (Umsatz: 2140)"),
        (UMSATZ, "Wie viel Umsatz insgesamt?", "Umsatz: 3860"), (MONTHS, "哪个月销售额最高？", "June (sales: 2140)"),
        (FEES, "who has not paid yet?", "Tom Fisher, Omar Said"),
        (FEES, "Wer hat noch nicht bezahlt?", "Tom Fisher, Omar Said"),
        (FEES, "qui n'a pas encore payé ?", "Tom Fisher, Omar Said"), (FEES, "谁还没有付款？", "Tom Fisher, Omar Said"),
        (FEES, "¿Quién no ha pagado todavía?", "Tom Fisher, Omar Said"), (FEES, "who has paid?", "Anna Berg"),
        (FEES, "how many have paid?", "1"), (FEES, "how much is outstanding?", "fee: 70"),
        (MONTHS, "what do they add up to?", "sales: 6320"),
        (FEES, "laquelle est la plus petite ?", "Omar Said (fee: 30)"),
        (FEES, "¿cuál es la más pequeña?", "Omar Said (fee: 30)"),
        (FEES, "what about Anna Berg?", "Anna Berg · 40 · yes"),
        (SPENT, "what did we pay altogether, and where?", "Σ amount: 59.95\nBuild-It: 45.35\nGreen Corner: 14.6"),
        (SPENT, "combien avons-nous dépensé en tout ?", "amount: 59,95"),
        (SPENT, "¿Cuánto gastamos en total y dónde?", "Σ amount: 59,95\nBuild-It: 45,35\nGreen Corner: 14,6"),
        (SPENT, "how much did we spend at Build-It?", "amount: 45.35"), (SPENT, "when did we buy paint?", "4 May"),
    ],
)  # fmt: skip
def test_plain_questions_are_answered_from_the_cells(table, question, says):
    assert answer(table, question) == says


@pytest.mark.parametrize(
    ("price", "total", "question"),
    [
        ("Price", "Total", "How much did we sell per product?"),
        ("unit price", "Amount", "how much have we sold of it?"),
        ("Preis", "Betrag", "Wie viel haben wir verkauft?"), ("prix", "montant", "Combien avons-nous vendu ?"),
        ("Precio", "Importe", "¿Cuánto hemos vendido?"), ("价格", "金额", "我们一共卖了多少？"),
    ],
)  # fmt: skip
def test_what_was_sold_is_the_sum_of_the_amounts_and_not_of_the_prices(price, total, question):
    table = Table(("Product", "pieces", price, total), (("Tea", 2, 3.5, 7), ("Cake", 3, 18, 54), ("Tea", 1, 3.5, 3.5)))
    told = answer(table, question)
    assert told is not None and told.splitlines()[0].removeprefix("Σ ").replace(",", ".") == f"{total}: 64.5"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("which items are from February?", "Bolts"), ("which items are from February on?", "Bolts, Nuts"),
        ("what did we buy from February?", "Bolts, Nuts"), ("welche Artikel sind vom Februar?", "Bolts"),
    ],
)  # fmt: skip
def test_what_is_from_a_month_is_in_it(question, says):
    table = Table(("date", "item"), (("2024-01-09", "Nails"), ("2024-02-02", "Bolts"), ("2024-03-01", "Nuts")))
    assert answer(table, question) == says


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        ("who has not paid yet?\nhow much do they owe altogether?", "fee: 70"),
        ("who has not paid yet?\nand the average?", "fee: 35"), ("who has not paid yet?\nhow many are there?", "2"),
        ("who has not paid yet?\nwho of them owes most?\nhow many are there?", "2"),
        ("wer hat noch nicht bezahlt?\nund der Durchschnitt?", "fee: 35"),
        ("¿quién no ha pagado?\n¿cuánto deben en total?", "fee: 70"),
        ("谁还没有付款？\n其中谁欠得最多？", "Tom Fisher (fee: 40)"),
        ("who pays more than 30?\nhow many of them have paid?", "1"), ("who pays over 100?\nand the sum?", "0"),
        ("who has not paid yet?\nwhich one is the last?", "Omar Said · 30 · no"),
    ],
)  # fmt: skip
def test_below_earlier_questions_the_last_is_asked_of_what_they_found(questions, says):
    assert by_words(FEES, questions) == says


@pytest.mark.parametrize(
    "question",
    [
        "how many are there?",
        "how many rows",
        "wie viele sind es?",
        "¿cuántos son?",
        "combien y en a-t-il ?",
        "有几个？",
    ],
)
def test_rows_are_counted_where_nothing_else_is_said(question):
    assert answer(MONTHS, question) == "4" and answer(MONTHS, "how many dogs are there") is None


@pytest.mark.parametrize("question", ["what is the meaning of it all?", "why did it rain", "compare these"])
def test_other_questions_ask_for_a_model_and_name_the_columns(question):
    with pytest.raises(NodeError) as raised:
        by_words(MONTHS, question)
    assert raised.value.port == "question" and "month, sales" in raised.value.fix


WEATHER = Table(
    ("Date", "Max °C", "Min °C", "Rain (mm)", "Wind km/h"),
    (
        ("2025-06-01", 22.5, 11.0, 0, 12),
        ("2025-06-02", 27.1, 14.2, 0, 9),
        ("2025-06-03", 31.4, 17.9, 0.4, 15),
        ("2025-06-04", 19.8, 12.3, 14.6, 38),
        ("2025-06-05", 18.2, 8.1, 6.1, 41),
        ("2025-06-06", 24.0, 10.5, 0, 20),
    ),
)
PLAYERS = Table(
    ("Player", "Team", "Goals", "Assists", "Minutes", "Height (cm)"),
    (
        ("Ana", "Red", 7, 2, 540, 171),
        ("Bo", "Blue", 11, 1, 610, 188),
        ("Cem", "Red", 3, 9, 480, 179),
        ("Dora", "Green", 5, 5, 700, 165),
        ("Eli", "Blue", 0, 4, 350, 194),
    ),
)
VERKAUF = Table(
    ("Mitarbeiter", "Filiale", "Umsatz", "Stück"),
    (
        ("Müller", "Köln", 12500.5, 210),
        ("Schmidt", "Bonn", 9830.0, 305),
        ("Weber", "Köln", 15020.75, 198),
        ("Fischer", "Aachen", 4410.2, 77),
    ),
)
SPENDING = Table(
    ("Date", "Category", "Shop", "Amount"),
    (
        ("2025-01-05", "Food", "Rewe", 45.2),
        ("2025-01-19", "Rent", "Landlord", 800),
        ("2025-02-03", "Food", "Aldi", 30.1),
        ("2025-03-02", "Food", "Rewe", 51.0),
        ("2025-03-15", "Travel", "Bahn", 120.5),
        ("2025-03-22", "Food", "Market", 22.5),
        ("2025-04-01", "Rent", "Landlord", 800),
        ("2025-04-09", "Clothes", "H&M", 65.9),
    ),
)
CARS = Table(
    ("Model", "Price", "Horsepower", "Weight (kg)", "Top speed", "Year", "Consumption l/100km"),
    (
        ("Polo", 21000, 95, 1150, 187, 2019, 5.1),
        ("Golf", 28000, 150, 1320, 216, 2021, 5.8),
        ("Panda", 15500, 69, 980, 164, 2015, 4.9),
        ("Tesla 3", 45000, 283, 1760, 225, 2023, 0),
        ("Sprinter", 52000, 170, 2300, 160, 2018, 9.4),
    ),
)
LAUFEN = Table(
    ("Datum", "Strecke (km)", "Dauer (min)", "Puls"),
    (
        ("03.03.2025", 5.2, 31, 148),
        ("06.03.2025", 8.0, 47, 152),
        ("11.03.2025", 10.5, 66, 155),
        ("14.03.2025", 6.1, 35, 158),
        ("20.03.2025", 12.0, 78, 150),
    ),
)
CITIES = Table(
    ("City", "Country", "Population", "Area km2", "Elevation m", "Founded"),
    (
        ("Oslo", "Norway", 709000, 454, 23, 1040),
        ("Madrid", "Spain", 3300000, 604, 667, 852),
        ("Lisbon", "Portugal", 548000, 100, 2, -1200),
        ("Vienna", "Austria", 1980000, 415, 151, 100),
        ("Valencia", "Spain", 800000, 134, 15, 138),
    ),
)
KLASSE = Table(
    ("Name", "Geburtsdatum", "Größe cm", "Note Mathe", "Fehltage"),
    (
        ("Lena", "12.05.2012", 152, 2, 0),
        ("Tim", "03.11.2011", 161, 4, 5),
        ("Ayse", "28.02.2013", 148, 1, 2),
        ("Jonas", "19.08.2011", 158, 3, 0),
    ),
)
ENERGY = Table(
    ("Month", "Electricity kWh", "Gas kWh", "Cost"),
    (
        ("2024-10", 310, 900, 182.5),
        ("2024-11", 335, 1400, 241.1),
        ("2024-12", 360, 1750, 290.0),
        ("2025-01", 372, 1900, 312.4),
        ("2025-02", 340, 1600, 268.9),
    ),
)
ORDERS = Table(
    ("Order", "Customer", "Product", "Quantity", "Unit price", "Ordered on"),
    (
        (1001, "Anna", "Lamp", 2, 35.0, "2025-02-03"),
        (1002, "Ben", "Chair", 4, 60.0, "2025-02-17"),
        (1003, "Anna", "Desk", 1, 210.0, "2025-03-09"),
        (1004, "Cleo", "Lamp", 6, 33.0, "2025-03-30"),
        (1005, "Ben", "Lamp", 1, 35.0, "2025-04-02"),
    ),
)


@pytest.mark.parametrize(
    ("table", "question", "says"),
    [
        (WEATHER, "which day was the hottest", "2025-06-03 (Max °C: 31.4)"),
        (WEATHER, "what was the coldest night?", "2025-06-05 (Min °C: 8.1)"),
        (WEATHER, "on what day did it rain most", "2025-06-04 (Rain (mm): 14.6)"),
        (WEATHER, "how many days were dry", "3"),
        (WEATHER, "when was it windiest", "2025-06-05 (Wind km/h: 41)"),
        (PLAYERS, "who scored the most", "Bo (Goals: 11)"),
        (PLAYERS, "who's the tallest player?", "Eli (Height (cm): 194)"),
        (PLAYERS, "who played the longest", "Dora (Minutes: 700)"),
        (PLAYERS, "which team scored most goals altogether", "Blue (Goals: 11)"),
        (PLAYERS, "who did not score at all", "Eli · Blue · 0 · 4 · 350 · 194"),
        (VERKAUF, "wer hat am wenigsten verkauft", "Fischer (Umsatz: 4410,2)"),
        (VERKAUF, "Welche Filiale hat den höchsten Umsatz?", "Köln (Umsatz: 27521,25)"),
        (VERKAUF, "wie viel hat Schmidt umgesetzt", "Umsatz: 9830"),
        (VERKAUF, "Wer ist unser bester Verkäufer?", "Weber (Umsatz: 15020,75)"),
        (VERKAUF, "Gesamtumsatz in Köln", "Umsatz: 27521.25"),
        (SPENDING, "what did we spend on food in March", "Amount: 73.5"),
        (SPENDING, "how much went on rent this year", "Σ Amount: 1600\n2025-01-19: 800\n2025-04-01: 800"),
        (SPENDING, "what was our biggest expense", "2025-01-19, 2025-04-01 (Amount: 800)"),
        (SPENDING, "in which month did we spend the most", "2025-04 (Amount: 865.9)"),
        (SPENDING, "how often did we shop at Rewe?", "2"),
        (CARS, "what's the cheapest car", "Panda (Price: 15500)"),
        (CARS, "which model is the fastest", "Tesla 3 (Top speed: 225)"),
        (CARS, "which one is the heaviest?", "Sprinter (Weight (kg): 2300)"),
        (CARS, "the oldest car", "Panda (Year: 2015)"),
        (CARS, "which car is most economical", "Tesla 3 (Consumption l/100km: 0)"),
        (
            LAUFEN,
            "Durchschnitt pro Woche",
            "2025-W10: Strecke (km) 6,6, Dauer (min) 39, Puls 150\n"
            "2025-W11: Strecke (km) 8,3, Dauer (min) 50,5, Puls 156,5\n"
            "2025-W12: Strecke (km) 12, Dauer (min) 78, Puls 150",
        ),
        (LAUFEN, "Wann bin ich am weitesten gelaufen?", "20.03.2025 (Strecke (km): 12)"),
        (LAUFEN, "was war mein längster Lauf", "20.03.2025 (Strecke (km): 12)"),
        (LAUFEN, "wie viele Kilometer insgesamt im März", "Strecke (km): 41,8"),
        (LAUFEN, "durchschnittlicher Puls", "Puls: 152,6"),
        (CITIES, "which city is the biggest", "Madrid (Area km2: 604)"),
        (CITIES, "what is the highest city?", "Madrid (Elevation m: 667)"),
        (CITIES, "which is the oldest of these cities", "Lisbon (Founded: -1200)"),
        (CITIES, "how many people live in Vienna", "Population: 1980000"),
        (CITIES, "cities with more than a million people", "Madrid · 3300000\nVienna · 1980000"),
        (KLASSE, "Wer ist am jüngsten?", "Ayse (Geburtsdatum: 28.02.2013)"),
        (KLASSE, "Wie groß ist Tim?", "Tim · 161"),
        (KLASSE, "wer hat die beste Note in Mathe", "Ayse (Note Mathe: 1)"),
        (KLASSE, "Durchschnittsgröße der Klasse", "Größe cm: 154,75"),
        (KLASSE, "Wer ist größer als 155", "Tim · 161\nJonas · 158"),
        (ENERGY, "when did we use the most gas", "2025-01 (Gas kWh: 1900)"),
        (
            ENERGY,
            "how much did electricity and gas cost in total",
            "Electricity kWh: 1717\nGas kWh: 7550\nCost: 1294.9",
        ),
        (ENERGY, "the coldest month?", None),
        (ENERGY, "average cost per year", "Cost\n2024: 237.867\n2025: 290.65"),
        (ENERGY, "how much gas in December", "Gas kWh: 1750"),
        (ORDERS, "how many lamps were sold", "Quantity: 9"),
        (ORDERS, "what did Anna buy", "Lamp, Desk"),
        (ORDERS, "most popular product", "Lamp (3)"),
        (ORDERS, "how many orders did we get in March", "2"),
        (ORDERS, "what's the most expensive thing we sell", "Desk (Unit price: 210)"),
        (ORDERS, "orders per month", "2025-02: 2\n2025-03: 2\n2025-04: 1"),
    ],
)
def test_what_numbers_measure_is_known_from_their_columns(table, question, says):
    assert answer(table, question) == says


@pytest.mark.parametrize(
    ("names", "question", "says"),
    [
        ("day product sales pieces", "What do all the sales add up to?", "sales: 3085.5"),
        ("day product sales pieces", "how much is it all together?", "sales: 3085.5"),
        ("day product price pieces", "what is the highest price?", "2025-02-05 (price: 2053)"),
        ("Tag Produkt Verkäufe Menge", "Was ist der höchste Verkauf?", "2025-02-05 (Verkäufe: 2053)"),
        ("jour produit ventes quantité", "combien font toutes les ventes ensemble ?", "ventes: 3085,5"),
        ("jour produit ventes quantité", "quelle est la vente la plus élevée ?", "2025-02-05 (ventes: 2053)"),
        ("día producto ventas cantidad", "¿Cuánto suman todas las ventas de esta tabla?", "ventas: 3085,5"),
        ("día producto precio cantidad", "el precio medio", "precio: 1028,5"),
        ("Tag Produkt Verkäufe Menge", "Wie hoch ist die Summe aller Verkäufe?", "Verkäufe: 3085,5"),
        ("日期 产品 销售额 数量", "销售额的总和是多少？", "销售额: 3085.5"),
    ],
)
def test_one_number_of_a_column_is_told_as_the_question_writes_numbers(names, question, says):
    rows = (("2025-01-03", "tea", 12.5, 3), ("2025-01-04", "milk", 1020, 7), ("2025-02-05", "tea", 2053, 1))
    assert answer(Table(tuple(names.split()), rows), question) == says


@pytest.mark.parametrize(
    ("names", "before", "then", "says"),
    [
        ("tea sales pieces", "What do all the sales add up to?", "and the lowest?", "b (sales: 3)"),
        ("Tee Verkäufe Menge", "Wie hoch ist die Summe aller Verkäufe?", "und der Durchschnitt?", "Verkäufe: 7,75"),
        ("thé ventes quantité", "quelle est la somme des ventes ?", "et la plus basse ?", "b (ventes: 3)"),
        ("té ventas cantidad", "¿Cuánto suman todas las ventas?", "¿y la más alta?", "a (ventas: 12,5)"),
        ("茶 销售额 数量", "销售额一共多少", "那平均呢？", "销售额: 7.75"),
    ],
)
def test_a_question_that_goes_on_is_of_the_column_before(names, before, then, says):
    table = Table(tuple(names.split()), (("a", 12.5, 4), ("b", 3, 9)))
    assert by_words(table, f"{before}\n{then}") == says
    assert len(by_words(table, then).splitlines()) == 2, "of each column where none was asked about"


TILL = Table(
    ("date", "shop", "amount"),
    (
        ("2025-03-03", "Build-It", 45),
        ("2025-03-09", "Corner", 10),
        ("2025-04-01", "Build-It", 7),
        ("2025-04-20", "Corner", 2),
    ),
)


@pytest.mark.parametrize(
    ("before", "then", "says"),
    [
        ("how much did we spend in March?", "and in April?", "amount: 9"),
        ("Wie viel haben wir im März insgesamt ausgegeben?", "und im April?", "amount: 9"),
        ("combien avons-nous dépensé en mars ?", "et en avril ?", "amount: 9"),
        ("¿Cuánto gastamos en marzo?", "¿y en abril?", "amount: 9"),
        ("how much did we spend at Build-It?", "and at Corner?", "amount: 12"),
        ("how much did we spend at Build-It in March?", "what about Corner?", "amount: 10"),
        ("how much did we spend at Build-It in March?", "and in April?", "amount: 7"),
        ("how much did we spend in March?\nand in April?", "and the average?", "amount: 4.5"),
    ],
)
def test_a_question_that_goes_on_with_other_rows_asks_the_same_of_them(before, then, says):
    assert by_words(TILL, f"{before}\n{then}") == says


@pytest.mark.parametrize(
    "question",
    [
        "who has less than 50 points in maths?", "¿Qué alumnos tienen menos de 50 puntos en Maths?",
        "Welche Schüler haben weniger als 50 Punkte in Maths?", "quels élèves ont moins de 50 points en Maths ?",
    ],
)  # fmt: skip
def test_a_number_that_others_have_to_be_below_asks_for_no_least(question):
    table = Table(("Name", "Maths", "Days"), (("Ada", 61, 1), ("Finn", 38, 8), ("Kim", 44, 4)))
    assert [name in by_words(table, question) for name in ("Ada", "Finn", "Kim")] == [False, True, True]


@pytest.mark.parametrize(
    ("before", "then", "whole"),
    [
        ("what's the highest maths mark?", "and in german?", "what's the highest German mark?"),
        ("who has less than 50 points in maths?", "what about German?", "who has less than 50 points in German?"),
        ("Wer hat unter 50 in Maths?", "und in German?", "Wer hat unter 50 in German?"),
        ("maths < 50", "and german?", "German < 50"),
        ("maths < 50", "and the highest german?", None),
        ("maths < 50", "and translate it?", None),
    ],
)
def test_the_same_is_asked_of_another_column(before, then, whole):
    assert (
        of_other_column(Table(("Name", "Maths", "German"), (("Ada", 61, 54), ("Finn", 38, 49))), before, then) == whole
    )
