"""Answer or write with a language model on this computer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nodes._support import models
from nodes._support.model_pool import float_type, pool
from nodes.api import Integer, NodeError, Number, Port, ResourceType, RunContext, Text, backend_of, tool

_PACKAGES = ("python:torch", "python:transformers")


@tool(
    id="chat",
    title="Chat",
    domain="text",
    description="Answers a question or writes a text as asked, with a language model that runs on this computer.",
    inputs=(
        Port("text", ResourceType.TEXT, "the question, or what to write"),
        Port("instructions", ResourceType.TEXT, "how to answer, said before everything else", default="",
             advanced=True),
        Port("max_tokens", ResourceType.NUMBER, "longest answer, in pieces of about four letters", default=512,
             minimum=1, maximum=8192, integer=True),
        Port("temperature", ResourceType.NUMBER, "0 for the likeliest words, more for surprises", default=0.0,
             minimum=0, maximum=2, advanced=True),
        Port("seed", ResourceType.NUMBER, "another number gives another answer, above temperature 0", default=0,
             minimum=0, maximum=2**32 - 1, integer=True, advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    backend="qwen2-5-0-5b",
    backend_title="Qwen2.5 0.5B",
    kind="model",
    device="gpu",
    memory_bytes=3_000_000_000,
    download_bytes=999_600_000,
    quality=0.35,
    model="qwen2-5-0-5b",
    requires=_PACKAGES,
    examples=(
        "Write a short poem about the sea",
        "Write an email that invites my team to lunch",
        "Explain in two sentences what a black hole is",
    ),
    words=("ask a language model", "write a story", "generate text", "compose an email", "llm", "rephrase"),
    icon="message-circle",
)  # fmt: skip
def chat(
    text: Text,
    instructions: Text = "",
    max_tokens: Integer = 512,
    temperature: Number = 0.0,
    seed: Integer = 0,
    *,
    context: RunContext,
) -> Text:
    """The answer; what there is of it so far is told as the note of the progress, token by token.

    At temperature 0 the same words give the same answer, above it the same seed does. Small models make up facts.
    NodeError when the text is empty, or longer than what the model can take in.
    """
    return _answer(text, instructions, max_tokens, temperature, seed, context)


@backend_of(
    chat,
    id="qwen2-5-1-5b",
    title="Qwen2.5 1.5B",
    kind="model",
    device="gpu",
    memory_bytes=7_500_000_000,
    download_bytes=3_099_000_000,
    quality=0.5,
    model="qwen2-5-1-5b",
    requires=_PACKAGES,
)
def chat_better(
    text: Text,
    instructions: Text = "",
    max_tokens: Integer = 512,
    temperature: Number = 0.0,
    seed: Integer = 0,
    *,
    context: RunContext,
) -> Text:
    """As `chat`, by a model of three times the size."""
    return _answer(text, instructions, max_tokens, temperature, seed, context)


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


def _answer(text: str, instructions: str, max_tokens: int, temperature: float, seed: int, context: RunContext) -> str:
    if not text.strip():
        raise NodeError("The text is empty: there is nothing to answer.", "text", "Ask or say something.")
    folder = models.model_folder(context)

    def load(device: str) -> models.Loaded:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        with models.loading(folder):
            tokenizer = AutoTokenizer.from_pretrained(folder, **models.LOCAL)
            network: Any = AutoModelForCausalLM.from_pretrained(
                folder, dtype=_float_type(device), use_safetensors=True, **models.LOCAL
            )
        return models.Loaded(network.to(device).eval(), tokenizer)

    messages = [{"role": "user", "content": text}]
    if instructions.strip():
        messages.insert(0, {"role": "system", "content": instructions})
    with pool().lease(folder, "chat", load, context) as entry:
        return models.with_memory(
            entry, lambda device: _write(entry.model, device, messages, max_tokens, temperature, seed, context), context
        )


def _float_type(device: str) -> Any:
    """bfloat16 where the GPU has it: these models were made in it, and overflow in float16."""
    import torch

    if device.startswith("cuda") and torch.cuda.is_bf16_supported():
        return torch.bfloat16
    return float_type(device)


def _write(
    loaded: models.Loaded,
    device: str,
    messages: list[dict[str, str]],
    max_tokens: int,
    temperature: float,
    seed: int,
    context: RunContext,
) -> str:
    import torch

    network, tokenizer = loaded.network, loaded.processor
    prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    length = prompt["input_ids"].shape[1]
    room = network.config.max_position_embeddings - length
    if room < 1:
        raise NodeError(
            f"The text is too long: {length} tokens, and this model takes {network.config.max_position_embeddings}.",
            "text",
            "Shorten it, or use a part of it.",
        )

    def decode(tokens: list[int]) -> str:
        return tokenizer.decode(tokens, skip_special_tokens=True).strip()

    most = min(max_tokens, room)
    sampled = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
    devices = [device] if device.startswith("cuda") else []
    with torch.random.fork_rng(devices), models.running(context, network):
        torch.manual_seed(seed)
        tokens = network.generate(
            **prompt.to(device),
            **sampled,
            max_new_tokens=most,
            pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
            streamer=_Streamer(decode, most, context),
        )
    return decode(tokens[0, length:].tolist())
