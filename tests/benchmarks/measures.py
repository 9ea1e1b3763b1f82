"""The papers' own measures of a plan, on labelled requests. Plans and labels are tool names and pairs of them.

HuggingGPT (section 4.3): for single tasks accuracy and F1, for sequences F1 and the normalised edit distance between
the sequences of tools, for graphs F1. ControlLLM (section 4.2): the part of plans with a tool that is not needed
(IR), with every tool that is (NR), and those that solve the request, whatever else they do (SE). The paper has its
judges say what is needed; here the labels do: every tool and every link of a labelled graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Labelled:
    """One request's plan beside its label. Tools in the order in which they run."""

    said: tuple[str, ...]
    said_links: tuple[tuple[str, str], ...]
    wanted: tuple[str, ...]
    wanted_links: tuple[tuple[str, str], ...]

    @property
    def irrelevant(self) -> bool:
        """A tool that the label does not have."""
        return bool(Counter(self.said) - Counter(self.wanted))

    @property
    def necessary(self) -> bool:
        """Every tool that the label has."""
        return not Counter(self.wanted) - Counter(self.said)

    @property
    def solved(self) -> bool:
        """Every tool and every link that the label has."""
        return self.necessary and not Counter(self.wanted_links) - Counter(self.said_links)


def labelled(row: Mapping[str, Any], answer: Mapping[str, Any]) -> Labelled:
    """The first solution of an answer as `plan --requests` writes it, beside the row's `gold`."""
    first = answer["solutions"][0] if answer["solutions"] else {"nodes": [], "links": []}
    tools = {node["id"]: node["tool"] for node in first["nodes"]}
    links = tuple((tools[link["source"]], tools[link["target"]]) for link in first["links"])
    wanted = tuple((source, target) for source, target in row["gold"]["links"])
    return Labelled(tuple(tools.values()), links, tuple(row["gold"]["nodes"]), wanted)


def edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Levenshtein's distance as a part of the longer sequence, 0..1; 0 when both are empty."""
    if not one and not other:
        return 0.0
    above = list(range(len(other) + 1))
    for row, item in enumerate(one, 1):
        line = [row]
        for column, opposite in enumerate(other, 1):
            line.append(min(line[-1] + 1, above[column] + 1, above[column - 1] + (item != opposite)))
        above = line
    return above[-1] / max(len(one), len(other))


def ordered(tools: Sequence[str], links: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The tools of a chain in its order, as its links tell; as given where they do not tell."""
    after = dict(links)
    starts = [tool for tool in tools if tool not in after.values()]
    if len(starts) != 1 or len(set(tools)) < len(tools):
        return tuple(tools)
    found = [starts[0]]
    while found[-1] in after and after[found[-1]] not in found:
        found.append(after[found[-1]])
    return tuple(found) if len(found) == len(tools) else tuple(tools)


def f1(pairs: Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]]) -> float:
    """Pooled F1 of (said, wanted), in percent."""
    hits = sum((Counter(said) & Counter(wanted)).total() for said, wanted in pairs)
    return 200 * hits / max(1, sum(len(said) + len(wanted) for said, wanted in pairs))


def hugginggpt(found: Sequence[Labelled], kind: str) -> dict[str, tuple[float, str]]:
    """Figures with their units for requests of one kind: "single", "chain" or "dag"."""
    tools = f1([(one.said, one.wanted) for one in found])
    if kind == "single":
        right = sum(one.said == one.wanted for one in found)
        return {"accuracy": (100 * right / len(found), "%"), "F1": (tools, "%")}
    if kind == "chain":
        far = [edit_distance(ordered(one.said, one.said_links), ordered(one.wanted, one.wanted_links)) for one in found]
        return {"F1": (tools, "%"), "edit distance": (sum(far) / len(far), "part")}
    return {"F1": (tools, "%")}


def controlllm(found: Sequence[Labelled]) -> dict[str, float]:
    """IR, NR and SE, each 0..1."""
    count = len(found)
    return {
        "IR": sum(one.irrelevant for one in found) / count,
        "NR": sum(one.necessary for one in found) / count,
        "SE": sum(one.solved for one in found) / count,
    }
