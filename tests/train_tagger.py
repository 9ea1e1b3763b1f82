"""Composes requests out of single wishes and trains on them the tagger of the planner (tests/train_planner.py).

Every word of a composed request has the tool of its wish as its tag, every first word of a wish is a boundary.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.language.sentence_encoder import FEATURES, SentenceEncoder, units_of
from desktop_app.plan.language.tagger import HEADS, REACH, TYPES, told
from desktop_app.plan.tools.tool_graph import REGIONS, fits
from desktop_app.plan.types import ToolSpec

DATA = Path(__file__).parent / "data" / "planning"
STEPS, BATCH, RATE = 3000, 32, 2e-3
_WIDTH, _LAYERS, _DROPPED, _LONGEST = 192, 2, 0.15, 400
_LANGUAGES = {"en": 0.62, "de": 0.1, "fr": 0.1, "es": 0.09, "zh": 0.09}
_LENGTHS = {1: 0.3, 2: 0.34, 3: 0.22, 4: 0.1, 5: 0.04}
_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_NAME = re.compile(r"\.\w{2,5}$")
_INLINE = ("number", "flag")


@dataclass(frozen=True)
class Composed:
    """A request with the tag of each of its units, and whether a wish begins there."""

    units: tuple[str, ...]
    tags: tuple[int, ...]
    begins: tuple[bool, ...]
    types: frozenset[str]


class Composer:
    """Makes requests without end; the same seed gives the same ones."""

    def __init__(self, tools: Mapping[str, ToolSpec], seed: int = 0) -> None:
        self.tools = tools
        self.ids = sorted(tools)
        self._chance = random.Random(seed)
        self._said = tomllib.loads((DATA / "templates.toml").read_text("utf-8"))
        asides = [line.strip() for line in (DATA / "asides.txt").read_text("utf-8").splitlines() if line.strip()]
        self._asides = {"en": [line for line in asides if line.isascii()], **self._said["asides"]}
        outside = [line.strip() for line in (DATA / "outside.txt").read_text("utf-8").splitlines() if line.strip()]
        self._outside = [("zh" if re.search(r"[\u3400-\u9fff]", line) else "en", line) for line in outside]
        self._wishes: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._short: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._read()
        needs = {id: {p.type for p in tool.inputs if p.required} for id, tool in tools.items()}
        things = {id: needs[id] - {"text", *_INLINE} or needs[id] for id in tools}
        self._after = {
            id: [b for b in tools if any(fits(p.type, t) for p in a.outputs for t in needs[b] if t not in _INLINE)]
            for id, a in tools.items()
        }
        self._beside = {id: [b for b in tools if b != id and things[id] & needs[b]] for id in tools}

    def _read(self) -> None:
        for path in sorted(DATA.glob("wishes*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line) if line.strip() else {}
                if row.get("tool") in self.tools:
                    self._wishes[row["language"]][row["tool"]].append(row["text"])
        for id, tool in self.tools.items():
            self._short["en"][id] += [text.lower() for text in (tool.title, *tool.words)]
            for text in tool.examples:
                self._wishes["en" if text.isascii() else "zh"][id].append(text)
        for line in (DATA / "short.tsv").read_text("utf-8").splitlines():
            id, language, texts = line.split("\t")
            self._short[language][id] += texts.split(" | ")

    def compose(self) -> Composed:
        """One request, in one language."""
        while True:
            text, wishes, types = self._text()
            if len(text) <= _LONGEST:
                places = units_of(text)
                of = [max(n for n, (start, _) in enumerate(wishes) if start <= a or n == 0) for a, _ in places]
                begins = tuple(n == 0 or of[n] != of[n - 1] for n in range(len(of)))
                tags = tuple(wishes[n][1] for n in of)
                return Composed(tuple(text[a:b] for a, b in places), tags, begins, frozenset(types))

    def _text(self) -> tuple[str, list[tuple[int, int]], set[str]]:
        chance = self._chance
        language = chance.choices([*_LANGUAGES], [*_LANGUAGES.values()])[0]
        if chance.random() < 0.06:
            language, said = chance.choice(self._outside)
            wishes = [(len(self.ids) + 1, said)]
            more = self._wish(language, True) if chance.random() < 0.35 else None
            if more:
                wishes.insert(chance.randrange(2), (self.ids.index(more[0]), more[1]))
        else:
            wishes = self._chain(language, chance.choices([*_LENGTHS], [*_LENGTHS.values()])[0])
        types = self._types(wishes) if chance.random() < 0.75 else set()
        if chance.random() < 0.28:
            place = chance.choice([0, len(wishes), chance.randrange(len(wishes) + 1)])
            wishes.insert(place, (len(self.ids), chance.choice(self._asides[language])))
        text, starts = self._joined(wishes, language)
        if chance.random() < 0.3:
            text = text.lower()
        if chance.random() < 0.06 and len(text) > 8:  # a typo
            at = chance.randrange(len(text) - 2)
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        return text, starts, types

    def _chain(self, language: str, count: int) -> list[tuple[int, str]]:
        """Wishes that follow from each other, or are for the same thing, or neither."""
        chance, wishes = self._chance, list[tuple[int, str]]()
        id: str | None = None
        while len(wishes) < count:
            wish = self._wish(language, not wishes, id)
            if wish is None:
                id = None
                continue
            id, text = wish
            if chance.random() < 0.1:
                words = chance.choice(self._said["modifiers"][language]).format(name="Tom's")
                text = f"{text}, {words}" if chance.random() < 0.6 else f"{text} {words}"
            if chance.random() < 0.05:
                text = f"{text}, {chance.choice(self._said['pointing'][language])}"
            wishes.append((self.ids.index(id), text))
            which = chance.random()
            following = self._after[id] if which < 0.55 else self._beside[id] if which < 0.9 else []
            id = chance.choice(following) if following else None
            if id and any(self.ids[place] == id for place, _ in wishes) and chance.random() < 0.8:
                id = None
        return wishes

    def _wish(self, language: str, first: bool, id: str | None = None) -> tuple[str, str] | None:
        chance = self._chance
        id = id or chance.choice(self.ids)
        whole, short = self._wishes[language].get(id, []), self._short[language].get(id, [])
        if short and (not whole or chance.random() < (0.35 if first else 0.5)):
            return id, chance.choice(short)
        if not whole:
            return None
        text = chance.choice(whole)
        if not first and chance.random() < 0.6:  # shorter ones go on
            text = min((text, chance.choice(whole)), key=len)
        types = {port.name: port.type for port in self.tools[id].inputs}

        def said(match: re.Match[str]) -> str:
            words, port = match.groups()
            type = types.get(port, "")
            if _NAME.search(words) or type in ("image", "audio", "video", "table", "file"):
                if not first and chance.random() < 0.75:
                    return str(chance.choice(self._said["again"][language]))
                if chance.random() < 0.6:
                    return str(chance.choice(self._said["called"].get(type, self._said["called"]["file"])[language]))
            return words

        return id, _SPAN.sub(said, text)

    def _types(self, wishes: Sequence[tuple[int, str]]) -> set[str]:
        """The kinds of files that may be there."""
        chance, types = self._chance, set[str]()
        for number, (place, _) in enumerate(wishes):
            if place < len(self.ids) and (number == 0 or chance.random() < 0.3):
                types |= {p.type for p in self.tools[self.ids[place]].inputs if p.required and p.type in TYPES}
        if "text" in types and chance.random() < 0.4:
            types = (types - {"text"}) | ({"file"} if chance.random() < 0.5 else set())
        if types & REGIONS:
            types = (types - {"mask", "boxes"}) | {"image"}
        return types | {chance.choice(TYPES)} if chance.random() < 0.1 else types

    def _joined(self, wishes: Sequence[tuple[int, str]], language: str) -> tuple[str, list[tuple[int, int]]]:
        chance, text = self._chance, ""
        starts: list[tuple[int, int]] = []
        listed = chance.random() < 0.25
        for number, (tag, said) in enumerate(wishes):
            said = said.strip()
            start = 0
            if number:
                between = chance.choice(self._said["joiners"][language])
                if listed and number < len(wishes) - 1:
                    between = "，" if language == "zh" else ", "
                if language == "zh" or chance.random() < 0.9:
                    text = text.rstrip("。！？，. " if language == "zh" else ".!, ")
                if text.endswith("?"):
                    between = "" if language == "zh" else " "
                ends = len(between) - len(between.lstrip(" ,.;:-+&。，；\n"))
                text += between[:ends]
                start = len(text)
                text += between[ends:]
                if not between.startswith((".", "。", "\n")):
                    said = said[:1].lower() + said[1:]
            starts.append((start, tag))
            text += said
        return text, starts


class Tags(nn.Module):
    """As desktop_app.plan.language.tagger computes it without torch; its weights have the same names."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        wide = _WIDTH
        self.inp, self.ty = nn.Linear(FEATURES, wide), nn.Linear(len(TYPES) + 1, wide)
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    "ln1": nn.LayerNorm(wide), "qkv": nn.Linear(wide, 3 * wide), "o": nn.Linear(wide, wide),
                    "cv": nn.Linear(3 * wide, wide), "ln2": nn.LayerNorm(wide),
                    "f1": nn.Linear(wide, 2 * wide), "f2": nn.Linear(2 * wide, wide),
                }
            )
            for _ in range(_LAYERS)
        )  # fmt: skip
        self.ln, self.tool, self.cut = nn.LayerNorm(wide), nn.Linear(wide, tags), nn.Linear(wide, 1)
        self.bias = nn.Parameter(torch.zeros(_LAYERS, HEADS, 2 * REACH + 1))
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, x: torch.Tensor, types: torch.Tensor, there: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of tags (texts, words, tags) and of boundaries (texts, words); `there` marks what is no padding."""
        texts, words, _ = x.shape
        x = self.drop(torch.relu(self.inp(self.drop(x)))) + self.ty(types)[:, None]
        places = torch.arange(words)
        apart = (places[None] - places[:, None]).clamp(-REACH, REACH) + REACH
        away = (~there)[:, None, None] * -1e9
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, nn.ModuleDict)
            even = layer["ln1"](x)
            query, key, value = (
                part.view(texts, words, HEADS, -1).transpose(1, 2) for part in layer["qkv"](even).chunk(3, -1)
            )
            likeness = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + self.bias[number][:, apart] + away
            seen = (likeness.softmax(-1) @ value).transpose(1, 2).reshape(texts, words, -1)
            edge = torch.zeros_like(even[:, :1])
            beside = torch.cat([torch.cat([edge, even[:, :-1]], 1), even, torch.cat([even[:, 1:], edge], 1)], -1)
            x = x + self.drop(layer["o"](seen)) + self.drop(layer["cv"](beside))
            x = x + self.drop(layer["f2"](torch.relu(layer["f1"](layer["ln2"](x)))))
        x = self.ln(x)
        return self.tool(x), self.cut(x)[..., 0]


def trained(
    tools: Mapping[str, ToolSpec], encoder: SentenceEncoder, steps: int = STEPS
) -> dict[str, NDArray[np.float16]]:
    """The tagger's weights by name. Takes a quarter of an hour on one core."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    composer = Composer(tools)
    model = Tags(len(tools) + 2)
    optimiser = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps, pct_start=0.1)
    total = 0.0
    for step in range(1, steps + 1):
        loss = _loss(model, [composer.compose() for _ in range(BATCH)], encoder)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        pace.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"{step} of {steps} steps, loss {total / 100:.3f}", flush=True)
            total = 0.0
    return {name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}


def _loss(model: Tags, some: Collection[Composed], encoder: SentenceEncoder) -> torch.Tensor:
    features = encoder.features([one.units for one in some])
    words = max(len(one.units) for one in some)
    x = np.zeros((len(some), words, FEATURES), np.float32)
    wanted, begins = np.full((len(some), words), -100), np.zeros((len(some), words), np.float32)
    there = np.zeros((len(some), words), np.bool_)
    for row, (one, found) in enumerate(zip(some, features, strict=True)):
        count = len(one.units)
        x[row, :count], wanted[row, :count], begins[row, :count], there[row, :count] = found, one.tags, one.begins, True
    types = torch.from_numpy(np.stack([told(one.types) for one in some]))
    mask = torch.from_numpy(there)
    tags, cuts = model(torch.from_numpy(x), types, mask)
    own = nn.functional.cross_entropy(tags.flatten(0, 1), torch.from_numpy(wanted).flatten(), ignore_index=-100)
    edge = nn.functional.binary_cross_entropy_with_logits(
        cuts, torch.from_numpy(begins), reduction="none", pos_weight=torch.tensor(2.0)
    )
    return own + 0.7 * (edge * mask).sum() / mask.sum()
