"""Find the topics of a text and how much of it each takes."""

from __future__ import annotations

from collections import Counter

import numpy as np

from nodes._support.inference import connected
from nodes._support.language import chinese, letters
from nodes._support.language.keyphrases import keyphrases
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import annotated
from nodes._support.language.words import given_words, terms, weights
from nodes.api import Integer, Label, Labels, NodeError, Port, ResourceType, RunContext, Text, backend_of, tool

_WORDS = 3
_ROUNDS = 200
_MOST_SENTENCES = 3000
_LEAST_SHARE = 0.02


@tool(
    id="find_topics",
    title="Find topics",
    domain="text",
    description="Finds the topics that a text is about, and how much of the text each of them takes.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to look at"),
        Port("count", ResourceType.NUMBER, "how many topics at most", default=3, minimum=1, maximum=20, integer=True,
             question="How many should be named at most?"),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "topics with their share of the text, the largest first", unit="%"),),
    backend="factors",
    backend_title="Words that occur together (NMF)",
    quality=0.4,
    examples=(
        "What topics does this article cover?",
        "Find the topics of report.txt",
        "List the subjects in minutes.txt",
    ),
    words=("topics", "topic generator", "topic modelling", "subjects", "themes", "which topics", "what topics"),
    icon="layers",
)  # fmt: skip
def find_topics(text: Text, count: Integer = 3) -> Labels:
    """A topic is named by up to three of its words; the shares of all sum to 1.

    Sentences by words are factored into topics (Lee and Seung 1999), so a text of a few sentences has one topic,
    named by its key phrases.
    """
    text = letters.body(given_words(text))
    language = language_of(text)
    items = [item for item in annotated(text, language) if not item.heading][:_MOST_SENTENCES]
    documents = [_terms(item.text, language) for item in items]
    phrases = keyphrases(text, 40 * count, language)
    names = {" ".join(_terms(phrase, language)): phrase for phrase, _ in reversed(phrases) if phrase}
    names = {term: phrase for term, phrase in names.items() if " " not in term and term}
    documents = [[term for term in document if term in names] for document in documents]
    documents = [document for document in documents if document]
    wanted = min(count, max(1, len(documents) // 3))
    if documents and wanted == 1:
        return (Label(", ".join(phrase for phrase, _ in phrases[:_WORDS]), 1.0),)
    if not documents:
        raise NodeError("The text has no words that say what it is about.", "text", "Give a longer text.")
    columns, matrix = _matrix(documents)
    shares, words = _factors(matrix, wanted)
    often = np.sqrt((matrix > 0).sum(axis=0))
    topics = []
    for share, worth in zip(shares, words * often, strict=True):
        best = [i for i in np.argsort(-worth)[:_WORDS] if worth[i] > 0.25 * worth.max()]
        topics.append(Label(", ".join(names[columns[i]] for i in best), round(float(share), 4)))
    return tuple(sorted((topic for topic in topics if topic.score >= _LEAST_SHARE), key=lambda topic: -topic.score))


def _terms(text: str, language: str) -> list[str]:
    if language == "zh":
        return [word.text for word in chinese.words(text) if word.is_subject]
    return terms(text, language)


def _matrix(documents: list[list[str]]) -> tuple[list[str], np.ndarray]:
    """The terms, and for each document how often it holds each, rarer ones weighing more: rows of length 1."""
    idf = weights(documents)
    columns = sorted(idf)
    counts = [Counter(document) for document in documents]
    matrix = np.array([[count[term] * idf[term] for term in columns] for count in counts])
    return columns, matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def _factors(matrix: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The share of each topic in the rows, and its weight in each column, by multiplicative updates; the same start
    each time."""
    random = np.random.default_rng(0)
    rows, columns = random.random((len(matrix), count)) + 0.1, random.random((count, matrix.shape[1])) + 0.1
    for _ in range(_ROUNDS):
        columns *= rows.T @ matrix / (rows.T @ rows @ columns + 1e-9)
        rows *= matrix @ columns.T / (rows @ (columns @ columns.T) + 1e-9)
    taken = (rows * columns.sum(axis=1)).sum(axis=0)
    return taken / taken.sum(), columns


@backend_of(find_topics, families=(connected.CHAT_HELD,), **connected.CONNECTED)
def by_connected_model(text: Text, count: Integer, *, context: RunContext) -> Labels:
    """In the model's own words."""
    order = (
        f"Name the topics of the text, at most {count}, in its own language, one to four words each, with the share of "
        "the text that each takes from 0 to 1."
    )
    return connected.ranked(order, context, given_words(text))[:count]
