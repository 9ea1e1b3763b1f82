"""Tell how alike two texts are."""

from __future__ import annotations

import math
import re
from collections import Counter

from nodes._support.imaging.pixels import SILENT
from nodes._support.inference import connected, text_models
from nodes._support.language import meaning
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import sentences
from nodes._support.language.words import given, terms
from nodes.api import Family, Number, Port, ResourceType, RunContext, Text, backend_of, tool

_MOST_SENTENCES = 400

_NOT = re.compile(
    r"\b(?:not|no|never|neither|cannot|n t|\w+n t|nicht|kein\w*|nie|ne|pas|jamais|non|nunca|jamás)\b|[不没\u7121无]"
)

_ALIKE = 0.4


@tool(
    id="text_similarity",
    title="Text similarity",
    domain="text",
    description="Tells how similar two texts are in wording or meaning, from 0 to 1.",
    inputs=(
        Port("first", ResourceType.TEXT, "a text"),
        Port("second", ResourceType.TEXT, "the text to compare it with"),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "0 = nothing in common, 1 = the same", minimum=0, maximum=1),),
    backend="vectors",
    backend_title="Sentence, word and letter vectors",
    quality=0.58,
    examples=(
        "How similar are these two texts?",
        "Compare a.txt with b.txt",
        "Is this text a copy of the other text?",
    ),
    words=("compare texts", "plagiarism", "text similarity", "alike", "resemble", "overlap"),
    icon="equal",
)
def text_similarity(first: Text, second: Text, *, context: RunContext = SILENT) -> Number:
    """0..1: the nearness of meanings or that of wordings, whichever is greater.

    Meanings: cosines of sentence vectors, each sentence with the nearest of the other text (of more than 400 an even
    sample), 0.15 of them counted as nothing; a paraphrase or translation gives 0.4 to 0.9, other subjects 0 to 0.15.
    Negation and who does what to whom hardly count. Wordings: the mean of the cosines over word stems (function words
    weigh a fifth) and over letter triples; spaces, punctuation and case do not count.
    """
    first, second = given(first, "first"), given(second, "second")
    plain, other = _plain(first), _plain(second)
    if plain == other:
        return 1.0
    if sorted(plain.split()) == sorted(other.split()):
        context.tell("both texts have the same words in another order, which hardly counts: they may mean otherwise")
    alike = round(min(1.0, max(_in_wording(first, second), _in_meaning(first, second))), 4)
    if alike > _ALIKE and len(_NOT.findall(plain)) != len(_NOT.findall(other)):
        context.tell("one of the texts says “not” more often, which hardly counts: they may mean otherwise")
    return alike


def _in_meaning(first: str, second: str) -> float:
    found = [sentences(text, language_of(text)) or [text.strip()] for text in (first, second)]
    return meaning.likeness(*(each[:: len(each) // _MOST_SENTENCES + 1] for each in found))


def _in_wording(first: str, second: str) -> float:
    language = language_of(first)
    by_words = _cosine(_word_vector(first, language), _word_vector(second, language))
    by_letters = _cosine(_triples(first), _triples(second))
    return (by_words + by_letters) / 2


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.lower()).split()) or text.strip()


def _word_vector(text: str, language: str) -> dict[str, float]:
    everything, subject = Counter(terms(text, language, keep_stop_words=True)), Counter(terms(text, language))
    return {term: (1.0 if subject[term] else 0.2) * (1 + math.log(n)) for term, n in everything.items()}


def _triples(text: str) -> dict[str, float]:
    plain = f" {_plain(text)} "
    counts = Counter(plain[i : i + 3] for i in range(len(plain) - 2))
    return {triple: math.sqrt(n) for triple, n in counts.items()}


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    small, large = sorted((a, b), key=len)
    dot = sum(value * large.get(term, 0.0) for term, value in small.items())
    lengths = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return dot / lengths if lengths else 0.0


@backend_of(text_similarity, **connected.CONNECTED)
def by_connected_model(first: Text, second: Text, *, context: RunContext) -> Number:
    """By what the texts mean: a paraphrase is near 1, the same words with another sense are not."""
    order = "How alike are the two texts in meaning, from 0 (nothing in common) to 1 (they say the same)?"
    schema = {"type": "object", "properties": {"similarity": {"type": "number"}}, "required": ["similarity"]}
    data = f"First text:\n{given(first, 'first')}\n\nSecond text:\n{given(second, 'second')}"
    found = connected.structured(order, schema, context, data).get("similarity")
    if not isinstance(found, int | float) or not 0 <= found <= 1:
        raise connected.no_list()
    return round(float(found), 4)


@backend_of(text_similarity, families=(Family("transformers sentence embedding", "text similarity"),))
def by_meaning(first: Text, second: Text, *, context: RunContext) -> Number:
    """The cosine between the meanings that a model gives the two."""
    return round(text_models.likeness(given(first, "first"), given(second, "second"), context), 4)
