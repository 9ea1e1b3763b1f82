"""Lets a chat model of transformers continue a conversation, token by token, if wanted held to a JSON schema.

Must not know tools. The model comes from the pool, and computes where the context says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nodes._support.models import models
from nodes._support.models.model_pool import Entry, float_type, pool
from nodes.api import NodeError, Phrase, RunContext

Said = Mapping[str, str]
"""A message: `role` (system, user or assistant) and `content`."""
_VOCABULARY = "vocabulary"


@dataclass(frozen=True)
class Manner:
    """How to answer. With a `schema` the answer is one JSON value of it; else it is text.

    `port` is the input to name when the conversation is too long for the model.
    """

    max_tokens: int = 512
    temperature: float = 0.0
    seed: int = 0
    schema: Mapping[str, Any] | None = None
    port: str = "text"


def reply(messages: Sequence[Said], manner: Manner, context: RunContext) -> str:
    """What the model says next; all of it so far is told as the note of the progress, whose fraction is then above 0.

    Raises NodeError when the conversation is too long, the schema cannot be kept to, or the model cannot be loaded.
    """
    folder = models.model_folder(context)

    def load(device: str) -> models.Loaded:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        with models.loading(folder):
            tokenizer = AutoTokenizer.from_pretrained(folder, **models.LOCAL)
            network: Any = AutoModelForCausalLM.from_pretrained(
                folder, dtype=_float_type(device), use_safetensors=True, **models.LOCAL
            )
        return models.Loaded(network.to(device).eval(), tokenizer)

    with pool().lease(folder, "chat", load, context) as entry:
        return models.with_memory(entry, lambda device: _write(entry, device, messages, manner, context), context)


def _float_type(device: str) -> Any:
    """bfloat16 where the GPU has it: these models were made in it, and overflow in float16."""
    import torch

    if device.startswith("cuda") and torch.cuda.is_bf16_supported():
        return torch.bfloat16
    return float_type(device)


class _Streamer:
    """Tells the answer so far at each token; `generate` calls it."""

    def __init__(self, decode: Callable[[list[int]], str], most: int, context: RunContext) -> None:
        self._decode, self._most, self._context = decode, most, context
        self._tokens: list[int] = []
        self._prompt_came = False

    def put(self, tokens: Any) -> None:
        """The prompt at first, then one token each time."""
        if not self._prompt_came:
            self._prompt_came = True
            return
        self._tokens += tokens.flatten().tolist()
        self._context.progress(min(0.99, len(self._tokens) / self._most), self._decode(self._tokens))

    def end(self) -> None:
        """Called after the last token."""


def _write(entry: Entry, device: str, messages: Sequence[Said], manner: Manner, context: RunContext) -> str:
    import torch

    network, tokenizer = entry.model.network, entry.model.processor
    prompt = prompt_of(tokenizer, messages)
    length, most = prompt["input_ids"].shape[1], network.config.max_position_embeddings
    if length >= most:
        raise NodeError(
            Phrase("The text is too long: {length} tokens, and this model takes {most}.", length=length, most=most),
            manner.port,
            "Shorten it, or use a part of it.",
        )

    def decode(tokens: list[int]) -> str:
        return tokenizer.decode(tokens, skip_special_tokens=True).strip()

    most = min(manner.max_tokens, most - length)
    devices = [device] if device.startswith("cuda") else []
    with torch.random.fork_rng(devices), models.running(context, network):
        torch.manual_seed(manner.seed)
        tokens = network.generate(
            **prompt.to(device),
            **_options(entry, manner, most),
            max_new_tokens=most,
            pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
            streamer=_Streamer(decode, most, context),
        )
    return decode(tokens[0, length:].tolist())


def _options(entry: Entry, manner: Manner, most: int) -> dict[str, Any]:
    """What `generate` is told of the manner."""
    if manner.schema is None:
        warm = manner.temperature > 0
        return {"do_sample": True, "temperature": manner.temperature} if warm else {"do_sample": False}
    from nodes._support.models.constrained import BadSchema, Constrained, TooFewTokens

    try:
        vocabulary = _vocabulary(entry)
        held = Constrained(vocabulary, manner.schema, most, manner.temperature)
    except BadSchema as error:
        said = Phrase("The answer cannot be held to this schema: {error}.", error=error)
        raise NodeError(said, "schema", "Use a simpler one.") from error
    except TooFewTokens as error:
        raise NodeError(
            Phrase(
                "An answer of this form takes {needed} tokens at least, and there is room for {most}.",
                needed=error.needed,
                most=most,
            ),
            "max_tokens",
            "Allow a longer answer, or shorten the text.",
        ) from error
    # Choosing is the processor's; a penalty for repeating would turn it against the same names and quotes.
    return {
        "do_sample": False, "repetition_penalty": 1.0, "logits_processor": [held], "eos_token_id": vocabulary.ends,
    }  # fmt: skip


def _vocabulary(entry: Entry) -> Any:
    """The tokens of the model, read when they are first needed and kept with it."""
    from nodes._support.models.constrained import Vocabulary

    if _VOCABULARY not in entry.kept:
        network = entry.model.network
        ends = network.generation_config.eos_token_id
        ends = [] if ends is None else [ends] if isinstance(ends, int) else list(ends)
        entry.kept[_VOCABULARY] = Vocabulary(entry.model.processor, network.config.vocab_size, ends)
    return entry.kept[_VOCABULARY]


def prompt_of(tokenizer: Any, messages: Sequence[Said]) -> Any:
    """The conversation as the model's own template writes it, as tensors with a batch of 1.

    A template that refuses (some know no system role, or want roles in turns) gets the messages folded; without a
    template the roles are written out.
    """
    from jinja2 import TemplateError

    if not tokenizer.chat_template:
        spoken = "".join(f"{m['role'].capitalize()}: {m['content']}\n\n" for m in messages)
        return tokenizer(f"{spoken}Assistant:", return_tensors="pt")
    form: dict[str, Any] = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True}
    try:
        return tokenizer.apply_chat_template(list(messages), **form)
    except TemplateError:
        return tokenizer.apply_chat_template(folded(messages), **form)


def folded(messages: Sequence[Said]) -> list[dict[str, str]]:
    """The same words with user and assistant in turns: what the system says becomes the user's."""
    turns: list[dict[str, str]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += f"\n\n{message['content']}"
        else:
            turns.append({"role": role, "content": message["content"]})
    return turns
