"""Translate a text into another language."""

from __future__ import annotations

from nodes._support import connected
from nodes.api import Port, ResourceType, RunContext, Text, tool

_LANGUAGES = (
    "Arabic",
    "Chinese",
    "Czech",
    "Danish",
    "Dutch",
    "English",
    "Finnish",
    "French",
    "German",
    "Greek",
    "Hindi",
    "Hungarian",
    "Indonesian",
    "Italian",
    "Japanese",
    "Korean",
    "Norwegian",
    "Polish",
    "Portuguese",
    "Romanian",
    "Russian",
    "Spanish",
    "Swedish",
    "Turkish",
    "Ukrainian",
    "Vietnamese",
)


@tool(
    id="translate",
    title="Translate",
    domain="text",
    description="Translates a text into another language.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to translate"),
        Port("language", ResourceType.TEXT, "the language of the translation", choices=_LANGUAGES),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the translation"),),
    **connected.ALONE,
    examples=(
        "Translate this text into German",
        "Translate letter.txt to English",
        "What is 'good morning' in Japanese?",
    ),
    words=("translation", "translator", "into English", "into another language", "in German", "in French"),
    icon="languages",
)  # fmt: skip
def translate(text: Text, language: Text, *, context: RunContext) -> Text:
    """From whatever language it is in. Only a language model can do it."""
    return connected.rewritten(text, f"Translate the text into {language}.", context)
