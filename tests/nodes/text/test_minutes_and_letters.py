"""What people ask of minutes and letters: what was decided, what is asked for, and what the text is about."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from nodes.api import RunContext
from nodes.text.answer_from_text import answer_from_text
from nodes.text.bullet_points import bullet_points
from nodes.text.entities import entities
from nodes.text.find_places import find_places as find_places_with
from nodes.text.find_topics import find_topics
from nodes.text.keywords import keywords
from nodes.text.summarise import summarise
from nodes.text.title_text import title_text

find_places = partial(find_places_with, context=RunContext(Path()))
MINUTES = """Minutes of the residents' meeting, 12 March 2026

1. The minutes of the last meeting were approved.

2. Roof. Tom reported that the roof of the north wing leaks in three places. Two offers for the roof were received, from
Miller Roofing (18,400 euros) and from Top Roof (21,000 euros). It was decided to accept the offer of Miller Roofing.

3. Garden. Lea proposed to plant three apple trees in the courtyard. Some fear that the fruit will draw wasps.

4. Budget. The heating costs rose by 12 percent. The budget was approved with three votes to one.

The next meeting is on 9 April 2026 at 7 pm in the common room.
"""
PROTOKOLL = """Protokoll der Versammlung vom 12. März

Dach. Das Dach des Nordflügels ist undicht. Zwei Angebote für das Dach liegen vor, von Müller (18.400 Euro) und von Top
Bau (21.000 Euro). Nach längerer Diskussion wurde beschlossen, das Angebot von Müller anzunehmen.

Die nächste Sitzung findet am 9. April um 19 Uhr statt.
"""


@pytest.mark.parametrize(
    ("text", "question", "parts"),
    [
        (
            MINUTES,
            "when is the next meeting and what was decided about the roof?",
            ("9 April 2026", "decided to accept"),
        ),
        (MINUTES, "Who proposed the apple trees, and how much did the heating costs rise?", ("Lea", "12 percent")),
        (PROTOKOLL, "Wann ist die nächste Sitzung und was wurde zum Dach beschlossen?", ("9. April", "beschlossen")),
    ],
)
def test_each_of_two_questions_is_answered(text, question, parts):
    found = answer_from_text(text, question)
    assert all(part in found for part in parts)


def test_one_question_about_two_things_is_answered_by_one_sentence():
    assert answer_from_text(MINUTES, "what do the budget and votes tell?") == (
        "The budget was approved with three votes to one."
    )


def test_a_short_summary_of_minutes_tells_the_decisions():
    found = summarise(MINUTES, 2)
    assert "decided to accept" in found and "budget was approved" in found
    assert "wurde beschlossen" in summarise(PROTOKOLL, 1)


ENGLISH = """Greenfield Housing Association
12 Mill Lane, Leeds LS2 7AB

3 March 2025

Dear Ms Patel,

Thank you for your letter of 20 February about the damp in your kitchen. Our surveyor visited the flat on 27 February \
and found that the gutter above the kitchen window is broken. We will repair the gutter in the week of 17 March and \
repaint the wall as soon as it is dry. You do not have to pay for this. Please make sure that someone is at home on \
18 March between 8 am and noon, so that our workmen can reach the window.

Yours sincerely,

Helen Ashworth
Repairs Manager"""
GERMAN = """Betreff: Ihre Bestellung vom 4. April

Sehr geehrter Herr Yilmaz,

vielen Dank für Ihre Bestellung vom 4. April. Leider können wir den Schrank in Eiche nicht bis Ende April liefern, \
weil unser Lieferant Schwierigkeiten hat. Wir bieten Ihnen an, den Schrank in Buche ohne Aufpreis am 22. April zu \
liefern. Bitte teilen Sie uns bis zum 15. April mit, ob Sie damit einverstanden sind. Wir danken für Ihre Geduld.

Mit freundlichen Grüßen

Petra Lang"""


@pytest.mark.parametrize(("letter", "asked"), [(ENGLISH, "18 March"), (GERMAN, "bis zum 15. April")])
def test_a_summary_of_a_letter_holds_what_its_reader_is_asked_to_do_and_no_thanks(letter, asked):
    short = summarise(letter, 2)
    assert asked in short and "Thank you" not in short and "Dank" not in short and "Dear" not in short


def test_a_letter_is_summed_up_as_an_e_mail_in_its_language():
    lines = summarise(GERMAN, 3, "as e-mail").split("\n\n")
    assert lines[0] == "Betreff: Ihre Bestellung vom 4. April"
    assert lines[1] == "Guten Tag," and lines[3] == "Mit freundlichen Grüßen"
    assert lines[2] == summarise(GERMAN, 3)
    first, greeting, *_ = summarise(ENGLISH, 3, "as e-mail").split("\n\n")
    assert greeting == "Hello," and first.startswith("Subject: ") and not first.endswith("found")


def test_months_people_and_phrases_of_courtesy_are_no_keywords_of_a_letter():
    found = {label.name.lower() for label in keywords(ENGLISH, 8)}
    assert {"kitchen", "gutter"} <= found
    assert not found & {"march", "february", "repairs manager", "greenfield housing association", "dear", "please"}
    assert "gutter" in find_topics(ENGLISH)[0].name
    assert title_text(GERMAN) == "Ihre Bestellung vom 4. April"


def test_adverbs_say_nothing_of_what_a_short_text_is_about():
    text = "I bought this kettle three weeks ago and it already leaks. The lid does not close and the handle gets hot."
    found = [label.name for label in keywords(text, 5)]
    assert found[0] == "kettle" and not {"already", "ago"} & {*found}


def test_a_text_that_is_no_letter_keeps_its_first_and_last_lines():
    text = "Hello world is what the first program of a course prints. It says little.\n\nBest regards end it, they say."
    assert summarise(text, 9).startswith("Hello world") and summarise(text, 9).endswith("they say.")


def test_a_dateline_and_an_address_to_write_to_are_no_key_points():
    text = (
        "Berlin, 4 May 2025. The company will build a new factory in Rostock next year. It will cost 85 million euros "
        "and create 320 jobs. The mayor called it the best news of the year. Contact: press@nordwind.de."
    )
    assert "•" in bullet_points(text, 3) and "Berlin" not in bullet_points(text, 3)
    assert "Contact" not in bullet_points(text, 3)


def test_places_are_known_by_the_word_that_says_what_they_are():
    assert "Wernau" in find_places("Der Vertrag mit der Stadt Wernau läuft aus.")
    assert "Baltic Sea" in find_places("The birds of the Baltic Sea are shy.")


def test_where_somebody_works_is_no_part_of_a_name():
    found = [row[1] for row in entities("Gestern kam Dr. Sabine Krüger von der Universität Heidelberg zu Besuch.").rows]
    assert "Dr. Sabine Krüger" in found


BILL = "HARDWARE HOLT\n12 Mill Road, Leeds\n14/03/2025 16:42\nPaint brush 4.50\nTOTAL 21.94\nCASH 25.00\nTHANK YOU"
RECHNUNG = "Gärtnerei Blum\nDatum: 3. Mai 2025\nErde 12,00\nZwischensumme 30,00\nGesamtbetrag 35,70\nVielen Dank"


@pytest.mark.parametrize(
    ("bill", "question", "says"),
    [
        (BILL, "What does the receipt say I paid?", "TOTAL 21.94"),
        (BILL, "How much did it cost?", "TOTAL 21.94"),
        (BILL, "Combien ai-je payé ?", "TOTAL 21.94"),
        (BILL, "¿Cuánto pagué?", "TOTAL 21.94"),
        (BILL, "一共付了多少钱？", "TOTAL 21.94"),
        (BILL, "when was this bought?", "14/03/2025 16:42"),
        (BILL, "wann habe ich das gekauft?", "14/03/2025 16:42"),
        (BILL, "what did the paint brush cost?", "Paint brush 4.50"),
        (RECHNUNG, "Wie viel muss ich zahlen?", "Gesamtbetrag 35,70"),
        (RECHNUNG, "what do I owe?", "Gesamtbetrag 35,70"),
        (RECHNUNG, "what is the date?", "Datum: 3. Mai 2025"),
    ],
)
def test_what_was_paid_and_when_is_found_in_other_words_than_those_of_the_bill(bill, question, says):
    assert answer_from_text(bill, question) == says


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Engineer Pavel Novak of Brightwater Ltd said so.", ["Engineer Pavel Novak", "Brightwater Ltd"]),
        ("We heard James Okafor of Northumbria speak.", ["James Okafor", "Northumbria"]),
        ("She wrote about Joan of Arc and the University of Oxford.", ["Joan of Arc", "University of Oxford"]),
        ("张伟住在北京。", ["张伟", "北京"]),
        ("王芳说明天去上海。", ["王芳", "上海"]),
        ("王芳于周一到达，李红从上海来。", ["王芳", "李红", "上海"]),
        ("李小明在广州工作。", ["李小明", "广州"]),
    ],
)
def test_names_end_where_they_end(text, names):
    assert [row[1] for row in entities(text).rows if row[0] == "name"] == names
