"""The tool behind the program's own language model: continues a whole conversation. It is in no toolbox.

It runs on the same models as the tool `chat`, in whatever lane an engine is given it for.
"""

from __future__ import annotations

import json
from typing import Any

from nodes._support.inference.chatting import Manner, reply
from nodes.api import TRANSFORMERS, Family, Integer, NodeError, Phrase, Port, ResourceType, RunContext, Text, Tool, tool
from nodes.catalogue import with_models

_ROLES = ("system", "user", "assistant")


@tool(
    id="converse",
    title="Language model",
    domain="text",
    description="Says what comes next in a conversation.",
    inputs=(
        Port("messages", ResourceType.TEXT, 'JSON: a list of {"role", "content"}'),
        Port("schema", ResourceType.TEXT, "the JSON schema of the answer, empty for plain text", default=""),
        Port("max_tokens", ResourceType.NUMBER, "longest answer in tokens", default=1024, minimum=1, maximum=32768,
             integer=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    families=(Family("transformers chat", "chat", (*TRANSFORMERS, "python:llguidance")),),
)  # fmt: skip
def converse(messages: Text, schema: Text = "", max_tokens: Integer = 1024, *, context: RunContext) -> Text:
    """The likeliest answer; what there is of it so far is told as the note of the progress, above fraction 0.

    NodeError when the messages are none, too long, or the schema is none or cannot be kept to.
    """
    spoken = _json(messages, "messages")
    if not isinstance(spoken, list) or not spoken or not all(map(_is_message, spoken)):
        raise NodeError("This is no conversation.", "messages", 'Give a list of {"role", "content"}.')
    form = _json(schema, "schema") if schema.strip() else None
    if form is not None and not isinstance(form, dict):
        raise NodeError("A JSON schema is an object.", "schema", "Give an object.")
    return reply(spoken, Manner(int(max_tokens), schema=form, port="messages"), context)


def _json(text: str, port: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise NodeError(
            Phrase("The {port} are no JSON ({error}).", port=port, error=error), port, "Give JSON."
        ) from error


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in _ROLES and isinstance(value.get("content"), str)


TOOL: Tool = with_models(converse.tool)  # type: ignore[attr-defined]
