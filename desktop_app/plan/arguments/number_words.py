"""Numbers and parts in words: "seven hundred and twenty", "dreiundzwanzig", 一千零八十, "two thirds".

English, German, French, Spanish and Chinese, without being told which. Knows nothing of units and ports.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.plan.arguments.value_tables import Word, tables

_FIGURES = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_COUNTERS = frozenset(
    "个句张段页秒分倍度次条点种行列帧级块字词项篇份成半小像天周星礼月年毫赫兆层遍轮只位名首件幅步格排"
)
"""A single Chinese figure counts only before one of these."""

_ARTICLES = frozenset(("a", "an"))


def multiplies(text: str) -> bool:
    """True for a Chinese sign behind figures that makes them so many times as much."""
    return text[:1] in _POWERS or text[:1] == "亿"


def number_at(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """The number that begins at this word, and how many words it has; None where none begins."""
    if place >= len(words):
        return None
    return _counted(words, place) or _spelled(words, place)


def part_at(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """The same for a part of something: "two thirds", "ein Zehntel", 三分之一, 八成."""
    count = chinese_at(words, place)
    if count is None and words[place].text in _ARTICLES:
        count = 1.0, 1
    count = count or _spelled(words, place)
    if count is None:
        return None
    value, length = count
    end = place + length
    if _texts(words, end, 2) == ["分", "之"]:
        above = chinese_at(words, end + 2)
        return (above[0] / value, length + 2 + above[1]) if above and value else None
    if _texts(words, end, 1) == ["成"] and 1 <= value <= 10:
        return value / 10, length + 1
    below = tables().parts.at(words, end)
    if below is None or value > 20:
        return None
    return value / below[0], length + below[1]


def _texts(words: Sequence[Word], start: int, count: int) -> list[str]:
    return [w.text for w in words[start : start + count]]


def _spelled(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    start = place
    found = tables().numerals.at(words, place)
    if found is None and words[place].text in _ARTICLES:  # "a thousand"
        found, place = tables().numerals.at(words, place + 1), place + 1
        if found is None or found[0] < 100:
            return None
    if found is None or words[place].text == "cents":
        return None
    whole, part = (found[0], 0.0) if found[0] >= 1000 else (0.0, found[0])
    last, end = found[0], place + found[1]
    while True:
        follows = _following(words, end, last)
        grown = _grown(whole, part, last, follows[0]) if follows else None
        if follows is None or grown is None:
            return whole + part, end - start
        (whole, part), (last, end) = grown, follows


def _following(words: Sequence[Word], end: int, last: float) -> tuple[float, int] | None:
    """The next word of a number, with or without "and" before it, and where it ends."""
    joint = words[end] if end < len(words) else None
    hit = tables().numerals.at(words, end)
    if hit is not None:
        article = hit[0] == 1 and words[end].text not in ("one", "eins", "uno")
        counted = last >= 100 and tables().units.at(words, end + 1) is not None  # "cent un pixels"
        compound = counted or words[end].start == words[end - 1].end
        backward = last < 10 and hit[0] >= 20 and hit[0] < 100  # "three twenty-second clips", "un setenta por ciento"
        return None if backward or (article and not compound) else (hit[0], end + hit[1])
    hit = tables().numerals.at(words, end + 1)
    if joint is None or hit is None:
        return None
    closed = joint.start == words[end - 1].end and joint.end == words[end + 1].start
    if joint.text == "and":
        inner = _spelled(words, end + 1) if last >= 100 else None
        return (inner[0], end + 1 + inner[1]) if inner and inner[0] < 100 else None
    if joint.text == "und":
        return (hit[0], end + 1 + hit[1]) if closed else None
    fits = (joint.text == "-" and closed) or (20 <= last < 100 and (joint.text == "y" or hit[0] in (1, 11)))
    return (hit[0], end + 1 + hit[1]) if fits and joint.text in ("-", "y", "et") else None


def _grown(whole: float, part: float, last: float, value: float) -> tuple[float, float] | None:
    """Thousands and what is below them with the next word of the number; None where it is no part of it."""
    if value >= 1000:
        return (whole + part * value, 0.0) if part and (not whole or value < last or part < 1000) else None
    if not part:
        return whole, value
    if value == 100:
        return (whole, part * 100) if 1 <= part < 100 and part % 10 else None
    if last >= 100:
        return (whole, part + value) if value < 100 else None
    if value < 10:
        return (whole, part + value) if last >= 20 and last % 10 == 0 else None
    if last in (60, 80) and value < 20:  # "soixante et onze"
        return whole, part + value
    return (whole, part + value) if last < 10 and value >= 20 and last == part % 100 else None


def _counted(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """Chinese figures that are a number for sure: they count something, or are more than one sign."""
    hit = chinese_at(words, place)
    if hit is None:
        return None
    length = hit[1]
    after = _texts(words, place + length, 2)
    if words[place].text == "十" and length == 1 and after[:1] == ["分"] and after[1:] not in (["钟"], ["半"]):
        return None  # "very"
    if words[place].text == "一" and length == 1 and after[:1] == ["点"] and after[1:] != ["钟"]:
        return None  # "a bit"
    return hit if length > 1 or words[place].text == "十" or (after and after[0] in _COUNTERS | {"k"}) else None


def chinese_at(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """Chinese figures up to 99,999,999 whatever follows: 一千零八十, 三百二 (320), 一点五."""
    end = place
    while end < len(words) and (words[end].text in _FIGURES or words[end].text in _POWERS):
        end += 1
    run = _texts(words, place, end - place)
    if not run or run[0] in ("百", "千", "万"):
        return None
    if not any(sign in _POWERS for sign in run) and len(run) > 1:
        return None  # "one, two": no number
    total = section = 0.0
    figure, power, gap = 0, 1, False
    for sign in run:
        if sign == "万":
            total, section, figure, power, gap = (section + figure) * 10_000, 0.0, 0, 10_000, False
        elif sign in _POWERS:
            power = _POWERS[sign]
            section, figure, gap = section + (figure or 1) * power, 0, False
        else:
            figure, gap = _FIGURES[sign], gap or _FIGURES[sign] == 0
    value = total + section + figure * (1 if gap or power == 1 else power // 10)
    tail = 0
    if _texts(words, end, 1) == ["点"]:
        while end + 1 + tail < len(words) and words[end + 1 + tail].text in _FIGURES:
            tail += 1
        if _texts(words, end + 1 + tail, 1) and words[end + 1 + tail].text in _POWERS:
            tail = 0  # "a bit"
        value += sum(_FIGURES[w.text] / 10 ** (n + 1) for n, w in enumerate(words[end + 1 : end + 1 + tail]))
    return value, end - place + (1 + tail if tail else 0)
