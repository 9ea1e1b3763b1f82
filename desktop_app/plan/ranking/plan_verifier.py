"""How probable it is that a plan is what was asked for: small networks read the request word by word beside it, and
boosted trees weigh what they say of the plans for one request.

A verifier in the sense of Cobbe et al. 2021 (arXiv 2110.14168): plans of several readings are made, and it says which
one serves. For each word it knows what the tagger found there, whether the plan's tools, values and files have to do
with it; of the whole plan what `plan_judge.evidence` holds, its shape, and what it was read out of. Trained by
`python -m tests.training.train_verifier`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.boosted_trees import TREES, BoostedTrees
from desktop_app.core.paths import RESOURCES
from desktop_app.core.values import several
from desktop_app.plan.arguments.value_marks import SIGNS
from desktop_app.plan.language.tagger import REST, tagger
from desktop_app.plan.ranking.joint_selection import Reading, Seen
from desktop_app.plan.ranking.missing_input import habit
from desktop_app.plan.ranking.plan_judge import MEANT
from desktop_app.plan.tools.rewiring import files, is_source, items, taken, taken_out
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, REGIONS, main_inputs
from desktop_app.plan.types import FromNode, Request, Solution, ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS = (
    "by meaning", "another tool", "more wishes", "fewer wishes", "other wishes", "another part", "a part",
    "the whole", "taken", "not taken", "taken instead", "a file more", "a file less", "another file", "one file",
    "asked: file", "asked: text", "asked: point", "asked: nothing", "asked: way", "not here",
)  # fmt: skip
"""What a plan is read out of: by the networks as they are, or as ranking/other_readings.py names it."""

WORD_FACTS = 13
SMALL = "i8."
"""Before the name of a matrix that is kept in whole numbers of -127 to 127, with the scale of each row beside it."""
_FILE = "verifier.npz"
_FAR = 4.0
"""Facts of a plan count in standard deviations, at most so many."""
_FAINT, _LEAST = 0.01, 1e-4
_NONE = -9.0
"""For what the networks say of the likeliest other plan, where there is none."""


def word_facts(solution: Solution, reading: Reading, request: Request) -> NDArray[np.float32]:
    """(words, WORD_FACTS): of each word of the request, what the plan has to do with it."""
    import numpy as np

    seen = reading.seen
    assert seen is not None
    steps = solution.steps
    tools = Counter(step.tool for step in steps)
    places = [reading.places[tool] for tool in tools if tool in reading.places]
    shares, idle = reading.shares[:, :-1], reading.shares[:, -1]
    own = shares[:, places].sum(axis=1)
    rest = shares.copy()
    rest[:, places] = 0
    values = [str(item).casefold() for step in steps for item in items(step) if not is_source(item)]
    marks, columns = seen.marks.chances, seen.marks.columns
    filled = {columns[port] for step in steps for port in step.arguments if port in columns}
    used = {item.name.casefold() for step in steps for item in files(step)}
    left = {given.name.casefold() for given in request.resources if not given.earlier} - used
    texts, facts = seen.once("word facts", lambda: _facts_of_words(seen))
    facts = facts.copy()
    facts[:, 0] = np.log(np.clip(own + idle, _FAINT, 1))
    facts[:, 1], facts[:, 2], facts[:, 3] = idle, own, rest.max(axis=1, initial=0)
    facts[:, 4], facts[:, 5] = 1 - marks[:, 0], marks[:, sorted(filled)].sum(axis=1)
    for column, among in ((9, values), (10, used), (11, left)):
        if among:
            facts[:, column] = [bool(text) and any(text in one for one in among) for text in texts]
    for clause, (first, end) in zip(reading.clauses, reading.stretches, strict=True):
        name, share = clause.finder
        facts[first:end, 12] = share * (1.0 if name.removesuffix(REST) in tools else -1.0)
    return facts


def _facts_of_words(seen: Seen) -> tuple[list[str], NDArray[np.float32]]:
    """The words in small letters without signs, and of `word_facts` those that are the same for every plan."""
    import numpy as np

    texts = [word.text.casefold().strip(SIGNS) for word in seen.words]
    facts = np.zeros((len(texts), WORD_FACTS), np.float32)
    facts[:, 6] = 1 / (1 + np.exp(-np.clip(seen.odds, -20, 20)))
    facts[:, 7] = [any(char.isdigit() for char in text) for text in texts]
    facts[:, 8] = [not text for text in texts]
    return texts, facts


def worked_on(solution: Solution, tools: Mapping[str, ToolSpec], asked: Collection[str]) -> Solution:
    """Without the steps that only open a document, which nobody `asked` for: what takes its text takes the document. So
    it is with a text or a table, of which the verifier has seen most.
    """
    opened = {
        step.id: own[0]
        for step in solution.steps
        if step.tool not in asked and _opens(tools[step.tool])
        and len(own := files(step)) == 1
    }  # fmt: skip

    steps = taken_out(solution, opened).steps if opened else ()
    return replace(solution, steps=steps) if steps else solution


def _opens(tool: ToolSpec) -> bool:
    taken = [port.type for port in main_inputs(tool)]
    return len(taken) == 1 and taken[0] in DOCUMENTS and tool.outputs[0].type in ("text", "table")


def plan_facts(
    solution: Solution, request: Request, tools: Mapping[str, ToolSpec], kind: str, odds: float
) -> tuple[float, ...]:
    """The plan's shape beside the files that are there, and what it was read out of."""
    fresh = [given.type for given in request.resources if not given.earlier]
    asked = [(question.kind, bool(question.choices)) for question in solution.questions]
    used = {item.name for step in solution.steps for item in files(step)}
    alike = max(Counter(fresh).values(), default=0)
    often = max(Counter(step.tool for step in solution.steps).values(), default=0)
    fed = taken(solution.steps)
    return (
        len(fresh) / 3, len(used) / 3, alike / 3, often / 3, len(solution.steps) / 3,
        (len(solution.steps) - len(fed)) / 2, float(len(solution.questions)), float(often > 1),
        float(len(used) < len(fresh)), float(len(fresh) > 1), float(alike > 1 and often > 1),
        float(alike > 1 and often <= 1), float(("file", True) in asked), float(("file", False) in asked),
        float(any(kind == "text" for kind, _ in asked)), *_joints(solution, tools, fed), odds,
        *(float(kind == one) for one in KINDS),
    )  # fmt: skip


def unsaid(solution: Solution, tools: Mapping[str, ToolSpec], reading: Reading) -> tuple[float, float, float]:
    """How often people have to be asked for a setting of the tools here of which they say none and are asked nothing;
    the same of those that they are asked about; and how probable it is that they say not even what to do.
    """
    said, habits = {(tool, port) for tool, port, _ in reading.said}, tagger().habits
    asked = {question.step for question in solution.questions if question.port}
    silent = [tools[step.tool] for step in solution.steps if step.id not in asked]
    about = [tools[step.tool] for step in solution.steps if step.id in asked]
    return habit(silent, said, habits), habit(about, said, habits), reading.asks.get("way", 0.0)


def bridges(solution: Solution, reading: Reading) -> float:
    """Steps that no word asks for and that another step takes: what is said in a film is heard first."""
    fed = taken(solution.steps)
    return float(sum(step.id in fed and reading.support(step.tool) < MEANT for step in solution.steps))


def _joints(solution: Solution, tools: Mapping[str, ToolSpec], fed: Collection[str]) -> tuple[float, ...]:
    """How the steps hang together: what is found and not used, one thing where several are joined, a step that works on
    nothing, inputs that stay open though some are needed, settings that were made, and what several steps work on.
    """
    found = alone = bare = unfed = made = links = 0
    uses = Counter[Any]()
    for step in solution.steps:
        tool = tools[step.tool]
        found += step.id not in fed and any(port.type in REGIONS for port in tool.outputs[:1])
        handed = set[Any]()
        for port in tool.inputs:
            held = several(step.arguments[port.name]) if port.name in step.arguments else ()
            own = [item for item in held if is_source(item)]
            links += sum(isinstance(item, FromNode) for item in own)
            alone += port.many and len(held) == 1
            unfed += port.required and not held
            made += port.type in INLINE and not port.required and any(isinstance(item, FromNode) for item in own)
            handed.update(own)
        uses.update(handed)
        bare += not handed and any(port.type not in INLINE for port in tool.inputs)
        unfed += bool(tool.any_of) and not any(name in step.arguments for name in tool.any_of)
    return found, alone, bare, unfed, made, links / 3, (max(uses.values(), default=1) - 1) / 2


class PlanVerifier:
    """Holds the weights of some networks, and the trees that weigh the plans for one request by them. Immutable after
    construction; any thread.
    """

    def __init__(self, held: Mapping[str, NDArray[Any]]) -> None:
        import numpy as np

        small = {name.removeprefix(SMALL): value for name, value in held.items() if name.startswith(SMALL)}
        self._w = {name: np.asarray(value, np.float32) for name, value in held.items()
                   if not name.startswith((SMALL, TREES))}  # fmt: skip
        self._w |= {name: value * self._w.pop(f"{name}.scale") for name, value in small.items()}
        self._trees = BoostedTrees(held)

    def looked_at(self, seen: Seen) -> NDArray[np.float32]:
        """(networks, words, n): what it sees in the request, whatever the plan."""
        return seen.states @ self._w["states"].swapaxes(1, 2) + self._w["bias"][:, None]

    def probabilities(
        self, looked: NDArray[np.float32], told: Sequence[tuple[NDArray[np.float32], Sequence[float]]]
    ) -> list[float]:
        """0..1 for each plan. `looked` is of the request; of each plan the facts of the words, and of the whole."""
        import numpy as np

        if not told:
            return []
        logits = self.logits(looked, np.stack([words for words, _ in told]), [plan for _, plan in told])
        rows = [
            tree_facts(words, plan, logits[n], logits[:n] + logits[n + 1 :]) for n, (words, plan) in enumerate(told)
        ]
        return self._trees.probabilities(np.stack(rows))

    def logits(
        self, looked: NDArray[np.float32], words: NDArray[np.float32], plans: Sequence[Sequence[float]]
    ) -> list[float]:
        """What the networks say of each plan by itself. `looked` is of the request, `words` (plans, words, WORD_FACTS)
        the facts of its words, `plans` the evidence for each plan and then the facts of the whole.
        """
        import numpy as np

        w = self._w
        x = np.maximum(looked + words[:, None] @ w["facts"].swapaxes(1, 2), 0)  # (plans, networks, words, n)
        shares = x @ w["look"].swapaxes(1, 2) + w["look_bias"][:, None]
        shares = np.exp(shares - shares.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        seen = (shares.swapaxes(2, 3) @ x).reshape(*x.shape[:2], -1)
        whole = np.clip((np.array(plans, np.float32) - w["mean"]) / w["spread"], -_FAR, _FAR)
        told = np.maximum((w["plan"] @ whole[:, None, :, None])[..., 0] + w["plan_bias"], 0)
        both = np.concatenate([seen, x.max(axis=2), told], axis=2)
        inner = np.maximum((w["inner"] @ both[..., None])[..., 0] + w["inner_bias"], 0)
        found = (w["outer"] * inner).sum(axis=2) + w["outer_bias"]
        shares = np.clip((1 / (1 + np.exp(-np.clip(found, -30, 30)))).mean(axis=1), _LEAST, 1 - _LEAST).astype(float)
        return np.log(shares / (1 - shares)).tolist()


def tree_facts(
    words: NDArray[np.floating[Any]], plan: Sequence[float], logit: float, rivals: Sequence[float]
) -> NDArray[np.float32]:
    """One plan as the trees see it: `words` are the facts of the request's words beside it, `plan` those of the plan,
    `logit` what the networks say of it and `rivals` what they say of the other plans.
    """
    import numpy as np

    words = words.astype(np.float32)
    best = max(rivals, default=_NONE)
    pooled = (words.mean(0), words.max(0), words.min(0), np.sort(words, axis=0)[:2].mean(0))
    among = (best, logit - best, sum(one > logit for one in rivals), len(rivals), _log_sum(rivals))
    return np.concatenate([plan, *pooled, (len(words), logit, *among)]).astype(np.float32)


def _log_sum(logits: Sequence[float]) -> float:
    return math.log(sum(map(math.exp, logits)) + 1e-6) if logits else _NONE


@cache
def verifier() -> PlanVerifier:
    """The one of this process; the first call reads its file."""
    import numpy as np

    with np.load(RESOURCES / "planner" / _FILE, allow_pickle=False) as held:
        return PlanVerifier({name: held[name] for name in held.files})
