"""What "them" stands for after things were found: "how many faces?", then "blur them, all but the middle one"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.tools.tool_graph import REGIONS
from desktop_app.plan.types import Request, ToolSpec

_SEEN_OR_HEARD = frozenset(("image", "video", "audio", "file"))
"""Of what is made of these "them" may be said, too."""
_JOINED_ON = re.compile(r"\b\w*[áéíóú]\w*l[ao]s\b", re.I)
"""Spanish: "difumínalas"."""


def with_found_things(request: Request, tools: Mapping[str, ToolSpec]) -> Request:
    """The request with the things by their name, by itself, where nothing was made before but what tells where they
    are.
    """
    made = [given for given in request.resources if given.earlier and given.by in tools]
    types = {given.type for given in made}
    if types & _SEEN_OR_HEARD or not types & {*REGIONS} or any(not given.earlier for given in request.resources):
        return request
    name = _name(request, [tools[given.by] for given in made if given.type in REGIONS])
    place = _place(request.text) if name else None
    if place is None:
        return request
    text = _with_name(request.text, *place, name)
    files = tuple(replace(given, earlier=False) for given in request.resources if given not in made)
    return replace(request, text=text, resources=files, history=())


def _place(text: str) -> tuple[int, int] | None:
    """Where "them" stands; behind a verb that it is joined to."""
    words = tables().small["found things"]
    for token in tokens_of(text):
        own = token.text.lower()
        joined = next((word for word in words if own == word or own.endswith(f"-{word}")), None)
        if joined is not None:
            return token.end - len(joined) - (own != joined), token.end
    found = next((word for word in words if word >= "\u3400" and word in text), "")
    if found:
        return text.find(found), text.find(found) + len(found)
    verb = _JOINED_ON.search(text)
    return None if verb is None else (verb.end() - 3, verb.end())


def _with_name(text: str, start: int, end: int, name: str) -> str:
    """ "Blur them, all except the middle one" as "Blur all faces except the middle one"."""
    after = next((t for t in tokens_of(text) if t.start >= end and t.kind == "word"), None)
    if after is not None and after.text.lower() in tables().small["all of the found"]:
        return f"{text[:start].rstrip()} {after.text} {name}{text[after.end :]}"
    apart = " " if text[start - 1 : start].isascii() and text[start - 1 : start].isalpha() else ""
    return f"{text[:start]}{apart}{name}{text[end:]}"


def _name(request: Request, finders: Sequence[ToolSpec]) -> str:
    """The word for what a tool finds, as it stood in the wish; "" for tools that find whatever is asked."""
    keys = {term.key for tool in finders for chunk in read(tool.title).chunks for term in chunk.terms} - {"count"}
    for turn in reversed(request.history):
        for chunk in read(turn.text).chunks if turn.role == "user" else ():
            for term in chunk.terms:
                if term.kind == "task" and term.key in keys:
                    return turn.text[chunk.tokens[term.first].start : chunk.tokens[term.last].end]
    return ""
