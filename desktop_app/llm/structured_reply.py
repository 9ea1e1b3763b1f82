"""Asks a language model for JSON and reads it; a reply that does not hold gets one round that quotes its faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatMessage, ChatModel, complete
from desktop_app.llm.json_extraction import json_object
from nodes.phrase import Phrase

_T = TypeVar("_T")
MOST_QUOTED = 4000
"""Characters of the faulty reply that are shown to the model again."""
MOST_SAID = 240
"""Characters of its faults that the user reads."""


async def asked(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    schema: Mapping[str, Any],
    read: Callable[[dict[str, Any]], _T],
    what: str,
    listed: str = "",
) -> _T:
    """What `read` makes of the reply. `read` raises BadReply with all faults; `what` names the reply in sentences.

    `listed` is the key under which a bare list is taken. Raises BadReply after one repair round.
    """
    reply = await complete(model, messages, schema)
    try:
        return read(json_object(reply, listed))
    except BadReply as fault:
        mend = f"This {what} cannot be used: {fault.message} Reply with the whole corrected JSON object."
    again = [*messages, ChatMessage("assistant", reply[:MOST_QUOTED]), ChatMessage("user", mend)]
    reply = await complete(model, again, schema)
    try:
        return read(json_object(reply, listed))
    except BadReply as fault:
        raise BadReply(
            Phrase(
                "The language model's {what} did not hold: {fault}", what=what, fault=_short(Phrase.of(fault.message))
            ),
            "",
        ) from fault


def _short(message: str) -> str:
    """As much of all the faults as a notice has room for."""
    return message if len(message) <= MOST_SAID else f"{message[:MOST_SAID].rsplit(' ', 1)[0]} …."
