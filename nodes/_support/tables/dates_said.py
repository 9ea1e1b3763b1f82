"""What a text says of dates: the stretches of time it speaks of, wanted or left out. Must not know tables or tools."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nodes._support.tables.dates import Date, full_year, listed, month_of
from nodes._support.tables.listed_words import HAN

_SAID = re.compile(
    r"(?P<iso>\b\d{4}-\d{1,2}(?:-\d{1,2})?\b)|(?P<points>\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})?(?!\d))"
    r"|(?P<han>\d{4}\s*年(?:\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?)?|\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?)"
    r"|(?P<han_half>[上下]半年)|(?P<han_quarter>[一二三四]季度)"
    r"|(?P<quarter>\bq[1-4]\b)|(?P<half>\bh[12]\b)|(?P<number>\d+)(?:st|nd|rd|th|er|º|\.)?|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
)
_WORDS = r"[^\W_]+(?:'[^\W_]+)*"
_SHORT_MONTHS = frozenset(("may", "mai", "jan", "feb", "apr", "aug", "oct", "okt", "nov", "dec", "dez"))
_HAN_PARTS = {"上": 1, "下": 2, "一": 1, "二": 2, "三": 3, "四": 4}


class Said(NamedTuple):
    """A stretch of time that a text speaks of: where it stands, the first and the last day; a `year` of 0 stands for
    each year. `weekdays` (0: Monday) instead of days."""

    start: int
    end: int
    first: tuple[int, int, int]
    last: tuple[int, int, int]
    weekdays: frozenset[int] = frozenset()

    def holds(self, date: Date) -> bool:
        """Whether the day lies in it."""
        if self.weekdays:
            return date.weekday() in self.weekdays
        day = (date.year if self.first[0] else 0, date.month, date.day)
        return self.first <= day <= self.last


def condition(text: str, found: Sequence[Date | None]) -> tuple[Callable[[Date], bool], str] | None:
    """What a text says of dates: a test, and what else it says; None where it says nothing of them. `found` are the
    dates of the table, which tell the year where none is said.

    Raises ValueError for what rests on today's date, where the dates lie in more than one year.
    """
    low = text.casefold().replace("’", "'")
    years = sorted({date.year for date in found if date is not None})
    if not years:
        return None
    if len(years) > 1 and any(_has(low, entry) for entry in listed("spans")["relative"]):
        raise ValueError("this year")
    near = range(years[0] - 1, years[-1] + 2)
    said = [each for each in _stretches(low) if not each.first[0] or each.first[0] in near or not _is_year(each)]
    if not said:
        return None
    tests: list[Callable[[Date], bool]] = []
    rest, at, number = "", 0, 0
    while number < len(said):
        each = said[number]
        between = said[number + 1] if number + 1 < len(said) else None
        before = low[at : each.start]
        if between is not None and _joined(before, low[each.end : between.start]):
            tests.append(_between(each, between, years))
            rest += _without_end(before, "range")
            at, number = between.end, number + 2
            continue
        test, left, at = _single(each, before, low, years)
        tests.append(test)
        rest, number = rest + left, number + 1
    rest += low[at:]
    return (lambda date: any(test(date) for test in tests)), rest


def _is_year(said: Said) -> bool:
    """True for four digits alone, which may be another number."""
    return said.end - said.start == 4 and said.first[1:] == (1, 1) and said.last[1:] == (12, 31)


def is_idle(rest: str) -> bool:
    """True where a text has only words that say nothing more of a condition on dates."""
    return not _beside_idle(rest)


def is_denied(rest: str) -> bool:
    """True where it has such words and one that excepts what is said: "not in March", "except weekends"."""
    left = _beside_idle(rest)
    return bool(left) and " ".join(left) in listed("spans")["except"]


def _beside_idle(rest: str) -> list[str]:
    idle = listed("spans")["idle"]
    for entry in (entry for entry in idle if HAN.match(entry)):
        rest = rest.replace(entry, " ")
    return [word for word in re.findall(_WORDS, rest) if word not in idle]


def _single(each: Said, before: str, low: str, years: list[int]) -> tuple[Callable[[Date], bool], str, int]:
    first, last = (_filled(end, years) for end in (each.first, each.last))
    tests: dict[str, Callable[[Date], bool]] = {
        "from": lambda date: date >= first, "until": lambda date: date <= last,
        "before": lambda date: date < first, "after": lambda date: date > last,
    }  # fmt: skip
    behind = low[each.end :].lstrip()
    for name, entry in ((n, e) for n in ("from", "before") for e in listed("spans")[f"behind_{n}"]):
        if behind.startswith(entry):
            return tests[name], before, low.index(entry, each.end) + len(entry)
    for name in ("before", "after", "from", "until"):
        left = _without_end(before, name)
        if left != before and not each.weekdays:
            dated = name == "from" and _is_dated(left, behind)  # "that are from March"
            return each.holds if dated else tests[name], left, each.end
    return each.holds, before, each.end


def _is_dated(before: str, behind: str) -> bool:
    """True where things are said to be from a time, and not from then on."""
    last = (before.split() or [""])[-1]
    return (
        last in listed("spans")["dated"] and (behind.split() or [""])[0].strip(".?!") not in listed("spans")["onwards"]
    )


def _between(first: Said, last: Said, years: list[int]) -> Callable[[Date], bool]:
    begin, end = first.first, last.last
    if begin[0] == 0 and end[0]:
        begin = (end[0], *begin[1:])
    if begin[0] == 0 and end[0] == 0 and begin <= end:
        return lambda date: begin <= (0, date.month, date.day) <= end
    low, high = _filled(begin, years), _filled(end, years)
    return lambda date: low <= date <= high


def _joined(before: str, between: str) -> bool:
    """Whether two stretches are the ends of one: "from March to May", "between 2 March and 3 April", "1.3.-5.3."."""
    inner = between.strip(" .")
    opened = _without_end(before, "range") != before
    dash = inner in ("-", "–", "—", "~", "..")
    return dash or inner in listed("spans")["until"] or (opened and inner in ("and", "und", "et", "y", "e", "和"))


def _without_end(text: str, name: str) -> str:
    """The text without a word of that list at its end, beside what may stand between that and a date."""
    bare = re.sub(r"(?:\s*\b(?:the|der|dem|den|le|la|el|of)\b)?[\s.]*$", "", text)
    for entry in sorted(listed("spans")[name], key=len, reverse=True):
        if bare.endswith(entry) and (HAN.match(entry) or not bare[: -len(entry)][-1:].isalnum()):
            return bare[: -len(entry)]
    return text


def _filled(day: tuple[int, int, int], years: list[int]) -> Date:
    """The day as a date; without a year in the only or the first of them."""
    year, month, number = (day[0] or years[0]), day[1], day[2]
    while True:
        try:
            return Date(year, month, number)
        except ValueError:
            number -= 1


def _stretches(low: str) -> Iterator[Said]:
    """The stretches of time in a text in small letters, in their order."""
    tokens = list(_SAID.finditer(low))
    number = 0
    while number < len(tokens):
        found, used = _stretch(low, tokens, number)
        if found is not None:
            yield found
        number += max(used, 1)


def _stretch(low: str, tokens: list[re.Match[str]], at: int) -> tuple[Said | None, int]:
    """What begins at a token, and of how many it is made."""
    token = tokens[at]
    kind, text = str(token.lastgroup), token.group()
    if kind in ("iso", "points", "han"):
        return _exact(token, kind), 1
    if kind in ("han_half", "han_quarter"):
        return _part(low, tokens, at, at + 1, 6 if kind == "han_half" else 3, _HAN_PARTS[text[0]])
    if kind in ("quarter", "half"):
        return _part(low, tokens, at, at + 1, 3 if kind == "quarter" else 6, int(text[1]))
    if kind == "number" and len(token["number"]) == 4 and 1900 <= int(token["number"]) < 2100:
        year = int(token["number"])
        return Said(token.start(), token.end(), (year, 1, 1), (year, 12, 31)), 1
    for length, name in ((6, "half"), (3, "quarter")):
        ahead = next((tokens[n].group() for n in (at + 1,) if n < len(tokens)), "")
        which = next((n for n, w in enumerate(("first", "second", "third", "fourth"), 1)
                      if text.rstrip(".") in listed("spans")[w]), 0)  # fmt: skip
        if which and ahead in listed("spans")[name]:
            return _part(low, tokens, at, at + 2, length, which)
    return _named(token, tokens, at) if kind in ("word", "number") else (None, 1)


def _named(token: re.Match[str], tokens: list[re.Match[str]], at: int) -> tuple[Said | None, int]:
    """A month with what stands around it, days of the week."""
    text = token.group()
    if text in listed("spans")["weekend"]:
        return Said(token.start(), token.end(), (0, 1, 1), (0, 12, 31), frozenset((5, 6))), 1
    for names in listed("weekdays").values():
        for day, name in enumerate(names):
            if text in (name, name + "s", name + "en") and not HAN.match(name):
                return Said(token.start(), token.end(), (0, 1, 1), (0, 12, 31), frozenset((day,))), 1
    if token.lastgroup == "number" and 1 <= int(token["number"]) <= 31:
        ahead = [n for n in (at + 1, at + 2) if n < len(tokens)]
        if ahead and tokens[ahead[0]].group() in ("of", "de", "del") and len(ahead) > 1:
            ahead = ahead[1:]
        if ahead and (month := whole_month(tokens[ahead[0]].group())):
            return _month(tokens, at, ahead[0], month, int(token["number"]))
        return None, 1
    month = whole_month(text) if token.lastgroup == "word" else 0
    if not month:
        return None, 1
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is not None and following.lastgroup == "number" and len(following["number"]) < 3:
        return _month(tokens, at, at + 1, month, int(following["number"]))
    return _month(tokens, at, at, month, 0)


def whole_month(word: str) -> int:
    """As `month_of`, but not for three letters that are also words ("mar", "set")."""
    return month_of(word) if len(word) > 3 or word in _SHORT_MONTHS else 0


def _month(tokens: list[re.Match[str]], at: int, end: int, month: int, day: int) -> tuple[Said | None, int]:
    year, last = 0, end
    for ahead in (end + 1, end + 2):
        if ahead < len(tokens) and tokens[ahead].lastgroup == "number" and len(tokens[ahead]["number"]) == 4:
            year, last = int(tokens[ahead]["number"]), ahead
        elif not (ahead < len(tokens) and tokens[ahead].group() in ("of", "de", "del")):
            break
    first, final = (year, month, day or 1), (year, month, day or _last_day(year, month))
    return Said(tokens[at].start(), tokens[last].end(), first, final), last - at + 1


def _part(low: str, tokens: list[re.Match[str]], at: int, end: int, months: int, which: int) -> tuple[Said | None, int]:
    """A half or a quarter of the year, with the year where it is said next."""
    if not 1 <= which <= 12 // months:
        return None, 1
    year, last, steps = 0, end - 1, 0
    while last + 1 < len(tokens) and steps < 3:
        following = tokens[last + 1]
        if following.lastgroup == "number" and len(following["number"]) == 4:
            year, last = int(following["number"]), last + 1
            break
        if following.group() not in listed("spans")["idle"]:
            break
        last, steps = last + 1, steps + 1
    begin, final = (which - 1) * months + 1, which * months
    return (
        Said(tokens[at].start(), tokens[last].end(), (year, begin, 1), (year, final, _last_day(year, final))),
        last - at + 1,
    )


def _exact(token: re.Match[str], kind: str) -> Said | None:
    numbers = [int(part) for part in re.findall(r"\d+", token.group())]
    if kind == "points":
        day, month, *years = numbers
        year = int(full_year(str(years[0]).zfill(2))) if years else 0
        parts = [year, month, day] if month <= 12 else [year, day, month]
    elif kind == "han" and "年" not in token.group():
        parts = [0, *numbers]
    else:
        parts = numbers
    year, month, day = (*parts, 0, 0)[:3]
    if month > 12 or day > 31:
        return None
    if not month:
        return Said(token.start(), token.end(), (year, 1, 1), (year, 12, 31))
    return Said(token.start(), token.end(), (year, month, day or 1), (year, month, day or _last_day(year, month)))


def _last_day(year: int, month: int) -> int:
    return calendar.monthrange(year or 2024, month)[1]


def _has(text: str, entry: str) -> bool:
    return entry in text if HAN.match(entry) else f" {entry} " in f" {' '.join(re.findall(_WORDS, text))} "
