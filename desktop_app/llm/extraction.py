"""JSON out of what a language model wrote, however it was wrapped."""

from __future__ import annotations

import json
import re
from typing import Any

from desktop_app.errors import BadReply

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
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
        raise BadReply(f"The reply holds no JSON object (it begins: {shown}).", "")
    return found


def _parsed(text: str, listed: str) -> dict[str, Any] | None:
    try:
        return _as_object(json.loads(text), listed)
    except ValueError:
        return None


def _longest(reply: str, listed: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    best: dict[str, Any] | None = None
    length = place = 0
    for match in re.finditer(r"[{[]" if listed else r"{", reply):
        if match.start() < place:
            continue  # inside an object that was read
        try:
            data, end = decoder.raw_decode(reply, match.start())
        except ValueError:
            continue
        found = _as_object(data, listed)
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
