"""A password that a file shall get or lose, as requests speak of it, and the password itself. Knows no tools; the words
are in resources/values.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from desktop_app.plan.arguments.said_pieces import ENDS, HIDDEN, Phrases, Piece, masked, pieces_of, without
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of
from desktop_app.plan.types import Request

_WORDS = Phrases("passwords")
_VALUE = r"[^\s，。；！？、]+"
_BRACKETS = "()（）"


@dataclass(frozen=True)
class PasswordWish:
    """Whether files shall open without a password from then on (None where that is not said), the password, "" where it
    is not said, the stretches of the request that speak of it, and the request without them."""

    off: bool | None
    password: str
    said: tuple[str, ...]
    rest: Request


def password_wish(request: Request) -> PasswordWish | None:
    """None where nothing is said of a password, or not what shall be done with it."""
    text = masked(request)
    if not _WORDS.found("nouns codes locking unlocking", text):
        return None
    named = rf"(?:{_WORDS.any('with')})\s+(?:\S+\s+){{0,2}}?(?:{_WORDS.any('nouns')})\s*[:=]?\s+(?P<value>\S+?)"
    pieces = pieces_of(text, named, lambda cut: HIDDEN in cut["value"] or _is_password(cut["value"], False))
    own = _own(text, pieces)
    if not own:
        return None
    said, rest = " , ".join(text[a:b] for a, b in own), without(request.text, pieces, own)
    off, value = _direction(said), _value(request.text, text, own)
    if off is None and not (value and rest):
        return None
    off = True if off is None and _WORDS.found("being", said) else off
    return PasswordWish(off, value, tuple(request.text[a:b] for a, b in own), replace(request, text=rest))


def _own(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Those that speak of the password, with what is said behind or before them of the same: "it is ...", "take it
    off"."""
    core = {n for n, (a, b) in enumerate(pieces) if _speaks(text[a:b])}
    is_open = _direction(" , ".join(text[slice(*pieces[n])] for n in core)) is None

    def continues(n: int) -> bool:
        piece = text[slice(*pieces[n])].strip()
        says = n - 1 in core and re.match(rf"(?:{_WORDS.any('naming')})", piece, re.I)
        if says or _WORDS.found("taking state", piece):
            return True
        is_deed = _WORDS.found("off adding", piece) or (_WORDS.found("opening", piece) and _WORDS.found("only", piece))
        is_deed = is_deed and (HIDDEN in piece or _WORDS.found("things", piece))
        return is_open and (is_deed or _WORDS.found("securing", piece))

    near = {n for n in range(len(pieces)) if n not in core and core & {n - 1, n + 1} and continues(n)}
    return [pieces[n] for n in sorted(core | near)]


def _speaks(piece: str) -> bool:
    if _WORDS.found("contents", piece):
        return False
    locks = _WORDS.found("locking unlocking", piece) and not _WORDS.found("other_locks", piece)
    coded = _WORDS.found("codes", piece) and _WORDS.found("securing opening", piece)
    return _WORDS.found("nouns", piece) or locks or coded


def _direction(said: str) -> bool | None:
    """True for off, False for on, None where neither is said."""
    if _WORDS.found("nobody", said):
        return False
    if _WORDS.found("off unlocking", said):
        return True
    opens = _WORDS.found("opening", said) and _WORDS.found("only", said)
    return False if opens or _WORDS.found("locking securing adding", said) else None


def _value(text: str, hidden: str, own: Sequence[Piece]) -> str:
    """As it stands in the request, without the signs that end a sentence; one with a figure or a sign in it before a
    word that may be one of the sentence."""
    for a, b in own:
        for quote in tokens_of(text):
            if quote.kind == "quote" and a <= quote.start and quote.end <= b:
                return quote.text
    found = list[str]()
    for pattern in _patterns():
        for a, b in own:
            for hit in re.finditer(pattern, hidden[a:b], re.I):
                exact = hit.groupdict().get("exact")
                value = (exact or hit["value"].rstrip(ENDS)).strip(_BRACKETS)
                if value and HIDDEN not in value and (exact or _is_password(value, "told" in hit.groupdict())):
                    found.append(value)
    words = [word.strip(ENDS + _BRACKETS) for a, b in own for word in hidden[a:b].split() if HIDDEN not in word]
    odd = [word for word in [*found, *reversed(words)] if re.search(r"\d", word)]
    return (odd if found and found[0].isalpha() and found[0].islower() and odd else [*found, *odd, ""])[0]


@cache
def _patterns() -> tuple[str, ...]:
    noun, names = f"(?:{_WORDS.any('nouns codes')})", f"(?P<told>{_WORDS.any('naming')})"
    being = f"(?P<told>{_WORDS.any('being')})"
    return (
        rf"{noun}[^:=：{HIDDEN}]{{0,25}}[:=：]\s*(?P<exact>{_VALUE})",
        rf"{noun}\s*{names}\s*(?P<value>{_VALUE})",
        rf"{noun}\s*(?P<value>{_VALUE})",
        rf"{noun}\s[^{ENDS}]{{0,30}}?{being}\s*(?P<value>{_VALUE})",
        rf"^\s*{names}\s*(?P<value>{_VALUE})",
        rf"(?P<value>{_VALUE})\s*{being}\s*(?:\w+\s+)?{noun}",
        rf"{noun}\S*\s*(?:{_WORDS.any('small')})?\s*(?:{_WORDS.any('with')})\s+(?P<value>{_VALUE})",
    )


def _is_password(value: str, is_told: bool) -> bool:
    """Not one of the words that stand behind "password" in a sentence; Chinese ones only where it is told so."""
    word = value.lower()
    others = "locking unlocking securing adding off nobody opening only things being small with state"
    is_said = word in lexicon().skipped or re.fullmatch(_WORDS.any(others), word)
    return word[0] != "-" and not is_said and (is_told or not is_ideographic(word[0]))
