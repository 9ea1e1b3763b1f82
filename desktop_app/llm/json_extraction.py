"""JSON out of what a language model wrote, however it was wrapped."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

from desktop_app.core.errors import BadReply
from nodes.phrase import Phrase

_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_DEEPEST = 60
"""So deep lists within lists are read: what works on them asks itself anew for each."""
_MOST_TRIES = 1000
"""So many places of a reply are tried for the beginning of an object."""
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def json_object(reply: str, listed: str = "") -> dict[str, Any]:
    """The JSON object in the reply: all of it, a fenced block, or the longest object in prose. What a model thinks
    aloud before it answers does not count. With `listed`, a bare list stands for an object with that one key.

    Raises BadReply.
    """
    reply = _THOUGHT.sub("", reply)
    try:
        for candidate in (reply.strip(), *_FENCE.findall(reply)):
            found = _parsed(candidate, listed)
            if found is not None:
                return found
        found = _longest(reply, listed)
    except RecursionError as error:
        raise BadReply("The reply nests JSON without end.", "") from error
    if found is None:
        shown = " ".join(reply.split())[:120] or "nothing"
        raise BadReply(Phrase("The reply holds no JSON object (it begins: {shown}).", shown=shown), "")
    return found


def _parsed(text: str, listed: str) -> dict[str, Any] | None:
    try:
        return _as_object(loaded(text), listed)
    except ValueError:
        return None


def loaded(text: str) -> Any:
    """The JSON in the text. Raises ValueError when it is none, or RecursionError when it nests without end."""
    return _shallow(json.loads(text))


def _shallow(data: Any) -> Any:
    level = [data]
    for _ in range(_DEEPEST):
        inner = [item for item in level if isinstance(item, dict | list)]
        level = [value for item in inner for value in (item.values() if isinstance(item, dict) else item)]
        if not level:
            return data
    raise RecursionError


def _longest(reply: str, listed: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    best: dict[str, Any] | None = None
    length = place = 0
    for match in itertools.islice(re.finditer(r"[{[]" if listed else r"{", reply), _MOST_TRIES):
        if match.start() < place:
            continue  # inside an object that was read
        try:
            data, end = decoder.raw_decode(reply, match.start())
        except ValueError:
            continue
        found = _as_object(_shallow(data), listed)
        if found is None:
            continue
        if end - match.start() > length:
            best, length = found, end - match.start()
        place = end
    return best


def _as_object(data: Any, listed: str) -> dict[str, Any] | None:
    if listed and isinstance(data, list) and all(isinstance(item, dict) for item in data):
        return {listed: data}
    return data if isinstance(data, dict) else None
