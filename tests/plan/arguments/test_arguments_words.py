"""Choices, flags, colours, quoted texts, conditions and columns: many ways to say each rule."""

import pytest

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from tests.plan.arguments.settings_world import (
    CASE,
    CHART,
    CORNER,
    EFFECT,
    FADES,
    GAIN,
    LIGHT,
    MASKS,
    ORDER,
    PAGE,
    ROWS,
    SHAPE,
    SHOW,
    SPIN,
    SWAP,
    TURN,
    VOICE,
    said,
)

SHIPPED = {tool.id: tool for tool in from_tools(load_tools().tools)}


@pytest.mark.parametrize(
    ("spec", "text", "port_name", "value"),
    [
        (CORNER, "in the lower right corner", "position", "bottom right"),
        (CORNER, "in the right-hand bottom corner", "position", "bottom right"),
        (CORNER, "at the upper left", "position", "top left"),
        (CORNER, "at the top", "position", "top"),
        (CORNER, "top-right", "position", "top right"),
        (CORNER, "oben rechts", "position", "top right"),
        (CORNER, "en haut à gauche", "position", "top left"),
        (CORNER, "abajo a la derecha", "position", "bottom right"),
        (CORNER, "stamp the top 10 pictures", "position", None),
        (CORNER, "not at the top", "position", None),
        (CORNER, "put it on top.png", "position", None),
        (SHAPE, "crop it to 16:9", "shape", "16:9"),
        (SHAPE, "cut it to a square", "shape", "square"),
        (SHAPE, "crop for free", "shape", None),
        (VOICE, "say it in German", "language", "de"),
        (VOICE, "auf Deutsch vorlesen", "language", "de"),
        (VOICE, "lis-le en français", "language", "fr"),
        (VOICE, "léelo en español", "language", "es"),
        (VOICE, "no, say it", "language", None),
        (VOICE, "say it, but not in German", "language", None),
        (VOICE, "with a woman's voice", "voice", "female"),
        (VOICE, "with a male voice", "voice", "male"),
        (EFFECT, "like a robot", "effect", "robot"),
        (EFFECT, "as if it came over the phone", "effect", "telephone"),
        (EFFECT, "like a phone call", "effect", "telephone"),
        (EFFECT, "without sounding like a robot", "effect", None),
        (SPIN, "by 180 degrees", "turn", "180"),
        (SPIN, "upside down", "turn", "180"),
        (SPIN, "90 degrees to the left", "turn", "90 counterclockwise"),
        (SPIN, "clockwise by 90 degrees", "turn", "90 clockwise"),
        (LIGHT, "make it darker", "change", "darker"),
        (LIGHT, "it is far too dark", "change", "brighter"),
        (LIGHT, "brighten cave.jpg", "change", "brighter"),
        (LIGHT, "it needs more contrast", "change", "more contrast"),
        (LIGHT, "the colours should pop more", "change", "more colourful"),
        (LIGHT, "mach es heller", "change", "brighter"),
        (LIGHT, "rends-le plus sombre", "change", "darker"),
        (LIGHT, "más clara", "change", "brighter"),
        (LIGHT, "improve the dark picture", "change", None),
        (LIGHT, "don't make it darker", "change", None),
        (CHART, "as a pie", "kind", "pie"),
        (CHART, "draw bars", "kind", "bar"),
        (CASE, "in ALL CAPS", "case", "upper"),
        (CASE, "lower case this", "case", "lower"),
        (CASE, "put it in title case", "case", "title"),
        (MASKS, "where a.png and b.png overlap", "how", "and"),
        (MASKS, "a.png and b.png", "how", None),
        (SHOW, "without labels", "labels", False),
        (SHOW, "with labels", "labels", None),
        (SWAP, "replace 'a' by 'b', whole words only", "whole_words", True),
    ],
)
def test_choices_and_flags(spec, text, port_name, value):
    assert said(spec, text).get(port_name) == value


@pytest.mark.parametrize(
    ("tool", "text", "format"),
    [
        ("convert_document", "pdf to word", "docx"),
        ("convert_document", "pdf a word", "docx"),
        ("convert_document", "docx in pdf", "pdf"),
        ("convert_document", "de l'odt en html", "html"),
        ("convert_document", "pdf转word", "docx"),
        ("convert_document", "als reinen Text", "txt"),
        ("table_file", "make it an excel file", "xlsx"),
        ("picture_file", "png nach jpeg", "jpg"),
        ("audio_file", "from mp3 to wav", "wav"),
    ],
)
def test_what_a_file_becomes_is_its_form_not_what_it_is(tool, text, format):
    assert said(SHIPPED[tool], text).get("format", SHIPPED[tool].input("format").default) == format


@pytest.mark.parametrize(
    ("text", "degrees", "direction"),
    [
        ("turn it 45 degrees to the left", 45, ("left", "counterclockwise")),
        ("rotate by 90° counterclockwise", 90, ("counterclockwise",)),
        ("drehe es um 90 Grad nach links", 90, ("left", "counterclockwise")),
        ("it is upside down", None, ("upside down",)),
        ("turn it by 30 degrees", 30, (None,)),
    ],
)
def test_turns(text, degrees, direction):
    found = said(TURN, text)
    assert found.get("degrees") == degrees
    assert found.get("direction") in direction


@pytest.mark.parametrize(
    ("text", "find", "replace"),
    [
        ('replace "colour" with "color" in a.txt', "colour", "color"),
        ("swap 'colour' for 'color' everywhere", "colour", "color"),
        ("change every 'Smith' to 'Jones'", "Smith", "Jones"),
        ("just replace Mr by Dr in letter.txt", "Mr", "Dr"),
        ("write 'color' instead of 'colour'", "colour", "color"),
        ("ersetze „Haus“ durch „Heim“", "Haus", "Heim"),
        ("remplace « rouge » par « bleu »", "rouge", "bleu"),
        ("reemplaza 'rojo' por 'azul'", "rojo", "azul"),
        ("把“红”替换成“蓝”", "红", "蓝"),
        ("remove the word 'very'", "very", None),
    ],
)
def test_pairs_keep_their_order(text, find, replace):
    found = said(SWAP, text)
    assert (found.get("find"), found.get("replace")) == (find, replace)


@pytest.mark.parametrize(
    ("spec", "text", "title"),
    [
        (PAGE, 'a page titled "Bakery Holm"', "Bakery Holm"),
        (PAGE, "a page called 'Our trip'", "Our trip"),
        (PAGE, "a page with the title 'Alps'", "Alps"),
        (PAGE, "eine Seite mit dem Titel „Alpen“", "Alpen"),
        (PAGE, "une page intitulée « Les Alpes »", "Les Alpes"),
        (PAGE, "a page entitled Summer in Rome", "Summer in Rome"),
        (PAGE, "a page that says 'hello'", None),
        (CHART, "a pie titled 'Sales'", "Sales"),
    ],
)
def test_titles(spec, text, title):
    assert said(spec, text).get("title") == title


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("only the rows of orders.csv where amount > 100", "amount > 100"),
        ("rows with more than 5 points", "points > 5"),
        ("keep those with total > 50, then draw them", "total > 50"),
        ('keep the rows with region = "north" and draw bars', 'region = "north"'),
        ("rows whose price is at least 20", "price is at least 20"),
        ("rows where city contains Ro and price < 3", "city contains Ro and price < 3"),
        ("keep the rows with care", None),
    ],
)
def test_conditions(text, condition):
    assert said(ROWS, text).get("condition") == condition


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "rank players.csv by points, best first, just the top 10",
            {"column": "points", "descending": True, "limit": 10},
        ),
        ("sorted by name", {"column": "name"}),
        ("sort by unit_price, descending", {"column": "unit_price", "descending": True}),
        ("the five best by score", {"column": "score", "limit": 5}),
        ("sort by the column 'Last name'", {"column": "Last name"}),
        ("by points, not descending", {"column": "points", "descending": False}),
        ("nach Preis sortieren, absteigend", {"column": "Preis", "descending": True}),
    ],
)
def test_columns_and_order(text, values):
    found = said(ORDER, text)
    assert {name: found.get(name) for name in values} == values


def test_a_part_of_a_request_is_read_without_the_rest():
    text = "take the first 30 seconds of song.mp3, fade it out over 5 seconds"
    start = text.index("fade")
    clause = Clause(text, ((start, len(text)),))
    assert fill(FADES, FADES.inputs, clause).values == {"fade_out": 5}


def test_words_that_serve_elsewhere_are_not_taken():
    clause = Clause.of("lower it by 6 dB")
    places = fill(GAIN, GAIN.inputs, clause).places
    assert places
    assert fill(GAIN, GAIN.inputs, clause, places).values == {}


@pytest.mark.parametrize(
    ("tool", "text", "values"),
    [
        ("brightness_contrast", "make it darker", {"change": "darker"}),
        ("brightness_contrast", "make it much darker", {"change": "darker", "brightness": -0.3}),
        ("brightness_contrast", "viel mehr Kontrast", {"change": "more contrast", "contrast": 0.3}),
        ("white_balance", "a bit warmer", {"warmth": 0.15}),
        ("brightness_contrast", "make it a bit brighter", {"brightness": 0.15}),
        ("brightness_contrast", "etwas dunkler bitte", {"brightness": -0.15}),
        ("text_to_speech", "lis-le lentement", {"speed": 127}),
        ("text_to_speech", "read it out very fast", {"speed": 279}),
        ("trim_audio", "chop off after 4 seconds", {"end": 4}),
        ("frequent_words", "which words are used the most, just the first hundred", {"count": 100}),
        ("equalise", "shave four dB off the top end", {"treble": -4}),
        ("join_audio", "let each melt into the next over two seconds", {"gap": -2}),
        ("crop_video", "ponlo en vertical", {"shape": "9:16"}),
        ("pdf_pages", "throw page 2 of the pdf out", {"pages": "2", "how": "remove"}),
        ("pdf_pages", "3到6页留下，别的都不要", {"pages": "3-6"}),
        ("equalise", "more bass by 5 dB, less treble by 3 dB", {"bass": 5, "treble": -3}),
        ("equalise", "baisse les aigus de 2 dB, monte les graves de 3 dB", {"bass": 3, "treble": -2}),
        ("cut_silence", "supprime les pauses de plus d'une seconde et demie", {"pause": 1.5}),
        ("find_replace", 'put "extremely" for "very"', {"find": "very", "replace": "extremely"}),
        ("trim_audio", "chop off the first 4 seconds", {"start": 4}),
        ("trim_audio", "keep everything after 4 seconds", {"start": 4}),
    ],
)
def test_a_word_of_degree_changes_how_much(tool, text, values):
    spec = SHIPPED[tool]
    assert fill(spec, spec.inputs, Clause.of(text)).values == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("remove pages 2 and 3 from a.pdf", "2, 3"), ("only pages 2-4, 6 and 9.", "2-4, 6, 9"),
        ("nur die Seiten 2 und 3", "2, 3"), ("Seite 1 bis 3", "1-3"), ("les pages 2 et 3", "2, 3"),
        ("las páginas 2 a 5", "2-5"), ("删除第2、3页", "2, 3"), ("第2到5页", "2-5"), ("前3页", "1-3"),
        ("page 3 of the PDF is upside down", "3"), ("pages 4 to 6 and page 9", "4-6, 9"), ("from page 3 on", "3-"),
        ("from page 3 to page 5", "3-5"), ("ab Seite 4", "4-"), ("the first 3 pages", "1-3"), ("the last page", "last"),
        ("la dernière page", "last"), ("make 2 pages", None), ("at 90%", None),
    ],
)  # fmt: skip
def test_pages_are_listed_as_the_tools_take_them(text, value):
    for spec in (SHIPPED["pdf_pages"], SHIPPED["turn_pages"]):
        assert fill(spec, spec.inputs, Clause.of(text)).values.get("pages") == value


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("count the words in notes.txt", "words"),
        ("count the sentences of this text", "sentences"),
        ("count the letters", "letters"),
        ("how many of the lines are there?", "lines"),
        ("compte les mots de ce texte", "words"),
        ("zähle die Sätze", "sentences"),
    ],
)
def test_what_is_counted_is_not_what_it_is_counted_in(text, unit):
    spec = SHIPPED["count_words"]
    found = fill(spec, [port for port in spec.inputs if port.name == "unit"], Clause.of(text))
    assert found.values == {"unit": unit}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("move the captions 3 seconds earlier", -3),
        ("delay them by 1.5 s", 1.5),
        ("they come 2 seconds too early", 2),
        ("shift it by 4 s", 4),
        ("2 s früher", -2),
        ("alles kommt 2 Sekunden zu spät", -2),
        ("avance-les de 2 secondes", -2),
        ("mets-les 3 secondes plus tard", 3),
        ("adelanta el texto 2 segundos", -2),
        ("aparecen 2 segundos demasiado tarde", -2),
        ("提前2秒", -2),
        ("往后推2秒", 2),
    ],
)
def test_later_and_earlier_are_signs_and_a_complaint_asks_for_the_opposite(text, seconds):
    assert said(SHIPPED["shift_subtitles"], text)["seconds"] == seconds


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("fill blanks with the value above", "cell above"),
        ("nimm den Wert aus der Zeile darunter", "cell below"),
        ("mets la valeur la plus fréquente", "most frequent"),
        ("con la media", "mean"),
        ("用中位数", "median"),
    ],
)
def test_what_gaps_are_filled_from_is_read_in_five_languages(text, how):
    assert said(SHIPPED["fill_cells"], text)["how"] == how
