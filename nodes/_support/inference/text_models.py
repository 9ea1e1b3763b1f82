"""What models of transformers read out of a text: its mood, a category, names, an answer, its meaning; and its summary
and translation.

Long texts go through in windows of what the model takes in. Must not know tools. The tokenizers are the fast ones,
which tell the place of each token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from nodes._support.language import languages
from nodes._support.language.entities import Entity
from nodes._support.models import models
from nodes.api import Labels, NodeError, Phrase, RunContext

_MOST_TOKENS = 512
_LONGEST_ANSWER = 30
_LONGEST_CELLS = 128
"""Tokens of the answer from a table, which may be several cells."""
_NOTE = "reading the text"
_NAMED = ("PER", "LOC", "ORG", "MISC")


def mood(text: str, context: RunContext) -> Labels:
    """What a classifier says of the text as a whole, best first: mean of its windows by their length."""

    def read(loaded: models.Loaded, device: str) -> Labels:
        parts = list(_windows(loaded, text))
        rows = [_logits(loaded, device, part).softmax(-1)[0].cpu().numpy() for _, part in parts]
        mean = np.average(rows, axis=0, weights=[len(part) for _, part in parts])
        names = loaded.network.config.id2label
        return models.labelled([names[i].lower() for i in range(len(mean))], mean)

    return _applied(context, "AutoModelForSequenceClassification", read)


def category(text: str, categories: list[str], context: RunContext) -> Labels:
    """The categories by how much a model of inference believes that the text is about each (Yin et al. 2019)."""

    def read(loaded: models.Loaded, device: str) -> Labels:
        kinds = loaded.network.config.label2id.items()
        entails = next((i for name, i in kinds if name.lower().startswith("entail")), 0)
        claims = [f"This text is about {one}." for one in categories]
        room = max(len(each) for each in loaded.processor(claims)["input_ids"])
        parts = list(_windows(loaded, text, room))
        rows = []
        for _, part in parts:
            said = [_logits(loaded, device, part, claim)[0, entails] for claim in claims]
            rows.append(_softmax(np.array([float(each) for each in said])))
        return models.labelled(categories, np.average(rows, axis=0, weights=[len(part) for _, part in parts]))

    return _applied(context, "AutoModelForSequenceClassification", read)


def names(text: str, context: RunContext) -> list[Entity]:
    """Names of people, places and organisations, of kind "name", in the order of the text."""
    return [entity._replace(kind="name") for entity in _marked(text, context)]


def places(text: str, context: RunContext) -> list[Entity]:
    """Names of places alone."""
    return [entity for entity in _marked(text, context) if entity.kind == "LOC"]


def _marked(text: str, context: RunContext) -> list[Entity]:
    def read(loaded: models.Loaded, device: str) -> list[Entity]:
        return [
            Entity(what, text[start + offset : end + offset], start + offset)
            for offset, part in _windows(loaded, text)
            for start, end, what in _named(loaded, part, device)
        ]

    return _applied(context, "AutoModelForTokenClassification", read)


def _named(loaded: models.Loaded, part: str, device: str) -> Iterator[tuple[int, int, str]]:
    """Where names begin and end, and of what: tokens of one kind that follow each other, where no new one begins."""
    inputs = loaded.processor(part, return_tensors="pt", truncation=True, return_offsets_mapping=True)
    places = inputs.pop("offset_mapping")[0].tolist()
    kinds = loaded.network(**inputs.to(device)).logits[0].argmax(-1).tolist()
    tags = loaded.network.config.id2label
    found: list[list[Any]] = []
    for (start, end), kind in zip(places, kinds, strict=True):
        begins, _, what = tags[kind].rpartition("-")
        if what not in _NAMED or start == end:
            continue
        inside_word = start > 0 and part[start - 1 : start + 1].isalnum() and found and found[-1][1] == start
        near = found and found[-1][2] == what and start - found[-1][1] <= 1
        if inside_word or (near and begins != "B"):
            found[-1][1] = end
        else:
            found.append([start + (part[start] == " "), end, what])
    return ((start, end, what) for start, end, what in found)


def answer(text: str, question: str, context: RunContext) -> str:
    """The words of the text that answer best. Raises NodeError when the model finds that none do."""

    def read(loaded: models.Loaded, device: str) -> str:
        asked = len(loaded.processor(question)["input_ids"])
        found = [
            _span(loaded, part, question, device) for _, part in _windows(loaded, text, room=asked + 3, overlap=64)
        ]
        score, words = max(found)
        if score <= 0 or not words:
            raise NodeError("Nothing in the text answers that.", "question", "Ask with words that the text uses.")
        return words

    return _applied(context, "AutoModelForQuestionAnswering", read)


def _span(loaded: models.Loaded, part: str, question: str, device: str) -> tuple[float, str]:
    """The likeliest words of one window, and by how much they are likelier than that it holds no answer."""
    inputs = loaded.processor(
        question, part, return_tensors="pt", truncation="only_second", return_offsets_mapping=True
    )  # fmt: skip
    places, inside = inputs.pop("offset_mapping")[0].tolist(), np.array(inputs.sequence_ids(0)) == 1
    found = loaded.network(**inputs.to(device))
    starts, ends = (each[0].float().cpu().numpy() for each in (found.start_logits, found.end_logits))
    score, first, last = best_span(starts, ends, inside)
    return score, part[places[first][0] : places[last][1]].strip()


def best_span(starts: np.ndarray, ends: np.ndarray, inside: np.ndarray) -> tuple[float, int, int]:
    """By how much the likeliest answer among the tokens that are `inside` is likelier than that there is none, which
    the first token stands for; its first and its last token. `starts` and `ends` are the network's logits (tokens,).
    """
    scores = np.where(inside[:, None] & inside[None, :], starts[:, None] + ends[None, :], -np.inf)
    scores = np.triu(scores) - np.triu(np.where(scores > -np.inf, 1e9, 0), _LONGEST_ANSWER)
    scores[np.tril_indices_from(scores, -1)] = -np.inf
    first, last = np.unravel_index(int(scores.argmax()), scores.shape)
    return float(scores[first, last] - starts[0] - ends[0]), int(first), int(last)


def answer_in_table(columns: list[str], rows: list[list[str]], question: str, context: RunContext) -> str:
    """What a model writes that reads a table as one line (TAPEX, Liu et al. 2022), all in small letters.

    Raises NodeError naming `table` when it holds more than the model takes in, or when there is no answer.
    """

    def tidy(cells: list[str]) -> str:
        return " | ".join(" ".join(cell.split()).lower() for cell in cells)

    lines = [f"col : {tidy(columns)}", *(f"row {number} : {tidy(row)}" for number, row in enumerate(rows, 1))]

    def read(loaded: models.Loaded, device: str) -> str:
        inputs = loaded.processor(" ".join([" ".join(question.lower().split()), *lines]), return_tensors="pt")
        if inputs["input_ids"].shape[1] > loaded.network.config.max_position_embeddings:
            said = Phrase("The table with {n} rows is too long for this model.", n=f"{len(rows):,}")
            raise NodeError(said, "table", "Filter it, or choose another back end.")
        tokens = loaded.network.generate(
            inputs["input_ids"].to(device), attention_mask=inputs["attention_mask"].to(device), num_beams=1,
            do_sample=False, max_new_tokens=_LONGEST_CELLS, max_length=None,
        )  # fmt: skip
        found = loaded.processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()
        if not found:
            raise NodeError("Nothing in the table answers that.", "question", "Ask with words that the table uses.")
        return found

    return models.apply(context, "BartForConditionalGeneration", "BartTokenizer", read, note=_NOTE, half=True)


def likeness(first: str, second: str, context: RunContext) -> float:
    """0..1: the cosine between the meanings of two texts, each the mean over its tokens (Reimers and Gurevych 2019)."""

    def read(loaded: models.Loaded, device: str) -> float:
        one, other = (_meaning(loaded, text, device) for text in (first, second))
        return float(np.clip(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)), 0, 1))

    return _applied(context, "AutoModel", read)


def _meaning(loaded: models.Loaded, text: str, device: str) -> np.ndarray:
    sums, tokens = 0.0, 0
    for _, part in _windows(loaded, text):
        inputs = loaded.processor(part, return_tensors="pt", truncation=True).to(device)
        state = loaded.network(**inputs).last_hidden_state[0].float().cpu().numpy()
        sums, tokens = sums + state.sum(0), tokens + len(state)
    return np.asarray(sums / tokens)


def summary(text: str, context: RunContext) -> str:
    """In the words of a model that was made for it: a piece for each window."""
    return " ".join(_written(context, lambda loaded: [part for _, part in _windows(loaded, text, most=1024)]))


def translation(text: str, code: str, context: RunContext) -> str:
    """Into the language of the code ("de"), piece by piece of a paragraph, by a T5 that is told "<2de>" (MADLAD)."""
    paragraphs = [" ".join(line.split()) for line in text.splitlines()]
    counts: list[int] = []

    def pieces(loaded: models.Loaded) -> list[str]:
        tag = f"<2{code}>"
        if tag not in loaded.processor.get_vocab():
            said = Phrase("This model does not know {language}.", language=languages.name_of(code))
            raise NodeError(said, "language", "Choose another back end.")
        parts = [[p for _, p in _windows(loaded, line, most=256)] if line else [] for line in paragraphs]
        counts.extend(map(len, parts))
        return [f"{tag} {piece}" for line in parts for piece in line]

    written = iter(_written(context, pieces))
    return "\n".join(" ".join(next(written) for _ in range(count)) for count in counts)


def _written(context: RunContext, pieces: Callable[[models.Loaded], list[str]]) -> list[str]:
    """What a model writes for each piece of a text; told as it goes."""

    def write(loaded: models.Loaded, device: str) -> list[str]:
        parts, found = pieces(loaded), []
        for number, part in enumerate(parts):
            context.progress(0.3 + 0.7 * number / len(parts), " ".join(found)[-300:])
            inputs = loaded.processor(part, return_tensors="pt", truncation=True).to(device)
            inputs.pop("token_type_ids", None)
            most = 2 * inputs["input_ids"].shape[1] + 32
            tokens = loaded.network.generate(
                **inputs, max_new_tokens=most, max_length=None, do_sample=False, num_beams=1
            )
            found.append(loaded.processor.batch_decode(tokens, skip_special_tokens=True)[0].strip())
        return found

    return _applied(context, "AutoModelForSeq2SeqLM", write, half=True)


def _applied(context: RunContext, network: str, work: Any, half: bool = False) -> Any:
    return models.apply(context, network, "AutoTokenizer", work, note=_NOTE, half=half)


def _windows(
    loaded: models.Loaded, text: str, room: int = 0, overlap: int = 0, most: int = _MOST_TOKENS
) -> Iterator[tuple[int, str]]:
    """The text in parts that the model takes in beside `room` other tokens, each with the place where it begins."""
    limit = getattr(loaded.network.config, "max_position_embeddings", most) or most
    size = max(16, min(most, limit - 2, loaded.processor.model_max_length) - 2 - room)
    read = loaded.processor(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    places = [place for place in read["offset_mapping"] if place[0] < place[1]] or [(0, len(text))]
    step = max(1, size - overlap)
    for first in range(0, max(1, len(places) - overlap), step):
        chosen = places[first : first + size]
        yield chosen[0][0], text[chosen[0][0] : chosen[-1][1]]


def _logits(loaded: models.Loaded, device: str, *texts: str) -> Any:
    inputs = loaded.processor(*texts, return_tensors="pt", truncation="only_first").to(device)
    return loaded.network(**inputs).logits.float()


def _softmax(values: np.ndarray) -> np.ndarray:
    powers = np.exp(values - values.max())
    return powers / powers.sum()
