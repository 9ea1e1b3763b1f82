"""Mistyped words are read as they are meant, and written as they are typed."""

import pytest

from desktop_app.plan.language.spelling import as_meant, as_typed, corrected
from desktop_app.plan.types import Given, Plan, Question, Request, ToolSpec
from desktop_app.plan.types import PortSpec as Port
from nodes.api import Table
from nodes.phrase import Phrase, joined


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pitcure", "picture"),
        ("brihgter", "brighter"),
        ("Hintregrund", "Hintergrund"),
        ("summarsie", "summarise"),
        ("subtitels", "subtitles"),
        ("graysclae", "grayscale"),
        ("immagen", "imagen"),
        ("derehca", "derecha"),
        ("vídoe", "vídeo"),
    ],
)
def test_a_word_of_one_fault_is_read_as_the_known_one(typed: str, meant: str) -> None:
    assert as_meant(typed) == meant


@pytest.mark.parametrize("word", ["picture", "Tervetuloa", "照片", "qwrtzpsdf", "Lopez", "espacio"])
def test_what_is_known_or_near_nothing_stays(word: str) -> None:
    assert as_meant(word) == word


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("gelben", "german"),
        ("packed", "english"),
        ("filtre", "french"),
        ("Brust", "german"),
        ("propina", "spanish"),
        ("coussin", "french"),
        ("hire", "english"),
        ("Stunden", "german"),
    ],
)
def test_a_word_of_the_language_is_not_mistyped(word: str, language: str) -> None:
    assert as_meant(word, language=language) == word


def test_names_of_files_quotes_and_words_of_tools_stay() -> None:
    request = Request('wriet "Hapy brithday" on pitcure.jpg, posterzie it', (Given("pitcure.jpg", "image"),))
    read = corrected(request, {"posterzie"})
    assert read.request.text == 'write "Hapy brithday" on pitcure.jpg, posterzie it'


def test_what_stands_in_a_table_stays() -> None:
    table = Table(("Pupil", "Maths"), (("Chidlren", 3),))
    given = Given("class.csv", "table", rows=table)
    assert (
        corrected(Request("pitcure the maths of chidlren", (given,)), ()).request.text
        == "picture the maths of chidlren"
    )


def test_a_doubt_quotes_what_was_typed() -> None:
    read = corrected(Request("summarsie the pitcure"), ())
    doubt = Phrase("I am not sure that “{words}” means “{tool}”.", words="summarise the picture", tool="Blur")
    plan = as_typed(Plan((), questions=(Question(joined(doubt, Phrase("Please look.")), "confirm"),)), read, {})
    assert plan.questions[0].text == "I am not sure that “summarsie the pitcure” means “Blur”. Please look."


def test_a_text_is_given_as_typed_a_choice_and_a_thing_to_find_as_meant() -> None:
    read = corrected(Request("wriet brithday at the bototm, blur the chidlren and the tench"), ())
    assert read.request.text == "write birthday at the bottom, blur the children and the tench"
    write = ToolSpec(
        "write",
        "Write",
        "",
        (Port("text", "text"), Port("at", "text", choices=("bottom", "top"))),
        (Port("i", "image"),),
    )
    find = ToolSpec("find", "Find", "", (Port("what", "text"),), (Port("found", "boxes"),))
    assert read.typed_in(write, "text", "birthday") == "brithday"
    assert read.typed_in(write, "text", "write birthday at") == "wriet brithday at"
    assert read.typed_in(write, "at", "bottom") == "bottom"
    assert read.typed_in(find, "what", "children") == "children"
    assert read.typed_in(find, "what", "the tench") == "the tench"
    assert read.typed_in(write, "text", "the") == "the"


def test_what_is_said_of_a_request_has_its_words_as_typed() -> None:
    read = corrected(Request("wriet to my brohter"), ())
    cause = Phrase("No tool here can do “{wish}”.", wish=read.request.text)
    guess = Question(Phrase("I am not sure that “{words}” is meant.", words=read.request.text), "confirm")
    plan = as_typed(Plan((), (guess,), causes=(cause,)), read, {})
    assert plan.causes == ("No tool here can do “wriet to my brohter”.",)
    assert plan.questions[0].text == "I am not sure that “wriet to my brohter” is meant."


def test_names_that_are_chosen_among_are_given_as_typed() -> None:
    read = corrected(Request("is it more like a frog or a toad"), ())
    listen = ToolSpec("listen", "Listen", "", (Port("labels", "text"),), (Port("labels", "labels"),))
    meant = read.request.text.partition("like ")[2]
    assert read.typed_in(listen, "labels", meant) == "a frog or a toad"
