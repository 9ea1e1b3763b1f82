"""Find the sentence of a text that answers a question."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from nodes._support.inference import connected, text_models
from nodes._support.language import entities
from nodes._support.language.languages import language_of
from nodes._support.language.ranking import leans, tells_decision
from nodes._support.language.sentences import Sentence, annotated, joined
from nodes._support.language.words import given_words, terms, weights
from nodes.api import Family, NodeError, Port, ResourceType, RunContext, Text, backend_of, tool

_REASON = re.compile(
    r"\b(?:because|reasons?|due to|caused?|owing to|thanks to|in order to|since|weil|wegen|grund|gründe|denn|deshalb|"
    r"parce que|raison|à cause|car|porque|debido|razón|causa|perché)\b|因为|由于|原因",
    re.IGNORECASE,
)
_ASKED = (  # form of the question -> kinds of entities the answer should hold
    (
        r"\b(?:when|what (?:year|date|day|time)|which (?:year|day)|since when|how long ago|wann|quand|cuándo|quando)\b"
        r"|什么时候|何时|哪年",
        ("date", "time", "number"),
    ),
    (
        r"\b(?:how (?:much|expensive)|what .*(?:price|cost)|wie ?viel kostet|combien coûte|cuánto cuesta)\b|多少钱",
        ("money", "number", "percent"),
    ),
    (
        r"\b(?:how (?:many|old|long|far|tall|high|big|deep|fast|often|much)|wie ?viele?|wie (?:alt|lang|hoch|groß)"
        r"|combien|cuánt[oa]s?|quant[oi])\b|多少|几个",
        ("number", "percent", "money", "date"),
    ),
    (r"\b(?:who|whom|whose|wer|wem|wen|wessen|qui|quién(?:es)?|chi)\b|谁", ("name",)),
    (r"\b(?:why|what .*reason|warum|wieso|weshalb|pourquoi|por qué|perché)\b|为什么", ("reason",)),
    (r"\b(?:where|wo|woher|wohin|où|dónde|dove|onde)\b|哪里|在哪", ("name",)),
    (
        r"\b(?:decided|decisions?|agreed|resolved|beschlossen|beschluss|entschieden|vereinbart|décidé\w*|décisions?|"
        r"adopté\w*|decidi\w*|decisi[oó]n\w*|acord\w*)\b|决定|决议|通过了",
        ("decision",),
    ),
)
_FURTHER = re.compile(
    r"(?:\s*[,;?]\s*|\s+)(?:and|und|et|y|e)\s+(?P<asks>(?:(?:for|to|by|with|at|bis|seit|zu|für|à|de|en|a|por|para)\s+)?"
    r"(?:what|when|where|who|whom|whose|which|why|how|was|wann|wo|wer|wem|wen|wessen|welche[rsnm]?|warum|wieso|wie|worüber|"
    r"quand|que|qu['’]|quoi|quel(?:le)?s?|où|qui|pourquoi|comment|combien|qué|cuándo|dónde|quién(?:es)?|cuál(?:es)?|"
    r"cómo|cuánt[oa]s?)\b)"
    r"|[，,；;？?。]\s*(?:还有|以及|另外|并且|而)?(?P<han>)(?=[^，,；;？?。]*(?:什么|何时|哪|谁|为什么|怎么|多少|几))",
    re.IGNORECASE,
)
"""Where another question begins, behind its joint."""
_IDEAS = Path(__file__).resolve().parents[2] / "resources" / "document_words.toml"
_HAN = "\u3400"
_WORD = re.compile(r"[^\W_]+")
_DECISION = 2.0
"""So much more likely answers a sentence that tells of a decision where one is asked for."""
_INEXACT = 0.7
"""What a sentence is worth in which a word has another ending than asked for, beside one that has it so."""
_MOST_SENTENCES = 20_000
_LONGEST_QUESTION = 300  # characters; longer ones are found in longer texts only


@tool(
    id="answer_from_text",
    title="Answer from text",
    domain="text",
    description="Answers a question with the sentence of a given text that fits it best.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text that holds the answer"),
        Port("question", ResourceType.TEXT, "the question", said=True, question="What do you want to know about it?"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the sentence that answers it"),),
    backend="bm25",
    backend_title="Best sentence (BM25)",
    quality=0.4,
    examples=(
        "Who signed the contract, according to contract.txt?",
        "Answer the question from this text: when was the bridge built?",
        "Look up in notes.txt how many people came",
    ),
    words=(
        "question answering",
        "look up in the text",
        "according to the text",
        "find the answer",
        "reading comprehension",
    ),
    icon="text-quote",
    result="answer",
    does="answers",
)
def answer_from_text(text: Text, question: Text) -> Text:
    """The best sentence, word for word; of each where several things are asked.

    BM25 over stems (Robertson and Zaragoza 2009), misspellings forgiven; a sentence with what is asked for (a date for
    "when", a name for "who") is preferred. Raises NodeError when no sentence shares a word with the question.
    """
    text, question = given_words(text), given_words(question, "question")
    if len(question) >= max(len(text), _LONGEST_QUESTION) or question == text:
        raise NodeError("This is a text and no question.", "question", "Write the question itself.")
    found = [_best(text, one) for one in _questions(question)]
    sentences = list(dict.fromkeys(one for one in found if one))
    if not sentences:
        raise NodeError("Nothing in the text is about that.", "question", "Ask with words that the text uses.")
    return joined(sentences)


def _questions(question: str) -> list[str]:
    """A question as those that it is made of: "when is the next meeting | and what was decided about the roof?" Each
    begins with a word that asks; one that says little else ("and where?") belongs to the one before.
    """
    parts, begin = list[str](), 0
    for found in _FURTHER.finditer(question):
        if len(terms(question[begin : found.start()])) and len(terms(question[found.end() :])):
            parts.append(question[begin : found.start()])
            begin = found.start("asks") if found["asks"] else found.end()
    return [part.strip(" ,;，；") for part in (*parts, question[begin:])]


def _best(text: str, question: str) -> str:
    """The sentence that answers one question best; "" where none shares a word with it."""
    language = language_of(text)
    items = [item for item in annotated(text, language)[:_MOST_SENTENCES] if not item.text.endswith(("?", "？"))]
    documents = [terms(item.text, language) for item in items]
    asked = list(dict.fromkeys(terms(question, language) or terms(question, language, keep_stop_words=True)))
    kinds = next((kinds for form, kinds in _ASKED if re.search(form, question, re.IGNORECASE)), ())
    spelled = _spelled(asked, documents)
    names = set[int]()
    for idea in _ideas(question, kinds):
        told = _lines_of(items, idea)
        names |= told if "below" in _lists()[idea] else set()
        documents = [[*document, idea] if i in told else document for i, document in enumerate(documents)]
        spelled.append({idea})
    scores = _scores(documents, spelled)
    if not scores or max(scores) <= 0:
        return ""
    scores = _with_context(_below_headings(scores, items, kinds, language, names), items)
    top = sorted(range(len(items)), key=lambda i: -scores[i])[:25]
    known = set(asked)
    exact = {i: _exact(items[i].text, question, language) for i in top}
    of_terms = {i: known & {*documents[i]} for i in top}

    def worth(i: int) -> float:
        """Of those with the same terms the others are worth less than those that have them as the question does."""
        is_inexact = any(exact[i] < exact[j] and of_terms[i] == of_terms[j] for j in top)
        return scores[i] * _fit(items[i].text, kinds, known, language) * (_INEXACT if is_inexact else 1.0)

    return items[max(top, key=lambda i: (worth(i), -i))].text


def _exact(sentence: str, question: str, language: str) -> int:
    """How many words are in it as the question has them: heating is not a heat pump."""
    asked = {word.lower() for word in _WORD.findall(question) if terms(word, language)}
    return len(asked & {word.lower() for word in _WORD.findall(sentence)})


@cache
def _lists() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    ideas = tomllib.loads(_IDEAS.read_text("utf-8"))
    return {
        idea: {name: tuple(one.strip() for one in text.split(",")) for name, text in own.items()}
        for idea, own in ideas.items()
    }


def _ideas(question: str, kinds: tuple[str, ...]) -> Iterator[str]:
    """What is asked for that stands in a bill or a letter in other words: "what did I pay" for the total."""
    is_when = kinds[:1] == ("date",)
    for idea, own in _lists().items():
        is_day = own.get("kind") == ("date",)
        words = (*own["asked"], *(own.get("when", ()) if is_when else ()))
        if _says(question, words) and (is_day or not is_when):
            yield idea


def _lines_of(items: list[Sentence], idea: str) -> set[int]:
    """The places of the lines that tell it; of a letter's writer the line below its greeting."""
    own = _lists()[idea]
    found = {i for i, item in enumerate(items) if _says(item.text, own.get("written", ()))}
    kinds, is_below = own.get("kind", ()), "below" in own
    found |= {i for i, item in enumerate(items) if kinds and any(one.kind in kinds for one in entities.find(item.text))}
    return {i + (is_below and i + 1 < len(items)) for i in found}


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    said = f" {' '.join(_WORD.findall(text.lower()))} "
    return any(phrase in text if phrase >= _HAN else f" {phrase} " in said for phrase in phrases)


def _spelled(asked: list[str], documents: list[list[str]]) -> list[set[str]]:
    """Each asked term with the terms of the text that it may mean: itself, else near spellings."""
    from rapidfuzz import fuzz, process

    vocabulary = sorted({term for document in documents for term in document})
    present = set(vocabulary)
    found = []
    for term in asked:
        near: list[str] = []
        if term not in present and len(term) >= 4:
            near = [word for word in vocabulary if word.startswith(term) and len(word) - len(term) <= 3]
            near += [
                match[0] for match in process.extract(term, vocabulary, scorer=fuzz.ratio, score_cutoff=82, limit=3)
            ]
        found.append({term, *near})
    return found


def _scores(documents: list[list[str]], asked: list[set[str]]) -> list[float]:
    idf = weights(documents)
    mean = sum(map(len, documents)) / max(1, len(documents)) or 1.0
    scores = []
    for document in documents:
        counts = Counter(document)
        score = 0.0
        for group in asked:
            n = sum(counts[term] for term in group)
            weight = max((idf.get(term, 0.0) for term in group), default=0.0)
            score += weight * n * 2.2 / (n + 1.2 * (0.6 + 0.4 * len(document) / mean)) if n else 0.0
        scores.append(score)
    return scores


def _below_headings(
    scores: list[float], items: list[Sentence], kinds: tuple[str, ...], language: str, names: set[int]
) -> list[float]:  # fmt: skip
    """A heading names what is asked about and answers nothing: half of what it is worth goes to the sentence below. The
    `names` below a letter are no headings.
    """
    titles = [
        item.heading and i not in names and not _tells(item.text, kinds, language) for i, item in enumerate(items)
    ]
    found = [0.0 if title else score for score, title in zip(scores, titles, strict=True)]
    for i, title in enumerate(titles[:-1]):
        if title and not titles[i + 1]:
            found[i + 1] += 0.5 * scores[i]
    return found if any(found) else scores


def _tells(line: str, kinds: tuple[str, ...], language: str) -> bool:
    """Whether a line without an end mark says what is asked for of something: "Written by Ada King", "Date: 3 May"."""
    told = (e for e in entities.find(line) if e.kind in kinds and e.kind != "number")
    return any(terms(line[: entity.position], language) for entity in told)


def _with_context(scores: list[float], items: list[Sentence]) -> list[float]:
    """A sentence gains from the one before, more so when it leans on that ("It calls on ...")."""
    found = []
    for i, score in enumerate(scores):
        before = scores[i - 1] if i and items[i - 1].paragraph == items[i].paragraph else 0.0
        found.append(score + (0.6 if leans(items[i].text) and score else 0.2) * before)
    return found


def _fit(sentence: str, kinds: tuple[str, ...], asked: set[str], language: str) -> float:
    """2 for a decision where one is asked for; 1.6 for a sentence with an entity of the wanted kinds that the question
    does not name itself; else 1.
    """
    if not kinds:
        return 1.0
    if kinds == ("decision",):
        return _DECISION if tells_decision(sentence) else 1.0
    if kinds == ("reason",):
        return 1.6 if _REASON.search(sentence) else 1.0
    found = [e for e in entities.find(sentence) if e.kind in kinds and not set(terms(e.text, language, True)) <= asked]
    return 1.0 + 0.6 * math.tanh(len(found))


@backend_of(answer_from_text, families=(connected.CHAT,), **connected.CONNECTED)
def by_connected_model(text: Text, question: Text, *, context: RunContext) -> Text:
    """In the model's own words."""
    order = (
        "Answer the question from the text alone, in the language of the question, in a sentence or two. Say so where "
        f"the text does not tell. The question: {given_words(question, 'question')}"
    )
    return connected.write(order, context, given_words(text))


@backend_of(answer_from_text, families=(Family("transformers question answering", "answer from text"),))
def by_reader(text: Text, question: Text, *, context: RunContext) -> Text:
    """The words of the text that answer, as they stand there."""
    return text_models.answer(given_words(text), given_words(question, "question"), context)
