"""Words of a request as the text that a port wants: a list, a condition, a sentence with a gap, a question, a kind.

What was said stays where the port takes the user's own words. Must not know how the words were found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.number_words import multiplies
from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.arguments.value_tables import entries, tables, words_of
from desktop_app.plan.language.exceptions import Opening, openings
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec

_GAP = re.compile(
    r"_{2,}|\.{3}|…|(?<![\w'’])(?:[NX]|so ?und ?so ?(?:viele?|oft)|soundso(?:viele?|oft)|xx+)(?![\w'’])"
    r"|某(?=[个只张条次])",
    re.I,
)
_LIST = re.compile(
    r"\s*(?:[,;、，；/]\s*(?:(?:and|or|und|oder|et|ou|y|o|e)\s+)?|\s(?:and|or|und|oder|et|ou|y|o)\s)\s*|或者?|还是|和",
    re.I,
)
_UNIT = re.compile(r"^(-?\d+(?:[.,]\d+)?)(?:\s*[^\W\d]+\.?|\s*[€$£%¥])?$")
_QUESTION = re.compile(r"\s?[?？!！]+")


def ended(port: PortSpec, text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the signs that belong to it: "¿...?", "Take me home!", "Open till nine. below"."""
    names = set(plain_words(port.name))
    if not names & _SENTENCES:
        return start, end
    after = _QUESTION.match(text, end)
    goes_on = re.match(r"\.\s+[a-z]", text[end:]) and text[start : start + 1].isupper() and "title" not in names
    if after:
        end = after.end()
    elif goes_on or (text[end : end + 1] in (".", ":") and names & {"sentence", "template"}):
        end += 1
    if start and text[start - 1] in "¿¡":
        start -= 1
    return start, end


_SENTENCES = frozenset(("question", "title", "text", "sentence", "template", "description", "captions", "source"))


def inner(port: PortSpec, text: str, start: int, end: int) -> tuple[int, int]:
    """Without what belongs to the words beside it: a Chinese character as in 画一[张]... and 里斯本[未]来, which an
    instruction keeps at its start, and a small word at the end that leads on to something else: "a tower [with]".
    """
    names = {*plain_words(port.name)}
    if "question" in names:
        return _whole_question(text, start, end)
    if "prompt" in names and (lead := _PICTURE_OF.match(text, start, end)):
        start = lead.end()
    if "prompt" in names and (tail := _A_PICTURE.search(text, start, end)):
        end = tail.start()
    if "find" in names and (led := _EXCHANGED.search(text, start, end)):
        end = led.start()
    whole = bool(names & {"instruction", "find", "replace"})
    while not (whole or names & {"columns"}) and (last := _LAST.search(text[start:end])):
        if last[1] not in tables().small["leading on"]:
            break
        end = start + last.start()
    while not whole and end - start > 1 and _leads(text[max(0, start - 1) : start], text[start]):
        start += 1
    while end - start > 1 and text[end - 1 : end + 1] in _CUT:
        end -= 1
    return start, end


_PICTURE_OF = re.compile(
    r"(?:(?:an?|the|one|eine?[nms]?|une?|una?)\s+)?(?:picture|image|pic|bild|imagen)s?\s+(?:of|von|vom|de|del|d['’])\s*"
    r"|(?:of|von|vom|de|del)\s+|d['’]|一?[张幅](?=[\u3400-\u9fff])",
    re.I,
)
_A_PICTURE = re.compile(r"(?<=[\u3400-\u9fff])的(?:图片?|画|照片)$")
"""What leads to what is to be pictured, and is no part of it."""


_EXCHANGED = re.compile(r"\s+(?:for|with|by|to|into|durch|gegen|mit|par|por|con)$", re.I)
"""What leads from what is looked for to what comes in its place."""


def _whole_question(text: str, start: int, end: int) -> tuple[int, int]:
    """With the rest of the sentence where the stretch breaks off: "what brand is the car in [the photo]"; without the
    rest of what leads to it: "find [out] the total". A file is named within the question alone, "what does the man in
    a.jpg [do]", and not at its end.
    """
    if text[start:end].startswith("out ") and text[:start].rstrip().lower().endswith(("find", "figure", "work")):
        start += len("out ")
    if named := next((m for m in _OF_FILE.finditer(text, start) if m.start() <= end < m.end()), None):
        end = named.start() if named[1] is None else named.end()
    elif _BROKEN_OFF.search(text, start, end) and re.match(r"\s*[^\W\d_]", text[end:]):
        signs = (place for place in range(end, len(text)) if text[place] in _STOPS)
        end = next(signs, len(text))
    if text[start : start + 1] in tuple("里上中的"):
        start = max(text.rfind(sign, 0, start) for sign in _STOPS) + 1
    return start, end


_BEFORE = (
    r"\s(?:in|on|at|of|from|the|this|that|auf|im|in|am|de[rmsn]?|das|die|diese[rmsn]?|dans|sur|du|des|les?|la|en|del?|"
    r"el|los|las|est[ea])"
)
_BROKEN_OFF = re.compile(_BEFORE + "$", re.I)
_OF_FILE = re.compile(
    _BEFORE
    + r"\s[^\s,;:!?]+\.\w{2,4}\b(\s+(?!(?:and|or|then|und|oder|dann|et|ou|puis|y|o|luego)\b)[^,;:.!?\n]+(?=\?))?",
    re.I,
)
"""Where a file is named, and how the question goes on after it."""
_STOPS = ",;:.!?，。；：！？\n"
_LAST = re.compile(r"[\s,]+([^\W\d]+)$")
_CUT = frozenset(
    ("未来", "往后", "选出", "选上", "选中", "弄出", "里的", "从高", "从低", "从冷", "从大", "从小", "送给", "碍眼")
)


def _leads(before: str, first: str) -> bool:
    if (
        first in "把按算"
        or before + first in ("知道", "的字")
        or (first in "画写" and before in ("", "我", "你", "，", "。", " ", "新", "它"))
    ):
        return True
    return (first in "个只条辆张位道把" and before in tuple("一几每那这两三多少有")) or (
        first == "成" and before in tuple("变换改做画译翻")
    )


def shaped(port: PortSpec, value: str, clause: Clause) -> str:
    """The text as the port wants it."""
    names = set(plain_words(port.name))
    if "{}" in port.description:
        return with_a_gap(value)
    if "not" in plain_words(port.description) and "negative" in names:
        return _unwanted(value)
    if names & {"condition"}:
        return condition(value, _removing(clause, value))
    if is_column(port):
        return _without(value, "column_words") or value
    if "commas" in port.description and not names & {"what"}:
        return listed(value)
    if "largest, smallest" in port.description:
        return _ranked(value)
    return value


def is_column(port: PortSpec) -> bool:
    """True for a port that wants the name of one column."""
    return "column" in plain_words(port.name) or bool(re.match(r"the name of the column", port.description))


def names_columns(port: PortSpec) -> bool:
    """True for a port that wants the names of columns, which are said or stand in a table, and are never made."""
    return bool({"column", "columns"} & {*plain_words(f"{port.name} {port.description}")})


def with_a_gap(value: str) -> str:
    """ "There are N sheep" with {} where the number goes; as it is where it has that, or says no place."""
    if "{" in value:
        return value
    filled = _GAP.sub("{}", value, count=1)
    return f"{filled.rstrip()} {{}}" if filled == value and value.rstrip().endswith((":", "：")) else filled


def _unwanted(value: str) -> str:
    """ "No text in it" for what a picture shall not show is "text"."""
    if "," in value:
        return value
    value = re.sub(r"^(?:不要|别|没有|不|无)?有?(?=[\u3400-\u9fff])", "", value)
    value = re.sub(r"\s+(?:in it|on it|drin|darin|dedans|dentro)$", "", value, flags=re.I)
    return _without(value, "no") or value


def _without(value: str, kind: str) -> str:
    """The text without articles at its start and without the words of a kind at both ends."""
    dropped = tables().small[kind] | tables().small["article"]
    words = value.split()
    while words and words[0].lower() in dropped:
        del words[0]
    while words and words[-1].lower() in tables().small[kind]:
        del words[-1]
    text = " ".join(words)
    return text.removesuffix("列") if kind == "column_words" else text


def listed(value: str) -> str:
    """ "A complaint, an order or spam" as "complaint, order, spam"; one thing stays as it is."""
    items = [_without(item.strip(" .?!。"), "column_words") for item in _LIST.split(value)]
    items = [item for item in items if item]
    as_said = re.fullmatch(r"[^、；;/]*", value) and items == [item.strip() for item in re.split(r"[,，]", value)]
    return value if as_said or not items else ", ".join(items)


def _ranked(value: str) -> str:
    """ "The biggest dog", "la voiture la plus à droite" with the rank first and in English: "largest dog"."""
    for rank, forms in _ranks().items():
        for form in forms:
            found = re.search(form if form[0] >= "\u3400" else rf"\b{re.escape(form)}\b", value, re.I)
            if found:
                rest = _without(f"{value[: found.start()]} {value[found.end() :]}".strip(" 的那只个张"), "article")
                return f"{rank} {rest}".strip()
    return _without(value, "article") or value


@cache
def _ranks() -> Mapping[str, Sequence[str]]:
    return {rank: sorted(forms, key=len, reverse=True) for rank, forms in tables().ranks.items()}


def _removing(clause: Clause, value: str) -> bool:
    """True where the words around the value say that what fits it shall go: "leave out those who", "all except"."""
    start = clause.text.find(value)
    outside = [w for w in (clause.words[place] for place in sorted(clause.places))
               if w.end <= start or w.start >= start + len(value)]  # fmt: skip
    removing = tables().small["removing"]
    others = clause.text[:start], clause.text[start + len(value) :]
    around = f" {' '.join(word.text for word in outside)} "
    if any(f" {word} " in around for word in removing) or any(
        word in other for word in removing if word >= "\u3400" for other in others
    ):
        return True
    found = [each for each in openings(clause.text) if not start <= each.start < start + len(value)]
    return any(
        "verbs" in each.kinds or (_excepts(each) and _LEADS.fullmatch(clause.text[each.end : max(start, each.end)]))
        for each in found
        if clause.covers(each.start, each.end)
    )


def _excepts(opening: Opening) -> bool:
    return opening.excepts() or bool(opening.kinds & {"lacking", "lacking_name"})


_LEADS = re.compile(r"[^\S\n]*(?:[^\W\d]+[^\S\n]*){0,3}(?:, ?(?:die|der|das|wer|welche)(?:\s+[^\W\d]+){0,2}\s*)?", re.I)
"""What may stand between "except" and a condition: "those who"."""


_OPPOSITE = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}


def condition(value: str, removing: bool = False) -> str:
    """ "The total is over a hundred" as "total > 100"; what cannot be read stays.

    `removing`: the rows that fit shall go, and the condition is for those that stay: "not (have paid)".
    """
    found = None if _is_double(value) else _comparison(value)
    if found is None or (not removing and re.search(r"[<>=≥≤]", value)):
        return f"not ({value})" if removing else value
    name, sign, wanted = found
    sign = _OPPOSITE[sign] if removing else sign
    number = _figures(wanted)
    if sign in ("=", "!=") and number == wanted and not wanted.replace(".", "").isdigit():
        return f"{name} is {'' if sign == '=' else 'not '}{wanted}"
    return f"{name} {sign} {number}"


def _comparison(value: str) -> tuple[str, str, str] | None:
    for pattern, sign in _comparisons():
        found = pattern.search(value)
        if found is None:
            continue
        name = _copula().sub("", _without(value[: found.start()].strip(), "column_words")).strip()
        rest = value[found.end() :].strip(" ,.")
        tail = re.match(r"(?P<v>.+?)\s+(?:in|en|dans|from)\s+(?:(?:the|der|la|die)\s+)?(?P<c>.+)$", rest, re.I)
        if not name and tail:  # "über 100 in der Spalte Betrag"
            name, rest = _without(tail["c"], "column_words"), tail["v"]
        name = _without(name, "column_words").removesuffix("列").lstrip("里的")
        is_bare = name.lower() in tables().small["determiner"] | tables().small["leading on"] | {""}
        counted = _COUNTED.fullmatch(rest) if is_bare or _is_having(name) else None
        if counted and not _is_number(counted[2]):  # "with more than fifty visitors"
            unit = tables().units.at(words_of(counted[2]), 0)
            name, rest = ("seconds" if unit and unit[0] == ("s", 1.0) else counted[2]), counted[1]
        if name and rest and not _is_having(name):
            return name, sign, re.sub(r"\s+(?:lag|liegt|ist|war|sind|的|beträgt)$", "", rest)
    return None


def _is_number(word: str) -> bool:
    """True for the "million" of "a million"."""
    return multiplies(word) or any(quantity.first == 0 for quantity in quantities(word))


def _is_having(name: str) -> bool:
    """ "Cities have more than ten shops": what has is no column."""
    return name.split(" ")[-1].lower() in tables().small["having"]


_MONEY = r"euros?|dollars?|pounds?|quid|bucks|cents?|fran(?:cs?|ken)|yen|pesos?"
_COUNTED = re.compile(rf"(.*\S)\s+(?!(?:{_MONEY}|percent|prozent)$)([^\W\d]{{3,}})", re.I)
"""So many of something, which names the column; money does not."""


def _is_double(value: str) -> bool:
    """ "Under 12 or above 1000": two comparisons stay as they were said."""
    sides = _BOTH.split(value)
    return len(sides) > 1 and all(any(p.search(side) for p, _ in _comparisons()) for side in sides)


_BOTH = re.compile(r"\s(?:and|or|und|oder|et|ou|y|o)\s|并且|而且|或者?", re.I)


@cache
def _copula() -> re.Pattern[str]:
    return re.compile(r"\s*\b(?:is|are|was|were|ist|sind|liegt|lag|war|est|sont|es|son|sea|está|at|à)$", re.I)


@cache
def _comparisons() -> list[tuple[re.Pattern[str], str]]:
    """Forms of each comparison, longest first; ASCII ones as whole words."""
    pairs = [(form, sign) for sign, text in tables().comparisons.items() for form in entries(text)]
    pairs.sort(key=lambda pair: -len(pair[0]))
    return [
        (re.compile(re.escape(f) if not f[0].isalpha() or f[0] > "\u3000" else rf"\b{re.escape(f)}\b", re.I), s)
        for f, s in pairs
    ]


def _figures(text: str) -> str:
    """ "A hundred" and "20 kg" as "100" and "20"."""
    found = quantities(text)
    plain = _UNIT.match(text)
    if plain and not _is_number(text.removeprefix(plain[1]).strip()):
        return plain[1]
    words = words_of(text)
    if found and any(_is_number(word.text) for word in words[found[0].last + 1 :]):
        return text  # the tool reads "100万" itself
    if len(found) == 1 and found[0].first == 0 and found[0].last >= len(words) - 2 and not found[0].unit:
        value = found[0].value
        return str(int(value)) if value.is_integer() else str(value)
    return text
