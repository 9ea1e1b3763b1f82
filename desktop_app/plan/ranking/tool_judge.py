"""How probable it is that a clause means a tool: a softmax over sentence vectors, trained on wishes for our tools.

`python -m tests.train_planner` makes the weights; resources/planner/README.md says out of what, and how well they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.types import ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FILE = "judge.npz"

ONE, MANY, SILENT, OUTSIDE = "=one", "=many", "=silent", "=outside"
"""What a text may be: one wish; several in one; what asks for nothing; what no tool does."""

EXTRA = (MANY, SILENT, OUTSIDE)

_LIKENESS = 14.0
"""How fast the probability of a tool never trained on grows with the likeness (cosine) of its own texts."""

_SEEN = 0.65
"""So like a name of a thing (cosine) has a word to be."""

_ALIKE = 0.75
"""With so much likeness it is as probable as the likeliest tool that was trained on."""


@cache
def _weights() -> Mapping[str, NDArray[Any]]:
    import numpy as np

    with np.load(RESOURCES / "planner" / _FILE, allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


def spread(
    vectors: NDArray[np.float32], mean: NDArray[np.float32], deviation: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Vectors of the encoder so that each dimension varies alike."""
    return (vectors - mean) / deviation


class ToolJudge:
    """For one set of tools. Tools that were not trained on take part by the likeness of their own texts."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        import numpy as np

        held = _weights()
        places = {str(id): place for place, id in enumerate(held["ids"])}
        self._new = [(at, tool) for at, tool in enumerate(tools) if tool.id not in places]
        known = [at for at, tool in enumerate(tools) if tool.id in places]
        columns = [places[tools[at].id] for at in known]
        self._first, self._first_bias = (held[name].astype(np.float32) for name in ("first", "first_bias"))
        self._second = np.zeros((self._first.shape[1], len(tools)), np.float32)
        self._second_bias = np.full(len(tools), -30.0, np.float32)
        self._second[:, known] = held["second"].astype(np.float32)[:, columns]
        self._second_bias[known] = held["second_bias"].astype(np.float32)[columns]
        self._mean, self._deviation = held["mean"], held["deviation"]
        self.contents = frozenset(str(port) for port in held["contents"])
        """Text inputs, as "tool.port", that are not typed into a request: files and results hold them."""
        self.either = frozenset(str(port) for port in held["either"])
        """Those that are typed at times: not where there is a file to read them from."""
        self.verbatim = frozenset(str(port) for port in held["verbatim"])
        """Text inputs that take a clause as it stands."""
        self._own: list[NDArray[np.float32]] = []
        self.is_trained = 2 * len(known) > len(tools)
        """True when it knows most of the tools; else their own texts say more than likeness does."""

    def logs(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logarithms of probabilities: of each tool where a text is one wish (texts, tools); and of what the text is
        (texts, ONE and EXTRA). Needs the encoder ready.
        """
        import numpy as np

        encoder = sentence_encoder()
        vectors = encoder.encode(texts)
        even = spread(vectors, self._mean, self._deviation)
        found = np.maximum(even @ self._first + self._first_bias, 0) @ self._second + self._second_bias
        if self._new and not self._own:
            self._own = [encoder.encode(_texts_of(tool))[:, :512] for _, tool in self._new]
        for (at, _), own in zip(self._new, self._own, strict=True):
            found[:, at] = found.max(axis=1) + _LIKENESS * ((vectors[:, :512] @ own.T).max(axis=1) - _ALIKE)
        return _logs(found), _logs(_through("kind", even))

    def finder(self, text: str) -> tuple[str, float]:
        """The tool that finds the part of a picture that the text speaks of ("": the whole picture), with how probable
        that is.
        """
        import numpy as np

        held = _weights()
        even = spread(sentence_encoder().encode([text]), self._mean, self._deviation)
        found = np.exp(_logs(_through("part", even)))[0]
        place = int(found.argmax())
        return str(held["finders"][place]), float(found[place])

    @staticmethod
    def thing(words: Sequence[str]) -> str:
        """The word that is most like the name of a thing that a detector finds: as it stands where the detector may
        know it, else the detector's name; "" where none is.
        """
        held = _weights()
        if not words:
            return ""
        likeness = sentence_encoder().encode(words)[:, :512] @ held["seen_vectors"].astype("float32").T
        word, name = divmod(int(likeness.argmax()), likeness.shape[1])
        if likeness[word, name] < _SEEN:
            return ""
        own, called = words[word].lower(), str(held["seen"][name])
        return own if own.startswith(called[:3]) else called


def _through(name: str, even: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the small network of that name makes of even vectors."""
    import numpy as np

    held = _weights()
    hidden = np.maximum(even @ held[f"{name}_first"].astype(np.float32) + held[f"{name}_first_bias"], 0)
    return np.asarray(hidden @ held[f"{name}_second"].astype(np.float32) + held[f"{name}_second_bias"], np.float32)


def _logs(values: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    values = values - values.max(axis=1, keepdims=True)
    return np.asarray(values - np.log(np.exp(values).sum(axis=1, keepdims=True)), np.float32)


def _texts_of(tool: ToolSpec) -> list[str]:
    return [tool.title, tool.description.partition(". ")[0], *tool.examples[:4], *tool.words[:4]]
