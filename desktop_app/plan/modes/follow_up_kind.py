"""What kind of thing is said of a graph that is there: a change of it, talk, or a further wish. Learned.

A logistic regression on what the sentence encoder and the tagger find in the message, the ideas of
resources/conversation.toml, and how it fits the steps and files that are there. tests/training/train_follow_ups.py
makes the weights: resources/planner/follow_ups.npz. Says nothing of which step or file is meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.value_tables import read_words, tables
from desktop_app.plan.language import sentence_encoder as encoder
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.modes.conversation import IDEAS, MessageWords, Talk
from desktop_app.plan.modes.edits import (
    Another,
    AskValue,
    BackTo,
    Edit,
    Insert,
    Present,
    Redo,
    Remove,
    Repeat,
    Rephrase,
    SetValues,
    Undo,
    UseFile,
    UseTool,
    UseWay,
)
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.types import Given, Request, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS = ("wish", "value", "remove", "tool", "file", "undo", "talk")
_OF_EDITS: Mapping[type, str] = {
    Talk: "talk", SetValues: "value", AskValue: "value", Rephrase: "value", Insert: "wish", Another: "wish",
    Remove: "remove", UseTool: "tool", UseFile: "file", Repeat: "file", Undo: "undo", Redo: "undo", BackTo: "undo",
    UseWay: "undo",
}  # fmt: skip
_FILE = RESOURCES / "planner" / "follow_ups.npz"
_SPOKEN = (*IDEAS, "up", "down", "slightly", "greatly", "why", "which", "thanks", "able", "step", "ordinals", "forms")
_PARTS = re.compile(r"[^\W\d_]+|\d+")


def kind_of(found: Edit | Talk | None) -> str:
    """Of KINDS; "" for a form or a name to save under, which are said by rule alone."""
    return "wish" if found is None else _OF_EDITS.get(type(found), "")


def spoken_files(text: str, present: Present) -> list[str]:
    """The files of the user that no step takes, of which the text says what sets them apart from those that are
    taken: "page 2" of scan_p2.png after scan_p1.png. Best first.
    """
    used = present.used()
    types = {given.type for given in present.files if given.name in used}
    known = {part for name in used for part in _parts(name)}
    said = _parts(text)
    found: dict[str, int] = {}
    for given in present.files:
        own = [part for part in _parts(given.name.rpartition(".")[0] or given.name) if part not in known]
        hits = sum(any(_alike(part, word) for word in said) for part in own)
        if given.name not in used and given.type in types and hits:
            found[given.name] = hits
    return sorted(found, key=lambda name: -found[name])


def _parts(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [part.lower().lstrip("0") or "0" for part in _PARTS.findall(spaced)]


def _alike(part: str, word: str) -> bool:
    short, long = sorted((part, word), key=len)
    han = not short.isascii()
    return part == word or (len(short) >= 3 and long.startswith(short)) or (han and short in long)


def others_of_kind(present: Present) -> list[str]:
    """The files that no step takes, of the type of one that is taken."""
    used = present.used()
    types = {given.type for given in present.files if given.name in used}
    return [given.name for given in present.files if given.name not in used and given.type in types]


def tools_meant(reading: Reading) -> dict[str, float]:
    """The tools that the clauses may ask for, with how probable that is, 0 to 1."""
    found: dict[str, float] = {}
    for clause in reading.clauses:
        for tool, share in ((clause.tool, clause.probability), *clause.others):
            if tool:
                found[tool] = max(found.get(tool, 0.0), share)
    return found


class KindReader:
    """Over one tool set; immutable. `is_ready` waits for the sentence encoder, which is loaded in the background."""

    def __init__(self, graph: ToolGraph, joint: JointSelector) -> None:
        self._graph, self._joint = graph, joint

    @staticmethod
    def is_ready() -> bool:
        """False where the encoder is off or missing, or nothing was learned."""
        return encoder.ENABLED and _FILE.is_file() and sentence_encoder().is_ready()

    def reading(self, text: str, present: Present) -> Reading:
        """What the tagger reads in the message, with the files of the user and the results of the steps at hand."""
        made = [
            Given(f"result {number}", output.type)
            for number, step in enumerate(present.steps)
            for output in self._graph.tools[step.tool].outputs[:1]
        ]
        return self._joint.read(Request(text, (*present.files, *made)))

    def kinds(
        self, text: str, present: Present, reading: Reading, named: Collection[str], rules: str
    ) -> Mapping[str, float]:
        """How probable each of KINDS is. `named` are the steps that the words name, `rules` the kind by rule."""
        import numpy as np

        weights, names = _weights()
        evidence = self.evidence(text, present, reading, named, rules)
        scores = weights @ np.concatenate([sentence_vector(text), [evidence[name] for name in names], [1.0]])
        shares = np.exp(scores - scores.max())
        return dict(zip(KINDS, (shares / shares.sum()).tolist(), strict=True))

    def evidence(
        self, text: str, present: Present, reading: Reading, named: Collection[str], rules: str
    ) -> dict[str, float]:
        """What is known of the message besides its sentence vector, about 0 to 1 each."""
        said, steps = MessageWords(text), present.steps
        tools = {step.tool for step in steps}
        meant = tools_meant(reading)
        first = reading.clauses[0] if reading.clauses else None
        new = max((share for tool, share in meant.items() if tool not in tools), default=0.0)
        old = max((share for tool, share in meant.items() if tool in tools), default=0.0)
        best = max((tool for tool in meant if tool not in tools), key=lambda tool: meant[tool], default="")
        swaps = any(self.stands_in(best, step.tool) for step in steps) if best else False
        support = max((reading.support(tool) for tool in tools), default=0.0)
        words = [word for word in said.words if word.kind not in ("break", "sign")]
        read = [len(self._read_from(step, text)) for step in steps]
        tokens = tokens_of(text)
        clause = Clause.of(text)
        return {
            **{f"{kind} by rule": float(kind == rules) for kind in KINDS},
            "takes a step out": support * said.has("remove", "no"),
            "takes a step out and asks for nothing": support * said.has("remove", "no") * (1 - new),
            "one tool rather than another": new * swaps * said.has("instead", "swap", "mean", "no"),
            "a named tool for another": new * swaps * bool(named),
            "another tool of the same result": new * any(self.makes_the_same(best, one.tool) for one in steps if best),
            "names a step": float(bool(named)),
            "would remove a step": float(bool(named) and said.has("remove", "no")),
            **{f"says {idea}": float(said.has(idea)) for idea in _SPOKEN},
            **{f"opens with {idea}": float(any(first <= 1 for first, _ in said.spans(idea))) for idea in IDEAS},
            "length": math.log1p(len(words)) / 2,
            "one word": float(len(words) < 2),
            "question": float("?" in text or "？" in text),
            "quote": float(any(token.kind == "quote" for token in tokens)),
            "url": float(any(token.kind == "url" for token in tokens)),
            "number": float(bool(clause.quantities)),
            "factor": float(bool(tables().factors.all(read_words(text)))),
            "sense": float(bool(clause.hits)),
            "clauses": min(len(reading.clauses), 3) / 3,
            "first share": first.probability if first else 0.0,
            "new tool": new,
            "old tool": old,
            "old rather than new": old - new,
            "support of the steps": support,
            "nothing is asked": float(reading.shares[:, -1].mean()),
            "beyond the tools": reading.outside,
            "new tool could stand in": new * swaps,
            "new tool cannot stand in": new * (not swaps),
            "values": min(max(read, default=0), 4) / 4,
            "values of the words": min(1.0, max(read, default=0) / max(len(words), 1)),
            "file said": float(bool(spoken_files(text, present))),
            "other file": float(bool(others_of_kind(present))),
            "brought": float(bool(present.brought)),
            "brought of another type": float(bool(set(present.brought) - {*others_of_kind(present)})),
            "steps": min(len(steps), 4) / 4,
        }

    def _read_from(self, step: Step, text: str) -> frozenset[int]:
        spec = self._graph.tools[step.tool]
        ports = [port for port in spec.inputs if not is_fed(step.arguments.get(port.name))]
        return fill(spec, ports, Clause.of(text)).places

    def stands_in(self, tool: str, old: str) -> bool:
        """True where a tool takes the main thing that another takes."""
        one, other = self._graph.tools[tool], self._graph.tools[old]
        takes = {port.type for port in main_inputs(other)}
        fed = any(fits(type, port.type) for type in takes for port in main_inputs(one)) or not takes
        return fed and one.id != other.id

    def makes_the_same(self, tool: str, old: str) -> bool:
        """True where the first thing that a tool makes is of the type that another makes."""
        one, other = (self._graph.tools[id].outputs[0].type for id in (tool, old))
        return fits(one, other) or fits(other, one)


def sentence_vector(text: str) -> NDArray[np.float32]:
    """(WIDTH,). Call only when the encoder is ready."""
    return sentence_encoder().encode([text])[0]


@cache
def _weights() -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """(kinds, WIDTH + evidence + 1), and the names of the evidence."""
    import numpy as np

    with np.load(_FILE, allow_pickle=False) as held:
        return held["weights"].astype(np.float32), tuple(str(name) for name in held["names"])
