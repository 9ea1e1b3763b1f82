"""Lets the language model word the answer from what the tools found."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatMessage, ChatModel
from desktop_app.llm.prompts import prompt

_PAUSE = 0.03
"""Seconds between two states of the answer: each is looked through and shown as a whole."""
_MARK = re.compile(r"\[\[[^\[\]]{1,80}\]\]")


async def answer(model: ChatModel, told: Mapping[str, Any]) -> AsyncIterator[str]:
    """The answer as it grows, with marks [[node]] after the statements. `told` are JSON values: request, plan,
    findings, troubles.

    Raises BadReply, also when nothing was written.
    """
    data = json.dumps(told, ensure_ascii=False, default=str)
    messages = [ChatMessage("system", prompt("answer")), ChatMessage("user", data)]
    pieces: list[str] = []
    told_at = float("-inf")
    async for piece in model.stream(messages):
        pieces.append(piece)
        if time.monotonic() - told_at >= _PAUSE and not piece.isspace():
            told_at = time.monotonic()
            yield "".join(pieces)
    text = "".join(pieces)
    if not _MARK.sub("", text).strip():
        raise BadReply("The language model wrote no answer.", "")
    yield text
