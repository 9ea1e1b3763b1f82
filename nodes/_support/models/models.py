"""What the model back ends share: the folder, the options of loading, running so that it can be stopped.

Only weights in safetensors are loaded, only from the disk, and no code that comes with a model is run.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nodes._support.models.model_pool import Entry, Step, float_type, pool, with_ladder
from nodes.api import Label, Labels, NodeError, Phrase, RunContext

T = TypeVar("T")
LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
"""Options of every from_pretrained of transformers' Auto classes."""
_T5_MARKS = {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"}


@dataclass
class Loaded:
    """A network of transformers with what prepares its input and reads its output."""

    network: Any
    processor: Any


def model_folder(context: RunContext, needed: str = "") -> Path:
    """The folder of the back end's model, or of one `needed` besides, by its id. Raises NodeError without it."""
    if context.model is None:
        raise NodeError(
            "The model of this back end is not on this computer.", "", "Download it, or choose another back end."
        )
    return beside(context.model, needed or context.model.name)


def beside(folder: Path, id: str) -> Path:
    """The folder of another model. Raises NodeError when it is not there."""
    found = folder.parent / id
    if not found.is_dir():
        missing = Phrase("The model '{model}' is not on this computer.", model=id)
        raise NodeError(missing, "", "Download it, or choose another back end.")
    return found


def apply(
    context: RunContext,
    network: str,
    processor: str | Callable[[Path], Any],
    work: Callable[[Loaded, str], T],
    needed: str = "",
    note: str = "looking at the picture",
    half: bool = False,
) -> T:
    """What `work(loaded, device)` gives with the back end's model, or with one `needed` besides, by its id.

    `network` and `processor` are the classes of transformers that load the two, or what loads the latter. Told with
    `note`, stopped between layers. The network is in 32 bits on every device, as 16 bits cost pixels; with `half`, on
    a GPU, in 16.
    """
    folder = model_folder(context, needed)

    def load(device: str) -> Loaded:
        import torch
        import transformers

        kind = float_type(device) if half else torch.float32
        with loading(folder):
            if isinstance(processor, str):
                prepare = getattr(transformers, processor).from_pretrained(folder, **LOCAL)
            else:
                prepare = processor(folder)
            made = getattr(transformers, network).from_pretrained(folder, dtype=kind, use_safetensors=True, **LOCAL)
        return Loaded(made.to(device).eval(), prepare)

    with pool().lease(folder, network, load, context) as entry:
        context.progress(0.3, note)

        def run(device: str) -> T:
            with running(context, entry.model.network):
                return work(entry.model, device)

        return with_memory(entry, run, context)


def kind_of(folder: Path) -> str:
    """What the model calls its kind ("blip", "llava"), as transformers names it; "" when it does not say."""
    try:
        return str(json.loads((folder / "config.json").read_text("utf-8"))["model_type"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def as_long_as_read(network: Any) -> dict[str, Any]:
    """Options for what reads words for a network of pictures and words: what it has no place for is left out."""
    config = network.config
    return {
        "truncation": True,
        "max_length": getattr(config, "max_text_len", config.text_config.max_position_embeddings),
    }


def qwen_processor(folder: Path) -> Any:
    """What prepares pictures and words for Qwen-VL: the library's own without its part for films, which are not wanted
    here and ask for torchvision.
    """
    from transformers import AutoImageProcessor, AutoTokenizer, Qwen2VLProcessor

    class OfPictures(Qwen2VLProcessor):
        def __init__(self, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None) -> None:
            super().__init__(image_processor, tokenizer, None, chat_template)

    words = AutoTokenizer.from_pretrained(folder, **LOCAL)
    return OfPictures(AutoImageProcessor.from_pretrained(folder, **LOCAL), words, words.chat_template)


def t5_tokenizer(settings: Path, words: Path) -> Any:
    """The tokenizer that all T5 share, from `words`, with what the folder `settings` says of it: the latter holds the
    vocabulary in a form alone that needs another package.
    """
    from transformers import PreTrainedTokenizerFast

    said = json.loads((settings / "tokenizer_config.json").read_text("utf-8"))
    longest = {name: said[name] for name in ("model_max_length",) if name in said}
    ends = {f"{name}_token": said.get(f"{name}_token", mark) for name, mark in _T5_MARKS.items()}
    return PreTrainedTokenizerFast(tokenizer_file=str(words / "tokenizer.json"), **longest, **ends)


@contextlib.contextmanager
def running(context: RunContext, *modules: Any) -> Iterator[None]:
    """A block in which torch computes without gradients, and each layer looks first whether the node was stopped."""
    import torch

    def look(*_: Any) -> None:
        context.check()

    hooks = [layer.register_forward_pre_hook(look) for module in modules for layer in module.modules()]
    moving = any(hasattr(module, "_hf_hook") for module in modules)  # weights that come and go may be no such tensors
    try:
        with torch.no_grad() if moving else torch.inference_mode():
            yield
    finally:
        for hook in hooks:
            hook.remove()


def with_memory(entry: Entry, work: Callable[[str], T], context: RunContext) -> T:
    """What `work(device)` returns, with the ladder for a Loaded: others out of memory, then this one on the CPU."""
    device = entry.device

    def to_cpu() -> None:
        nonlocal device
        entry.spoil()
        entry.model.network = entry.model.network.to("cpu").float()
        entry.kept.clear()
        device = "cpu"

    steps = [pool().others_step(entry)]
    if device != "cpu":
        steps.append(Step("memory ran out again: the CPU does it", to_cpu))
    return with_ladder(lambda: work(device), steps, context)


def quiet() -> None:
    """Keeps transformers, where it is used, from drawing its own progress bars."""
    if "transformers" in sys.modules:
        from transformers.utils import logging

        logging.disable_progress_bar()


@contextlib.contextmanager
def loading(folder: Path, *faults: type[Exception]) -> Iterator[None]:
    """A block that loads from `folder`: what is wrong with its files becomes a NodeError that says what to do.

    `faults` are further errors by which the library says so.
    """
    named = getattr(sys.modules.get("safetensors"), "SafetensorError", OSError)
    quiet()
    try:
        yield
    except (OSError, ValueError, KeyError, named, *faults) as error:
        text = str(error).strip().splitlines()
        raise NodeError(
            Phrase(
                "The model '{model}' cannot be loaded ({reason}).",
                model=folder.name,
                reason=text[0][:200] if text else type(error).__name__,
            ),
            "",
            "Remove it and download it again.",
        ) from error


def labelled(names: Sequence[str], scores: Any) -> Labels:
    """Each name with its score, to four places, the best first. Raises ValueError when there are not as many."""
    found = [Label(name, round(float(score), 4)) for name, score in zip(names, scores, strict=True)]
    return tuple(sorted(found, key=lambda label: -label.score))
