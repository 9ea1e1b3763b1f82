"""What a sentence claims that can be looked up: numbers, dates, files, links, quotations; in five languages.

Knows no findings. Numbers may be written with digits, with separators of thousands and decimals as any of the
languages has them, or in words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from desktop_app.core.paths import RESOURCES
from nodes._support.language.languages import language_of

Date = tuple[int, int, int]
_PARTS = ("hundred", "thousand", "million", "billion")
_SPACES = "\u00a0\u202f\u2009"
_URL = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,20}://|\b(?:mailto|javascript|data|file|tel|vbscript):|\bwww\.|\\\\)[^\s<>\"“”「」（）]+"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    re.IGNORECASE,
)
_DOTTED = re.compile(
    r"(?<![\w./\\])[\w%~-]+(?:\.[\w%~-]+)*\.(?:[a-z][a-z0-9]{1,15}|[A-Z][A-Z0-9]{1,4})(?![\w.])(?:[/?#]\S*)?"
)
_PATH = re.compile(r"(?<![\w/.])(?:~|\.{1,2})?/(?:[\w.-]+/)+[\w.-]*|\b[A-Za-z]:\\\S+")
_QUOTES = (
    r"“([^“”]+)[”“]", r"„([^“”„]+)[“”]", r"«([^«»]+)»", r"「([^「」]+)」", r"『([^『』]+)』", r"‘([^‘’\n]{2,})’(?!\w)",
    r"\"([^\"\n]+)\"", r"(?<!\w)'([^'\n]{2,})'(?!\w)", r"`+([^`]+)`+", r"(?<![*\w])\*([^*\n]*\s[^*\n]*)\*(?![*\w])",
)  # fmt: skip
_QUOTED = re.compile("|".join(_QUOTES))
_DIGITS = re.compile(
    rf"(?<![A-Za-z0-9_.])(?P<sign>[-−+]?)(?P<body>\d+(?:[.,'’{_SPACES}]\d+|\ (?=\d{{3}}(?!\d))\d{{3}})*)"
    r"(?P<after>\s?%|\s?(?:percent|per cent|prozent|pour cent|por ciento))?", re.IGNORECASE,
)  # fmt: skip
_CLOCK = re.compile(r"(?<![\d:])(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,]\d+)?(?![\d:])")
_HAN = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN_LARGE = {"万": 10_000, "亿": 100_000_000}
_HAN_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+")
_HAN_IDIOMS = re.compile(
    "一些|一样|一起|一般|一直|一定|一下|一共|一致|十分|万一|统一|唯一|第[一二三四五六七八九十]+|一"
)
_HAN_AFTER = re.compile(r"\s?(万|亿)")
_ITEM = re.compile(r"^\s*(?:\d{1,3}[.)]\s|[-*+•]\s)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True)
class Amount:
    """A number as it is written: what it may mean, by the language, and the size of a unit in its last place.

    `percent` says that it is one; `scaled` that a word such as "million" follows.
    """

    readings: frozenset[float]
    step: float = 1.0
    percent: bool = False
    scaled: bool = False

    def means(self, value: float) -> bool:
        """True when this is the value, or the value rounded to as many places as are written."""
        for reading in self.readings:
            if abs(reading - value) <= 1e-9 * max(1.0, abs(value)):
                return True
            rounds = self.scaled or self.step < 1 or (not float(value).is_integer() and abs(value) >= 10)
            if rounds and abs(reading - value) <= self.step / 2 * 1.0001 and abs(reading - value) <= 0.06 * abs(value):
                return True
            if self.percent and 0 <= value <= 1 and abs(reading / 100 - value) <= self.step / 200 * 1.0001:
                return True
        return False


@dataclass(frozen=True)
class Claims:
    """`soft` are words that may be numbers and may be articles: "no", "one". `names` look like files, addresses or
    paths, and so do `links`. `quoted` are the numbers within quotations, which `amounts` leaves out.
    """

    amounts: tuple[Amount, ...] = ()
    soft: tuple[float, ...] = ()
    dates: tuple[frozenset[Date], ...] = ()
    clocks: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    quoted: tuple[Amount, ...] = ()


def claims(text: str, known: Collection[str] = (), language: str = "") -> Claims:
    """What the text claims. `known` are names that are to be found as they stand, spaces included."""
    language = language or language_in(text)
    text = _ITEM.sub(" ", text)
    found: list[str] = []
    for name in sorted(filter(None, known), key=len, reverse=True):
        if name in text:
            found.append(name)
            text = text.replace(name, " \u0000 ")
    text, links = _taken(text, _URL)
    text, paths = _taken(text, _PATH)
    quotes: list[str] = []

    def quote(match: re.Match[str]) -> str:
        quotes.append(next(filter(None, match.groups())))
        return " \u0000 "

    text = _QUOTED.sub(quote, text)
    text, dotted = _taken(text, _DOTTED)
    text, dates = _dates(text, language)
    clocks = tuple((int(match[1] or 0) * 3600 + int(match[2]) * 60 + int(match[3])) for match in _CLOCK.finditer(text))
    text = _CLOCK.sub(" \u0000 ", text)
    soft: list[float] = []
    amounts = tuple(_amounts(text, language, soft))
    quoted = tuple(each for quote_ in quotes for each in _amounts(quote_, language, []))
    named = (*found, *(name.rstrip("/.,") for name in (*paths, *dotted)))
    return Claims(amounts, tuple(soft), dates, clocks, named, tuple(links), tuple(quotes), quoted)


def language_in(text: str) -> str:
    """Which of the five languages it is, English where none is found."""
    code = language_of(text)
    return code if code in (*_numerals(), "zh") else "en"


def says(word: str, language: str) -> bool | None:
    """Whether a word is "yes" or "no" in the language; None when neither."""
    if language == "zh":
        return True if word.startswith("是") else False if word.startswith(("不", "没")) else None
    table = _numerals()[language]
    return True if word in table["yes"] else False if word in table["no"] else None


def _taken(text: str, pattern: re.Pattern[str]) -> tuple[str, list[str]]:
    found = [match[0].rstrip(".,;:!?)]}'*_。，；：！？") for match in pattern.finditer(text)]
    return pattern.sub(" \u0000 ", text), found


# Numbers


def _amounts(text: str, language: str, soft: list[float]) -> Iterator[Amount]:
    """Numbers with digits and in words; what may be an article as well goes to `soft`."""
    text = text.translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    rest = []
    place = 0
    for match in _DIGITS.finditer(text):
        amount = _with_digits(match)
        scale, length = _scale(text[match.end() :], language)
        if scale != 1:
            amount = Amount(frozenset(r * scale for r in amount.readings), amount.step * scale, False, True)
        yield amount
        rest.append(text[place : match.start()])
        place = match.end() + length
    words = " \u0000 ".join([*rest, text[place:]])
    yield from _chinese(words, soft)
    yield from _in_words(words, language, soft)


def _with_digits(match: re.Match[str]) -> Amount:
    body = re.sub(rf"[ '’{_SPACES}]", "", match["body"])
    readings: dict[float, float] = {}
    whole = re.fullmatch(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?", body)
    if whole:
        mark = whole[1]
        text = body.replace(mark, "").replace(",", ".")
        readings[float(text)] = _step(text)
    if body.count(".") + body.count(",") <= 1:
        text = body.replace(",", ".")
        readings[float(text)] = _step(text)
    if not readings:  # parts of a version or an address: each digit group counts
        readings = {float(re.sub(r"\D", "", body)): 1.0}
    sign = -1 if match["sign"] in ("-", "−") else 1
    return Amount(frozenset(sign * r for r in readings), min(readings.values()), bool(match["after"]))


def _step(text: str) -> float:
    return 10.0 ** -len(text.partition(".")[2]) if "." in text else 1.0


def _scale(after: str, language: str) -> tuple[float, int]:
    """By what a word behind a number multiplies it, and how long that word is with the space before."""
    han = _HAN_AFTER.match(after)
    if han:
        return float(_HAN_LARGE[han[1]]), han.end()
    word = re.match(r"\s?([^\W\d_]+)\.?", after)
    if word and language in _numerals():
        table = _numerals()[language]
        for name, size in (("thousand", 1e3), ("million", 1e6), ("billion", 1e9)):
            if word[1].lower() in table[name]:
                return size, word.end()
    return 1.0, 0


def _in_words(text: str, language: str, soft: list[float]) -> Iterator[Amount]:
    if language not in _numerals():
        return
    table = _numerals()[language]
    known = _spelled(language)
    for run in _runs([word.lower() for word in _WORD.findall(text.replace("\u0000", " . "))], known, table):
        if len(run) == 1 and run[0] in (table["one"] | table["none"]):
            soft.append(1.0 if run[0] in table["one"] else 0.0)
            continue
        value = _sum(run, known, table)
        if value is not None:
            yield Amount(frozenset({value}))


def _runs(words: list[str], known: Mapping[str, int], table: Mapping[str, frozenset[str]]) -> Iterator[list[str]]:
    """Neighbouring words of numbers, with joiners only between them."""
    run: list[str] = []
    words = [part for word in words for part in _compound(word, known, table)]
    numbers = {word for spelled in known for word in spelled.split()} | table["one"] | table["none"]
    numbers = numbers.union(*(table[part] for part in _PARTS)) - table["joiners"]
    for word in (*words, ""):
        if word in numbers:
            run.append(word)
        elif not (run and word in table["joiners"]):
            if run:
                yield run
            run = []


def _compound(word: str, known: Mapping[str, int], table: Mapping[str, frozenset[str]]) -> list[str]:
    """ "zweihundertvier" as its parts; hyphens part too."""
    if word in known or ("hundert" not in word and "tausend" not in word):
        return word.split("-")
    parts = [part for part in re.split(r"(tausend|hundert)", word) if part]
    plain = [part.removeprefix("und") for part in parts]
    return plain if all(p in known or p in ("hundert", "tausend") or p in table["one"] for p in plain) else [word]


def _sum(run: list[str], known: Mapping[str, int], table: Mapping[str, frozenset[str]]) -> float | None:
    total = current = 0.0
    place, some = 0, False
    while place < len(run):
        for length in range(min(4, len(run) - place), 0, -1):
            spelled = " ".join(run[place : place + length])
            if spelled in known:
                current += known[spelled]
                break
        else:
            word, length = run[place], 1
            if word in table["hundred"]:
                current = max(current, 1.0) * 100
            elif word in table["one"]:
                current += 1
            else:
                sizes = (1e3, 1e6, 1e9)
                size = next((s for s, name in zip(sizes, _PARTS[1:], strict=True) if word in table[name]), None)
                if size is None:
                    return None
                total, current = total + max(current, 1.0) * size, 0.0
        some = True
        place += length
    return total + current if some else None


def _chinese(text: str, soft: list[float]) -> Iterator[Amount]:
    text = text.replace("没有", "\u0001")
    soft.extend(0.0 for _ in range(text.count("\u0001")))
    for match in _HAN_NUMBER.finditer(text):
        around = text[max(0, match.start() - 1) : match.end() + 1]
        if match[0] == "一" or _HAN_IDIOMS.fullmatch(around[:-1]) or _HAN_IDIOMS.fullmatch(around[-2:]):
            soft.append(1.0)
            continue
        if match[0] in ("千", "百", "万", "亿") or _HAN_IDIOMS.fullmatch(match[0]):
            continue
        yield Amount(frozenset({_han(match[0])}))


def _han(text: str) -> float:
    if all(c in _HAN for c in text):  # digit by digit: 二〇二四
        return float("".join(str(_HAN[c]) for c in text))
    total = part = digit = 0
    for c in text:
        if c in _HAN:
            digit = _HAN[c]
        elif c in _HAN_UNITS:
            part, digit = part + (digit or 1) * _HAN_UNITS[c], 0
        else:
            total, part, digit = total + (part + digit) * _HAN_LARGE[c], 0, 0
    return float(total + part + digit)


# Dates


def _dates(text: str, language: str) -> tuple[str, tuple[frozenset[Date], ...]]:
    found: list[frozenset[Date]] = []

    def numeric(match: re.Match[str]) -> str:
        a, b, c = (int(part) for part in match.groups())
        ways = {(a, b, c)} if a > 31 else {(_year(c), b, a), (_year(c), a, b)}
        days = frozenset(day for day in ways if 1 <= day[1] <= 12 and 1 <= day[2] <= 31)
        if not days:
            return match[0]
        found.append(days)
        return " \u0000 "

    def named(match: re.Match[str]) -> str:
        day, month = match["day"] or match["day2"], _months()[(match["month"] or match["month2"]).lower()]
        found.append(frozenset({(int(match["year"] or match["year2"]), month, int(day))}))
        return " \u0000 "

    text = _NUMERIC_DATE.sub(numeric, text)
    return _named_date().sub(named, text), tuple(found)


_NUMERIC_DATE = re.compile(
    r"(?<![\d.,/-])(\d{4}|\d{1,2})\s?[-./年]\s?(\d{1,2})\s?[-./月]\s?(\d{4}|\d{1,2})(?:日|号)?(?![\d/-]|[.,]\d)"
)


def _year(number: int) -> int:
    return number + 2000 if number < 100 else number


@cache
def _months() -> Mapping[str, int]:
    names: dict[str, int] = {}
    for table in tomllib.loads((RESOURCES / "numerals.toml").read_text("utf-8")).values():
        for number, name in enumerate(table["months"].split(", "), 1):
            names[name] = number
            names.setdefault(name[:3], number)
    return names


@cache
def _named_date() -> re.Pattern[str]:
    month = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    return re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<month>{month})\.?,?\s(?:de\s|del\s)?(?P<year>\d{{4}})"
        rf"|\b(?P<month2>{month})\.?\s(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year2>\d{{4}})",
        re.IGNORECASE,
    )


# Words


@cache
def _numerals() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By language and kind, the words."""
    data = tomllib.loads((RESOURCES / "numerals.toml").read_text("utf-8"))
    return {
        language: {kind: frozenset(filter(None, words.replace("\n", " ").split(", "))) for kind, words in table.items()}
        for language, table in data.items()
    }


@cache
def _spelled(language: str) -> Mapping[str, int]:
    """The words for 0 to 99, hyphens as spaces, with the word of "one" left out where it is an article too."""
    data = tomllib.loads((RESOURCES / "numerals.toml").read_text("utf-8"))[language]["numerals"]
    articles = _numerals()[language]["one"]
    words = [word.strip().replace("-", " ") for word in data.replace("\n", " ").split(", ")]
    return {word: number for number, word in enumerate(words) if word not in articles}
