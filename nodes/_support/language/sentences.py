"""Cuts text into paragraphs and sentences, and joins sentences again.

Knows abbreviations, initials, decimals, ordinals ("3. Mai"), list numbers, quotations and brackets that hold several
sentences, and the full stops of Chinese, Japanese, Hindi and Arabic. Must not know tools.
"""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from nodes._support.language.languages import is_common, language_of, stop_words

# never at the end of a sentence: something always follows
_OPEN = frozenset(
    """mr mrs ms mx dr drs prof st ste sr. messrs rev hon gen col lt capt cmdr sgt gov sen rep pres supt
    fr hr frl dipl ing mag bspw bzgl ca evtl exkl ggf inkl insb sog vgl z zzgl zb dh ua d.h z.b u.a i.d.r z.t s.o s.u
    o.ä v.a m.e i.e e.g cf viz vs approx est dept univ ed eds trans ext
    mm mme mlle mlles me p.ex c.-à-d env sr sra srta dra d dª av avda ud uds vd p.ej sig sigg sig.ra dott prof.ssa
    bijv dhr mevr drs t.ex bl.a d.v.s f.eks bl np tzw ul tj т.е т.к г ул""".split()  # noqa: SIM905
)
# not at the end when a number follows
_BEFORE_NUMBER = frozenset(
    """no nos nr nrn núm num n.º nº fig figs abb tab p pp pg s ss art arts sec sect ch chap kap vol vols bd bde eq ex
    par abs aufl v c ca circa anno jan feb mar apr jun jul aug sep sept oct okt nov dec dez tel rn""".split()  # noqa: SIM905
)
# may end a sentence, or not: what follows decides
_DOUBTFUL = frozenset(
    """etc usw usf u.s.w inc ltd co corp llc plc jr bros gmbh ag al ff f u.s u.k u.n u.s.a e.u d.c
    ph.d m.a b.a b.sc m.sc jan feb mar apr jun jul aug sep sept oct okt nov dec dez mio mrd bzw""".split()  # noqa: SIM905
)
_CLOCK = frozenset({"a.m", "p.m", "am", "pm", "b.c", "a.d"})  # the lower case of what follows was looked at before
_ORDINAL_LANGUAGES = frozenset({"de", "da", "nb", "fi", "cs", "hu", "pl", "tr"})
_SPOKEN = r"(?:said|says|asked|replied|answered|cried|shouted|whispered|added|explained|called|wrote|told|warned)\b"
_SPEAKER = re.compile(rf"(?:[A-Z][\w'’-]*|the \w+|[Ss]he|[Hh]e|[Tt]hey)(?: [A-Z][\w'’-]*)? {_SPOKEN}")
_CLOSERS = "\"'”’»“›)\\]】』」》）＂*_"
_WIDE_CLOSERS = _CLOSERS.replace("“", "")
_OPENERS = "\"'“‘„«‹([【『「《（¿¡*_"
_CANDIDATE = re.compile(
    rf"(?P<wide>[。！？｡।۔؟]+[{_WIDE_CLOSERS}]*)\s*|(?P<mark>(?:\.{{2,}}|[.!?…]+)(?P<closers>[{_CLOSERS}]*))(?P<gap>\s+)"
)
_WRAPPED = re.compile(
    r"“[^”\n]{1,250}”|„[^“”\n]{1,250}[“”]|«[^»\n]{1,250}»|「[^」\n]{1,250}」|『[^』\n]{1,250}』"
    r"|\([^()\n]{1,250}\)|（[^（）\n]{1,250}）|(?<!\w)\"[^\"\n]{1,250}\"(?!\w)"
)
_LAST_WORD = re.compile(r"[^\s([{„“«\"'‚‘]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]$")
_MARKER = re.compile(r"\s*(?:[-*•‣◦·–—]|\d{1,3}[.)]|[a-zA-Z]\))\s+(?=\S)")
_BEGINNING = frozenset(
    """it they we he she i you this there then so but er sie es wir ich du dann aber il elle nous ils elles puis mais
    ella ellos nosotros luego pero""".split()  # noqa: SIM905
)
_COMMON_LETTERS = 4
"""A word of so many letters with a full stop is abbreviated seldom."""
_WIDE_END = re.compile(r"[。！？｡」』）]$")


_PAGE = re.compile(
    r"\b(?:page|seite|página|pagina|pág\.|p\.|s\.) ?\d+(?: ?(?:/|of|von|sur|de|di|van) ?\d+)?\b|第 ?\d+ ?页"
    r"|^[-–—|\s]*\d+(?: ?/ ?\d+)?[-–—|\s]*$",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence with the number of its paragraph; `heading` when it is a paragraph without an end mark."""

    text: str
    paragraph: int
    heading: bool


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each on one line: lines broken for width are joined, hyphenated words too.

    A blank line, a list marker, a `#` and a line that is visibly shorter than its paragraph end a paragraph.
    """
    found: list[str] = []
    for block in re.split(r"\n[ \t\u3000]*\n+|\f", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        found += _unwrapped(lines)
    return found


def sentences(text: str, language: str = "") -> list[str]:
    """The sentences of a text in order, spaces tidied. `language` (ISO 639-1) is guessed when empty."""
    return [sentence.text for sentence in annotated(text, language)]


def annotated(text: str, language: str = "") -> list[Sentence]:
    """The sentences of a text with their paragraphs and headings marked."""
    language = language or language_of(text)
    found = []
    for number, paragraph in enumerate(paragraphs(text)):
        title = paragraph.startswith("#")
        pieces = _cut(_bare(paragraph), language)
        for piece in pieces:
            short = len(piece.split()) <= 12 and len(piece) <= 90
            heading = title or (len(pieces) == 1 and short and not ends(piece))
            found.append(Sentence(piece, number, heading))
    return found


def is_page_line(sentence: Sentence) -> bool:
    """Whether it is what stands above or below each page, with its number: "Annual report · Page 3 of 12"."""
    return sentence.heading and bool(_PAGE.search(sentence.text))


def count_sentences(text: str, language: str = "") -> int:
    """How many there are, headings aside; a text of nothing but headings counts them."""
    found = annotated(text, language)
    return sum(not sentence.heading for sentence in found) or len(found)


def ends(sentence: str) -> bool:
    """True when it closes like a sentence: full stop, question mark, colon ..., quotes and brackets aside."""
    return bool(re.search(rf"[.!?…。！？｡।۔؟:：;；][{_CLOSERS}]*$", sentence))


def shortened(word: str) -> bool:
    """True for a word that a full stop may follow without ending the sentence ("approx")."""
    return word.lower() in _OPEN | _BEFORE_NUMBER | _DOUBTFUL


def joined(pieces: list[str]) -> str:
    """Sentences as running text: with a space between, none after a Chinese or Japanese full stop."""
    out = ""
    for piece in pieces:
        out += piece if not out or _WIDE_END.search(out) else f" {piece}"
    return out


def _bare(paragraph: str) -> str:
    """Without a heading's or a list item's mark."""
    paragraph = paragraph.lstrip("# ")
    marker = _MARKER.match(paragraph)
    return paragraph[marker.end() :] if marker else paragraph


def _unwrapped(lines: list[str]) -> list[str]:
    if not lines:
        return []
    width = max(len(line) for line in lines)
    found = [lines[0]]
    for before, line in itertools.pairwise(lines):
        short = len(before) < 0.6 * width or width < 40
        breaks = (
            short and (line[0].isupper() or line[0] in _OPENERS or not line[0].isalpha()) and before[-1] not in ",-"
        )
        wide = ord(line[0]) >= 0x2E80 and ord(before[-1]) >= 0x2E80
        if _MARKER.match(line) or line.startswith("#") or before.startswith("#") or (breaks and not _goes_on(before)):
            found.append(line)
        elif re.search(r"[a-zäöüßéèàç]-$", before) and line[0].islower():
            found[-1] = found[-1][:-1] + line
        else:
            found[-1] += line if wide else f" {line}"
    return found


def _goes_on(line: str) -> bool:
    """True when a short line ends in a word that needs another: "of the"."""
    last = line.rsplit(None, 1)[-1].lower()
    return last in {"the", "a", "an", "of", "and", "to", "in", "der", "die", "das", "und", "le", "la", "de", "el", "y"}


def _cut(paragraph: str, language: str) -> list[str]:
    wrapped = [match.span() for match in _WRAPPED.finditer(paragraph)]
    found, start, inside = [], 0, 0
    for match in _CANDIDATE.finditer(paragraph):
        end = match.end("wide") if match["wide"] else match.end("mark")
        while inside < len(wrapped) and wrapped[inside][1] < end:
            inside += 1
        if inside < len(wrapped) and wrapped[inside][0] < match.start() and end < wrapped[inside][1]:
            continue
        if match["wide"] or _is_end(paragraph, start, match, language):
            found.append(paragraph[start:end])
            start = match.end()
    found.append(paragraph[start:])
    return [" ".join(piece.split()) for piece in found if any(c.isalnum() for c in piece)]


def _is_end(paragraph: str, start: int, match: re.Match[str], language: str) -> bool:
    """Whether the marks of `match` end the sentence that began at `start`."""
    after = paragraph[match.end() : match.end() + 80]
    if not after:
        return True
    following = after.lstrip(_OPENERS)[:1]
    if following.islower() and _is_small(paragraph, start, match, language):
        return True
    if following.islower() or following in tuple(",;:"):
        return False
    if match["closers"] and (after[0].islower() or _SPEAKER.match(after)):
        return False
    if not match["mark"].startswith(".") or match["mark"].startswith(".."):
        return True
    word = _LAST_WORD.search(paragraph[max(start, match.start() - 30) : match.start()])
    return not word or _ends_after(word.group(), after, match.start() - len(word.group()) <= start, language)


def _is_small(paragraph: str, start: int, match: re.Match[str], language: str) -> bool:
    """Whether a plain full stop ends a sentence though small letters follow, as people type in a hurry: behind a common
    word, which no abbreviation is, or before a word that begins sentences.
    """
    word = re.search(r"[^\W\d_]+$", paragraph[start : match.start()])
    if word is None or match["mark"] != "." or len(word.group()) < _COMMON_LETTERS:
        return False
    low, next_word = word.group().lower(), re.match(r"\w+", paragraph[match.end() :])
    begins = next_word is not None and next_word.group() in _BEGINNING
    return not shortened(low) and (begins or is_common(low, language))


def _ends_after(word: str, after: str, first: bool, language: str) -> bool:
    """Whether a full stop behind `word` ends the sentence when `after` follows. `first`: it opens the sentence."""
    low = word.lower().strip("-–")
    if low in _OPEN or (low in _BEFORE_NUMBER and after[0].isdigit()):
        return False
    if low.isdigit():
        if first:
            return False
        return len(low) > 2 or language not in _ORDINAL_LANGUAGES or _starts_sentence(after, language)
    if low in _CLOCK:
        return True
    if low in _DOUBTFUL or (_INITIALS.match(word) and (word[0].isupper() or "." in word)):
        return _starts_sentence(after, language)
    return True


def _starts_sentence(after: str, language: str) -> bool:
    """Whether the next word is a function word with a capital, as a name or a noun would not be."""
    word = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)*", after.lstrip(_OPENERS))
    if not word or not stop_words(language):
        return bool(word)
    return word.group().lower() in stop_words(language)
