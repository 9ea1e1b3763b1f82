"""What people ask of the minutes of a meeting: two things at once, and what was decided."""

from __future__ import annotations

import pytest

from nodes.text.answer_from_text import answer_from_text
from nodes.text.summarise import summarise

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
