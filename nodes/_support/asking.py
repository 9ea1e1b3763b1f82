"""Words about a picture from models of transformers: a description of it, and answers to questions about it.

Pictures are uint8 (height, width, 3) RGB. Answers are the likeliest ones: the same picture and words give the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support import models
from nodes.api import RunContext

_TOKENS = 60
_CHAT_TOKENS = 256
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


def answer(rgb: np.ndarray, question: str, context: RunContext) -> str:
    """The answer to a question about the picture, by BLIP, ViLT (a word or two) or a chat model that sees."""
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
