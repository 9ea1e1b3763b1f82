"""Questions that a number answers with yes or no."""

import pytest

from desktop_app.session.answering.yes_or_no import holds


@pytest.mark.parametrize(
    ("question", "number", "answer"),
    [
        ("more than 20 coins?", 24, True),
        ("more than 20 coins?", 20, False),
        ("Are there at least twenty coins?", 20, True),
        ("is the total under 100?", 120, False),
        ("no more than 3 faces?", 3, True),
        ("No fewer than 3 faces?", 2, False),
        ("Sind das mehr als 20 Münzen?", 24, True),
        ("Y a-t-il moins de 5 visages ?", 3, True),
        ("¿Hay más de 20 monedas?", 12, False),
        ("硬币超过20个吗？", 24, True),
        ("硬币不超过20个吗？", 24, False),
        ("how many coins are larger, more than 20?", 24, None),
        ("count the coins", 24, None),
        ("keep more than 20 coins", 24, None),
        ("are there 20 coins?", 24, None),
    ],
)
def test_a_number_is_held_against_the_one_in_the_question(question, number, answer):
    assert holds(question, number) is answer


@pytest.mark.parametrize(
    ("question", "number", "unit", "answer"),
    [
        ("is it longer than 5 seconds?", 8.9, "s", True),
        ("is this recording under 10 seconds?", 8.9, "s", True),
        ("is it longer than two minutes?", 8.9, "s", False),
        ("Ist es kürzer als 5 Sekunden?", 8.9, "s", False),
        ("Is it wider than 1000 px?", 600.0, "px", False),
        ("is it longer than 5 seconds?", 44100.0, "Hz", None),
    ],
)
def test_a_measure_is_held_against_one_in_its_own_unit(question, number, unit, answer):
    assert holds(question, number, unit) is answer
