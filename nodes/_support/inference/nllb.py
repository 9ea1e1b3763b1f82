"""Translation by NLLB (NLLB Team 2022) in 8 bits on the CPU, by CTranslate2. Must not know tools.

It was taught sentences: a text goes through sentence by sentence, and keeps its lines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nodes._support.language import languages, sentences
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes.api import NodeError, Phrase, RunContext

_AT_ONCE = 8
_MOST_TOKENS = 256
_BEAMS = 4
_END = "</s>"


class _Loaded(NamedTuple):
    network: Any
    words: Any


def translation(text: str, code: str, context: RunContext) -> str:
    """Into the language of the code ("de"), from the one that the text is found to be in.

    Raises NodeError naming `language`, or `text`, for one that the model does not know.
    """
    folder = models.model_folder(context)

    def load(_device: str) -> _Loaded:
        from ctranslate2 import Translator
        from tokenizers import Tokenizer

        if not (folder / "tokenizer.json").is_file():
            raise NodeError("The model is not complete.", "", "Remove it and download it again.")
        with models.loading(folder, RuntimeError):
            network = Translator(str(folder), device="cpu", compute_type="int8")
            return _Loaded(network, Tokenizer.from_file(str(folder / "tokenizer.json")))

    told = languages.language_of(text)
    if told == code:
        return text
    lines = [sentences.sentences(line, told) if line.strip() else [] for line in text.splitlines()]
    with pool().lease(folder, "nllb", load, context, device="cpu") as entry:
        known = [name for name in entry.model.words.get_vocab() if "_" in name]
        source, target = _named(told, known, "text"), _named(code, known, "language")
        said = [sentence for line in lines for sentence in line]
        made = []
        for first in range(0, len(said), _AT_ONCE):
            context.progress(first / len(said), " ".join(made)[-300:])
            made += _translated(entry.model, said[first : first + _AT_ONCE], source, target)
    found = iter(made)
    return "\n".join(" ".join(next(found) for _ in line) for line in lines)


def _named(code: str, known: list[str], port: str) -> str:
    name = languages.nllb_of(code, known)
    if not name:
        said = Phrase("This model does not know {language}.", language=languages.name_of(code))
        raise NodeError(said, port, "Choose another back end.")
    return name


def _translated(loaded: _Loaded, said: list[str], source: str, target: str) -> list[str]:
    """Each sentence in the language of `target`; one of more tokens than the model takes in goes through in parts."""
    parts, counts = [], []
    for sentence in said:
        tokens = loaded.words.encode(sentence, add_special_tokens=False).tokens
        cut = [tokens[at : at + _MOST_TOKENS] for at in range(0, len(tokens), _MOST_TOKENS)]
        parts += [[source, *each, _END] for each in cut]
        counts.append(len(cut))
    written = loaded.network.translate_batch(
        parts, target_prefix=[[target]] * len(parts), beam_size=_BEAMS, max_decoding_length=2 * _MOST_TOKENS
    )
    ids = ([loaded.words.token_to_id(token) for token in each.hypotheses[0][1:]] for each in written)
    texts = (loaded.words.decode(each, skip_special_tokens=True).strip() for each in ids)
    return [" ".join(next(texts) for _ in range(count)) for count in counts]
