"""Sort a text into categories that the user names."""

from __future__ import annotations

from nodes._support.inference import connected, text_models
from nodes._support.language.words import given_words
from nodes.api import Family, Labels, NodeError, Port, ResourceType, RunContext, Text, backend_of


@connected.worded(
    id="classify_text",
    title="Classify text",
    description="Tells which of several named categories a text belongs to.",
    takes="the text to classify",
    more=(
        Port(
            "categories",
            ResourceType.TEXT,
            "the categories, separated by commas",
            said=True,
            question="Which kinds of text are there?",
        ),
    ),
    gives=Port("labels", ResourceType.LABELS, "the categories with scores, the likeliest first", unit="%"),
    chat=connected.CHAT_HELD,
    examples=(
        'Classify this text as "complaint, praise, question"',
        'Which of "sport, politics, science" is article.txt about?',
    ),
    words=("zero-shot classification", "categorise text", "which category", "topic classification", "sort the text"),
    icon="tags",
)
def classify_text(text: Text, categories: Text, *, context: RunContext) -> Labels:
    """Scores from 0 to 1 of the categories that were named. NodeError when the model names none of them."""
    named = connected.listed(categories, "categories")
    item = {"type": "object", "properties": {"name": {"type": "string", "enum": named}, "score": {"type": "number"}},
            "required": ["name", "score"]}  # fmt: skip
    schema = {"type": "object", "properties": {"categories": {"type": "array", "items": item}},
              "required": ["categories"]}  # fmt: skip
    order = "Say how well each of the categories fits the text, from 0 to 1."
    found = connected.structured(order, schema, context, given_words(text)).get("categories")
    labels = tuple(label for label in connected.labels(found) if label.name in named)
    if not labels:
        raise NodeError("The language model named none of the categories.", "categories", "Name others, or try again.")
    return labels


@backend_of(classify_text, families=(Family("transformers inference", "classify text"),))
def by_inference(text: Text, categories: Text, *, context: RunContext) -> Labels:
    """Which of them a model of inference holds for true of the text; the scores sum to 1."""
    return text_models.category(given_words(text), connected.listed(categories, "categories"), context)
