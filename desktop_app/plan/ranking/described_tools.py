"""What each word of a request asks for among tools that are known by their texts alone: any tool set, never seen.

Two small towers on top of the tagger, one for the words of a request and one for the words of the tools' titles and
descriptions. `python -m tests.training.train_described` makes the weights; resources/planner/README.md says out of
what.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import TYPES, rows_of, tagger, unpacked
from desktop_app.plan.language.tokenizer import is_ideographic, stem
from desktop_app.plan.language.word_pieces import units_of
from desktop_app.plan.types import ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FILE = "described.npz"

LONGEST = 70
"""So many words of a description are read."""

KINDS = ("image", "audio", "video", "text", "table", "url", "mask", "boxes", "file", "document", "number")
"""Kinds of things of which it is told whether a tool takes and makes them."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNKNOWN = 0.5

_PART, _SENTENCE, _WHOLE = (3.0, 3.0, 2.0, 2.0), 2.0, 2.0
"""What a likeness (cosine) by the sentence encoder counts at each word, in units of log probability: that of the part
of a sentence around it with the whole text of a tool, its description, its title and its results; that of the sentence
and of the whole request with the whole text. What did best on eighteen tool sets, each read by weights that were
trained without it."""

_PAUSE = re.compile(r"[.,;:!?，。；！？、：…)]['\"”’»]*$")
_STOP = re.compile(r"[.;!?。；！？…]['\"”’»]*$")
_SIGNS = " .,;:!?，。；！？、：…'\"()"


@cache
def _weights() -> Mapping[str, NDArray[np.float32]]:
    import numpy as np

    with np.load(RESOURCES / "planner" / _FILE, allow_pickle=False) as held:
        return {
            name.removeprefix("q4."): unpacked(rows_of(held[name]))
            if name.startswith("q4.")
            else held[name].astype(np.float32)
            for name in held.files
        }


class ToolTexts:
    """The texts of some tools as the two towers read them: of each word its state, its own vector and its stem, whether
    it stands in a title, and of which tool it is. `told` are four vectors of each tool: of its whole text, its
    description, its title, and what it returns.
    """

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        import numpy as np

        titles = [_words_in(tool.title) or [tool.id] for tool in tools]
        texts = [_words_in(tool.description)[:LONGEST] or title for tool, title in zip(tools, titles, strict=True)]
        takes = [{port.type for port in tool.inputs} & {*TYPES} for tool in tools]
        pairs = [
            (tagger().states(title, types)[0], tagger().states(text, types)[0])
            for title, text, types in zip(titles, texts, takes, strict=True)
        ]
        words = [word for title, text in zip(titles, texts, strict=True) for word in (*title, *text)]
        self.states = np.concatenate([state for pair in pairs for state in pair])
        self.vectors = vectors_of(words)
        self.stems = stems_of(words)
        self.in_title = np.array([flag for pair in pairs for flag in [True] * len(pair[0]) + [False] * len(pair[1])])
        self.of = np.array([n for n, pair in enumerate(pairs) for _ in range(len(pair[0]) + len(pair[1]))])
        encode = sentence_encoder().encode
        self.whole = encode([f"{tool.title.replace('_', ' ')}. {tool.description}" for tool in tools])
        self.told = np.stack([
            self.whole,
            encode([tool.description or tool.title for tool in tools]),
            encode([_plain(tool.title) for tool in tools]),
            encode([", ".join(f"{_plain(p.name)} {p.type}" for p in tool.outputs) or "-" for tool in tools]),
        ])  # fmt: skip
        title, text = (np.stack([pair[side].mean(axis=0) for pair in pairs]) for side in (0, 1))
        kinds = np.array([kinds_of(tool) for tool in tools], np.float32)
        self.means = np.hstack([title, text, self.whole, kinds])
        holders = Counter(word for word, _ in {*zip(self.stems, self.of.tolist(), strict=True)})
        most = math.log(len(tools) + 1)
        self.rarity = {word: math.log((len(tools) + 1) / (count + 0.5)) / most for word, count in holders.items()}

    def of_some(self, places: Sequence[int]) -> ToolTexts:
        """Those of some of the tools, in order; words are as rare as among all."""
        import numpy as np

        found = copy(self)
        kept = np.flatnonzero(np.isin(self.of, places))
        found.of = np.searchsorted(places, self.of[kept])
        found.states, found.vectors, found.in_title = self.states[kept], self.vectors[kept], self.in_title[kept]
        found.stems = [self.stems[n] for n in kept]
        found.whole, found.told, found.means = self.whole[places], self.told[:, places], self.means[places]
        return found


def kinds_of(tool: ToolSpec) -> list[float]:
    """A flag for each of KINDS that the tool takes, then for each that it makes."""
    sides = ([port.type for port in tool.inputs], [port.type for port in tool.outputs])
    return [float(any(kind in type for type in types)) for types in sides for kind in KINDS]


def _plain(text: str) -> str:
    return _CAMEL.sub(" ", text.replace("_", " ").replace("-", " "))


def _words_in(text: str) -> list[str]:
    plain = _plain(text)
    return [plain[a:b] for a, b in units_of(plain, tagger().pieces)]


def stems_of(words: Sequence[str]) -> list[str]:
    """Of each word; "?" for what is none."""
    return [stem(re.sub(r"[^\w]+", "", word).lower()) or "?" for word in words]


def vectors_of(words: Sequence[str]) -> NDArray[np.float32]:
    """(words, WIDTH): each of length one, whatever stands around it."""
    import numpy as np

    found = np.stack([tagger().meaning(word) for word in words])
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6)


def shared_words(stems: Sequence[str], texts: ToolTexts, count: int) -> NDArray[np.float32]:
    """(words, tools, 2): how rare (0..1) a word is that also stands in the tool's title, or in its description."""
    import numpy as np

    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for word, in_title, tool in zip(texts.stems, texts.in_title.tolist(), texts.of.tolist(), strict=True):
        places[word].add((tool, 1 - in_title))
    found = np.zeros((len(stems), count, 2), np.float32)
    for number, word in enumerate(stems):
        if len(word) > 2 or not word.isascii():
            for tool, side in places.get(word, ()):
                found[number, tool, side] = texts.rarity.get(word, _UNKNOWN)
    return found


class DescribedTools:
    """For one set of tools. Reads their texts when first asked, some 30 ms a tool."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tools
        self._read: tuple[ToolTexts, NDArray[np.float32], NDArray[np.float32]] | None = None

    def tags(self, words: Sequence[str], states: NDArray[np.float32]) -> NDArray[np.float32]:
        """(words, tools + 2): logarithms of the probabilities of each tool, of "asks for nothing" and of "what no tool
        does". `states` are what the tagger finds at the words.
        """
        import numpy as np

        texts, keys, sides = self._texts()
        own = tagger().tags(states)[0][:, -2:]
        vectors = vectors_of(words)
        alike = _linear("p", states)
        alike = (alike / np.maximum(np.linalg.norm(alike, axis=1, keepdims=True), 1e-6)) @ sides.T
        near = vectors @ texts.vectors.T
        count = len(self._tools)
        overlap = shared_words(stems_of(words), texts, count)
        late = _by_tool(alike, texts.of, count)
        facts = np.stack(
            [
                _by_tool(np.where(texts.in_title, alike, -1), texts.of, count),
                _by_tool(np.where(texts.in_title, near, -1), texts.of, count),
                _by_tool(np.where(texts.in_title, -1, near), texts.of, count),
                overlap[..., 0],
                overlap[..., 1],
                late,
            ],
            axis=-1,
        )
        w = _weights()
        worth = w["a"] * (_linear("q", states) @ keys.T) / math.sqrt(keys.shape[1])
        worth += w["b"] * late + _linear("f", facts)[..., 0]
        logits = _logs(np.hstack([worth, _linear("none", np.hstack([states, own]))]))
        own = logits[:, :count]
        asked = np.logaddexp.reduce(own, axis=1, keepdims=True)  # which tool is asked for is told here, not whether
        logits[:, :count] = asked + _logs(own + self._likenesses(words, states))
        return np.asarray(logits, np.float32)

    def _likenesses(self, words: Sequence[str], states: NDArray[np.float32]) -> NDArray[np.float32]:
        """(words, tools): how like what stands around each word is to what each tool says of itself."""
        import numpy as np

        odds = tagger().tags(states)[1]
        joints = tables().joints["further"]
        ends = [bool(_PAUSE.search(word)) for word in words]
        begins = [
            n > 0 and (ends[n - 1] or word.lower().strip(_SIGNS) in joints or odds[n] > 0)
            for n, word in enumerate(words)
        ]
        stops = [n > 0 and bool(_STOP.search(words[n - 1])) for n in range(len(words))]
        parts, sentences = np.cumsum(begins), np.cumsum(stops)
        texts = [*_stretches(words, parts), *_stretches(words, sentences), _joined(words)]
        vectors = sentence_encoder().encode(texts)
        told, count = self._texts()[0].told, int(parts[-1]) + 1
        part = np.tensordot(np.array(_PART), vectors[:count] @ told.transpose(0, 2, 1), 1)
        sentence, whole = _SENTENCE * (vectors[count:-1] @ told[0].T), _WHOLE * (told[0] @ vectors[-1])
        return np.asarray(part[parts] + sentence[sentences] + whole, np.float32)

    def likeness(self, text: str) -> NDArray[np.float32]:
        """(tools,): how like (cosine) a text is to what each tool says of itself, by the sentence encoder."""
        import numpy as np

        return np.asarray(self._texts()[0].whole @ sentence_encoder().encode([text])[0], np.float32)

    def _texts(self) -> tuple[ToolTexts, NDArray[np.float32], NDArray[np.float32]]:
        import numpy as np

        if self._read is None:
            texts = ToolTexts(self._tools)
            keys = _linear("k.3", np.maximum(_linear("k.0", texts.means), 0))
            sides = _linear("u", texts.states)
            sides /= np.maximum(np.linalg.norm(sides, axis=1, keepdims=True), 1e-6)
            self._read = texts, keys, sides
        return self._read


def _by_tool(values: NDArray[Any], of: NDArray[Any], count: int) -> NDArray[np.float32]:
    """(words, tools): the highest over the words of each tool's texts."""
    import numpy as np

    starts = np.searchsorted(of, np.arange(count))
    return np.asarray(np.maximum.reduceat(values, starts, axis=1), np.float32)


def _stretches(words: Sequence[str], numbers: NDArray[Any]) -> list[str]:
    """The words of each number, as one text."""
    return [_joined([w for w, n in zip(words, numbers, strict=True) if n == at]) for at in range(int(numbers[-1]) + 1)]


def _joined(words: Sequence[str]) -> str:
    text = " ".join(words)
    if is_ideographic(text):
        text = "".join(f"{word} " if word.isascii() else word for word in words)
    return text.strip(_SIGNS) or "-"


def _logs(values: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return np.asarray(values - np.logaddexp.reduce(values, axis=1, keepdims=True))


def _linear(name: str, x: NDArray[Any]) -> NDArray[np.float32]:
    weight = _weights()[name + ".weight"][:, : x.shape[-1]]  # stored in whole blocks
    return x @ weight.T + _weights()[name + ".bias"]
