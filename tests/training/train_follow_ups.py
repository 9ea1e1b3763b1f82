"""`python -m tests.training.train_follow_ups`: learns of what kind a follow-up is; writes follow_ups.npz.

Out of the turns of follow_ups.jsonl.xz (tests/data/planning) that are not held back, those of follow_up_kinds.tsv.xz
(the file, the tools that were used one after the other, the kind, what is said), and wishes of wishes.columns.xz, said
after the plans of those turns. Prints how often the kind is right in five folds. The same data give the same weights.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.sentence_encoder import WIDTH, sentence_encoder
from desktop_app.plan.modes.edits import Present
from desktop_app.plan.modes.follow_up import FollowUpReader
from desktop_app.plan.modes.follow_up_kind import KINDS, kind_of, sentence_vector
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_graph import fits, main_inputs
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Step, ToolSpec
from desktop_app.storage.resources import type_of_name
from nodes import load_tools
from tests.benchmarks.follow_ups import DATA, WISHES, is_held_back, present
from tests.training.composed import lines, wishes

_MARK = re.compile(r"\[([^\[\]|]+)\|[^\[\]|]+\]")
_WISHES, _LONGEST, _OWN = 400, 90, 2.5
_STEPS, _RATE = 800, 0.5
_SENTENCE_DECAY, _DECAY = 5e-3, 2e-3

Floats = NDArray[np.float64]


def main() -> None:
    """Learns, says how well, and writes."""
    planner = OfflinePlanner(from_tools(load_tools().tools))
    rows = [json.loads(line) for line in lzma.decompress(DATA.read_bytes()).decode().splitlines()]
    rows = [row for row in rows if not is_held_back(row)]
    kinds = [row["gold"]["change"]["kind"] for row in rows]
    turns = [(row["request"], present(row, planner.graph.tools)) for row in rows]
    short = [line.split("\t") for line in lines("follow_up_kinds.tsv.xz")]
    kinds += [kind for _, _, kind, _ in short]
    turns += [(text, _after(file, used.split(), planner.graph.tools)) for file, used, _, text in short]
    labels = [KINDS.index("wish" if kind in WISHES else kind) for kind in kinds]
    chance = random.Random(0)
    wishes = [(text, chance.choice(turns)[1]) for text in _some_wishes(chance)]
    names, inputs = _inputs(planner.follow_ups, [*turns, *wishes])
    wanted = np.array(labels + [KINDS.index("wish")] * len(wishes))
    counts = np.where(np.arange(len(wanted)) < len(turns), _OWN, 1.0)
    totals = np.array([counts[wanted == at].sum() for at in range(len(KINDS))])
    counts = counts * np.sqrt(totals.max() / totals[wanted])
    folds = np.arange(len(wanted)) % 5
    found = np.zeros(len(wanted), int)
    for fold in range(5):
        weights = learned(inputs[folds != fold], wanted[folds != fold], counts[folds != fold])
        found[folds == fold] = (inputs[folds == fold] @ weights.T).argmax(axis=1)
    own = np.arange(len(wanted)) < len(turns)
    print(json.dumps({"kind right": round(100 * float((found == wanted)[own].mean()), 1), "rows": len(turns)}))
    for at, kind in enumerate(KINDS):
        taken = {KINDS[k]: int(((found == k) & (wanted == at) & own).sum()) for k in range(len(KINDS))}
        print(json.dumps({kind: taken}))
    weights = learned(inputs, wanted, counts)
    np.savez_compressed(
        RESOURCES / "planner" / "follow_ups.npz", weights=weights.astype(np.float16), names=np.array(names)
    )


def _after(file: str, used: Sequence[str], tools: Mapping[str, ToolSpec]) -> Present:
    """What is there after these tools were used on the file, each on what those before it made where that fits."""
    given = Given(file, str(type_of_name(file)))
    steps: list[Step] = []
    for number, tool in enumerate(used):
        arguments: dict[str, object] = {}
        for port in main_inputs(tools[tool]):
            made = [
                FromNode(step.id, out.name)
                for step in reversed(steps) for out in tools[step.tool].outputs if fits(out.type, port.type)
            ]  # fmt: skip
            if made or fits(given.type, port.type):
                arguments[port.name] = made[0] if made else FromResource(file)
        steps.append(Step(f"{tool} {number}", tool, arguments))
    return Present(tuple(steps), (given,))


def _some_wishes(chance: random.Random) -> list[str]:
    """Short wishes for single tools, without their marks."""
    texts = [_MARK.sub(r"\1", row["text"]) for row in wishes(2, 3, 4)]
    return chance.sample([text for text in texts if len(text) <= _LONGEST], _WISHES)


def _inputs(reader: FollowUpReader, turns: list[tuple[str, Present]]) -> tuple[list[str], Floats]:
    """The names of the evidence, and (turns, WIDTH + evidence + 1)."""
    found: list[dict[str, float]] = []
    vectors = []
    if not sentence_encoder().is_ready():
        raise SystemExit("The sentence encoder is off or missing (GRAPHWRIGHT_JUDGE=0?).")
    for text, shown in turns:
        tagged, edit = reader.kinds.reading(text, shown), reader.by_rules(text, shown)
        found.append(reader.kinds.evidence(text, shown, tagged, reader.named(text, shown), kind_of(edit)))
        vectors.append(sentence_vector(text))
    names = list(found[0])
    evidence = np.array([[one[name] for name in names] for one in found])
    return names, np.hstack([np.array(vectors), evidence, np.ones((len(found), 1))])


def learned(inputs: Floats, wanted: NDArray[np.int64], counts: Floats) -> Floats:
    """(kinds, inputs): logistic regression by gradient descent with momentum."""
    targets = np.eye(len(KINDS))[wanted]
    decay = np.full(inputs.shape[1], _DECAY)
    decay[:WIDTH] = _SENTENCE_DECAY
    decay[-1] = 0
    scale = np.ones(inputs.shape[1])
    scale[:WIDTH] = 4.0  # the sentence vectors have length 1 in so many dimensions
    seen = inputs * scale
    weights, speed = np.zeros((len(KINDS), inputs.shape[1])), 0.0
    for _ in range(_STEPS):
        scores = seen @ weights.T
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slope = ((shares - targets) * counts[:, None]).T @ seen / counts.sum() + decay * weights
        speed = 0.9 * speed - 0.1 * _RATE * slope
        weights = weights + speed
    return weights * scale


if __name__ == "__main__":
    main()
