"""Numbers in words: what is spelled out is read as the number, in five languages; parts, times and how much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.arguments.quantity_match import converted
from desktop_app.plan.types import PortSpec


def words(text):
    """The words of a list."""
    return text.split()


EN = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
eighteen nineteen"
)
EN_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
DE = words(
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
achtzehn neunzehn"
)
DE_TENS = words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
FR = words(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit \
dix-neuf"
)
FR_TENS = words("vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
ES = words(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete \
dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho \
veintinueve"
)
ES_TENS = words("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
ES_HUNDREDS = words(
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos \
novecientos"
)
ZH = "零一二三四五六七八九"


def english(n):
    if n < 20:
        return EN[n]
    if n < 100:
        return EN_TENS[n // 10 - 2] + (f" {EN[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{EN[n // 100]} hundred" + (f" and {english(n % 100)}" if n % 100 else "")
    return f"{english(n // 1000)} thousand" + (f" {english(n % 1000)}" if n % 1000 else "")


def german(n):
    if n < 20:
        return DE[n]
    if n < 100:
        return (DE[n % 10] + "und" if n % 10 else "") + DE_TENS[n // 10 - 2]
    if n < 1000:
        return DE[n // 100] + "hundert" + (german(n % 100) if n % 100 else "")
    return german(n // 1000) + "tausend" + (german(n % 1000) if n % 1000 else "")


def french(n):
    if n < 20:
        return FR[n]
    if n < 100:
        tens, ones = FR_TENS[n // 10 - 2], n % 10 + 10 * (n // 10 in (7, 9))
        joint = " et " if ones in (1, 11) and n < 80 else "-"
        return tens + (joint + FR[ones] if ones else "s" * (n == 80))
    if n < 1000:
        return (f"{FR[n // 100]} " if n > 199 else "") + "cent" + (f" {french(n % 100)}" if n % 100 else "")
    return (f"{french(n // 1000)} " if n > 1999 else "") + "mille" + (f" {french(n % 1000)}" if n % 1000 else "")


def spanish(n):
    if n < 30:
        return ES[n]
    if n < 100:
        return ES_TENS[n // 10 - 2] + (f" y {ES[n % 10]}" if n % 10 else "")
    if n < 1000:
        return "cien" if n == 100 else ES_HUNDREDS[n // 100 - 1] + (f" {spanish(n % 100)}" if n % 100 else "")
    return (f"{spanish(n // 1000)} " if n > 1999 else "") + "mil" + (f" {spanish(n % 1000)}" if n % 1000 else "")


def chinese(n):
    said, gap = "", False
    for power, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        figure = n // power % 10
        if figure:
            said += "零" * (gap and said != "") + ZH[figure] + sign
        gap = not figure
    return said


@pytest.mark.parametrize("spell", [english, german, french, spanish, chinese])
@given(n=st.integers(min_value=2, max_value=9999))
def test_a_number_in_words_is_read_as_it(spell, n):
    unit = "像素" if spell is chinese else " px"
    assert [(q.value, q.unit) for q in quantities(spell(n) + unit)] == [(n, "px")]


@given(st.integers(min_value=1, max_value=90), st.integers(min_value=2, max_value=59))
def test_minutes_and_seconds_are_one_time(minutes, seconds):
    for text in (
        f"{minutes} min {seconds}",
        f"{english(minutes)} minutes {english(seconds)}",
        f"{minutes}分{seconds}秒",
    ):
        assert [q.value for q in quantities(text)] == [60 * minutes + seconds], text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("a minute ten", 70, "s"), ("deux minutes et quart", 135, "s"), ("el minuto y medio", 90, "s"),
        ("al minuto y medio", 90, "s"),
        ("anderthalb Minuten", 90, "s"), ("1 h 20", 4800, "s"), ("2h10", 7800, "s"), ("0:12", 12, "s"),
        ("quatre secondes et demie", 4.5, "s"), ("tres décimas de segundo", 0.3, "s"), ("五分半", 330, "s"),
        ("eine Dreiviertelminute", 45, "s"), ("une demi-seconde", 0.5, "s"), ("a fifth", 0.2, "x"),
        ("ein Zehntel", 0.1, "x"), ("三成", 0.3, "x"), ("四分之一", 0.25, "x"), ("百分之八", 8, "%"),
        ("the third second", 3, "s"), ("第五秒", 5, "s"), ("三百二像素", 320, "px"), ("zwölfhundert Pixel", 1200, "px"),
        ("half a dozen", 6, ""), ("half a thousand pixels", 500, "px"), ("un quart d'heure", 900, "s"),
        ("a week", 7, "days"), ("x4", 4, "x"), ("一点五倍", 1.5, "x"), ("one point two", 1.2, ""),
    ],
)  # fmt: skip
def test_parts_times_and_multiples(text, value, unit):
    assert [(q.value, q.unit) for q in quantities(text)] == [(value, unit)]


@pytest.mark.parametrize("text", ["3k", "einmal", "十分好看", "2nd", "千万别"])
def test_what_is_no_number_is_none(text):
    assert quantities(text) == ()


def test_from_the_tenth_to_the_fifteenth_second_is_a_range():
    for text in ("de la dixième à la quinzième seconde", "from the tenth to the fifteenth second"):
        assert [(q.value, q.role) for q in quantities(text)] == [(10, "start"), (15, "end")]


GAIN = PortSpec("gain", "number", default=6.0, minimum=-80, maximum=60, unit="dB")
SPEED = PortSpec("speed", "number", default=1.5, minimum=0.1, maximum=10, unit="x")
PITCH = PortSpec("semitones", "number", default=4.0, minimum=-36, maximum=36, unit="semitones")
WIDTH = PortSpec("width", "number", minimum=1, integer=True, unit="px")
DEPTH = PortSpec("depth", "number", default=1.0, minimum=0.1, maximum=5)
SCALE = PortSpec("scale", "number", default=1.0, minimum=0.01, maximum=20)


@pytest.mark.parametrize(
    ("port", "text", "value"),
    [
        (GAIN, "half as loud", -6), (GAIN, "a quarter as loud", -12), (GAIN, "twice as loud", 6),
        (GAIN, "deux fois moins fort", -6), (GAIN, "压低三分贝", -3), (GAIN, "six decibels weaker", -6),
        (SPEED, "twice as slow", 0.5), (SPEED, "um ein Viertel langsamer", 0.75), (SPEED, "un quart plus vite", 1.25),
        (SPEED, "a third of the speed", 0.33), (SPEED, "快一倍", 2), (SPEED, "trois fois moins vite", 0.33),
        (PITCH, "eine Oktave nach unten", -12), (PITCH, "dos tonos más grave", -4), (PITCH, "up a fifth", 7),
        (WIDTH, "2 cm at 300 dpi", 236), (WIDTH, "medio centímetro a 300 ppp", 59), (DEPTH, "twice as deep", 2),
        (SCALE, "deux fois plus petite", 0.5), (SCALE, "ein Drittel so groß", 0.33), (SCALE, "80 %", 0.8),
    ],
)  # fmt: skip
def test_a_factor_or_a_size_comes_in_the_terms_of_the_port(port, text, value):
    clause = Clause.of(text)
    assert converted(port, clause.quantities[0], clause) == value
