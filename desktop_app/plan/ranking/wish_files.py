"""Facts about a wish and an attached file, out of which the tagger says whether the wish is about that file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.plan.language.clauses import TaggedWord
from desktop_app.plan.language.file_choice import files_meant, left_out_by_name, named_in
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.ranking.one_of_several import means_all, speaks_of_last_first, speaks_of_others, speaks_of_two
from desktop_app.plan.ranking.wish_links import NO_ODDS, log_odds
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import Given, HistoryMessage, Request, ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TYPES = ("image", "audio", "video", "text", "table", "file")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_MEANT, _EVEN = 0.5, 0.1
"""A wish works on the files of which that is more probable; so much less is as good."""
_TWO, _APART = 2, 0.1
"""Of several files the two likeliest are those of "both" where the third is so much less probable."""
_OWN = frozenset(("text", "number", "flag"))

LIKENESS = 24
"""So many numbers say how well the words of a request fit a file's name."""
_STEM, _SHARE = 3, 0.7
"""Words that begin with so many of the same signs, and with this share of the longer one, are forms of one word."""
_NEAR, _FAINT, _WRITTEN = 0.35, 0.4, 0.95
"""Cosines below the first say nothing; the second has to be passed to be the best; from the third on it is written."""
_DIGITS, _LONGEST_RANGE = 6, 30
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to|through|till|until|bis|à|a|al|至|到)\s*(\d+)")
_EDGES = re.compile(r"^\W+|\W+$")


def name_words(name: str) -> list[str]:
    """What a file's name says, as words: "KidsAtBeach_02.jpg" is Kids, At, Beach, 02, jpg."""
    return _WORD.findall(_HUMP.sub(" ", name)) or [name]


def said_before(history: Sequence[HistoryMessage]) -> str:
    """The user's last words before these; "" where there are none."""
    return next((turn.text for turn in reversed(history) if turn.role == "user"), "")


def first_said(name: str, text: str) -> int:
    """Where a file is named in a text, whole or without its ending; at its end where it is not."""
    text, (stem, _) = _unaccented(text), _parts(name)
    found = re.search(rf"(?<!\w){re.escape(_unaccented(stem))}(?!\w)", text) if len(stem) > 1 else None
    at = text.find(_unaccented(name))
    return at if at >= 0 else found.start() if found else len(text)


def _unaccented(text: str) -> str:
    """In small letters without accents, sign for sign where it can be."""
    apart = (unicodedata.normalize("NFD", char)[0] for char in unicodedata.normalize("NFC", text).lower())
    return "".join(apart)


def files_chosen(
    shares: Mapping[str, float], request: Request, tool: ToolSpec, waits: bool, around: tuple[int, int] = (0, 0)
) -> list[str]:
    """The names of the files, all of one type, that a wish for the tool works on, in the order in which the request has
    them. `shares` are how probable each is; `waits` is true for a wish that takes what another makes. `around` is the
    stretch of its words and those beside them: a file that they leave out by its name is never meant, and the others
    are then.

    Of a file and what was made of it before only one is meant, unless the tool lays several side by side. In answer to
    something the likeliest is meant where none is likely.
    """
    given = {file.name: file for file in request.resources}
    said = request.text[slice(*around)]
    without = left_out_by_name(request.text, request.resources, around)
    shares = {name: share for name, share in shares.items() if name not in without}
    order = sorted(shares, key=lambda name: (-shares[name], -list(given).index(name)))
    every = means_all(said, request.resources) and not files_meant(said, request.resources) and not request.history
    found = [] if every else [name for name in order if shares[name] > _MEANT]
    if len(found) > _TWO and speaks_of_two(said) and shares[order[_TWO - 1]] - shares[order[_TWO]] > _APART:
        found = order[:_TWO]
    found = found or (order if (without or every) and not waits else [])
    if not found and request.history and not waits:
        found = [name for name in reversed(given) if shares.get(name, -1.0) > shares[order[0]] - _EVEN][:1]
    found = [name for name in found if given[name].type == given[found[0]].type]
    takers = [port for port in tool.inputs if found and fits(given[found[0]].type, port.type) and not port.choices]
    if len(takers) == 1 and not takers[0].many:
        found = _named_alone([given[name] for name in found], request.text) or found
        found = [
            name for n, name in enumerate(found) if not any(_is_kin(given[name], given[other]) for other in found[:n])
        ]
    order = sorted(found, key=lambda name: (first_said(name, request.text), list(given).index(name)))
    return order[::-1] if any(port.many for port in takers) and speaks_of_last_first(said) else order


def _named_alone(files: Sequence[Given], text: str) -> list[str]:
    """The names of those that the text names, whole or by a word, where one is named outright and nothing is said of
    others: "make cat.jpg grey" is not for the photo beside it.
    """
    outright = {token.text for token in tokens_of(text) if token.kind == "file"}
    if not outright & {file.name for file in files} or speaks_of_others(text):
        return []
    for name in outright:
        text = text.replace(name, " ")
    said = {word.lower() for word in _WORD.findall(text)}
    return [file.name for file in files if file.name in outright or said & {*_own_words(file)}]


def told_name(file: Given) -> str:
    """A file's name as the tagger is told it: of what was made with the id of the tool behind whence it is."""
    name = file.called or file.name
    stem, dot, suffix = name.rpartition(".")
    return f"{stem.rpartition('_')[0] or stem}_{file.by}{dot}{suffix}" if file.by and stem else name


def _is_made_by(tool: ToolSpec, file: Given) -> bool:
    """True for a file that is known to be made by this tool, or whose name says so."""
    return _parts(told_name(file))[0].endswith(f"_{tool.id}")


def _is_kin(one: Given, other: Given) -> bool:
    """True where one was made of the other."""
    names = [_parts(file.called or file.name)[0] for file in (one, other)]
    return any(a.startswith(b + "_") for a, b in (names, names[::-1]))


def may_work_on(tool: ToolSpec, file: Given) -> bool:
    """True where an input of the tool takes the file as it is."""
    return any(fits(file.type, port.type) and not port.choices for port in tool.inputs if port.type not in _OWN) or (
        file.type == "text" and any(port.type == "text" and port.required and not port.choices for port in tool.inputs)
    )


def made_fit(text: str, files: Sequence[Given], stretch: tuple[int, int], tool: ToolSpec) -> set[str]:
    """The names of the files that this stretch of a request names though the tool takes none of them as it is: what it
    takes is made of them.
    """
    said = {*named_in(text[slice(*stretch)], files)} - {*left_out_by_name(text, files)}
    return set() if any(file.name in said and may_work_on(tool, file) for file in files) else said


def two_inputs(tool: ToolSpec, type: str) -> list[str]:
    """The names of a tool's two inputs for one file of this type each; none where it has not just two."""
    found = [port for port in tool.inputs if fits(type, port.type) and not port.choices and not port.many]
    if type in _OWN and not all(port.type == type and port.required for port in found):
        return []
    return [port.name for port in found] if len(found) == 2 else []


def among(
    shares: Mapping[tuple[int, int], float],
    told: Mapping[tuple[int, int], Sequence[float]],
    links: Mapping[tuple[int, int], float],
    wishes: int,
    files: int,
) -> list[list[float]]:
    """For each pair of a wish and a file, in the order of `shares`: what the tagger says of it, of the same file for
    other wishes and of other files for the same wish, of what is taken from other wishes (`links`), and its `facts`
    (`told`). Training knows them by their order.
    """
    odds = {pair: log_odds(share) for pair, share in shares.items()}
    joined = {pair: log_odds(share) for pair, share in links.items()}
    unused = {file for _, file in odds if all(odds.get((wish, file), NO_ODDS) < 0 for wish in range(wishes))}

    def best(found: Iterable[float]) -> float:
        return max(found, default=NO_ODDS)

    rows: list[list[float]] = []
    for wish, file in shares:
        rivals = sorted((odds[wish, n] for n in range(files) if n != file and (wish, n) in odds), reverse=True)
        rows.append([
            odds[wish, file],
            best(odds.get((n, file), NO_ODDS) for n in range(wishes) if n != wish),
            *[*rivals, NO_ODDS, NO_ODDS][:2],
            rivals[-1] if rivals else NO_ODDS,
            sum(rivals) / len(rivals) if rivals else NO_ODDS,
            best(v for (_, other), v in joined.items() if other == wish),
            best(v for (one, _), v in joined.items() if one == wish),
            best(min(v, odds.get((one, file), NO_ODDS)) for (one, other), v in joined.items() if other == wish),
            best(odds.get((n, file), NO_ODDS) for n in range(wish)),
            best(odds.get((n, file), NO_ODDS) for n in range(wish + 1, wishes)),
            sum(one > 0 for one in rivals), len(rivals), sum((wish, n) in odds for n in unused),
            wish, wishes, file, files,
            best(odds.values()),
            *told[wish, file],
        ])  # fmt: skip
    return rows


@dataclass(frozen=True)
class FileWords:
    """Where a wish stands: its own words, those between the wish before it and itself, those up to the next one, and
    the whole request. Each as offsets in the request, which is there in small letters as `text`.
    """

    text: str
    own: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]


def said_of(text: str, stretches: Sequence[tuple[int, int]]) -> list[FileWords]:
    """For each wish, by the offsets of its words in the request."""
    found = []
    for start, end in stretches:
        begun = max((b for _, b in stretches if b <= start), default=0)
        ends = min((a for a, _ in stretches if a >= end), default=len(text))
        found.append(FileWords(text.lower(), (start, end), (begun, start), (end, ends)))
    return found


def facts(
    wish: int,
    count: int,
    tool: ToolSpec,
    place: int,
    files: Sequence[Given],
    said: FileWords,
    followed: bool,
    likeness: Sequence[float] = (0.0,) * LIKENESS,
) -> list[float]:
    """For the wish number `wish` of `count` and the file at `place`; `followed` where something was said before;
    `likeness` is how well the words fit the file's name (see Likeness). One number for each fact; training knows them
    by their order.
    """
    file = files[place]
    alike = [n for n, other in enumerate(files) if other.type == file.type]
    own, last = alike.index(place), len(alike) - 1
    takers = [port for port in tool.inputs if fits(file.type, port.type) and not port.choices]
    needed = sum(port.required for port in takers)
    stem, suffix = _parts(file.name)
    stems = [_parts(other.name)[0] for other in files]
    called, others_called = _parts(file.called or file.name)[0], [_parts(o.called or o.name)[0] for o in files]
    grown = any(other != called and called.startswith(other + "_") for other in others_called)
    source = any(other != called and other.startswith(called + "_") for other in others_called)
    by_tool = [_is_made_by(tool, files[n]) for n in alike]
    texts = [said.text[a:b] for a, b in (said.own, said.before, said.after, (0, len(said.text)))]
    named = [_is_named(stem, text) for text in texts]
    others = [any(_is_named(other, text) for other in stems) for text in texts[:3]]
    kind = re.compile(rf"(?<![a-z]){re.escape(suffix)}s?(?![a-z])")
    kinds = {_parts(files[n].name)[1] for n in alike}
    chosen = [
        files_meant(text, [files[n] for n in alike])
        for text in (said.text[said.before[0] : said.own[1]], said.text[said.own[0] : said.after[1]], texts[3])
    ]
    found = [
        True, own == 0, own == 1, own == 2, own > 2, own == last, own == last - 1, last == 0, last == 1, last > 1,
        needed == 0, needed == 1, needed > 1, any(port.many for port in takers), bool(takers),
        *named, *others, *(bool(kind.search(text)) for text in texts), len(kinds) > 1,
        grown, source, grown and own == last, followed, wish == 0, wish == count - 1, count == 1,
        *(file.type == type for type in _TYPES),
        *(file.name in names for names in chosen), *(bool(names) for names in chosen),
        *(bool(names) and file.name not in names for names in chosen), *likeness,
        by_tool[own], any(by_tool), any(by_tool[own + 1 : own + 2]), followed and own == last and not grown,
    ]  # fmt: skip
    return [float(fact) for fact in found]


class Likeness:
    """How well words of a request fit what sets the name of each file apart from those of its type: what the words mean
    (the cosine of the sentence encoder's vectors, in any of its languages), how they are written, and which numbers.
    """

    def __init__(
        self,
        text: str,
        words: Sequence[TaggedWord],
        files: Sequence[Given],
        encode: Callable[[Sequence[str]], NDArray[np.float32]] | None,
    ) -> None:
        """`encode` gives the vectors of some texts (n, any); None where there is no encoder: writing counts alone."""
        import numpy as np

        self._text, self._words = text.lower(), words
        names = [_own_words(file) for file in files]
        types = [file.type for file in files]
        self._alike = [[n for n, type in enumerate(types) if type == own] for own in types]
        apart = [
            [word for word in name if any(word not in names[n] for n in alike)]
            for name, alike in zip(names, self._alike, strict=True)
        ]
        self._numbers = [{int(word) for word in own if word.isdigit() and len(word) < _DIGITS} for own in apart]
        own_words = [[word for word in own if not word.isdigit()] for own in apart]
        said = [_EDGES.sub("", word.text.lower()) for word in words]
        asked = sorted({text for own in own_words for text in (*own, " ".join(own)) if text} | {*said} - {""})
        vectors = dict(zip(asked, encode(asked), strict=True)) if encode and asked else {}
        self._rows = np.array(
            [[max((_fit(one, own, vectors) for own in wanted), default=0.0) for one in said] for wanted in own_words],
            np.float32,
        ).reshape(len(files), len(words))
        self._known: dict[tuple[int, FileWords], list[float]] = {}

    def of(self, place: int, said: FileWords) -> list[float]:
        """LIKENESS numbers for the file at that place. For the words of the wish, those before it, after it, and all:
        the best fit; that of any other file; whether it is the best; how many others are written there; whether its
        number is said; whether another's is.
        """
        if (place, said) not in self._known:
            self._known[place, said] = self._of(place, said)
        return self._known[place, said]

    def _of(self, place: int, said: FileWords) -> list[float]:
        found: list[float] = []
        others = [n for n in self._alike[place] if n != place]
        for start, end in (said.own, said.before, said.after, (0, len(self._text))):
            here = [n for n, word in enumerate(self._words) if start <= word.start and word.end <= end]
            best = self._rows[:, here].max(axis=1) if here else [0.0] * len(self._alike)
            rival = max((float(best[n]) for n in others), default=0.0)
            numbers = _numbers_in(self._text[start:end])
            found += [
                float(best[place]), rival, float(best[place] > max(rival, _FAINT) + 0.02),
                float(sum(best[n] >= _WRITTEN for n in others)), float(bool(self._numbers[place] & numbers)),
                float(any(self._numbers[n] & numbers for n in others)),
            ]  # fmt: skip
        return found


def _own_words(file: Given) -> list[str]:
    """The words of a file's name, in small letters, without its ending."""
    name = file.called or file.name
    words = [word.lower() for word in name_words(name)]
    return words[:-1] if len(words) > 1 and name.lower().endswith("." + words[-1]) else words


def _fit(said: str, own: str, vectors: Mapping[str, NDArray[np.float32]]) -> float:
    """0..1 for a word of the request and one of a name."""
    if not said or not own:
        return 0.0
    written = next((n for n, (a, b) in enumerate(zip(said, own, strict=False)) if a != b), min(len(said), len(own)))
    if written >= _STEM and written >= _SHARE * max(len(said), len(own)):
        return 1.0
    if own[0] >= "\u3400" and (own in said or said in own):
        return 1.0
    near = float(vectors[said] @ vectors[own]) if vectors else 0.0
    return near if near > _NEAR else 0.0


def _numbers_in(text: str) -> set[int]:
    """Those written in figures, with all of "1 to 4"."""
    found = {int(number) for number in re.findall(r"\d+", text) if len(number) < _DIGITS}
    for first, last in _RANGE.findall(text):
        if len(first) < _DIGITS and len(last) < _DIGITS and 0 < int(last) - int(first) < _LONGEST_RANGE:
            found |= {*range(int(first), int(last))}
    return found


def _is_named(stem: str, text: str) -> bool:
    if len(stem) < 2 or stem not in text:
        return f"{stem}." in text
    return bool(re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", text))


def _parts(name: str) -> tuple[str, str]:
    stem, _, suffix = name.lower().rpartition(".")
    return (stem, suffix) if stem else (suffix, "-")
