"""Words about a picture from models of transformers: a description of it, and answers to questions about it or about
what is written on it.

Pictures are uint8 (height, width, 3) RGB. Answers are the likeliest ones: the same picture and words give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.inference import connected, text_models
from nodes._support.models import models
from nodes._support.vision.ocr import Word
from nodes.api import Family, NodeError, Port, ResourceType, RunContext

OF_PICTURE = (
    Family("transformers visual question answering", "answer about image"),
    Family("transformers image chat", "answer about image"),
)
"""Models that answer questions about a picture."""

_TOKENS = 60
_CHAT_TOKENS = 256
_PAGE_TOKENS, _QUESTION_WORDS = 512, 48
_FLORENCE = {False: "<CAPTION>", True: "<MORE_DETAILED_CAPTION>"}
"""What Florence-2 (Xiao et al. 2023) was taught to be asked."""
_LAST = {"return_tensors": "pt", "input_data_format": "channels_last"}
_ASK_FOR = {
    False: "Describe this picture in one sentence.",
    True: "Describe this picture in detail: what it shows, where, and how it looks.",
}


def describe(rgb: np.ndarray, detailed: bool, context: RunContext) -> str:
    """What the picture shows, by BLIP, Florence-2 or a chat model that sees."""
    kind = models.kind_of(models.model_folder(context))

    def look(loaded: models.Loaded, device: str) -> str:
        if kind == "blip":
            inputs = loaded.processor(images=rgb, **_LAST).to(device)
            return _decoded(loaded, loaded.network.generate(**inputs, **_greedy(_TOKENS)))
        if kind == "florence2":
            inputs = loaded.processor(text=_FLORENCE[detailed], images=rgb, **_LAST).to(device, loaded.network.dtype)
            return _decoded(loaded, loaded.network.generate(**inputs, **_greedy(_CHAT_TOKENS)))
        return _chatted(loaded, rgb, _ASK_FOR[detailed], device)

    return models.apply(context, "AutoModelForImageTextToText", _processor(kind), look, half=kind != "blip")


def question_port(about: str) -> Port:
    """The port for a question; `about` says of what."""
    return Port(
        "question", ResourceType.TEXT, f"the question about {about}", said=True,
        question="What do you want to know about it?",
    )  # fmt: skip


def asked(question: str) -> str:
    """The question without spaces around it. Raises NodeError naming `question` when nothing is asked."""
    if not question.strip():
        raise NodeError("The question is empty.", "question", "Ask something about the picture.")
    return question.strip()


def answer(rgb: np.ndarray, question: str, context: RunContext) -> str:
    """The answer to a question about the picture, by BLIP, ViLT (a word or two) or a chat model that sees."""
    question = asked(question)
    kind = models.kind_of(models.model_folder(context))

    def look(loaded: models.Loaded, device: str) -> str:
        if kind not in ("blip", "vilt"):
            return _chatted(loaded, rgb, question, device)
        inputs = loaded.processor(images=rgb, text=question, truncation=True, **_LAST).to(device)
        if kind == "blip":
            return _decoded(loaded, loaded.network.generate(**inputs, **_greedy(_TOKENS)))
        found = loaded.network(**inputs).logits[0].argmax()
        return str(loaded.network.config.id2label[int(found)])

    chat = kind not in ("blip", "vilt")
    network = "AutoModelForImageTextToText" if chat else "AutoModelForVisualQuestionAnswering"
    return models.apply(context, network, _processor(kind), look, half=chat)


def answer_of_connected(rgb: np.ndarray, question: str, context: RunContext) -> str:
    """The same in sentences by the connected model, to which the picture is sent."""
    order = f"Answer this question about the picture in a sentence or two: {asked(question)}"
    return connected.write(order, context, images=[rgb])


def answer_on_page(words: Sequence[Word], question: str, context: RunContext) -> str:
    """The words of a page that answer best by what they say and where they stand: LayoutLM (Xu et al. 2020), which
    takes in a page of 512 tokens at once and longer ones in parts. Raises NodeError when it finds that none do.
    """

    def look(loaded: models.Loaded, device: str) -> str:
        most = min(_PAGE_TOKENS, loaded.processor.model_max_length, loaded.network.config.max_position_embeddings)
        read = loaded.processor(
            question.split()[:_QUESTION_WORDS], [word.text for word in words], is_split_into_words=True,
            truncation="only_second", max_length=most, stride=most // 4, return_overflowing_tokens=True,
            return_token_type_ids=True,
        )  # fmt: skip
        parts = [_on_part(loaded, read, part, words, device) for part in range(len(read["input_ids"]))]
        score, _, first, last = max(parts)
        if score <= min(none for _, none, *_ in parts):
            raise NodeError("Nothing on the page answers that.", "question", "Ask with words that the page uses.")
        return " ".join(word.text for word in words[first : last + 1])

    return models.apply(context, "AutoModelForDocumentQuestionAnswering", "AutoTokenizer", look)


def _on_part(
    loaded: models.Loaded, read: Any, part: int, words: Sequence[Word], device: str
) -> tuple[float, float, int, int]:
    """The likeliest answer in one part of a page: the logarithms of how likely it is and that there is none, by the
    tokens of the part; its first and its last word."""
    import torch

    of_page, numbers = np.array(read.sequence_ids(part)) == 1, read.word_ids(part)
    end = loaded.processor.sep_token_id
    boxes = [
        words[number].box if here else ((1000 if token == end else 0),) * 4
        for here, number, token in zip(of_page, numbers, read["input_ids"][part], strict=True)
    ]
    inputs = {name: torch.tensor([read[name][part]], device=device) for name in loaded.processor.model_input_names}
    inputs["token_type_ids"] = torch.tensor([read["token_type_ids"][part]], device=device)
    found = loaded.network(**inputs, bbox=torch.tensor([boxes], device=device))
    starts, ends = (each[0].float().cpu().numpy() for each in (found.start_logits, found.end_logits))
    score, first, last = text_models.best_span(starts, ends, of_page)
    of_page[0] = True  # which stands for no answer
    none = float(starts[0] + ends[0] - sum(np.logaddexp.reduce(each[of_page]) for each in (starts, ends)))
    return score + none, none, numbers[first] or 0, numbers[last] or 0


def _chatted(loaded: models.Loaded, rgb: np.ndarray, words: str, device: str) -> str:
    """One turn of a conversation that begins with the picture, as the model's own template writes it."""
    said = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": words}]}]
    prompt = loaded.processor.apply_chat_template(said, add_generation_prompt=True, tokenize=False)
    inputs = loaded.processor(text=prompt, images=rgb, **_LAST).to(device, loaded.network.dtype)
    tokens = loaded.network.generate(**inputs, **_greedy(_CHAT_TOKENS))
    return _decoded(loaded, tokens[:, inputs["input_ids"].shape[1] :])


def _greedy(tokens: int) -> dict[str, Any]:
    return {"do_sample": False, "num_beams": 1, "max_new_tokens": tokens}


def _decoded(loaded: models.Loaded, tokens: Any) -> str:
    return str(loaded.processor.batch_decode(tokens, skip_special_tokens=True)[0]).strip()


def _processor(kind: str) -> str | Callable[[Path], Any]:
    """What prepares the input of a model of that kind."""
    return models.qwen_processor if kind.startswith("qwen") and "_vl" in kind else "AutoProcessor"
