"""Finds dates, addresses, amounts, phone numbers and names in text by their form. Must not know tools.

Our own, because it needs no model: GLiNER and Flair want torch and weights, as the tool's back end for token classes
does; libraries for one kind alone (dateparser, phonenumbers) would leave all the others here.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from nodes._support.language.languages import FOLDER, language_of, languages, stop_words
from nodes._support.language.sentences import annotated

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|"
    "januar|februar|märz|mai|juni|juli|oktober|dezember|"
    "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|"
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|"
    "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
)
_DAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|"
    "sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
)
_AMOUNT = r"\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_SCALE = (
    r"(?:[ \u00a0]?(?:thousand|million|billion|trillion|mio\.?|mrd\.?|millionen|milliarden|millions|millones|bn|k|m))?"
)
_CURRENCY = (
    r"(?:[$€£¥₹₽]|(?:usd|eur|gbp|chf|jpy|cny|dollars?|euros?|pounds?|yen|yuan|francs?|franken|pesos?|rupees?)\b|元|円)"
)
_TITLED = r"(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sir|Lady|Lord|Frau|Herr|Herrn|Mme|Madame|Monsieur|Señora?|Sra?|Signora?|Dott)"
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ\u0590-\u1cff\u2e80-\uffff][^\W\d_]*(?:[-'’][^\W\d_]+)*(?!\w)"
_UNTITLED = rf"(?!{_TITLED}\b){_CAPITAL}"
_PARTICLE = (
    r"(?:(?:von|van)(?: der| den| de)?|de(?: la)?|di|da|del|bin|ibn|al|zu|of)"
    r"(?! (?:der |den )?(?:Universität|Hochschule|Schule|Stadt|Gemeinde|Firma|Bank|Partei|Zeitung|Klinik|Regierung)\b)"
)
"""Not before what somebody works at: "Sabine Krüger von der Universität"."""
_BY_LETTER = {  # begins with a letter (a mail address may begin with a digit too)
    "url": r"\b(?:https?://|www\.)[^\s<>\"'“”]*[^\s<>\"'“”.,;:!?)\]}]",
    "mail": r"\b[\w.+%-]{1,64}@(?:[\w-]+\.)+[^\W\d_]{2,}\b",
    "iban": r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b",
    "date": rf"\b(?:{_MONTHS})\b\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
    rf"|\b(?!may |mars |mar )(?:{_MONTHS})\b\.? \d{{4}}\b",
    "money": rf"\b(?:USD|EUR|GBP|CHF) (?:{_AMOUNT})",
}
_BY_DIGIT = {  # begins with a digit, a sign or a bracket; in the order of precedence
    "card": r"\b(?:\d{4}[ -]?){3}\d{1,7}\b",
    "ip": r"\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b(?!\.\d)",
    "date": r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\b|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?"
    r"|(?<!\d)\d{1,2}月\d{1,2}[日号]"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?(?: of| de)? (?:{_MONTHS})\b(?:\.?,? (?:de )?\d{{4}}\b)?",
    "time": r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?(?:[ap]m\b|[ap]\.m\.)| Uhr\b)?"
    r"|\b(?:1[0-2]|0?[1-9]) ?(?:[ap]m\b|[ap]\.m\.)"
    r"|\b(?:[01]?\d|2[0-3])(?:\.[0-5]\d)? Uhr\b|\b(?:[01]?\d|2[0-3]) ?h(?: ?[0-5]\d)?\b",
    "money": rf"[$€£¥₹₽] ?(?:{_AMOUNT}){_SCALE}|\b(?:{_AMOUNT}){_SCALE}[ \u00a0]?{_CURRENCY}",
    "percent": rf"(?<![\w.])[-+−]?(?:{_AMOUNT}) ?(?:%|percent\b|per cent\b|prozent\b|pour cent\b|por ciento\b)",
    "phone": r"(?<![\w.])(?:\+|00)\d{1,3}[ ./()-]{0,2}(?:\(?\d{1,5}\)?[ ./-]?){2,6}\d(?!\w)"
    r"|(?<![\w.])1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\w)"
    r"|(?<![\w.])\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?!\w)|(?<![\w.])\(?0\d{1,4}\)? ?[ /-] ?\d{2,}(?:[ -]?\d{2,})+(?!\w)",
    "number": rf"(?<![\w.,])[-+−]?(?:{_AMOUNT})(?![\w%])",
}
_PATTERNS = tuple(
    re.compile(start + "(?:" + "|".join(f"(?P<{kind}>{form})" for kind, form in forms.items()) + ")", re.IGNORECASE)
    for start, forms in ((r"\b(?=[\w.+%-])", _BY_LETTER), (r"(?=[-+−(\d$€£¥₹₽])", _BY_DIGIT))
)
_NAME = re.compile(
    rf"(?P<titled>\b{_TITLED}\.? (?:{_TITLED}\.? )?{_CAPITAL}(?: (?:{_PARTICLE} )?{_CAPITAL}){{0,3}})"
    rf"|(?P<run>(?<![\w'’-]){_UNTITLED}(?: (?:[A-Z]\. ){{0,2}}(?:{_PARTICLE} )?{_UNTITLED})*)"
)
_FIRM = re.compile(r"\b(?:Ltd|Limited|Inc|Corp|LLC|PLC|plc|GmbH|AG|SE|KG|SARL|SA|BV|Co)\b")
_HAN = re.compile("(?!(?<=\\d)[年月日号元円])[\u3400-\u4dbf\u4e00-\u9fff]")
"""Chinese characters but those that belong to dates and amounts: numbers stand among them without spaces."""
_CALENDAR = frozenset((_MONTHS + "|" + _DAYS).split("|"))
KINDS = ("name", "mail", "phone", "url", "date", "time", "money", "percent", "number", "iban", "card", "ip")


class Entity(NamedTuple):
    """A part of the text with its kind (one of KINDS) and the place where it begins, counted in characters."""

    kind: str
    text: str
    position: int


def find(text: str) -> list[Entity]:
    """All entities in the order of the text. Of those that overlap, the one that begins first, then the longest."""
    apart_from_han = _HAN.sub("、", text)
    return apart([_entity(match) for pattern in _PATTERNS for match in pattern.finditer(apart_from_han)] + _names(text))


def apart(found: list[Entity], kinds: Collection[str] = ()) -> list[Entity]:
    """Those of `kinds` (or of any) in the order of the text, none overlapping another: as `find` chooses."""
    kept, end = [], 0
    for entity in sorted(
        (each for each in found if not kinds or each.kind in kinds),
        key=lambda entity: (entity.position, -len(entity.text)),
    ):
        if entity.position >= end:
            kept.append(entity)
            end = entity.position + len(entity.text)
    return kept


def _entity(match: re.Match[str]) -> Entity:
    part = match.group()
    return Entity(_kind(match), part.strip(), match.start() + len(part) - len(part.lstrip()))


def _kind(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    digits = re.sub(r"\D", "", match.group())
    if kind == "card" and not (13 <= len(digits) <= 19 and _luhn(digits)):
        return "number"
    return "number" if kind == "phone" and not 7 <= len(digits) <= 15 else kind


def _luhn(digits: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812)."""
    doubled = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def _names(text: str) -> list[Entity]:
    language = language_of(text)
    opening = _openings(text, language)
    stops, known = stop_words(language), languages().get(language)
    common = stops | (frozenset(known.frequent) if known else frozenset())
    found = []
    for match in _NAME.finditer(text):
        part, start = match.group(), match.start()
        if not match["titled"]:
            opens = start in opening
            part, start = _trimmed(part, start, common if opens else stops)
            if not _is_name(part, opens and start == match.start(), language, common):
                continue
        found += _parted(Entity("name", part, start))
    return found


def _parted(name: Entity) -> list[Entity]:
    """Somebody with a first and a last name, and what they are of, are two: "Pavel Novak of Brightwater Ltd"; Joan of
    Arc is one."""
    who, between, whose = name.text.partition(" of ")
    is_firm = _FIRM.search(whose) is not None
    if not between or " " not in who or not (is_firm or _given_names() & {*who.split()}):
        return [name]
    return [name._replace(text=who), Entity("name", whose, name.position + len(who) + len(between))]


def _trimmed(part: str, start: int, skipped: frozenset[str]) -> tuple[str, int]:
    """Without common words in front: "The European Union" -> "European Union"."""
    while part:
        head, _, tail = part.partition(" ")
        if head.lower() not in skipped or (head.isupper() and len(head) > 1):
            break
        start, part = start + len(head) + 1, tail
    return part, start


def _is_name(part: str, opens: bool, language: str, common: frozenset[str]) -> bool:
    """Whether a run of words with capitals is a name; `opens`: its first capital is that of a sentence."""
    pieces = part.split()
    if len(part) < 2 or all(piece.lower().rstrip(".") in _CALENDAR for piece in pieces):
        return False
    if len(pieces) > 1:
        return True
    if part in _given_names():
        return True  # where every noun or every beginning has a capital, this tells it
    if part.lower() in common:
        return False
    return len(part) <= 6 if part.isupper() else not opens and language != "de"


def is_first_name_or_date(word: str) -> bool:
    """True for a common given name, and for a month or a day of the week."""
    return word in _given_names() or word.lower() in _CALENDAR


@cache
def _given_names() -> frozenset[str]:
    """Common given names of resources/languages/names that are no other word where they are given."""
    return frozenset((FOLDER / "names" / "given.txt").read_text("utf-8").split())


def _openings(text: str, language: str) -> set[int]:
    """Where sentences and headings begin, so that their capital says nothing."""
    found, place = set(), 0
    for sentence in annotated(text, language):
        head = sentence.text[:12].split(" ")[0]
        at = text.find(head, place)
        if at >= 0:
            first = next((i for i, c in enumerate(head) if c.isalnum()), 0)
            found.add(at + first)
            place = at + 1
    found |= {m.end() for m in re.finditer(r"[“\"„«(:]\s?", text)}
    return found
