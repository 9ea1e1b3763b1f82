"""Words that are marked as the value of an input are read as the value: texts, lists, conditions, colours, flags."""

import numpy as np
import pytest

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.marked_text import condition, names_columns
from desktop_app.plan.arguments.text_marks import LEAST, facts, log_odds
from desktop_app.plan.arguments.value_marks import ValueMarks, likeliest, trimmed
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.ranking.wish_files import first_said
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given
from nodes import load_tools
from nodes._support.imaging.pixels import colour_of

TOOLS = {spec.id: spec for spec in from_tools(load_tools().tools)}
PORTS = sorted({port.name for spec in TOOLS.values() for port in spec.inputs})


def read(where, text):
    """What is read for "tool.port" from a text in which [the value] is marked."""
    return read_all(where, text).get(where.partition(".")[2])


def read_all(where, text):
    """The same for every port of the tool."""
    tool, _, port = where.partition(".")
    start, end = text.index("["), text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    words = words_of(text)
    logs = np.full((len(words), len(PORTS) + 1), -9.0, np.float32)
    for n, word in enumerate(words):
        logs[n, PORTS.index(port) + 1 if word.start < end and start < word.end else 0] = 0
    clause = Clause(text, ((0, len(text)),), ValueMarks(words, logs, PORTS))
    return fill(TOOLS[tool], TOOLS[tool].inputs, clause).values


@pytest.mark.parametrize("port", ["width", "height"])
def test_a_size_marked_as_one_side_gives_both(port):
    assert read_all(f"resize.{port}", "resize to [1080x1080]") == {"width": 1080, "height": 1080}


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("ask_image.question", "tell me [is it glossy or matt]?", "is it glossy or matt?"),
        ("ask_image.question", "¿[lleva verduras]?", "¿lleva verduras?"),
        (
            "ask_image.question",
            "¿[de qué marca es el coche de] la foto? gracias",
            "¿de qué marca es el coche de la foto?",
        ),
        ("ask_image.question", "这张照片[里的车是什么牌子的]？", "这张照片里的车是什么牌子的？"),
        ("answer_from_text.question", "[what's the deadline in] this contract", "what's the deadline in this contract"),
        ("ask_image.question", "[what is it made of], third crate", "what is it made of"),
        ("ask_image.question", "[what does the man] in a.jpg do?", "what does the man in a.jpg do?"),
        ("ask_image.question", "[what does the man] in a.jpg and make it grey", "what does the man"),
        ("ask_image.question", "[what colour is the cup in] cup.jpg?", "what colour is the cup"),
        ("ask_image.question", "[what colour is the cup in cup].jpg", "what colour is the cup"),
        ("text_to_image.prompt", "paint me a picture [of a lighthouse in a storm]", "a lighthouse in a storm"),
        ("text_to_image.prompt", "mal mir [ein bild von einem leuchtturm]", "einem leuchtturm"),
        ("text_to_image.prompt", "[a photo album of the sea]", "a photo album of the sea"),
        ("text_to_image.prompt", "画[一张小猫在月亮上睡觉的图]", "小猫在月亮上睡觉"),
        ("text_to_image.negative", "a fox in a field, [no text in it]", "text"),
        ("text_to_image.negative", "mal ein Nilpferd, [keine Zuschauer]", "Zuschauer"),
        ("number_to_text.sentence", 'say "[There are N sheep]"', "There are {} sheep"),
        ("number_to_text.sentence", "schreib [Es sind soundsoviele Schafe]", "Es sind {} Schafe"),
        ("classify_text.categories", "tell whether it's [billing, a delivery or praise]", "billing, delivery, praise"),
        ("extract_values.columns", "nimm [Absender, Datum und Betrag]", "Absender, Datum, Betrag"),
        ("make_code.text", "a QR of [https://coffee.example/menu]", "https://coffee.example/menu"),
        ("select_boxes.which", "only [the biggest dog]", "largest dog"),
        ("sort_table.column", "sort by [the column kilos]", "kilos"),
        ("add_text.text", "a label [18 €] on the left", "18 €"),
        ("text_to_image.prompt", "mal [einen Turm im Nebel, mit]", "einen Turm im Nebel"),
        ("story_page.title", "nenn die Seite [Am Fluss]. dann noch ein Film", "Am Fluss"),
        ("edit_by_instruction.instruction", "[把天空换成晚霞]", "把天空换成晚霞"),
        ("chart.colour", "ein Tortendiagramm in [rot, gelb und grün]", "red, yellow, green"),
        ("border.colour", "a frame in [red and white]", "red"),
    ],
)
def test_marked_text_comes_as_the_port_wants_it(where, text, value):
    assert read(where, text) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("the total is over a hundred", "total > 100"), ("der Ertrag unter 20 kg", "Ertrag < 20"),
        ("the city column says Lyon", "city is Lyon"), ("销量大于五百", "销量 > 500"), ("stock est à 0", "stock = 0"),
        ("über 100 in der Spalte Betrag", "Betrag > 100"), ("price > 50", "price > 50"), ("whatever", "whatever"),
        ("la colonne âge est au moins dix-huit", "âge >= 18"), ("mit mehr als dreißig Gästen", "Gästen > 30"),
        ("más de ocho puntos", "puntos > 8"), ("länger als zehn Sekunden", "länger als zehn Sekunden"),
        ("mehr als zehn Sekunden", "seconds > 10"), ("über 50 Euro", "über 50 Euro"),
        ("over a million", "over a million"), ("people over 2 million", "people > 2000000"),
        ("人口超过100万", "人口 > 100万"), ("cities have over a million people", "people > 1000000"),
        ("Preis unter 5 oder Menge über 90", "Preis unter 5 oder Menge über 90"),
    ],
)  # fmt: skip
def test_a_condition_in_words_becomes_one_in_signs(said, value):
    assert condition(said) == value


def test_rows_that_shall_go_leave_the_others():
    assert read("filter_table.condition", "supprime les lignes où [âge est sous dix-huit]") == "âge >= 18"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("leave out those who [have already paid]", "not (have already paid)"),
        ("everyone except those who [have paid]", "not (have paid)"),
        ("lass die weg, die [schon bezahlt haben]", "not (schon bezahlt haben)"),
        ("alle ohne die, die [schon bezahlt haben]", "not (schon bezahlt haben)"),
        ("die Liste ohne die, die schon [bezahlt] haben", "not (bezahlt)"), ("去掉已经[付款的人]", "not (付款的人)"),
        ("remove the [people from Leeds]", "not (people from Leeds)"),
        ("delete the rows with [under 12 or above 1000]", "not (under 12 or above 1000)"),
        ("only those who [have not paid]", "have not paid"), ("the rows where [the end is over 5]", "end > 5"),
        ("list [everyone except those who have paid]", "everyone except those who have paid"),
        ("list all [from Leeds except Dan]", "from Leeds except Dan"),
    ],
)  # fmt: skip
def test_rows_that_shall_go_are_kept_apart_whatever_is_said_of_them(text, value):
    assert read("filter_table.condition", text) == value


@pytest.mark.parametrize(
    ("said", "colour"),
    [
        ("himmelblauen Rahmen", "sky blue"), ("bleu marine", "navy"), ("hellgrau", "light gray"),
        ("gris claro", "light gray"), ("浅灰色", "light gray"), ("negras", "black"), ("see-through", "transparent"),
        ("mint green", "mint green"), ("dunkelgrünem", "dark green"), ("a cream", "cream"),
        ("cornflower blue", "cornflower blue"),
        ("浅绿", "light green"), ("深红", "dark red"), ("big blue", "blue"), ("plain white", "white"),
    ],
)  # fmt: skip
def test_a_colour_has_its_english_name(said, colour):
    assert read("border.colour", f"[{said}]") == colour


@pytest.mark.parametrize("said", ["blurple", "round", "rounded", "thin", "dotted frame", "rund"])
def test_what_is_no_colour_that_tools_know_is_no_colour(said):
    assert read("border.colour", f"[{said}]") is None


def test_tools_know_every_colour_that_is_taken():
    for name in tables().small["colour_names"] - {"transparent"}:
        assert colour_of(name)


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("sort_table.descending", "sort by kilos, [heaviest first]", True),
        ("sort_table.descending", "classe par montant [croissant]", False),
        ("before_after.labels", "davor und danach, [ohne Beschriftung]", False),
        ("mix_audio.loop", "[again and again] until the end", True),
        ("sort_lines.unique", "ordena la lista, [sin repetidos]", True),
    ],
)
def test_a_marked_flag_is_not_as_usual(where, text, value):
    assert read(where, text) is value


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("normalise_loudness.target", "level it for [broadcast]", -23),
        ("collage.gap", "a grid with [no space] between", 0),
        ("weather.days", "the weather for [the whole week]", 7),
        ("join_audio.gap", "row them up, overlapping by [a second]", -1),
        ("edge_map.detail", "edges, [as many as possible]", 1),
        ("watercolour.wetness", "watercolour, [hardly running]", 0.1),
        ("pick_line.entry", "donne-moi [le cinquième]", 5),
        ("trim_audio.start", "cut out [the first twenty seconds]", 20),
        ("trim_video.start", "[die ersten acht Sekunden] raus", 8),
        ("weather.days", "Wetter in Bonn für die [nächste Woche]", 7),
        ("trim_video.end", "cut the first [twelve seconds] of the tour", 12),
        ("equalise.bass", "mehr Höhen, und die [Bässe um vier dB absenken]", -4),
    ],
)
def test_marked_words_say_how_much(where, text, value):
    assert read(where, text) == value


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("translate.language", "traduis-le en [anglais]", "English"),
        ("translate.language", "das Ganze ins [Deutsche]", "German"),
        ("crop.shape", "trim to [sixteen to nine]", "16:9"),
        ("crop.shape", "裁成[四比三]", "4:3"),
        ("text_to_speech.voice", "lis avec une [voix d'homme]", "male"),
        ("average_numbers.how", "which is [the biggest]", "most"),
    ],
)
def test_a_marked_choice_is_found(where, text, value):
    assert read(where, text) == value


def test_words_beside_the_marked_ones_are_no_choice():
    assert read("reverb.room", "a hall effect as in a [stairwell]") is None


@pytest.mark.parametrize(
    ("tool", "text", "values"),
    [
        ("change_volume", "mach das leiser", {"gain": -6}),
        ("change_volume", "a lot quieter", {"gain": -12}),
        ("change_volume", "a bit louder", {"gain": 3}),
        ("change_volume", "it is too loud", {"gain": -6}),
        ("change_volume", "小声点", {"gain": -6}),
        ("change_volume", "louder", {}),
        ("change_volume", "10 dB quieter", {"gain": -10}),
        ("change_pitch", "a quarter tone flat", {"semitones": -0.5}),
        ("change_pitch", "pitch it down", {"semitones": -4}),
        ("equalise", "more bass, less treble", {"bass": 6, "treble": -6}),
        ("equalise", "menos graves", {"bass": -6}),
        ("rotate", "turn it down", {}),
    ],
)
def test_a_direction_without_a_number_is_the_usual_change_that_way(tool, text, values):
    assert fill(TOOLS[tool], TOOLS[tool].inputs, Clause(text, ((0, len(text)),))).values == values


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("white_balance.tone", "las fotos [más cálidas]", "warmer"),
        ("white_balance.tone", "eine [wärmere] Stimmung", "warmer"),
        ("chart.kind", "ein [Tortendiagramm] daraus", "pie"),
        ("text_to_speech.voice", "lis-le d'une voix [chuchotante]", "whisper"),
        ("restore_photo.part", "solo [los rostros], por favor", "faces"),
        ("merge_texts.between", "接起来，[隔一行]", "empty line"),
        ("rotate_video.turn", "en el [sentido antihorario]", "90 counterclockwise"),
    ],
)
def test_a_choice_is_known_in_all_its_forms(where, text, value):
    assert read(where, text) == value


def test_what_is_marked_as_a_choice_is_no_amount_of_another_input():
    assert read_all("white_balance.tone", "[más frío]") == {"tone": "cooler"}


@pytest.mark.parametrize(
    ("text", "side"),
    [("[dreihundert Pixel] mehr rechts", "right"), ("pon [300 px] de más a la izquierda", "left")],
)
def test_the_name_beside_a_number_decides_against_the_mark(text, side):
    assert read_all("extend_canvas.top", text) == {side: 300}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("«Happy 80.!» in the middle", "Happy 80.!"),
        ("«Happy birthday!» Make it gold", "Happy birthday"),
        ("«is it open?» please", "is it open?"),
        ("signed «Lea M.»", "Lea M."),
        ("«Hello, Anna,» then", "Hello, Anna"),
        ("by «name.» then by age", "name"),
    ],
)
def test_a_text_keeps_the_signs_that_belong_to_it(text, value):
    start, end = text.index("«"), text.index("»") - 1
    plain = text.replace("«", "").replace("»", "")
    first, last = trimmed(plain, start, end)
    assert plain[first:last] == value


def test_what_is_made_names_no_columns():
    chart = {port.name: port for port in TOOLS["chart"].inputs}
    assert names_columns(chart["values"]) and names_columns(chart["names"])
    assert not names_columns(chart["title"]) and not names_columns(chart["table"])


def test_files_named_without_their_accents_keep_the_order_in_which_they_are_named():
    text = "junta en este orden: entrada, salón, dormitorio"
    names = sorted(["dormitorio.mp4", "entrada.mp4", "salon.mp4"], key=lambda name: first_said(name, text))
    assert names == ["entrada.mp4", "salon.mp4", "dormitorio.mp4"]


@pytest.mark.parametrize(("text", "value"), [
    ("cut out [the dog in park.jpg]", "the dog"), ("make [the sky of park.jpg more blue]", "the sky"),
    ("in [park.jpg the two boats]", "the two boats"), ("cut out [the dog in the park]", "the dog in the park"),
])  # fmt: skip
def test_a_files_name_is_no_part_of_what_is_said(text, value):
    start, end = text.index("["), text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    words = words_of(text, [Given("park.jpg", "image")])
    logs = np.full((len(words), len(PORTS) + 1), -9.0, np.float32)
    for n, word in enumerate(words):
        logs[n, PORTS.index("what") + 1 if word.start < end and start < word.end else 0] = 0
    tool = TOOLS["segment_described"]
    clause = Clause(text, ((0, len(text)),), ValueMarks(words, logs, PORTS))
    assert fill(tool, tool.inputs, clause).values["what"] == value


@pytest.mark.parametrize(
    ("worth", "own", "least", "found"),
    [
        ((-1, 2, -1, 3, -5, 1), range(6), 0, (1, 3)),
        ((-1, 2, -1, 3), (0, 1, 3), 0, (3, 3)),  # what is taken parts the words
        ((0.5, 0.4), range(2), 1, (-1, -1)),
        ((0.5, 0.6), range(2), 1, (0, 1)),
        ((), (), 0, (-1, -1)),
    ],
)
def test_a_text_is_the_words_in_a_row_that_are_likeliest(worth, own, least, found):
    assert likeliest(np.array(worth, np.float32), own, least) == found


def test_facts_of_a_word_tell_what_stands_around_it():
    shares = np.array([0.01, 0.9, 0.8, 0.01], np.float32)
    rows = facts(["call", "it", "Spring!", "7x"], [1, 2, 3], shares, shares, 1 - shares, 5)
    odds = log_odds(shares)
    assert rows[0, :7].tolist() == pytest.approx([*log_odds(np.zeros(2)), *odds, log_odds(np.zeros(1))[0]], rel=1e-5)
    assert rows[1, 12:16].tolist() == [1, 0, 1, 0], "a capital, no figure, a stop behind it, no quote"
    assert rows[0, 20:24].tolist() == rows[1, 12:16].tolist(), "the word behind"
    assert rows[:, -3:].tolist() == [[5, 2, 1], [5, 7, 0], [5, 2, 1]]


def test_where_no_word_is_near_a_text_no_trees_are_asked():
    words = words_of("make it brighter")
    logs = np.log(np.full((3, len(PORTS) + 1), LEAST / 9 / len(PORTS), np.float32))
    logs[:, 0] = 0
    assert ValueMarks(words, logs, PORTS).text(TOOLS["add_text"], "text", lambda start, end: True) is None


@pytest.mark.parametrize(
    ("where", "text", "value"),
    [
        ("ask_document.question", "find [out the total due], and speak it", "the total due"),
        ("replace_in_document.find", "swap [tenant for] lessee everywhere", "tenant"),
        ("filter_table.condition", "only the ones [over 50 quid]", "over 50 quid"),
        ("resize.percent", "auf [30 %] verkleinern", 30),
        ("resize.percent", "[30 %] kleiner", 70),
    ],
)
def test_what_leads_to_a_value_is_no_part_of_it(where, text, value):
    assert read(where, text) == value


def test_a_part_of_a_film_lies_between_the_minutes_that_are_said():
    assert read_all("trim_audio.start", "corta del [minuto 3] al 5") == {"start": 180, "end": 300}


def test_an_address_ends_where_chinese_goes_on():
    assert read("download_audio.url", "下载[https://edu.example/l1.mp3]、降噪") == "https://edu.example/l1.mp3"


@pytest.mark.parametrize("text", [
    "just grey lead, [no colours]", "[ohne Farben]", "[without colours]", "[sans couleurs]", "[sin colores]",
    "[不要颜色]",
])  # fmt: skip
def test_a_flag_that_is_said_not_to_be_is_not(text):
    assert read("pencil_sketch.coloured", text) is False


@pytest.mark.parametrize("text", [
    "chuck out everything [under a million]", "throw away all [older than 30]", "get rid of whatever is [below 10]",
    "wirf alles [unter 5 Euro] raus",
])  # fmt: skip
def test_what_is_thrown_out_is_not_kept(text):
    value = text[text.index("[") + 1 : text.index("]")]
    assert read("filter_table.condition", text) == f"not ({value})"
