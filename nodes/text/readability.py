"""Tell how easy a text is to read."""

from __future__ import annotations

from nodes._support.language.languages import detect, name_of
from nodes._support.language.sentences import count_sentences
from nodes._support.language.syllables import LANGUAGES, syllables
from nodes._support.language.words import given_words, words
from nodes.api import NodeError, Number, Phrase, Port, ResourceType, Text, tool

_FORMULAS = {  # constant, for each word of a sentence, for each syllable of a word
    "en": (206.835, 1.015, 84.6),  # Flesch 1948
    "de": (180.0, 1.0, 58.5),  # Amstad 1978
    "fr": (207.0, 1.015, 73.6),  # Kandel and Moles 1958
    "es": (206.84, 1.02, 60.0),  # Fernández Huerta 1959
    "it": (217.0, 1.3, 60.0),  # Franchina and Vacca 1986
    "pt": (248.835, 1.015, 84.6),  # Martins et al. 1996
    "nl": (206.84, 0.93, 77.0),  # Douma 1960
}


@tool(
    id="readability",
    title="Readability",
    domain="text",
    description="Tells how easy a text is to read, as a Flesch score from 0 (very hard) to 100 (very easy).",
    inputs=(Port("text", ResourceType.TEXT, "the text to judge"),),
    outputs=(Port("number", ResourceType.NUMBER, "0 = very hard, 100 = very easy", minimum=0, maximum=100),),
    backend="flesch",
    backend_title="Flesch reading ease",
    quality=0.7,
    examples=("How easy is this text to read?", "Compute the readability of article.txt", "Give me the Flesch score"),
    words=("reading ease", "flesch", "reading level", "easy to read", "hard to read", "comprehensible"),
    icon="glasses",
)
def readability(text: Text) -> Number:
    """The Flesch reading ease 0..100 in the form made for the text's language.

    English, German, French, Spanish, Italian, Portuguese, Dutch; raises NodeError for others. Syllables are estimated
    from vowels, so expect an error of a few points.
    """
    text = given_words(text)
    language = next((code for code, chance in detect(text) if chance > 0.2), "en")
    if language not in LANGUAGES:
        raise NodeError(
            Phrase("There is no readability score for {language}.", language=name_of(language)),
            "text",
            "It works for English, German, French, Spanish, Italian, Portuguese and Dutch.",
        )
    found = [word for word in words(text) if word[0].isalpha()]
    if not found:
        raise NodeError("There are no words in the text.", "text", "Give a text with words in it.")
    constant, by_length, by_syllables = _FORMULAS[language]
    length = len(found) / max(1, count_sentences(text, language))
    spoken = sum(syllables(word, language) for word in found) / len(found)
    return round(min(100.0, max(0.0, constant - by_length * length - by_syllables * spoken)), 1)
