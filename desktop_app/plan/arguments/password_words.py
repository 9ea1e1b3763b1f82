"""A password that a file shall get or lose, as requests speak of it, and the password itself. Knows no tools; the words
are in resources/values.toml.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of
from desktop_app.plan.language.word_patterns import lists_of
from desktop_app.plan.types import Request

_HIDDEN = "\0"
"""Stands for each letter of a quote or a name: in these is no wish."""
_ENDS = ".,;:!?，。；！？、"
_VALUE = r"[^\s，。；！？、]+"


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
    text = _masked(request)
    if not _found("nouns codes locking unlocking", text):
        return None
    pieces = _pieces(text)
    own = _own(text, pieces)
    if not own:
        return None
    said = " , ".join(text[a:b] for a, b in own)
    rest = ", ".join(request.text[a:b].strip() for a, b in pieces if (a, b) not in own)
    off, value = _direction(said), _value(request.text, text, own)
    if off is None and not (value and rest):
        return None
    off = True if off is None and _found("being", said) else off
    return PasswordWish(off, value, tuple(request.text[a:b] for a, b in own), replace(request, text=rest))


def _masked(request: Request) -> str:
    text = request.text
    for name in sorted((one.name for one in request.resources if one.name), key=len, reverse=True):
        text = text.replace(name, _HIDDEN * len(name))
    for token in tokens_of(text):
        if token.kind in ("quote", "file", "url"):
            text = text[: token.start] + _HIDDEN * (token.end - token.start) + text[token.end :]
    return text


def _pieces(text: str) -> list[tuple[int, int]]:
    """The stretches between signs and words that join wishes; names that are joined stay together, and "with the
    password ..." at an end is apart."""
    joint = rf"(?:{_any('joints')})(?=\s|[^\x00-\x7f])"
    listed = rf"{_HIDDEN}\s*(?:,|，|、|{joint})\s*(?={_HIDDEN})"
    whole = re.sub(listed, lambda found: _HIDDEN * len(found[0]), text, flags=re.I)
    ends = rf"[.,;!?](?=\s)|[，。；！？\n]|(?<!\S){joint}|(?<=[^\x00-\x7f]){joint}"
    named = rf"(?:{_any('with')})\s+(?:\S+\s+){{0,2}}?(?:{_any('nouns')})\s*[:=]?\s+(?P<value>\S+?)"
    found, start = [], 0
    for cut in re.finditer(rf"{ends}|(?={named}\s*(?:$|{ends}))", whole, re.I):
        if cut["value"] is None or _HIDDEN in cut["value"] or _is_password(cut["value"], False):
            found.append((start, cut.start()))
            start = cut.end()
    return [(a, b) for a, b in [*found, (start, len(text))] if text[a:b].strip(f" {_ENDS}")]


def _own(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that speak of the password, with what is said behind or before them of the same: "it is ...", "take it
    off"."""
    core = {n for n, (a, b) in enumerate(pieces) if _speaks(text[a:b])}
    is_open = _direction(" , ".join(text[slice(*pieces[n])] for n in core)) is None

    def continues(n: int) -> bool:
        piece = text[slice(*pieces[n])].strip()
        if _found("taking state", piece) or (n - 1 in core and re.match(rf"(?:{_any('naming')})", piece, re.I)):
            return True
        is_deed = _found("off adding", piece) or (_found("opening", piece) and _found("only", piece))
        is_deed = is_deed and (_HIDDEN in piece or _found("things", piece))
        return is_open and (is_deed or _found("securing", piece))

    near = {n for n in range(len(pieces)) if n not in core and core & {n - 1, n + 1} and continues(n)}
    return [pieces[n] for n in sorted(core | near)]


def _speaks(piece: str) -> bool:
    if _found("contents", piece):
        return False
    if _found("nouns", piece) or (_found("locking unlocking", piece) and not _found("other_locks", piece)):
        return True
    return _found("codes", piece) and _found("securing opening", piece)


def _direction(said: str) -> bool | None:
    """True for off, False for on, None where neither is said."""
    if _found("nobody", said):
        return False
    if _found("off unlocking", said):
        return True
    is_on = _found("locking securing adding", said) or (_found("opening", said) and _found("only", said))
    return False if is_on else None


def _value(text: str, masked: str, own: list[tuple[int, int]]) -> str:
    """As it stands in the request, without the signs that end a sentence."""
    for a, b in own:
        for quote in tokens_of(text):
            if quote.kind == "quote" and a <= quote.start and quote.end <= b:
                return quote.text
    for pattern in _patterns():
        for a, b in own:
            for found in re.finditer(pattern, masked[a:b], re.I):
                exact = found.groupdict().get("exact")
                value = exact or found["value"].rstrip(_ENDS).strip("()（）")
                if value and _HIDDEN not in value and (exact or _is_password(value, "told" in found.groupdict())):
                    return value
    odd = [word for a, b in own for word in masked[a:b].split() if re.search(r"\d", word) and _HIDDEN not in word]
    return odd[-1].strip(_ENDS + "()（）") if odd else ""


@cache
def _patterns() -> tuple[str, ...]:
    noun, names, being = f"(?:{_any('nouns codes')})", f"(?:{_any('naming')})", f"(?P<told>{_any('being')})"
    return (
        rf"{noun}\s*{names}?\s*[:=：]\s*(?P<exact>{_VALUE})",
        rf"{noun}\s*(?P<told>{_any('naming')})\s*(?P<value>{_VALUE})",
        rf"{noun}\s*(?P<value>{_VALUE})",
        rf"{noun}\s[^{_ENDS}]{{0,30}}?{being}\s*(?P<value>{_VALUE})",
        rf"^\s*(?P<told>{_any('naming')})\s*(?P<value>{_VALUE})",
        rf"(?P<value>{_VALUE})\s*{being}\s*(?:\w+\s+)?{noun}",
        rf"{noun}\S*\s*(?:{_any('small')})?\s*(?:{_any('with')})\s+(?P<value>{_VALUE})",
    )


def _is_password(value: str, is_told: bool) -> bool:
    """Not one of the words that stand behind "password" in a sentence; Chinese ones only where it is told so."""
    word = value.lower()
    others = "locking unlocking securing adding off nobody opening only things being joints small with state"
    is_said = word in lexicon().skipped or re.fullmatch(_any(others), word)
    return word[0] != "-" and not is_said and (is_told or not is_ideographic(word[0]))


def _found(lists: str, text: str) -> bool:
    return re.search(_any(lists), text, re.I) is not None


@cache
def _any(names: str) -> str:
    """A pattern for what is in these lists; a phrase that ends in * is the beginning of words."""
    phrases = [one.strip() for name in names.split() for one in lists_of("passwords")["all"][name].split(",")]
    return "|".join(map(_phrase, sorted(filter(None, phrases), key=len, reverse=True)))


def _phrase(phrase: str) -> str:
    plain = re.escape(phrase.removesuffix("*")).replace(r"\ ", r"\s+")
    if is_ideographic(phrase[0]):
        return plain
    return rf"(?<!\w){plain}" + (r"\w*" if phrase.endswith("*") else r"(?!\w)")
