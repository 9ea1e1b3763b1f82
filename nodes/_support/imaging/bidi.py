"""Lines that are read from right to left, wholly or in part: their letters in the order and the forms in which they
stand on paper. Must not know fonts or pages.

After the Unicode Bidirectional Algorithm (UAX 9, rules W1 to L3) without its embeddings and isolates, which people do
not type; Arabic letters take the forms that Unicode has of them beside others (the Unicode Standard, section 9.2).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TypeVar

_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_FIRST_FORM, _LAST_FORM = 0xFB50, 0xFEFC
_LAM, _TATWEEL = "\u0644", "\u0640"
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_KINDS = {"R": "R", "AL": "R", "L": "L", "EN": "N", "AN": "N", "ET": "E", "ES": "C", "CS": "C"}
_SIDES = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
_T = TypeVar("_T")


def is_mixed(text: str) -> bool:
    """Whether any of it is read from right to left."""
    return _RIGHT.search(text) is not None


def is_from_right(text: str) -> bool:
    """Whether a paragraph begins at the right: by its first letter of any direction."""
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L"


def visual(letters: Sequence[tuple[str, _T]], from_right: bool) -> list[tuple[str, _T]]:
    """The letters of a line, each with whatever belongs to it, from left to right as they stand on paper. `from_right`
    is that of the paragraph. A line of one direction is given back as it is."""
    if not from_right and not is_mixed("".join(letter for letter, _ in letters)):
        return list(letters)
    return _ordered(_joined(letters), from_right)


def logical(shown: str) -> str:
    """The letters of a line, which are given from left to right as they stand on paper, in the order in which they are
    read. It begins at the right where its letters at both ends do, or most of them."""
    if not is_mixed(shown):
        return shown
    ends = [bool(is_mixed(letter)) for letter in shown if letter.isalpha()] or [True]
    from_right = ends[0] if ends[0] == ends[-1] else 2 * sum(ends) > len(ends)
    if not from_right:
        return "".join(letter for letter, _ in _ordered([(letter, None) for letter in shown], False))
    kinds = "".join(_KINDS.get(unicodedata.bidirectional(letter), "-") for letter in shown)
    read, end = "", len(shown)
    for begin, stop in reversed([_with_brackets(shown, *place) for place in _from_left(kinds)]):
        read += shown[stop:end][::-1].translate(_MIRRORED) + shown[begin:stop]
        end = begin
    return read + shown[:end][::-1].translate(_MIRRORED)


def _from_left(kinds: str) -> Iterator[tuple[int, int]]:
    """Where in a line that begins at the right something is read from the left: what holds letters of that direction,
    with the numbers beside them, and each number."""
    for stretch in re.finditer("[^R]+", kinds):
        within = re.search("[LN].*[LN]|L", stretch[0]) if "L" in stretch[0] else None
        found = [within] if within else re.finditer("E*N+(?:CN+)*E*", stretch[0])
        yield from ((stretch.start() + each.start(), stretch.start() + each.end()) for each in found)


def _with_brackets(shown: str, begin: int, stop: int) -> tuple[int, int]:
    """The stretch with a bracket beside it whose other one is within."""
    within = shown[begin:stop]
    for opening, closing in _CLOSED_BY.items():
        lacking = within.count(opening) - within.count(closing)
        stop += lacking > 0 and shown[stop : stop + 1] == closing
        begin -= lacking < 0 and begin > 0 and shown[begin - 1] == opening
    return begin, stop


def _ordered(letters: Sequence[tuple[str, _T]], from_right: bool) -> list[tuple[str, _T]]:
    levels = _levels([letter for letter, _ in letters], int(from_right))
    clusters: list[tuple[list[tuple[str, _T]], int]] = []
    for (letter, rest), level in zip(letters, levels, strict=True):
        if unicodedata.combining(letter) and clusters:
            clusters[-1][0].append((letter, rest))  # a mark stays behind the letter that it is on
        else:
            clusters.append(([(letter.translate(_MIRRORED) if level % 2 else letter, rest)], level))
    for lowest in range(max(levels), 0, -1):
        clusters = _turned(clusters, lowest)
    return [one for cluster, _ in clusters for one in cluster]


def formed(text: str) -> str:
    """The letters of a text in the forms in which they stand on paper, in the order in which they are read."""
    return "".join(letter for letter, _ in _joined([(letter, None) for letter in text])) if is_mixed(text) else text


def _turned(clusters: list[tuple[_T, int]], lowest: int) -> list[tuple[_T, int]]:
    """With each stretch of that level or a higher one the other way round (L2)."""
    made: list[tuple[_T, int]] = []
    stretch: list[tuple[_T, int]] = []
    for one in clusters:
        if one[1] >= lowest:
            stretch.append(one)
            continue
        made += [*reversed(stretch), one]
        stretch = []
    return [*made, *reversed(stretch)]


def _levels(letters: Sequence[str], base: int) -> list[int]:
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in letters]
    _weigh(kinds, "R" if base else "L")
    _pair_brackets(kinds, letters, "R" if base else "L")
    _fill_neutrals(kinds, "R" if base else "L")
    levels = [{"L": 2 * base, "R": 1}.get(kind, 2) for kind in kinds]
    for place in range(len(letters) - 1, -1, -1):  # what is blank at the end is the paragraph's (L1)
        if not letters[place].isspace():
            break
        levels[place] = base
    return levels


def _weigh(kinds: list[str], base: str) -> None:
    """Marks, numbers and what stands in them (W1 to W7)."""
    strong = before = base
    for place, kind in enumerate(kinds):
        if kind in ("NSM", "BN"):
            kind = before
        if kind == "EN" and strong == "AL":
            kind = "AN"
        strong = kind if kind in ("L", "R", "AL") else strong
        kinds[place] = before = kind
    for place in range(1, len(kinds) - 1):
        left, kind, right = kinds[place - 1 : place + 2]
        if left == right and (kind, left) in (("ES", "EN"), ("CS", "EN"), ("CS", "AN")):
            kinds[place] = left
    for order in (range(len(kinds)), range(len(kinds) - 1, -1, -1)):
        before = ""
        for place in order:
            kinds[place] = before = "EN" if kinds[place] == "ET" and before == "EN" else kinds[place]
    strong = base
    for place, kind in enumerate(kinds):
        strong = kind if kind in ("L", "R", "AL") else strong
        kinds[place] = "R" if kind == "AL" else "L" if kind == "EN" and strong == "L" else kind


def _pair_brackets(kinds: list[str], letters: Sequence[str], base: str) -> None:
    """Brackets go with what is in them, where that is of the paragraph's direction or of what is before them (N0)."""
    opened: list[int] = []
    for place, letter in enumerate(letters):
        if letter in _CLOSED_BY:
            opened.append(place)
        elif letter in _CLOSED_BY.values() and (start := _opening(opened, letters, letter)) >= 0:
            inside = {_SIDES[kind] for kind in kinds[start + 1 : place] if kind in _SIDES}
            before = next((_SIDES[kind] for kind in reversed(kinds[:start]) if kind in _SIDES), base)
            if inside:
                kinds[start] = kinds[place] = base if base in inside else before if before in inside else base


def _opening(opened: list[int], letters: Sequence[str], letter: str) -> int:
    """Where the bracket was opened that is closed now, -1 for none; those within it are forgotten."""
    for number in range(len(opened) - 1, -1, -1):
        if _CLOSED_BY[letters[opened[number]]] == letter:
            start = opened[number]
            del opened[number:]
            return start
    return -1


def _fill_neutrals(kinds: list[str], base: str) -> None:
    """What has no direction takes that of both its sides, else the paragraph's (N1, N2)."""
    place = 0
    while place < len(kinds):
        end = place
        while end < len(kinds) and kinds[end] not in _SIDES:
            end += 1
        left = _SIDES[kinds[place - 1]] if place else base
        right = _SIDES[kinds[end]] if end < len(kinds) else base
        kinds[place:end] = [left if left == right else base] * (end - place)
        place = end + 1


def _joined(letters: Sequence[tuple[str, _T]]) -> list[tuple[str, _T]]:
    """With each Arabic letter in the form that it has between its neighbours, lam and alef as one."""
    forms, places = _forms(), [n for n, (letter, _) in enumerate(letters) if not unicodedata.combining(letter)]
    made = dict(enumerate(letters))
    joined, skip = False, False
    for number, place in enumerate(places):
        letter, rest = letters[place]
        following = letters[places[number + 1]][0] if number + 1 < len(places) else ""
        if skip:
            skip = False
            continue
        if letter == _LAM and letter + following in forms:
            made[place] = forms[letter + following]["<final>" if joined else "<isolated>"], rest
            del made[places[number + 1]]
            joined, skip = False, True
            continue
        onward = _joins(letter, "<initial>") and _joins(following, "<final>")
        form = {(False, True): "<initial>", (True, True): "<medial>", (True, False): "<final>"}.get((joined, onward))
        made[place] = forms.get(letter, {}).get(form or "<isolated>", letter), rest
        joined = onward
    return [made[place] for place in sorted(made)]


def _joins(letter: str, form: str) -> bool:
    return letter == _TATWEEL or form in _forms().get(letter, {})


@functools.cache
def _forms() -> dict[str, dict[str, str]]:
    """By a letter, or lam with alef, its forms: <isolated>, <initial>, <medial> and <final>."""
    found: dict[str, dict[str, str]] = {}
    for code in range(_FIRST_FORM, _LAST_FORM + 1):
        form, *parts = unicodedata.decomposition(chr(code)).split() or [""]
        base = "".join(chr(int(part, 16)) for part in parts)
        if form.startswith("<") and (len(base) == 1 or (code > 0xFEF4 and base.startswith(_LAM))):
            found.setdefault(base, {})[form] = chr(code)
    return found
