"""What the trained judgement says of a set of tools: the tag of each word, the part of a picture that is spoken of.

`python -m tests.training.train_planner` makes the weights; resources/planner/README.md says out of what, and how well
they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.fill import takes_wishes
from desktop_app.plan.language.clauses import bare
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import tagger
from desktop_app.plan.ranking.described_tools import DescribedTools
from desktop_app.plan.tools.tool_graph import INLINE, main_inputs
from desktop_app.plan.types import ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FILE = "judge.npz"

_NEVER = -30.0
_LIKENESS = 14.0
"""How fast the probability of a tool never trained on grows with the likeness (cosine) of its own texts."""

_TOLD = 6.0
"""The same of a clause and the whole text of a tool, beside what its words ask for; found as `DESCRIBED` was."""

_SEEN = 0.65
"""So like a name of a thing (cosine) has a word to be."""

_ALIKE = 0.75
"""With so much likeness it is as probable as the likeliest tool that was trained on."""


@cache
def _weights() -> Mapping[str, NDArray[Any]]:
    import numpy as np

    with np.load(RESOURCES / "planner" / _FILE, allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


class ToolJudge:
    """For one set of tools. Tools that were not trained on take part by the likeness of their own texts."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        held = _weights()
        places = {id: place for place, id in enumerate(tagger().ids)}
        self._count = len(tools)
        self._new = [(at, tool) for at, tool in enumerate(tools) if tool.id not in places]
        self._known = [at for at, tool in enumerate(tools) if tool.id in places]
        self._columns = [places[tools[at].id] for at in self._known]
        self.contents = frozenset(str(port) for port in held["contents"])
        """Text inputs, as "tool.port", that are not typed into a request: files and results hold them."""
        self.either = frozenset(str(port) for port in held["either"])
        """Those that are typed at times: not where there is a file to read them from."""
        self.verbatim = frozenset(str(port) for port in held["verbatim"])
        """Text inputs that take a clause as it stands."""
        self._own: list[NDArray[np.float32]] = []
        self.is_trained = 2 * len(self._known) > len(tools)
        """True when it knows most of the tools; else all are read by their texts."""
        self.untrained = frozenset(at for at, _ in self._new) if self.is_trained else frozenset[int]()
        """The places of the few tools that came after the training."""
        self._described = None if self.is_trained else DescribedTools(tools)
        if not self.is_trained:
            self.either = frozenset(_texts_worked_on(tools))

    def tags(
        self, states: NDArray[np.float32], words: Sequence[str]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """As Tagger.tags, with a column for each tool, then for what asks for nothing and for what no tool does."""
        import numpy as np

        own, odds = tagger().tags(states)
        if self._described is not None:
            return self._described.tags(words, states), odds
        found = np.full((len(own), self._count + 2), _NEVER, np.float32)
        found[:, self._known] = own[:, self._columns]
        found[:, -2:] = own[:, -2:]
        return found, odds

    def weighed(self, logs: NDArray[np.float32], text: str) -> NDArray[np.float32]:
        """The logarithms of the tools' probabilities for a clause, with those of tools never trained on by likeness."""
        import numpy as np

        encoder = sentence_encoder()
        if (self._described is None and not self._new) or not encoder.is_ready():
            return logs
        if self._described is not None:
            return np.asarray(logs + _TOLD * self._described.likeness(text), np.float32)
        if not self._own:
            self._own = [encoder.encode([*map(bare, texts_of(tool))]) for _, tool in self._new]
        vector, logs, likeliest = encoder.encode([text])[0], logs.copy(), logs.max()
        for (at, _), own in zip(self._new, self._own, strict=True):
            logs[at] = likeliest + _LIKENESS * (float((own @ vector).max()) - _ALIKE)
        return logs

    @staticmethod
    def thing(words: Sequence[str]) -> str:
        """The word that is most like the name of a thing that a detector finds: as it stands where the detector may
        know it, else the detector's name; "" where none is.
        """
        held = _weights()
        if not words or not sentence_encoder().is_ready():
            return ""
        likeness = sentence_encoder().encode(words) @ (held["seen_vectors"] * held["seen_scale"].astype("float32")).T
        word, name = divmod(int(likeness.argmax()), likeness.shape[1])
        if likeness[word, name] < _SEEN:
            return ""
        own, called = words[word].lower(), str(held["seen"][name])
        return own if own.startswith(called[:3]) else called


def _texts_worked_on(tools: Sequence[ToolSpec]) -> Iterator[str]:
    """As "tool.port" the text on which each tool works that works on nothing but texts."""
    for tool in tools:
        texts = [port for port in main_inputs(tool) if port.type == "text" and not takes_wishes(port)]
        if texts and all(port.type in INLINE for port in tool.required):
            yield f"{tool.id}.{texts[0].name}"


def texts_of(tool: ToolSpec) -> list[str]:
    """What tells of a tool: its title, what it does, and some of its examples and words."""
    return [tool.title, tool.description.partition(". ")[0], *tool.examples[:4], *tool.words[:4]]
