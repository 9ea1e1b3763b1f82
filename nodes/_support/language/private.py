"""Personal data that stands in no entity's form: postal addresses, birth dates, identity numbers, names after a cue.

English, German, French and Chinese. Must not know tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from nodes._support.language import chinese
from nodes._support.language.entities import Entity, is_first_name_or_date
from nodes._support.language.languages import FOLDER, language_of
from nodes._support.language.spelling import is_listed

_CAPITAL = r"[A-ZÄÖÜÉÈÀÇ][\w'’-]+"
_DATE = r"\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}|\d{4}-\d{1,2}-\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日|" + (
    r"\d{1,2}(?:st|nd|rd|th|\.|er)? (?:of )?[^\W\d_]+\.?,? \d{4}|[^\W\d_]+ \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_NUMBER = r"\d{1,4}(?: ?[a-zA-Z]\b)?(?:[-/]\d{1,4})?\b"
_FORMS = {
    "birth date": r"(?:\b(?:born(?: on)?|birthday|birth ?date|date of birth|dob|geboren(?: am)?|geb\.(?: am)?|"
    r"geburts(?:datum|tag)|née?(?: le)?|date de naissance)(?!\w)|出生(?:日期|于)?|生日|生于|\*)"
    r"\s*[:：]?\s*(?:is |was |ist |am |为|是|(?:in|à) [^\W\d_]+,? (?:on |am |le )?)?"
    rf"(?P<birth>{_DATE})|(?P<before>{_DATE})(?=(?: in [^\W\d_]+)? (?:geboren|born|née?)\b|出生)",
    "address": rf"\b(?:{_CAPITAL}[ -])?(?:{_CAPITAL[:-1]}*(?:straße|strasse|str\.|gasse|allee|damm|ufer|chaussee|platz|"
    rf"weg|ring|hof)|(?!(?:Der|Die|Das|Den|Ein)\b){_CAPITAL}[ -]"
    r"(?:Straße|Strasse|Str\.|Gasse|Allee|Damm|Ufer|Platz|Weg|Ring)) "
    rf"{_NUMBER}"
    rf"|\b\d{{1,5}}[A-Z]?,? (?:{_CAPITAL} ){{1,4}}(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Ln\.?|Drive|Dr\.?|"
    r"Boulevard|Blvd\.?|Way|Court|Square|Terrace|Close)\b(?:,? (?:Apt|Apartment|Flat|Suite|Unit)\.? ?\w+)?"
    r"|\b\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|quai)(?: (?:de|du|des|la|le|l'|d'))*"
    rf"(?: ?{_CAPITAL})+"
    r"|\b(?:Calle|C/|Avenida|Avda\.|Plaza|Paseo|Via|Viale|Piazza|Corso) ?(?:(?:de|del|la|las|los|di|della|dei) )*"
    rf"{_CAPITAL}(?: {_CAPITAL})*,? (?:n[.º°]+ ?)?{_NUMBER}"
    r"|(?:[\u4e00-\u9fff]{2,8}?(?:省|自治区))?(?:[\u4e00-\u9fff]{2,6}?市)?(?:[\u4e00-\u9fff]{1,6}?[区县])?"
    r"[\u4e00-\u9fff]{1,8}?(?:路|街|大道|巷|弄|胡同)\s?\d+\s?号?(?:[\w-]{1,12}?(?:室|楼|单元|栋))*",
    "town": rf"\b(?:D-|A-|CH-)?\d{{5}} {_CAPITAL}(?:[ -](?:am|an der|im|ob der|{_CAPITAL}))*(?: {_CAPITAL})?"
    rf"|\b(?:{_CAPITAL} ?){{1,3}}, [A-Z]{{2}} \d{{5}}(?:-\d{{4}})?\b"
    r"|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b",
    "id": r"(?<!\d)[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])"
    r"|\b\d{3}-\d{2}-\d{4}\b|\b(?i:passport|passeport|pasaporte|reisepass|personalausweis|ausweis|licen[cs]e|dni|nie|nif)"
    r"(?i:nummer)?(?: (?i:number|no\.?|nr\.?|is|lautet|est|es|n[.º°]+))*:? ?(?P<paper>(?=\w*\d)[A-Za-z0-9-]{6,15})\b",
    "phone": r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)|(?<!\d)0\d{2,3}-\d{7,8}(?!\d)",
    "wechat": r"(?:微信号?|QQ号?|WeChat(?: ID)?|Skype)(?:\s*(?:[:：]|是|为)\s*|(?<=[信号])\s*)"
    r"(?P<handle>[A-Za-z0-9_.-]{4,40})",
}
_LONG_NUMBER = re.compile(  # no day, no years, no amount
    r"(?<![\w.,:/+-])(?!\d{4}[-–]\d\d?[-–]\d\d?\b|\d{1,2}-\d{1,2}-\d{4}\b|\d{4} ?[-–] ?\d{4}\b)"
    r"\d(?:[ -]?\d){6,}[A-Z]?(?![\w]|[.,]\d)"
)
_NAME_AFTER = re.compile(
    rf"(?:\b(?i:name|my name is|i am called|mein name ist|ich heiße|heißt|namens|je m'appelle|s'appelle)\b\s*[:：]?\s+"
    rf"(?P<west>{_CAPITAL}(?: {_CAPITAL}){{0,2}}))"
    rf"|(?i:mit freundlichen grüßen|viele grüße|liebe grüße|best regards|kind regards|sincerely|yours|cordialement)"
    r",?\s+"
    rf"(?P<closing>{_CAPITAL}(?: {_CAPITAL}){{0,2}})"
)
_BEHIND = re.compile(
    r"\b(?:in|near|from|to|at|outside|nach|aus|bei|à|vers|près de|en|desde|hasta|cerca de)\s+"
    r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?:[ -][A-ZÀ-Þ][\w'’-]+)*)(?![’'\w])"
)
"""What may be a place by the word before it."""
_GIVEN = r"[\u4e00-\u9fff]{1,2}"
_CHINESE_NAMES = re.compile(
    rf"(?:(?:姓名|联系人|收件人|患者|客户|经办人|负责人|申请人|员工|学生|老师)(?:是|为)?\s*[:：]?\s*|我叫|名叫|我是|叫做)"
    rf"(?P<cued>(?:{chinese.SURNAMES}){_GIVEN})(?=$|[\s，。,.；;：:、！!（）()\d的和与在是于来去说]|住|电|身|手|先生|女士|小姐|老师|医生|经理)"
    rf"|(?P<titled>(?:{chinese.SURNAMES}){_GIVEN}?)(?=先生|女士|小姐|太太|老师|医生|教授|经理|主任|律师|同学|师傅)"
    rf"|(?P<bare>(?<![\u4e00-\u9fff])(?:{chinese.SURNAMES}){_GIVEN}(?=$|[\s，,、；;：:（(]|(?:住在|说|的电话|的手机|的身份证|的地址|于\d|生于|出生)))"
)
_FUNCTION = frozenset("的了是在和与及或也就都而之这那有不我你他她们个一上下中为以于从到对将被把吗呢吧啊着过")
_NO_FUNCTION = r"(?:(?![的了是在和与及或也就都而之这那有不我你他她们将被把吗呢吧啊着过从到对于由])[\u4e00-\u9fff])"
_BODY = "(?:有限公司|公司|集团|大学|学院|中学|小学|银行|医院|研究所|委员会|出版社|博物馆|法院|政府)"
_CHINESE_BODIES = re.compile(
    rf"(?<![\u4e00-\u9fff])(?:[由据])?(?P<first>{_NO_FUNCTION}{{2,10}}?{_BODY})"
    rf"|(?<=[在由于到从和与给是的了])(?P<inner>{_NO_FUNCTION}{{2,10}}?{_BODY})"
)
_PATTERNS = {kind: re.compile(form, re.IGNORECASE if kind in ("birth date", "wechat") else 0)
             for kind, form in _FORMS.items()}  # fmt: skip
KINDS = ("birth date", "address", "town", "id", "phone", "wechat")


def find(text: str) -> list[Entity]:
    """Addresses, birth dates, identity and Chinese phone numbers, and what is called a name. They may overlap."""
    return [*_by_form(text), *names(text)]


def long_numbers(text: str) -> Iterator[Entity]:
    """Numbers of seven digits and more, of whatever kind."""
    return (Entity("id", match.group(), match.start()) for match in _LONG_NUMBER.finditer(text))


def _by_form(text: str) -> Iterator[Entity]:
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            group = match.lastgroup or 0
            begin = match.start(group)
            if kind == "address" and chinese.is_in(match[group]):
                begin += chinese.address_start(match[group])
            yield Entity(kind, text[begin : match.end(group)], begin)


def names(text: str) -> Iterator[Entity]:
    """Names after a cue ("my name is"), Chinese ones by their surname, towns, Chinese companies and institutions."""
    told = chinese.words(text) if chinese.is_in(text) else []
    yield from _names(text, told)
    yield from (Entity("name", word.text, word.position) for word in told if word.is_name)
    for match in _CHINESE_BODIES.finditer(text):
        group = match.lastgroup or 0
        yield Entity("name", match[group], match.start(group))


def _names(text: str, told: list[chinese.Word]) -> Iterator[Entity]:
    for match in _NAME_AFTER.finditer(text):
        yield Entity("name", match[match.lastgroup or 0], match.start(match.lastgroup or 0))
    for match in _CHINESE_NAMES.finditer(text):
        group = match.lastgroup or ""
        name, begin = match[group], match.start(group)
        inside = [word for word in told if begin < word.position + len(word.text) and word.position < begin + len(name)]
        is_other = any(len(word.text) > 1 and not word.is_name for word in inside)  # "高度", or a part of it
        if not set(name[1:]) & _FUNCTION and not (is_other and match["cued"] is None):
            yield Entity("name", name, begin)
    yield from (entity._replace(kind="name") for entity in towns(text))


def towns(text: str) -> Iterator[Entity]:
    """Towns of the list, and those behind a German postal code, each of kind "place"."""
    yield from (Entity("place", match.group(), match.start()) for match in _listed("towns").finditer(text))
    for match in re.finditer(rf"\b\d{{5}} (?P<town>{_CAPITAL})", text):
        yield Entity("place", match["town"], match.start("town"))


def maybe_places(text: str, found: list[Entity]) -> Iterator[Entity]:
    """Names behind a word such as "near" that hold nothing of what was found: no first names or days, no German
    nouns. Each of kind "place"."""
    known, is_german = " ".join(entity.text for entity in found), language_of(text) == "de"
    for match in _BEHIND.finditer(text):
        name = match["name"]
        is_other = any(is_first_name_or_date(part) or (is_german and is_listed(part, "de")) for part in name.split())
        if not is_other and name not in known and not any(entity.text in name for entity in found):
            yield Entity("place", name, match.start("name"))


def countries(text: str) -> Iterator[Entity]:
    """Countries and continents of the list, each of kind "place"."""
    return (Entity("place", match.group(), match.start()) for match in _listed("countries").finditer(text))


@cache
def _listed(name: str) -> re.Pattern[str]:
    """The places of resources/languages/towns/NAME.txt as whole words."""
    names = [name for name in (FOLDER / "towns" / f"{name}.txt").read_text("utf-8").split("\n") if name]
    western = "|".join(sorted((re.escape(name) for name in names if name[0] < "\u2e80"), reverse=True))
    chinese = "|".join(name for name in names if name[0] >= "\u2e80")
    return re.compile(rf"\b(?:{western})(?!\w)" + (rf"|(?:{chinese})(?:市)?" if chinese else ""))
