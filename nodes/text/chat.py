"""Answer or write with a language model."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes._support.inference.chatting import Manner, reply
from nodes.api import Family, Integer, NodeError, Number, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="chat",
    title="Chat",
    domain="text",
    description="Answers a question or writes a text as asked, with a language model.",
    inputs=(
        Port("text", ResourceType.TEXT, "the question, or what to write",
             question="What do you want to know, or have written?"),
        Port("instructions", ResourceType.TEXT, "how to answer, said before everything else", default="",
             advanced=True),
        Port("max_tokens", ResourceType.NUMBER, "longest answer, in pieces of about four letters", default=512,
             minimum=1, maximum=8192, integer=True),
        Port("temperature", ResourceType.NUMBER, "0 for the likeliest words, more for surprises", default=0.0,
             minimum=0, maximum=2, advanced=True),
        Port("seed", ResourceType.NUMBER, "another number gives another answer, above temperature 0", default=0,
             minimum=0, maximum=2**32 - 1, integer=True, advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    families=(Family("transformers chat", "chat"),),
    examples=(
        "Write a short poem about the sea",
        "Write a haiku about the moon",
        "Write an email that invites my team to lunch",
        "Explain in two sentences what a black hole is",
    ),
    words=("ask a language model", "write a story", "generate text", "compose an email", "llm", "rephrase"),
    icon="message-circle",
)  # fmt: skip
def chat(
    text: Text,
    instructions: Text = "",
    max_tokens: Integer = 512,
    temperature: Number = 0.0,
    seed: Integer = 0,
    *,
    context: RunContext,
) -> Text:
    """The answer; what there is of it so far is told as the note of the progress, token by token.

    At temperature 0 the same words give the same answer, above it the same seed does. Small models make up facts.
    NodeError when the text is empty, or longer than what the model can take in.
    """
    if not text.strip():
        raise NodeError("The text is empty: there is nothing to answer.", "text", "Ask or say something.")
    messages = [{"role": "user", "content": text}]
    if instructions.strip():
        messages.insert(0, {"role": "system", "content": instructions})
    return reply(messages, Manner(max_tokens, temperature, seed), context)


@backend_of(chat, **connected.CONNECTED)
def by_connected_model(text: Text, instructions: Text, *, context: RunContext) -> Text:
    """What the connected model answers; temperature 0, and as long as it likes."""
    if not text.strip():
        raise NodeError("The text is empty: there is nothing to answer.", "text", "Ask or say something.")
    return connected.talk(text, instructions, context)
