"""Which files and results of a conversation a request speaks of: what it names, and what came with it, before others.

An earlier result may fit a tool ever so well: when a file is named or newly brought, that one is meant.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import plain_words, stem, tokens_of
from desktop_app.plan.types import Given, Request

_IT = frozenset(("it", "its", "them", "they", "their"))
_THIS = frozenset(("this", "that", "these", "those"))
_MANY = frozenset(("them", "they", "their", "these", "those", "both", "together"))
_THIS_ONE = re.compile(r"\b(?:this|that)\b(?:\s+(?:one|picture|photo|image|file))?", re.I)
_IT_ALONE = re.compile(r"(?<!\bdo )\bit\b(?!['’])", re.I)
"""Not in "do it again", which speaks of the wish."""
_MADE = frozenset(("result", "results"))
_OF_BEFORE = frozenset((
    "all", "each", "other", "others", "rest", "previous", "last", "earlier", "before", "first", "second", "third",
    "fourth", "fifth", "everything", "两", "都", "上一", "刚才",
))  # fmt: skip
"""Words that choose among what is there: then nothing is left out."""
YOU_MADE = re.compile(
    r"\b(?:you|we)(?:['’]ve| have)?(?: just| already)? (?:made|created|drawn|drew|painted|produced|generated)\b"
    r"|\b(?:du|wir|sie)\b[^.,;]{0,20}\b(?:gemacht|erstellt|erzeugt|gezeichnet|gemalt)\b"
    r"|\bque (?:tu as|vous avez|has|ha|hemos|nous avons) (?:faite?s?|créée?s?|hecho|creado)\b"
    r"|[你我](?:们)?(?:刚才?)?(?:做|画|生成)的",
    re.I,
)
"""Says that what came of earlier requests is meant, of all of them."""
_INSIDE = frozenset(("in", "of", "from", "within"))
_MAKING = frozenset(("as", "to", "into", "called", "named", "call", "name", ":"))
_OWNED = frozenset(("the", "this", "that", "a", "an", "my", "our", "your", "his", "her", "their", "its", "any", "each"))
_HAN = "\u3400"
_EMPTY = frozenset((
    *_IT, *_THIS, "and", "now", "then", "what", "how", "about", "again", "one", "ones", "here", "please", "too", "also",
    "in", "of", "for", "with", "on", "or", "ok", "okay", "so", "is", "are", "next", "file", "the", "use",
    "take", "try", "instead", "rather",
))  # fmt: skip


def narrowed(request: Request, newest: Sequence[Given]) -> Request:
    """The request with those resources only that it can mean; `newest` are the results of the latest run.

    Names are completed ("IMG_2042" becomes "IMG_2042.jpg"). Where it neither names a file nor brings one, all stay.
    """
    request = replace(request, text=_with_endings(request.text, request.resources))
    named, fresh = named_in(request), [given for given in request.resources if not given.earlier]
    if not named and not _names_unknown(request) and (not fresh or len(fresh) == len(request.resources)):
        return request
    words = {token.word for token in tokens_of(request.text)}
    if (
        YOU_MADE.search(request.text)
        or words & _OF_BEFORE
        or any(word in request.text for word in _OF_BEFORE if not word.isascii())
    ):
        return request
    if not fresh and words & _MANY and not words & _MADE:
        return request
    kept = [*named, *fresh]
    if words & _MADE or _speaks_of_newest(words, named, fresh) or _is_for_a_part(request.text, named):
        kept += newest
    text = _with_it_and_this(request.text, newest, [g for g in named if g not in newest], fresh)
    for given in reversed([g for g in request.resources if g.earlier and g not in named]):
        text, found = _with_description(text, given, named)
        kept += [given] if found else []
    return replace(request, text=text, resources=tuple(given for given in request.resources if given in kept))


def named_in(request: Request) -> list[Given]:
    """The resources whose names, or own words in the place of a name, are in the text."""
    files = {token.text for token in tokens_of(request.text) if token.kind in ("file", "url")}
    named = [given for given in request.resources if given.name in files]
    if files:
        return named
    return [given for given in request.resources if not _is_made(given, request) and _is_called(given, request.text)]


def _names_unknown(request: Request) -> bool:
    """True for a file that is not here ("in party.jpg"), but not for what is to be made ("save it as party.jpg")."""
    known = {given.name for given in request.resources}
    tokens = tokens_of(request.text)
    return any(
        token.kind == "file" and token.text not in known and (not place or tokens[place - 1].word not in _MAKING)
        for place, token in enumerate(tokens)
    )


def is_elliptic(request: Request) -> bool:
    """ "And rocket.jpg?", "and in this photo?": nothing but a file, so that the wish is the one before."""
    text = request.text
    for token in reversed(tokens_of(text)):
        if token.kind == "file" or token.word in _EMPTY:
            text = f"{text[: token.start]} {text[token.end :]}"
    for given in request.resources:
        text = re.sub(rf"\b{re.escape(_stem_of(given.name))}\b", " ", text, flags=re.I)
    return not any(t.kind in ("task", "action", "thing", "word") for chunk in read(text).chunks for t in chunk.terms)


def _speaks_of_newest(words: Collection[str], named: Sequence[Given], fresh: Sequence[Given]) -> bool:
    """ "Put it next to cat.jpg". With a new file "it" is that one, unless "this" is said too, or "them" are several."""
    words = set(words)
    if not fresh:
        return bool(words & (_IT | _THIS))
    if named and not set(named) <= set(fresh):
        return False
    return bool(words & _IT and words & _THIS) or (len(fresh) == 1 and bool(words & _MANY))


def _is_for_a_part(text: str, named: Sequence[Given]) -> bool:
    """ "Beach.jpg as the background": of something else that is there."""
    ends = [token.end for token in tokens_of(text) if token.kind == "file"]
    return len(named) == len(ends) == 1 and _as_a_part().match(text, ends[0]) is not None


@cache
def _as_a_part() -> re.Pattern[str]:
    """After a file that something else is to have: "use beach.jpg *as the background*"."""
    own = tomllib.loads((RESOURCES / "values.toml").read_bytes().decode("utf-8"))["parts_of_others"]
    opening, parts = ([re.escape(entry.strip()) for entry in own[name].split(",")] for name in ("as", "part"))
    han = "|".join(one for one in opening if one >= _HAN)
    latin = "|".join(one for one in opening if one < _HAN)
    return re.compile(rf"\s*(?:(?:{latin})\b|{han})\s*(?:\w+ ){{0,2}}?(?:{'|'.join(parts)})", re.I)


def _with_it_and_this(text: str, newest: Sequence[Given], named: Sequence[Given], fresh: Sequence[Given]) -> str:
    """ "Put it on this", where "this" is the new file, and "put it beside cat.jpg": with the names of both."""
    words = {token.word for token in tokens_of(text)}
    if len(newest) != 1 or "it" not in words or not (named or (len(fresh) == 1 and words & {"this", "that"})):
        return text
    if fresh and not named:
        text = _THIS_ONE.sub(partial(_name_of, fresh[0]), text, count=1)
    return _IT_ALONE.sub(partial(_name_of, newest[0]), text, count=1)


def _with_description(text: str, given: Given, named: Sequence[Given]) -> tuple[str, bool]:
    """ "Put the cartoon beside cat.jpg", with coffee_cartoon.png: with its name, and true. Not so for what is seen in
    the file that is named, as in "the faces in group.jpg".
    """
    tokens = tokens_of(text)
    called = {stem(word) for word in plain_words(_stem_of(given.name))[1:]}
    names = {name.lower() for one in named for name in (one.name, _stem_of(one.name))}
    within = any(one.word in _INSIDE and other.word in names for one, other in pairwise(tokens))
    for the, token in pairwise(tokens):
        if not within and the.word == "the" and token.kind == "word" and stem(token.word) in called:
            return f"{text[: the.start]}{given.name}{text[token.end :]}", True
    return text, False


def _is_called(given: Given, text: str) -> bool:
    """ "Describe rocket", with rocket.jpg; not "the rocket", which is something to be seen."""
    tokens = tokens_of(text)
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.word == _stem_of(given.name).lower() and len(token.word) > 2:
            return not place or tokens[place - 1].word not in _OWNED
    return False


def _is_made(given: Given, request: Request) -> bool:
    return any(turn.gives(given.name) for turn in request.history)


def _with_endings(text: str, resources: Sequence[Given]) -> str:
    """The text with the whole names of files that it names without their endings, where no plain word is meant."""
    for given in resources:
        own = _stem_of(given.name)
        alone = sum(_stem_of(other.name) == own for other in resources) == 1
        if alone and own != given.name and re.search(r"[\d_-]", own) and len(own) > 2:
            bare = re.compile(rf"(?<![\w./-]){re.escape(own)}(?![\w/-]|\.\w)", re.I)
            text = bare.sub(partial(_name_of, given), text)
    return text


def _name_of(given: Given, _: re.Match[str]) -> str:
    return given.name


def _stem_of(name: str) -> str:
    return name.rpartition(".")[0] or name
