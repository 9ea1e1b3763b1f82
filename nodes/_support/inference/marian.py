"""Translation by opus-mt (Tiedemann and Thottingal 2020): a Marian network in ONNX for each pair of languages, on the
CPU in 8 bits. Must not know tools.

It was taught sentences: a text goes through sentence by sentence, and keeps its lines. The likeliest token is taken at
each step. Where no pair leads from one language to the other, two lead there by way of English.
"""

from __future__ import annotations

import json
import struct
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.language import languages, sentences
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes._support.models.onnx_sessions import session_in
from nodes.api import NodeError, Phrase, RunContext
from nodes.catalogue import catalogue

FAMILY = languages.PAIRS
_AT_ONCE = 8
_MOST_TOKENS = 256
_MOST_MORE = 32
"""A translation ends at twice as many tokens as its sentence has, and so many more."""
_LIKELY = 0.2
"""A language that a text may be in is tried when this likely, where none leads from the likeliest."""
_BY_WAY_OF = "en"
_SPACE, _END, _PAD, _UNKNOWN = "▁", "</s>", "<pad>", "<unk>"
_UNLIKELY = 10.0
"""By so much less than the rarest piece scores a letter that is in none, as in SentencePiece."""
_SCRIPTS = {"zh": ("cmn_Hans", "cmn")}
"""What pairs with several languages to translate into call those whose code is no word of theirs."""


def translation(text: str, code: str, context: RunContext) -> str:
    """Into the language of the code ("de"), from the one that the text is found to be in.

    Raises NodeError naming `language` when the pairs that lead there are not on this computer.
    """
    told = [found for found, chance in languages.detect(text) if chance >= _LIKELY] or [languages.language_of(text)]
    if told[0] == code:
        return text
    route = _route(models.model_folder(context), told, code)
    for number, (folder, source, target) in enumerate(route):

        def progress(fraction: float, note: str, number: int = number) -> None:
            context.progress((number + fraction) / len(route), note)

        text = _through(folder, text, source, target, context, progress)
    return text


def _route(chosen: Path, told: list[str], code: str) -> list[tuple[Path, str, str]]:
    """The models through which a text goes, each with its two languages; the chosen one where there is a choice."""
    known = [model for model in catalogue().values() if model.family == FAMILY]
    here = {model.languages: chosen.parent / model.id for model in known if (chosen.parent / model.id).is_dir()}
    here |= {model.languages: chosen for model in known if model.id == chosen.name}
    for source in told:
        for pairs in (((source, code),), ((source, _BY_WAY_OF), (_BY_WAY_OF, code))):
            if all(pair in here for pair in pairs):
                return [(here[pair], *pair) for pair in pairs]
    named = {"source": languages.name_of(told[0]), "target": languages.name_of(code)}
    said = Phrase("None of the models of this kind that are here translates from {source} to {target}.", **named)
    titles = [model.title for model in known if model.languages in ((told[0], code), (_BY_WAY_OF, code))]
    fix = Phrase("Download {models}.", models=", ".join(titles)) if titles else "Choose another back end."
    raise NodeError(said, "language", fix)


class _Loaded(NamedTuple):
    encoder: Any
    first: Any
    """Reads the sentence and gives the first token."""
    after: Any
    """Gives the next token, with what was kept of the earlier ones."""
    pieces: Pieces
    numbers: dict[str, int]
    words: dict[int, str]


def _load(folder: Path) -> _Loaded:
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf

    with models.loading(folder, Fail, InvalidGraph, InvalidProtobuf, struct.error):
        numbers = json.loads((folder / "vocab.json").read_text("utf-8"))
        pieces = Pieces.read((folder / "source.spm").read_bytes())
        return _Loaded(
            session_in(folder, "encoder_model*.onnx"),
            session_in(folder, "decoder_model*.onnx"),
            session_in(folder, "decoder_with_past*.onnx"),
            pieces,
            numbers,
            {number: piece for piece, number in numbers.items()},
        )


def _through(
    folder: Path, text: str, source: str, target: str, context: RunContext, progress: Callable[[float, str], None]
) -> str:
    lines = [sentences.sentences(line, source) if line.strip() else [] for line in text.splitlines()]
    said = [sentence for line in lines for sentence in line]
    made: list[str] = []
    with pool().lease(folder, "marian", lambda _device: _load(folder), context, device="cpu") as entry:
        for first in range(0, len(said), _AT_ONCE):
            progress(first / len(said), " ".join(made)[-300:])
            made += _translated(entry.model, said[first : first + _AT_ONCE], target, context)
    found = iter(made)
    return "\n".join(" ".join(next(found) for _ in line) for line in lines)


def _translated(loaded: _Loaded, said: list[str], target: str, context: RunContext) -> list[str]:
    """Each sentence in the language `target`; one of more tokens than the model takes in goes through in parts."""
    into = (f">>{name}<<" for name in (*_SCRIPTS.get(target, ()), *languages.codes_of(target)))
    begin = [loaded.numbers[mark] for mark in into if mark in loaded.numbers][:1]
    parts, counts = [], []
    for sentence in said:
        tokens = [loaded.numbers.get(piece, loaded.numbers[_UNKNOWN]) for piece in loaded.pieces.of(sentence)]
        cut = [tokens[at : at + _MOST_TOKENS] for at in range(0, len(tokens), _MOST_TOKENS)]
        parts += [[*begin, *each, loaded.numbers[_END]] for each in cut]
        counts.append(len(cut))
    written = iter(_written(loaded, parts, context))
    return [" ".join(next(written) for _ in range(count)) for count in counts]


def _written(loaded: _Loaded, parts: list[list[int]], context: RunContext) -> list[str]:
    pad, end = loaded.numbers[_PAD], loaded.numbers[_END]
    lengths = np.array([len(part) for part in parts])
    longest = int(lengths.max())
    ids = np.array([[*part, *[pad] * (longest - len(part))] for part in parts])
    mask = (np.arange(longest) < lengths[:, None]).astype(np.int64)
    state = loaded.encoder.run(None, {"input_ids": ids, "attention_mask": mask})[0]
    given = {"encoder_attention_mask": mask, "input_ids": np.full((len(parts), 1), pad)}
    kept = _run(loaded.first, given | {"encoder_hidden_states": state})
    found: list[np.ndarray] = []
    done = np.zeros(len(parts), bool)
    while not done.all():
        context.check()
        if found:
            kept |= _run(
                loaded.after, {"encoder_attention_mask": mask, "input_ids": found[-1][:, None], **_pasts(kept)}
            )
        scores = kept["logits"][:, -1]
        scores[:, pad] = -np.inf
        done |= len(found) + 1 >= 2 * lengths + _MOST_MORE
        found.append(np.where(done, end, scores.argmax(-1)))
        done |= found[-1] == end
    return [_text(loaded, row) for row in np.array(found).T]


def _run(session: Any, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the network makes of those of the inputs that it takes, by the names of its outputs."""
    wanted = {each.name for each in session.get_inputs()}
    made = session.run(None, {name: value for name, value in given.items() if name in wanted})
    return dict(zip((each.name for each in session.get_outputs()), made, strict=True))


def _pasts(kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.replace("present", "past_key_values", 1): value for name, value in kept.items()}


def _text(loaded: _Loaded, tokens: np.ndarray) -> str:
    pieces = (loaded.words.get(int(token), "") for token in tokens)
    return "".join(piece for piece in pieces if piece not in (_END, _PAD, _UNKNOWN)).replace(_SPACE, " ").strip()


class Pieces(NamedTuple):
    """The pieces of words of a Unigram model of SentencePiece (Kudo 2018), each with the logarithm of its chance."""

    scores: dict[str, float]
    longest: int
    unknown: float

    @classmethod
    def read(cls, data: bytes) -> Pieces:
        """Of the bytes of a file `.spm`, a protocol buffer. Raises ValueError, struct.error for others."""
        scores: dict[str, float] = {}
        for number, value in _fields(data):
            if number == 1 and isinstance(value, bytes):
                fields = dict(_fields(value))
                piece, score = fields.get(1, b""), fields.get(2, b"\0\0\0\0")
                if fields.get(3, 1) == 1 and isinstance(piece, bytes) and isinstance(score, bytes):
                    scores[piece.decode("utf-8")] = struct.unpack("<f", score)[0]
        if not scores:
            raise ValueError("it holds no pieces of words")
        return cls(scores, max(map(len, scores)), min(scores.values()) - _UNLIKELY)

    def of(self, text: str) -> list[str]:
        """The likeliest pieces that make up the text, spaces tidied; letters that are in none stand together."""
        text = _SPACE + _SPACE.join(unicodedata.normalize("NFKC", text).split())
        best, begins = [0.0] + [-np.inf] * len(text), [0] * (len(text) + 1)
        for start in range(len(text)):
            for stop in range(start + 1, min(start + self.longest, len(text)) + 1):
                score = self.scores.get(text[start:stop], self.unknown if stop == start + 1 else None)
                if score is not None and best[start] + score > best[stop]:
                    best[stop], begins[stop] = best[start] + score, start
        found: list[str] = []
        stop = len(text)
        while stop:
            piece, stop = text[begins[stop] : stop], begins[stop]
            if found and piece not in self.scores and found[-1] not in self.scores:
                found[-1] = piece + found[-1]
            else:
                found.append(piece)
        return found[::-1]


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a protocol buffer: number and value; of fixed width and nested ones their bytes."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        size, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, -1), at)
        if size < 0 or at + size > len(data):
            raise ValueError("it is no protocol buffer")
        yield tag >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("it is no protocol buffer")
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
