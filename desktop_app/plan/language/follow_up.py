"""What a request means after what was said before: "same for the others", "no, the other way round", "both"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from desktop_app.plan.language.meant_files import YOU_MADE, is_elliptic, named_in, narrowed
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.types import Term
from desktop_app.plan.types import Given, Request

_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|good|great|nice|thanks?|thank you|now|well|hm+|perfect|cool|yes|right|fine|and)\b[\s,.!;:]*)+",
    re.I,
)
_TAKING_BACK = re.compile(
    r"^(?:no|nope|wait|sorry|actually|undo(?: (?:that|it|this))?|not (?:that|like that|so))\b[\s,.;:!]*"
    r"(?:i meant\b)?\s*",
    re.I,
)
_BACK_TO_START = re.compile(
    r"\b(?:go back to|take|use|with|from)\s+the\s+(?:original|first version|untouched)\w*"
    r"(?:\s+(?:picture|one|file|image))?\s*(?:and|,|instead)?\s*",
    re.I,
)
_THE_ORIGINAL = re.compile(
    r"\b(?:the|das|dem|le|la|l['’]|el|al|del)\s*original[eao]?s?\b(?:\s+(?:picture|photo|image|one|file))?|原图", re.I
)
_BESIDE = re.compile(
    r"\b(?:next to|beside|side by side|alongside|compare|daneben|neben|vergleiche?|à côté|comparer|al lado|compara)\b"
    r"|旁|对比",
    re.I,
)
_REPEATING = re.compile(
    r"\b(?:same|likewise|ditto|do (?:that|this|it)|repeat (?:that|this|it)|as well|too|that (?:for|with|to)|"
    r"gleiche|dasselbe|ebenso|même chose|pareil|lo mismo|igual)\b|同样|一样|也",
    re.I,
)
_OTHERS = frozenset(("others", "other", "rest", "remaining", "anderen", "übrigen", "autres", "otros", "otras", "其他"))
_OTHER_WAY = re.compile(r"\b(?:the )?(?:other way(?: (?:round|around))?|opposite|other direction|in reverse)\b", re.I)
_SEEING = re.compile(r"(?:let me|can i) see (?:it|that)[.!?]*", re.I)
_SHAPING = re.compile(r"^(?:as|into)\s+(?:a|an)\s+\w+", re.I)
_OPPOSITES = (
    ("left", "right"), ("clockwise", "counterclockwise"), ("brighter", "darker"), ("louder", "quieter"),
    ("faster", "slower"), ("bigger", "smaller"), ("higher", "lower"), ("horizontally", "vertically"), ("up", "down"),
)  # fmt: skip
_ORDINALS = frozenset(("first", "second", "third", "fourth", "fifth"))
_DEGREES = frozenset(("less", "more", "bit", "much", "little", "stronger", "weaker", "again", "further", "only"))
_SPECIAL = ("task", "thing", "word")


def resolved(request: Request) -> Request:
    """The request put so that it stands by itself; unchanged where it does already or nothing was said before."""
    if not any(turn.role == "user" for turn in request.history):
        return request
    before = _last_wish(request)
    results = _newest_results(request)
    request = narrowed(request, results)
    text = _FILLER.sub("", request.text.strip(), count=1).strip() or request.text
    if _BACK_TO_START.search(text):
        text = re.sub(r"\binstead\b", "", _BACK_TO_START.sub("", text, count=1)).strip()
        return replace(request, text=text, resources=_originals(request))
    if before and (repeated := _repeated(text, before, request)) is not None:
        return repeated
    match = _TAKING_BACK.match(text)
    if before and match and match.end():
        return _corrected(text[match.end() :].strip(), before, request)
    chosen = _meant(text, request, results)
    completed = _completed(text, chosen, results)
    if completed == text and before and _refines(text):
        completed = f"{before.rstrip('.!? ')}, {text}"
    return replace(request, text=completed, resources=chosen)


def with_the_original(request: Request) -> Request:
    """ "Put the original next to it": the file and what was made of it are put there, so both by name."""
    if not _BESIDE.search(request.text) or not _THE_ORIGINAL.search(request.text):
        return request
    results = _newest_results(request)
    files = [given for given in _originals(request) if given not in results]
    if len(files) != 1 or len(results) != 1:
        return request
    names = f"{files[0].name} and {results[0].name}"
    return replace(request, text=_THE_ORIGINAL.sub(lambda _: names, request.text, count=1))


def _last_wish(request: Request) -> str:
    """The newest thing that the user said with an operation in it."""
    texts = [turn.text for turn in request.history if turn.role == "user"]
    return next((text for text in reversed(texts) if _is_wish(text)), "")


def _terms(text: str) -> list[Term]:
    return [term for chunk in read(text).chunks for term in chunk.terms]


def _is_wish(text: str) -> bool:
    return any(term.kind in _SPECIAL for term in _terms(text))


def _refines(text: str) -> bool:
    """ "a bit less", "6 seconds", "shorter": degrees and amounts, and nothing that stands for itself."""
    tokens = tokens_of(text)
    if any(token.kind in ("file", "url", "quote") for token in tokens):
        return False
    if any(term.kind in ("type", "task", "action") for term in _terms(text)):
        return False
    return len(tokens) < 4 or any(token.kind == "number" or token.word in _DEGREES for token in tokens)


def _newest_results(request: Request) -> tuple[Given, ...]:
    """What the last answer with results gave."""
    for turn in reversed(request.history):
        named = tuple(given for given in request.resources if turn.gives(given.name))
        if named:
            return named
    asked = " ".join(turn.text for turn in request.history if turn.role == "user")
    return tuple(given for given in request.resources if given.earlier and given.name not in asked)


def _originals(request: Request) -> tuple[Given, ...]:
    """The user's own files: no answer gave them."""
    kept = tuple(given for given in request.resources if not any(turn.gives(given.name) for turn in request.history))
    return kept or request.resources


def _repeated(text: str, before: str, request: Request) -> Request | None:
    """ "same for the others", "do that with b.jpg too": the wish before, for other resources."""
    brought = [given.name for given in request.resources if not given.earlier]
    elliptic = bool(named_in(request) or brought) and is_elliptic(replace(request, text=text))
    asks_anew = any(term.kind == "task" for term in _terms(text))
    if not elliptic and (not _REPEATING.search(text) or asks_anew):
        return None
    tokens = tokens_of(text)
    named = [token.text for token in tokens if token.kind in ("file", "url")] or [g.name for g in named_in(request)]
    done = {token.text for token in tokens_of(before) if token.kind == "file"}
    own = _originals(request)
    if named:
        targets = [given for given in request.resources if given.name in named]
        names = named
    elif {token.word for token in tokens} & _OTHERS or "其他" in text:
        targets = [given for given in own if given.name not in (done or {own[0].name})]
        names = [given.name for given in targets]
    else:
        targets = [given for given in own if not given.earlier and given.name not in done]
        names = [given.name for given in targets]
    if not names:
        return None
    return replace(request, text=_with_names(before, names), resources=tuple(targets))


def _with_names(text: str, names: Sequence[str]) -> str:
    """The text with the files it names replaced by others; they are put last where it names none."""
    files = [token for token in tokens_of(text) if token.kind == "file"]
    listed = " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
    if not files:
        return f"{text.rstrip('.!? ')}: {listed}"
    return f"{text[: files[0].start]}{listed}{text[files[-1].end :]}"


def _corrected(text: str, before: str, request: Request) -> Request:
    """ "no, a bit less brown", "undo that, I meant the other way round": the wish before, anew, on the originals."""
    if _OTHER_WAY.search(text):
        text = _turned_round(before)
    elif not any(term.kind == "task" for term in _terms(text)):
        text = f"{before.rstrip('.!? ')}, {text}" if text else before
    return replace(request, text=text, resources=_originals(request))


def _turned_round(text: str) -> str:
    pairs = {**dict(_OPPOSITES), **{b: a for a, b in _OPPOSITES}}
    return re.sub(r"\w+", lambda match: pairs.get(match.group().lower(), match.group()), text)


def _meant(text: str, request: Request, results: Sequence[Given]) -> tuple[Given, ...]:
    """The resources that "the results", "both", "the third one" choose among; all when the text does not say."""
    tokens = tokens_of(text)
    words = {token.word for token in tokens}
    if any(token.kind == "file" for token in tokens):
        return request.resources
    if YOU_MADE.search(text):  # in any answer, and nothing that it was made from
        originals = [given for given in _originals(request) if given.earlier]
        return tuple(given for given in request.resources if given not in originals) or request.resources
    if words & {"results", "result", "ergebnisse", "résultats", "resultados"} and results:
        return tuple(results)
    if words & {"both", "beide", "beiden"} and len(request.resources) > 2:
        if len(results) == 2:
            return tuple(results)
        asked = _last_wish(request)
        return tuple(given for given in request.resources if given in results or given.name in asked)
    if words & _ORDINALS and len(results) > 1:
        return tuple(results)
    if words & {"them", "they", "their", "all", "these", "those", "each"} and len(results) > 1:
        return tuple(results)
    return request.resources


def _completed(text: str, chosen: Sequence[Given], results: Collection[Given]) -> str:
    """ "and as a video", "a page from it": with the verb and the thing that they leave out."""
    newest = next((given for given in reversed(chosen) if given in results), chosen[-1] if chosen else None)
    if newest is not None and _SHAPING.match(text):
        return f"turn {newest.name} {re.sub(r'^as', 'into', text, flags=re.I)}"
    if newest is not None and newest.type == "audio" and _SEEING.fullmatch(text):
        return f"show {newest.name} as a picture"
    if re.match(r"(?:a|an|another)\s(?!bit\b|little\b|few\b|lot\b)", text, re.I) and not _first_verb(text):
        return f"make {text}"
    return text


def _first_verb(text: str) -> bool:
    return any(term.kind == "action" for term in _terms(text))
