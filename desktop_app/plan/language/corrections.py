"""Puts right what reading a request piece by piece gets wrong: types of files, exceptions, what stays as it is.

Knows no tools. The pieces keep their numbers, so that whoever counts them is not disturbed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.language.discourse import set_background
from desktop_app.plan.language.exceptions import openings, spared
from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.types import KIND_WEIGHT, Intent
from desktop_app.plan.types import Request

_ELSE = frozenset(("else", "rest", "outside", "surroundings", "remaining"))
_REST = "=rest"
BESIDE = "=beside"
"""A mark among the meanings: the piece works on the same thing as the piece before it."""
_SIGNS = frozenset("<>=!≤≥≠")
_COLUMN = 0.05
_AS = frozenset(("as", "in"))
_LOOKING = frozenset(("see", "check", "look", "consult", "read"))
_KEEPING = frozenset(("keep", "leave", "keeping", "leaving"))
_FROM = frozenset(("from", "in", "out", "with", "of"))
_SAVING = frozenset(("save", "saved", "store", "stored", "export", "output"))
_MINE = frozenset(("i", "i'll", "i've", "i'm", "we", "we'll"))
_SHOWING = frozenset((
    "draw", "drag", "frame", "mark", "click", "touch", "tap", "point", "circle", "paint", "show", "select", "pick",
))  # fmt: skip
_BOX = frozenset(("box", "boxes", "rectangle", "rectangles", "frame", "square"))


def refined(intents: Sequence[Intent], request: Request, lexicon: Lexicon) -> list[Intent]:
    """The pieces with the types of what is really attached; with exceptions, and things to keep, where they belong."""
    found = list(intents)
    set_background(found)
    _sort_out_names(found)
    for one, other in itertools.pairwise(found):
        _name_source(one, other)
    for one, other in itertools.pairwise(found):
        _name_place(one, other)
    _set_beside(found)
    types = {given.name: given.type for given in request.resources}
    for intent in found[:1]:
        _set_complained(intent, tuple(dict.fromkeys(types.values())))
    for intent in found:
        _set_types(intent, types)
        _set_compared(intent, request.text)
    for place, intent in enumerate(found):
        before = found[place - 1] if place and found[place - 1].sentence == intent.sentence else None
        after = next((i for i in found[place + 1 : place + 2] if i.sentence == intent.sentence), None)
        if before is not None:
            _give_back(intent, before)
        if before is not None and _is_all_but(before.tokens[-1].word, intent.joint):
            _lend(intent, before, lexicon)
            before.meanings[_REST] = 0.0  # the "but" itself is no word of either piece
        elif _keeps(intent):
            _set_aside(intent, before, after, lexicon)
        elif before is not None and _is_another_form(intent, before):
            intent.meanings[BESIDE] = 0.0
        elif _promises_to_point(intent) and place + 1 < len(found):
            _point(intent, found[place + 1])
        elif _promises_to_point(intent) and before is not None and not before.stating:
            _point(intent, before)
        elif place and found[place - 1].stating and _takes_away(intent, lexicon):
            _name_what(found[place - 1], intent)
    return found


def _is_all_but(last: str, joint: str) -> bool:
    """True where a piece ends with "all", and "but" leads on to the next."""
    return any(opening.all_but and opening.excepts() for opening in openings(f"{last} {joint}"))


def means_the_rest(intent: Intent) -> bool:
    """ "Everything else", "all but the red things": what lies outside of the thing that is named."""
    words = [token.word for token in intent.tokens]
    if _REST in intent.meanings:
        return True
    rest = [place for place, word in enumerate(words) if word in _ELSE]
    if rest:  # "leave the rest" says the opposite
        return not any(_KEEPING & set(words[max(0, place - 3) : place]) for place in rest)
    return bool(spared(intent.text))


def draws_box(intent: Intent) -> bool:
    """ "I'll draw a box around it": the user shows a rectangle and not a point."""
    return "point_at" in intent.meanings and bool(_BOX & {token.word for token in intent.tokens})


def unexplained(intent: Intent, weights: Mapping[str, float]) -> Intent:
    """The intent without the words that a tool with these weights speaks of: in "grey out" no colour is named."""
    spans = [(t.first, t.last) for t in intent.terms if t.kind != "exact" and weights.get(t.key, 0.0) >= 0.6]
    hidden = {place for first, last in spans for place in range(first, last + 1)}
    return replace(intent, tokens=tuple(token for place, token in enumerate(intent.tokens) if place not in hidden))


def _name_source(intent: Intent, following: Intent) -> None:
    """ "From saved.html, | take the text": the first piece only says out of what."""
    source = bool(intent.mentions("file", "url")) and not intent.meanings and intent.tokens[0].word in _FROM
    if source and following.sentence == intent.sentence and not following.mentions("file", "url"):
        following.takes = tuple(dict.fromkeys((*following.takes, *intent.takes)))
        intent.stating = True


def _name_place(asked: Intent, intent: Intent) -> None:
    """ "What day is it? | See mail.txt": the second piece only says where the answer is."""
    words = [token.word for token in intent.tokens if token.kind == "word"]
    looks = bool(words) and words[0] in _LOOKING and all(word in _LOOKING | _FROM | {"at"} for word in words)
    if looks and intent.mentions("file") and not asked.mentions("file", "url") and not asked.stating:
        append(intent, asked)
        intent.stating = True
        intent.meanings = {}


def _set_beside(intents: Sequence[Intent]) -> None:
    """ "Title, keywords and a short version of article.txt": all of them of the same thing."""
    for sentence in dict.fromkeys(intent.sentence for intent in intents):
        pieces = [intent for intent in intents if intent.sentence == sentence]
        bare = all(not any(t.kind == "action" for t in piece.terms) and not piece.pronoun for piece in pieces)
        joints = all(piece.joint in (",", "and") for piece in pieces[1:])
        named = [bool(piece.mentions("file")) for piece in pieces]
        if (
            len(pieces) > 1
            and bare
            and joints
            and named[-1]
            and not any(named[:-1])
            and not pieces[0].mentions("quote")
        ):
            for piece in pieces:
                piece.takes = tuple(dict.fromkeys((*piece.takes, *pieces[-1].takes)))
                piece.meanings[BESIDE] = 0.0


def _sort_out_names(intents: Sequence[Intent]) -> None:
    """ "Save it as out.wav" names no file that is there; "download the song from song.wav" names an address."""
    for intent in intents:
        words = [token.word for token in intent.tokens]
        for place, token in enumerate(intent.tokens):
            if token.kind != "file":
                continue
            if words[place - 1 : place] in (["as"], ["named"], ["called"]) and _SAVING & set(words[:place]):
                _rename(intent, place, "output")
            elif "load" in intent.meanings and words[place - 1 : place] in (["from"], ["at"]):
                _rename(intent, place, "url")


def _rename(intent: Intent, place: int, kind: str) -> None:
    """The file at this place as a token of another kind; its type counts no more as something that is taken."""
    old = intent.tokens[place]
    new = replace(old, kind=kind)
    intent.tokens = (*intent.tokens[:place], new, *intent.tokens[place + 1 :])
    named = {t.key for t in intent.terms if t.kind == "type"} | {token.type for token in intent.mentions("file")}
    kept = tuple(type for type in intent.takes if type != old.type or type in named)
    if kind == "url":
        thing = tuple(type for type in kept if type == old.type)
        intent.gives = tuple(dict.fromkeys((*intent.gives, *thing)))
        kept = tuple(dict.fromkeys((*(type for type in kept if type != old.type), "url")))
    intent.takes = kept


def _set_types(intent: Intent, types: Mapping[str, str]) -> None:
    """A file named mask.png may be a mask; the endings of names know no better than "image"."""
    changed = {t.text: types[t.text] for t in intent.tokens if t.kind == "file" and types.get(t.text, t.type) != t.type}
    if not changed:
        return
    old = {token.type for token in intent.tokens if token.text in changed}
    named = {t.key for t in intent.terms if t.kind == "type"}
    intent.tokens = tuple(replace(t, type=changed[t.text]) if t.text in changed else t for t in intent.tokens)
    still = {token.type for token in intent.tokens if token.kind == "file"}
    kept = [type for type in intent.takes if type not in old - still - named]
    intent.takes = tuple(dict.fromkeys([*kept, *changed.values()]))


def _set_complained(intent: Intent, types: tuple[str, ...]) -> None:
    """ "It is too dark": the one thing that is there is wanted back, set right."""
    if intent.complains and not intent.gives and not intent.takes and len(types) == 1:
        intent.takes = intent.gives = types


def _set_compared(intent: Intent, text: str) -> None:
    """ "Only those with total > 50": what is compared is the name of a column, and nothing to do."""
    for term in intent.terms:
        following = intent.tokens[term.last + 1 : term.last + 2]
        sign = text[intent.tokens[term.last].end : following[0].start].strip() if following else ""
        if sign and not set(sign) - _SIGNS and term.key in intent.meanings:
            intent.meanings[term.key] = min(intent.meanings[term.key], _COLUMN)


def _give_back(intent: Intent, before: Intent) -> None:
    """ "A slideshow of a.jpg, b.jpg | and c.jpg with music": the file that ends a list belongs to the list."""
    first, last = intent.tokens[0], before.tokens[-1]
    if intent.joint not in ("and", ",") or first.kind != "file" or last.kind != "file" or len(intent.tokens) < 2:
        return
    if (
        any(t.first == 0 for t in intent.terms)
        or first.type != last.type
        or intent.tokens[1].word not in ("with", "to")
    ):
        return
    before.tokens = (*before.tokens, first)
    intent.tokens = intent.tokens[1:]
    intent.terms = tuple(replace(t, first=t.first - 1, last=t.last - 1) for t in intent.terms)
    if not any(token.kind == "file" for token in intent.tokens):
        intent.takes = tuple(type for type in intent.takes if type != first.type)


def _lend(intent: Intent, other: Intent, lexicon: Lexicon) -> None:
    """Gives the things that the piece names, and its words, to another piece; it is no wish of its own any more."""
    things = {t.key for t in intent.terms if not _is_operation(t.key, t.kind, lexicon)}
    for key, weight in intent.meanings.items():
        if key in things:
            other.meanings.setdefault(key, weight)
    append(intent, other)
    intent.stating = True
    intent.meanings = {}


def append(intent: Intent, other: Intent) -> None:
    """The words of the piece behind those of the other one."""
    shift = len(other.tokens)
    other.terms = (*other.terms, *(replace(t, first=t.first + shift, last=t.last + shift) for t in intent.terms))
    other.tokens = (*other.tokens, *intent.tokens)
    other.takes = tuple(dict.fromkeys((*other.takes, *intent.takes)))


def _is_operation(key: str, kind: str, lexicon: Lexicon) -> bool:
    signature = lexicon.signatures.get(key)
    return kind == "action" or (signature is not None and bool(signature.gives))


def _keeps(intent: Intent) -> bool:
    words = [token.word for token in intent.tokens]
    return words[:1] != [] and words[0] in _KEEPING and "only" not in words and "just" not in words


def _set_aside(intent: Intent, before: Intent | None, after: Intent | None, lexicon: Lexicon) -> None:
    """ "Keep the faces sharp, blur everything else" names the faces; "..., but keep the colours" wishes nothing."""
    for other in (after, before):
        if other is not None and means_the_rest(other):
            _lend(intent, other, lexicon)
            return
    if before is not None and not before.stating and intent.joint in ("and", ",", "but", "while"):
        intent.stating = True


def _is_another_form(intent: Intent, before: Intent) -> bool:
    """ "... as a sketch | and as a watercolour"; "a sketch | and a watercolour of it"."""
    if intent.joint == "also":  # "summarise notes.txt and also tell me its mood"
        return any(token.word == "its" for token in intent.tokens) and bool(before.mentions("file"))
    if intent.joint not in ("and", ","):
        return False
    opening = intent.tokens[0].word
    words = {token.word for token in before.tokens}
    return opening in _AS and ("as" in words or BESIDE in before.meanings)


def _takes_away(intent: Intent, lexicon: Lexicon) -> bool:
    """ "Get rid of it", where only the sentence before says of what."""
    special = [t for t in intent.terms if t.kind in ("task", "thing", "word", "type")]
    return intent.pronoun and bool(special) and all(lexicon.roles.get(t.key) == "parts" for t in special)


def _name_what(stated: Intent, intent: Intent) -> None:
    """Gives the wish the things that the sentence before it speaks of."""
    for term in stated.terms:
        if term.kind in ("task", "thing", "word", "exact") and term.key in stated.meanings:
            intent.meanings.setdefault(term.key, stated.meanings[term.key])
    append(stated, intent)


def _promises_to_point(intent: Intent) -> bool:
    words = [token.word for token in intent.tokens]
    return bool(words) and words[0] in _MINE and any(word in _SHOWING for word in words[1:4])


def _point(intent: Intent, following: Intent) -> None:
    """ "I'll draw a box around the car; hide what is inside": the user will show it, which is no wish."""
    following.meanings["point_at"] = KIND_WEIGHT["task"]
    things = {t.key for t in intent.terms if t.kind in ("type", "thing", "word")}
    following.meanings |= {k: w for k, w in intent.meanings.items() if k in things and k not in following.meanings}
    append(intent, following)
    intent.stating, following.stating = True, False
    intent.meanings = {}
    following.takes = tuple(t for t in following.takes if t in ("image", "video"))
