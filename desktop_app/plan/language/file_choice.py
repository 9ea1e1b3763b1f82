"""Which of several attached files a clause means: all, all but some, the second, the last two, in this order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_app.plan.language.exceptions import Opening, openings
from desktop_app.plan.language.tokenizer import is_ideographic
from desktop_app.plan.types import Given, Request

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
    "erste": 1, "ersten": 1, "erstes": 1, "zweite": 2, "zweiten": 2, "zweites": 2, "dritte": 3, "dritten": 3,
    "vierte": 4, "vierten": 4, "letzte": -1, "letzten": -1, "letztes": -1,
    "première": 1, "premier": 1, "deuxième": 2, "seconde": 2, "troisième": 3, "quatrième": 4, "dernière": -1,
    "dernier": -1, "premières": 1, "premiers": 1, "dernières": -1, "derniers": -1,
    "primera": 1, "primero": 1, "segunda": 2, "segundo": 2, "tercera": 3, "tercero": 3, "cuarta": 4, "última": -1,
    "último": -1, "primeras": 1, "primeros": 1, "últimas": -1, "últimos": -1,
    "第一": 1, "第二": 2, "第三": 3, "第四": 4, "第五": 5, "最后一": -1,
}  # fmt: skip
_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "zwei": 2, "drei": 3, "vier": 4, "beiden": 2, "deux": 2, "trois": 3,
    "quatre": 4, "dos": 2, "tres": 3, "cuatro": 4, "2": 2, "3": 3, "4": 4, "5": 5, "两": 2, "三": 3,
}  # fmt: skip
_UNITS = (
    r"second|seconds|secs?|minutes?|min|frames?|page|pages|lines?|rows?|words?|half|"
    r"sekunden?|minuten?|zeilen?|seiten?|secondes?|lignes?|segundos?|minutos?|líneas?|秒|分钟|行"
)
_SURE = frozenset(("surely", "but_not", "perhaps", "joint", "verbs", "lacking", "lacking_name"))
"""Kinds of words that, said of one file among others, say that nothing is done with it."""
_BEFORE_NAMES = frozenset(("denied", "lacking_name"))
"""Kinds that leave out something only where a name follows at once."""
_ALL = re.compile(
    r"\b(?:all|every\w*|each|alle\w?|jede\w?|tou[ts]e?s?|chaque|chacune?|todos?|todas?|cada)\b|所有|全部|每", re.I
)
_COUNT = re.compile(
    r"(?:\s+(?:the|die|das|der|dem|den|le|la|les|el|los|las)\b)?"
    rf"(?:\s+(?P<count>{'|'.join(w for w in _NUMBERS if not is_ideographic(w))})\b)?\s*",
    re.I,
)
"""Between words that leave out something and "second"."""
_SENTENCE = re.compile(r"[;!?。；！？\n]")
_OF_FILES = re.compile(
    r"\s*(?:(?:ones?|(?:picture|photo|image|file|clip|video|film|recording|track|song)s?|bild(?:er|ern)?|fotos?|aufnahmen?|"
    r"datei(?:en)?|fichiers?|vidéos?|pistes?|imagen(?:es)?|archivos?|vídeos?|pistas?)\b|[张个份段首条幅](?:图片|照片|图|文件|录音|视频)?"
    r"|(?=[,.;:!?)]|$|(?:in|into|to|and|as|with|by|on|at|please|then|zu|als|und|um|auf|bitte|en|et|à|y|a|con|como|por)\b))"
    r"(?:\s*(?:以外|之外|外)的?)?",
    re.I,
)
"""What may stand behind "the second" where that is a file."""
_OTHERS = re.compile(r"其他|其它|其余|别的")
_CLOSING = re.compile(r"\s*(?:以外|之外|外)的?")
_BETWEEN_NAMES = re.compile(
    r"^(?:[\s\"'“”„«»‘’,、:]|\b(?:and|or|nor|und|oder|et|ou|ni|y|o|the|die|das|der|dem|den|le|la|el|"
    r"file|picture|photo|image|datei|bild|foto|fichier|image|archivo|imagen)\b|和|跟|与)*$",
    re.I,
)
_PLACE = re.compile(
    rf"\b(?P<place>{'|'.join(w for w in _ORDINALS if not is_ideographic(w))})\s+"
    rf"(?:(?P<many>{'|'.join(w for w in _NUMBERS if not is_ideographic(w))})\b)?(?!\s*(?:\d+\s*)?(?:{_UNITS})\b)"
    rf"|(?P<zh>第[一二三四五]|最后一|最后两|最后三)(?=[张个段份首条页幅])",
    re.I,
)


def files_meant(text: str, files: Sequence[Given]) -> list[str]:
    """The names of those that the text chooses, in its order where it names them; empty where it does not choose."""
    if len(files) < 2:
        return []
    lacking = next((one for one in openings(text) if _may_leave_out(one) and one.kinds - _BEFORE_NAMES), None)
    if lacking is not None:
        left_out = _chosen(text[lacking.start :], files)
        kept = [file.name for file in files if file.name not in left_out]
        if left_out and kept:
            before = _chosen(text[: lacking.start], files)
            return [name for name in before if name in kept] or kept
    return _chosen(text, files)


@dataclass(frozen=True)
class _LeftOut:
    """Names of files that are left out together, whether surely, where the words for that begin and where the last name
    ends.
    """

    names: tuple[str, ...]
    sure: bool
    start: int
    end: int


def left_out_by_name(text: str, files: Sequence[Given], stretch: tuple[int, int] | None = None) -> list[str]:
    """The names of the files that a text, or that stretch of it, names outright, once and behind words that leave them
    out: "all but c.jpg".
    """
    start, end = stretch or (0, len(text))
    found = {name for one in _left_out(text, tuple(files)) if start <= one.start < end for name in one.names}
    lower = text[start:end].lower() if found else ""
    return [file.name for file in files if file.name in found and lower.count(file.name.lower()) == 1]


def without_left_out(request: Request) -> Request:
    """The request without the files that it surely leaves out by their names, nor the words for that: what is said of
    all pictures except b.jpg is said of all of the others.
    """
    text = request.text
    once = {*left_out_by_name(text, request.resources)}
    found = [one for one in _left_out(text, request.resources) if once.issuperset(one.names)]
    if not request.history:  # else "the second" may be one of what was made
        found += _left_out_by_place(text, request.resources)
    if len(found) != 1 or len(_ALL.findall(text)) > 1:  # "a collage of all, and all but b.jpg grey"
        return request
    gone = found[0]
    left = tuple(given for given in request.resources if given.name not in gone.names)
    types = {given.type for given in request.resources if given.name in gone.names}
    if not gone.sure or not types <= {given.type for given in left}:
        return request
    rest = _OTHERS.sub("所有", text[gone.end :])
    text = f"{text[: gone.start].rstrip(' ,，')}{rest if gone.start else rest.lstrip(' ,，')}"
    return replace(request, text=text.strip(), resources=left)


def _may_leave_out(opening: Opening) -> bool:
    """True for words that leave out a file which follows them; "all but b.jpg", and not "a.jpg, but b.jpg"."""
    return opening.kinds != {"joint"} or opening.all_but


@lru_cache(maxsize=64)
def _left_out(text: str, files: tuple[Given, ...]) -> tuple[_LeftOut, ...]:
    """Wherever the text leaves out files by their names."""
    names = sorted({file.name for file in files}, key=len, reverse=True)
    if not names or not openings(text):
        return ()
    any_name = re.compile("|".join(map(re.escape, names)), re.I)
    whole = {name.lower(): name for name in names}
    found: dict[int, _LeftOut] = {}
    for named in any_name.finditer(text):
        opening = next((one for one in reversed(openings(text[: named.start()])) if _may_leave_out(one)), None)
        listed = text[opening.end : named.start()] if opening else ""
        if opening and not _SENTENCE.search(listed) and _BETWEEN_NAMES.match(any_name.sub("", listed)):
            closing = _CLOSING.match(text, named.end())
            start = opening.start - len("but ") * text[: opening.start].lower().endswith("but ")
            known = found[start].names if start in found else ()
            own = (*known, whole[named[0].lower()])
            found[start] = _LeftOut(own, bool(opening.kinds & _SURE), start, (closing or named).end())
    return tuple(found.values())


def _left_out_by_place(text: str, files: Sequence[Given]) -> list[_LeftOut]:
    """The same for "all but the second", where there are several files of one type only: of things in a picture,
    seconds, pages and lines others are told.
    """
    kinds = {type for type, count in Counter(file.type for file in files).items() if count > 2}
    alike = [file for file in files if {file.type} == kinds]
    found: list[_LeftOut] = []
    for opening in openings(text):
        lead = _COUNT.match(text, opening.end)
        place = _PLACE.match(text + " ", lead.end()) if lead else None
        behind = _OF_FILES.match(text, place.end()) if place else None
        if not (lead and place and behind and _may_leave_out(opening)) or opening.kinds <= _BEFORE_NAMES:
            continue
        if chosen := _chosen(f"{place[0]}{lead['count'] or ''}{'张' * bool(place['zh'])}", alike):
            end = behind.end() - (behind.end() == place.end() and text[: place.end()].endswith(" "))
            found.append(_LeftOut(tuple(chosen), bool(opening.kinds & _SURE), opening.start, end))
    return found


def _chosen(text: str, files: Sequence[Given]) -> list[str]:
    named = named_in(text, files)
    if named:
        return named
    found: list[str] = []
    for match in _PLACE.finditer(text + " "):
        if match["zh"]:
            place, count = (
                (_ORDINALS.get(match["zh"], -1), _NUMBERS.get(match["zh"][-1:], 1))
                if match["zh"] in _ORDINALS
                else (-1, _NUMBERS[match["zh"][-1]])
            )
            count = 1 if match["zh"] in _ORDINALS else count
        else:
            place, count = _ORDINALS[match["place"].lower()], _NUMBERS.get((match["many"] or "").lower(), 1)
        if place > len(files):
            continue
        some = files[-count:] if place < 0 else files[place - 1 : place - 1 + count]
        found += [file.name for file in some if file.name not in found]
    return found


def called(name: str, text: str) -> re.Match[str] | None:
    """Where a file is called by its name without the ending: "the notes first"; one or two letters are no name."""
    stem = name.rpartition(".")[0] or name
    return word_form(stem).search(text) if len(stem) > 2 else None


@lru_cache(maxsize=256)
def word_form(text: str) -> re.Pattern[str]:
    """Finds the text where it stands as whole words."""
    plain = text.isascii() or not re.search(r"[\u3400-\u9fff]", text)
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)" if plain else re.escape(text), re.I)


def named_in(text: str, files: Sequence[Given]) -> list[str]:
    """Those whose names, or what sets their names apart from the others', stand in the text; in its order."""
    return list(_named_in(text, tuple(file.name for file in files)))


@lru_cache(maxsize=256)
def _named_in(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Each wish of a request asks for the same of the same files."""
    lower = text.lower()
    words = [_words(name) for name in names]
    places: list[tuple[int, str]] = []
    for number, name in enumerate(names):
        at = lower.find(name.lower())
        stem = name.rpartition(".")[0].lower()
        # "these three" are all of them
        if at < 0 and len(stem) > 1 and stem in lower and _NUMBERS.get(stem) != len(names):
            match = re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", lower)
            at = match.start() if match else -1
        if at < 0:
            others = {word for other, told in enumerate(words) if other != number for word in told}
            own = [word for word in words[number] if word not in others and _NUMBERS.get(word) != len(names)]
            found = [
                match.start()
                for word in own
                if word in lower and (match := re.search(rf"(?<!\w){re.escape(word)}(?:'s|s)?(?!\w)", lower))
            ]
            at = min(found, default=-1)
        if at >= 0:
            places.append((at, name))
    return tuple(name for _, name in sorted(places))


def _words(name: str) -> list[str]:
    stem = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name.rpartition(".")[0])
    return [word.lower() for word in re.findall(r"[^\W\d_]{3,}", stem)]
