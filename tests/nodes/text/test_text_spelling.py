"""Plain mistakes of a text are set right by lists of words and rules; what is doubtful or no prose stays."""

from __future__ import annotations

import pytest

from nodes import load_tools
from nodes.api import NodeError
from tests.nodes.text_samples import CHINESE, SOLAR

WAY = load_tools().tools["correct_grammar"].backend("word-list")


def corrected(text: str) -> str:
    assert WAY is not None
    return WAY.run(text=text)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "i dont know if teh goverment has recieved a email from my my freind , it was wierd! she did'nt say.",
            "I don't know if the government has received an email from my friend, it was weird! She didn't say.",
        ),
        (
            "It took a hour to find an university accross the town, and an useful one.",
            "It took an hour to find a university across the town, and a useful one.",
        ),
        (
            "Ich bin nähmlich gestern und und heute warscheinlich villeicht zu spät gekommen.",
            "Ich bin nämlich gestern und heute wahrscheinlich vielleicht zu spät gekommen.",
        ),
        (
            "Je ne sais pas pourqoi le gouvernment a changé : c'est bizare aujourdhui.",
            "Je ne sais pas pourquoi le gouvernement a changé : c'est bizarre aujourd'hui.",
        ),
        (
            "Please come on Wednsday, the fourth of Febuary; a occassional visit is embarassing.",
            "Please come on Wednesday, the fourth of February; an occasional visit is embarrassing.",
        ),
        (
            "Das Schwimbad ist geöfnet, und die Unterschrifft unter dem Protokol stammt von der Großmuter.",
            "Das Schwimmbad ist geöffnet, und die Unterschrift unter dem Protokoll stammt von der Großmutter.",
        ),
        (
            "La informacion es buena, pero mi abuela cocinava mejor. Tambien hay que canbiar los enchufes despues.",
            "La información es buena, pero mi abuela cocinaba mejor. También hay que cambiar los enchufes después.",
        ),
    ],
)
def test_plain_mistakes_are_set_right(wrong, right):
    assert corrected(wrong) == right
    assert corrected(right) == right


@pytest.mark.parametrize(
    "text",
    [
        SOLAR,
        "The colour of our neighbour's jewellery was grey, and we organised a programme at the theatre.",
        "Ask Jon Smyth about foo_bar.py, https://exampel.org/teh or teh@example.org; approx. ten of them know.",
        "| name  |  size |  a  |\n\n  Plan A is old. Go from a to b, e.g. at five.\n",
        "Mi hija tiene doce años. Lleva dos semanas en las obras; está contenta, y será bueno que quieres venir.",
        "Escríbelo y resúmelo hoy: dice que hizo otros y que nadie conoce qué encontró, regaló o devolvió.",
        "Der Text sagt „white“ und „the blue size“, und die Hauptfarben der Hausmeisters sind im Download.",
        "The village fete was cancelled, and the kerbs are low.",
        "Wir wohnen an der Hauptstrasse, und die Donaudampfschifffahrt kennt Herrn Schmidd.",
    ],
)
def test_what_is_right_or_doubtful_stays(text):
    assert corrected(text) == text


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("We swimmed in the lake.", "We swam in the lake."), ("We have swimmed there.", "We have swum there."),
        ("She runned home and teached him.", "She ran home and taught him."),
        ("I don't know wether it rains.", "I don't know whether it rains."),
        ("The wether is nice.", "The weather is nice."), ("We went to the see.", "We went to the sea."),
        ("You could of told me.", "You could have told me."),
    ],
)  # fmt: skip
def test_made_up_pasts_and_what_cannot_be_meant_are_set_right(wrong, right):
    assert corrected(wrong) == right


@pytest.mark.parametrize(
    "text",
    [
        "The Holy See is in Rome; the see was vacant.", "The wether grazed beside the sheep.",
        "It must of course be true.", "They manned the boats, and he heeded the warning.",
    ],
)  # fmt: skip
def test_the_same_words_stay_where_they_may_be_meant(text):
    assert corrected(text) == text


@pytest.mark.parametrize("text", [CHINESE, "Wszyscy ludzie rodzą się wolni i równi pod względem godności."])
def test_a_language_without_a_list_of_words_is_refused(text):
    with pytest.raises(NodeError, match="no list of words") as caught:
        corrected(text)
    assert caught.value.port == "text" and "language model" in caught.value.fix


def test_a_text_of_which_few_words_are_known_is_left_alone():
    with pytest.raises(NodeError, match="Few words"):
        corrected("the qzarf blonk virpt of grelx and smorp in the dwimble frobz of xanth quuxly")


def test_words_shortened_to_their_consonants_stay():
    given = "Hi Sam, please read this letter. We will send the answer on Tuesday, pls send teh file and the mtg notes."
    assert corrected(given) == given.replace("teh", "the")
