"""Lets the language model word the answer from what the tools found."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from desktop_app.llm.chat import ChatMessage, ChatModel
from desktop_app.llm.prompts import prompt


async def answer(
    model: ChatModel, request: str, findings: Sequence[Mapping[str, Any]], troubles: Sequence[str]
) -> AsyncIterator[str]:
    """The answer as it grows, with marks [[node]] after the statements. Raises BadReply."""
    data = json.dumps({"request": request, "findings": findings, "troubles": troubles}, ensure_ascii=False, default=str)
    messages = [ChatMessage("system", prompt("answer")), ChatMessage("user", data)]
    text = ""
    async for piece in model.stream(messages):
        text += piece
        yield text
