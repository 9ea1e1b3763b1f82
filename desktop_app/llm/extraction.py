"""JSON out of what a language model wrote, however it was wrapped."""

from __future__ import annotations

import json
import re
from typing import Any

from desktop_app.errors import BadReply

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


def json_object(reply: str) -> dict[str, Any]:
    """The first JSON object in the reply: all of it, a fenced block, or an object in prose. Raises BadReply."""
    for candidate in (reply.strip(), *_FENCE.findall(reply)):
        found = _parsed(candidate)
        if found is not None:
            return found
    decoder = json.JSONDecoder()
    for start in (match.start() for match in re.finditer(r"{", reply)):
        try:
            found, _ = decoder.raw_decode(reply, start)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    shown = " ".join(reply.split())[:120] or "nothing"
    raise BadReply(f"The reply holds no JSON object (it begins: {shown}).", "")


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
