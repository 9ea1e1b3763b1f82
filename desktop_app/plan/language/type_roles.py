"""What the types in a piece of wording are: made by it, taken by it, or spoken of as something that is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.tokenizer import Token, is_ideographic, stem
from desktop_app.plan.language.types import Intent, Term

SOURCE = frozenset((
    "from", "of", "in", "on", "for", "at", "with", "using", "within", "about", "onto", "over", "representing",
    "showing", "illustrating",
))  # fmt: skip
_TARGET = frozenset(("into", "as"))
_HOLDERS = frozenset((
    "list", "set", "collection", "series", "selection", "group", "couple",
))  # fmt: skip
DEFINITE = frozenset(("the", "this", "that", "these", "those", "its", "their", "it"))

_IDLE = frozenset(map(stem, (
    "whether", "possible", "feasible", "doable", "file", "name", "help", "spot", "separate", "zoom", "focus", "point",
    "result", "output", "model", "algorithm", "present", "visible", "presence", "contain", "location", "position",
    "located", "mark", "calculate", "check", "confirm", "verify", "exact", "tell", "run", "execute", "indicate",
    "there", "map",
)))  # fmt: skip

_OWN = frozenset(("the", "this", "that", "my", "his", "her", "our", "their"))
_WHOSE = _OWN | {"our", "these", "those", "every", "each", "all"}
_TOLD = 0.6
_PARTS = frozenset(map(stem, (
    "top", "bottom", "left", "right", "upper", "lower", "half", "third", "quarter", "side", "corner", "middle",
    "centre", "center", "edge", "border", "margin", "sky", "rest", "format", "ratio", "shape",
)))  # fmt: skip
"""Parts of any picture, and how it is cut."""


def is_idle(word: str) -> bool:
    """True for a stem that says how a wish is put, and names nothing."""
    return word in _IDLE


def means_content(intent: Intent) -> bool:
    """True when "the text" of something is meant and not words of the request."""
    if intent.mentions("quote"):
        return False
    return bool(intent.definite) or intent.pronoun or bool(intent.mentions("file")) or bool(intent.refers)


def crops_to_thing(intent: Intent, cropping: Set[str]) -> bool:
    """True for "crop the dog", "crop a.jpg to the cat": words that no tool for cropping knows, and no size or shape,
    tell what is to be left. `cropping`: what those tools speak of, as "the top".
    """
    if not any(t.key == "crop" and t.kind == "task" for t in intent.terms) or intent.mentions("number"):
        return False
    words = [token.word for token in intent.tokens]
    nouns = [t for t in intent.terms if t.kind == "word" and not is_idle(t.key) and t.key not in _PARTS]
    named = [
        t for t in nouns if {*words[max(0, t.first - 3) : t.first]} & _OWN or _has_no_article(intent.tokens[t.first])
    ]
    return bool(named) and not any(t.key in _PARTS for t in intent.terms) and not {t.key for t in nouns} & cropping


def names_part(intent: Intent, weights: Mapping[str, float], roles: Mapping[str, str]) -> bool:
    """ "Blur *the neighbour*", "pixelate my son": what is to be hidden is a thing that the tool, which has these
    weights, does not speak of, and so not the whole picture.
    """
    if not any(t.kind == "task" and roles.get(t.key) == "hides" for t in intent.terms):
        return False
    words = [token.word for token in intent.tokens]
    nouns = [t for t in intent.terms if t.kind == "word" and not is_idle(t.key) and t.key not in _PARTS]
    shown = {t.last + 1 for t in intent.terms if t.kind == "type" and t.key == "image"}  # "the picture *of the pizza*"
    nouns = [t for t in nouns if not any(words[p : p + 1] == ["of"] and t.first - p <= 3 for p in shown if p < t.first)]
    return any(
        weights.get(t.key, 0.0) < _TOLD and {*_leading(words, t.first)} & _WHOSE for t in nouns
    )  # fmt: skip


def _leading(words: Sequence[str], place: int) -> list[str]:
    """Up to three words before a noun, from its preposition on: "this | with a radius"."""
    before = list(words[max(0, place - 3) : place])
    start = next((i + 1 for i in range(len(before) - 1, -1, -1) if before[i] in SOURCE | _TARGET), 0)
    return [] if before[start - 1 : start] in (["with"], ["using"], ["at"]) else before[start:]


def _has_no_article(token: Token) -> bool:
    """ "裁剪狗": Chinese says no "the"."""
    return is_ideographic(token.text)


def set_types(intent: Intent, words: Sequence[str], lexicon: Lexicon) -> None:
    """Fills in `takes`, `gives` and `definite` from the words before the types."""
    takes: list[str] = []
    gives: list[str] = []
    definite: list[str] = []
    actions = [t for t in intent.terms if t.kind in ("action", "task")]
    inside = {i for t in actions if t.kind == "action" for i in range(t.first + 1, t.last + 1)}  # "search *for*"
    prepositions = {i for i, word in enumerate(words) if word in SOURCE or word in _TARGET} - inside
    operative = [t for t in actions if not _is_adjective(t, intent.terms, words)]
    barriers = {i for t in operative for i in range(t.first, t.last + 1) if not words[i].endswith("ed")} - prepositions
    actions = [t for t in actions if t.first not in prepositions]
    direct_taken = False
    for term in intent.terms:
        if term.kind != "type" or words[term.first] in SOURCE:
            continue
        if any(t.kind == "type" and t.first == term.last + 1 and words[t.first] not in SOURCE for t in intent.terms):
            continue  # "a sound address" is an address
        if any(t.kind == "action" and t.first == term.first < t.last for t in actions):
            gives.append(term.key)  # "draw me a dragon": a drawing
            direct_taken = True
            continue
        preposition = _preposition(words, term.first, barriers)
        before = words[max(0, term.first - 3) : term.first]
        if any(w in DEFINITE for w in before):
            definite.append(term.key)
        page = term.key == "html" and preposition in ("on", "onto") and before[-1:] in (["a"], ["an"])
        if page or preposition in _TARGET or (preposition == "to" and any(t.key == "turn" for t in actions)):
            gives.append(term.key)
        elif preposition in SOURCE or preposition == "to":
            takes.append(term.key)
        else:
            before_it = [t for t in actions if t.last < term.first]
            governing = [t for t in before_it if not _is_done(t, words)]
            if not governing and all(t in before_it for t in actions):
                governing = before_it
            role = lexicon.roles.get(governing[0].key, "") if governing else _passive(actions, words, lexicon)
            if not governing and (before[-1:] in (["a"], ["an"]) or _is_made_new(term, before_it, words, lexicon)):
                role = "makes"
            if role in ("makes", "takes") and not direct_taken and not _names_file(intent, term):
                gives.append(term.key)
                direct_taken = True
            else:
                takes.append(term.key)
    intent.takes = tuple(dict.fromkeys([*takes, *(t.type for t in intent.mentions("file") if t.type)]))
    intent.gives = tuple(dict.fromkeys(gives))
    intent.definite = tuple(dict.fromkeys(definite))


def _is_adjective(term: Term, terms: Sequence[Term], words: Sequence[str]) -> bool:
    """ "Into a *clean* sound": an operation's word that only says how the thing after it shall be."""
    article = bool(term.first) and words[term.first - 1] in ("a", "an")
    return article and term.kind == "task" and any(t.kind == "type" and t.first == term.last + 1 for t in terms)


def _is_made_new(term: Term, actions: Sequence[Term], words: Sequence[str], lexicon: Lexicon) -> bool:
    """ "A *generated* picture": one that is still to be made."""
    new = [t for t in actions if t.last == term.first - 1 and lexicon.roles.get(t.key) == "makes"]
    return any(t.first and words[t.first - 1] in ("a", "an", "another") for t in new)


def _is_done(term: Term, words: Sequence[str]) -> bool:
    """ "Use this *transcribed* text to make ...": what has been done to a thing governs nothing."""
    before = words[term.first - 1] if term.first else ""
    return words[term.first].endswith("ed") and (before in DEFINITE or before in ("a", "an"))


def _passive(actions: Sequence[Term], words: Sequence[str], lexicon: Lexicon) -> str:
    """ "the addresses in it *extracted*": the role of a verb that comes last."""
    last = actions[-1] if actions else None
    ends = last is not None and last.last == len(words) - 1 and words[last.last].endswith("ed")
    return lexicon.roles.get(last.key, "") if last is not None and ends else ""


def _names_file(intent: Intent, term: Term) -> bool:
    """ "the audio file talk.wav": the type only introduces a file that is there."""
    after = intent.tokens[term.last + 1 : term.last + 3]
    return any(token.kind == "file" and token.type == term.key for token in after)


def _preposition(words: Sequence[str], place: int, barriers: set[int]) -> str:
    for before in range(place - 1, max(-1, place - 5), -1):
        word = words[before]
        if before in barriers:
            return ""
        if word == "of" and before and words[before - 1].removesuffix("s") in _HOLDERS:
            continue  # "a list of related films"
        if word == "with" and any(w in ("provide", "supply", "present") for w in words[max(0, before - 3) : before]):
            return ""  # "provide me with films"
        if word in SOURCE or word in _TARGET or word == "to":
            return word
        if word in ("and", "or", ","):
            return ""
    return ""
