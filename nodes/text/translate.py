"""Translate a text into another language."""

from __future__ import annotations

from nodes._support import connected, languages, text_models
from nodes._support.words import given_words
from nodes.api import Family, Port, ResourceType, RunContext, Text, backend_of

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


@connected.worded(
    id="translate",
    title="Translate",
    description="Translates a text into another language.",
    takes="the text to translate",
    more=(Port("language", ResourceType.TEXT, "the language of the translation", choices=_LANGUAGES),),
    gives=Port("text", ResourceType.TEXT, "the translation"),
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


@backend_of(translate, families=(Family("transformers translation", "translate"),))
def by_translator(text: Text, language: Text, *, context: RunContext) -> Text:
    """Line by line, by a model that was made for it."""
    return text_models.translation(given_words(text), languages.code_of(language), context)
