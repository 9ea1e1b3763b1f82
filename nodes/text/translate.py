"""Translate a text into another language."""

from __future__ import annotations

import re
import shutil

from nodes._support.inference import connected, marian, nllb, text_models
from nodes._support.language import languages
from nodes._support.language.words import given_words
from nodes._support.programs import run_program
from nodes.api import Family, NodeError, Phrase, Port, ResourceType, RunContext, Text, backend_of

_LANGUAGES = (
    "Arabic", "Chinese", "Czech", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek", "Hindi",
    "Hungarian", "Indonesian", "Italian", "Japanese", "Korean", "Norwegian", "Polish", "Portuguese", "Romanian",
    "Russian", "Spanish", "Swedish", "Turkish", "Ukrainian", "Vietnamese",
)  # fmt: skip
_APERTIUM = "Apertium"
_PAIRS = "Install a pair, such as apertium-eng-spa of Debian, or choose another back end."


@connected.worded(
    id="translate",
    title="Translate",
    description="Translates a text into another language.",
    takes="the text to translate",
    more=(Port("language", ResourceType.TEXT, "the language of the translation", choices=_LANGUAGES,
               question="Into which language?"),),
    gives=Port("text", ResourceType.TEXT, "the translation"),
    examples=(
        "Translate this text into German",
        "Translate letter.txt to English",
        "What is 'good morning' in Japanese?",
    ),
    words=("translation", "translator", "into English", "into another language", "in German", "in French"),
    icon="languages",
    result_by="language",
)  # fmt: skip
def translate(text: Text, language: Text, *, context: RunContext) -> Text:
    """From whatever language it is in, by a language model."""
    return connected.rewritten(text, f"Translate the text into {language}.", context)


@backend_of(translate, families=(Family("transformers translation", "translate"),))
def by_translator(text: Text, language: Text, *, context: RunContext) -> Text:
    """Line by line, by a model that was made for it."""
    return text_models.translation(given_words(text), languages.code_of(language), context)


@backend_of(
    translate,
    families=(Family("ctranslate2 nllb", "translate", ("python:faster_whisper",), device="cpu"),),
)
def by_nllb(text: Text, language: Text, *, context: RunContext) -> Text:
    """Sentence by sentence, in 8 bits on the CPU."""
    return nllb.translation(given_words(text), languages.code_of(language), context)


@backend_of(translate, families=(Family(marian.FAMILY, "translate", ("python:onnxruntime",), device="cpu"),))
def by_pair(text: Text, language: Text, *, context: RunContext) -> Text:
    """Sentence by sentence, in 8 bits on the CPU, by a small model for two languages; by way of English through two."""
    return marian.translation(given_words(text), languages.code_of(language), context)


@backend_of(translate, id="apertium", title="Apertium (rough)", quality=0.2, requires=("apertium",))
def by_rules(text: Text, language: Text, *, context: RunContext) -> Text:
    """Word for word by rules, with the program Apertium (Forcada et al. 2011) and the pairs that are installed.

    Good between near languages, such as Spanish and Catalan, else rough. NodeError for a pair that is not there.
    """
    words = given_words(text)
    code = languages.code_of(language)
    told = languages.language_of(words, "")
    if told == code:
        return text
    program = shutil.which("apertium") or "apertium"
    listed = run_program([program, "-l"], b"", context, _APERTIUM, _PAIRS).decode("utf-8").split()
    pairs = (f"{one}-{other}" for one in languages.codes_of(told) for other in languages.codes_of(code))
    wanted = next((pair for pair in pairs if pair in listed), None)
    if wanted is None:
        names = {"source": languages.name_of(told) if told else "?", "language": language}
        raise NodeError(Phrase("Apertium has no pair from {source} to {language} here.", **names), "language", _PAIRS)
    made = run_program([program, "-u", wanted], words.encode("utf-8"), context, _APERTIUM, _PAIRS).decode("utf-8")
    return re.sub(r"\s+$", "", made)
