"""`python -m tests.training.pairs`: trains the trees that look again at what the tagger says of pairs of wishes, of
wishes and files, and of words that are the text for an input. Writes pairs.npz.

Out of marked requests that are held back from the training of the tagger: of those that it was trained on it is surer
than it should be. Prints how many requests have all their pairs right, and how many texts are found to the word, each
fifth told by trees that did not see it.
Comes after the heads of the tagger and before the verifier. Needs lightgbm. Four minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.boosted_trees import STORED, TREES, BoostedTrees
from desktop_app.plan.arguments import text_marks
from desktop_app.plan.arguments.value_marks import ValueMarks, likeliest
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import FILES, tagger
from desktop_app.plan.ranking import wish_files, wish_links
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import ToolSpec
from nodes import load_tools
from tests.training.marked import Marked, is_held, rows, values_of, wishes_of
from tests.training.readings import Read, readings

_TREES = {"learning_rate": 0.06, "num_leaves": 12, "min_data_in_leaf": 40, "feature_fraction": 0.5, "lambda_l2": 5}
_OF_TEXTS = {**_TREES, "learning_rate": 0.1, "min_data_in_leaf": 30}
_GROWN, _TEXTS, _FOLDS = 250, 120, 5

_ALL = {"bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1, "seed": 0, "num_threads": 1, "objective": "binary"}
_KINDS = (("fact", np.uint8), ("bound", np.float32), ("ways", np.int8), ("leaf", np.float16))


def grown(
    rows: NDArray[np.float32], wanted: Sequence[float], count: int, how: Mapping[str, Any], of: str = ""
) -> dict[str, NDArray[Any]]:
    """So many trees that tell from `rows` of facts how probable it is that a 1 is `wanted`; `of` stands before their
    names in the file. Needs lightgbm.
    """
    import lightgbm

    made = lightgbm.train({**_ALL, **how}, lightgbm.Dataset(rows, np.array(wanted)), count)
    found = [_laid_out(tree["tree_structure"], how["num_leaves"]) for tree in made.dump_model()["tree_info"]]
    return {of + TREES + name: np.array([tree[n] for tree in found], kind) for n, (name, kind) in enumerate(_KINDS)}


def _laid_out(root: Mapping[str, Any], leaves: int) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Facts, bounds, ways on and leaves of a tree, each filled up to the most there may be."""
    facts, bounds, ways, leaf = [0] * (leaves - 1), [0.0] * (leaves - 1), [[-1, -1]] * (leaves - 1), [0.0] * leaves

    def lay(node: Mapping[str, Any]) -> int:
        if "leaf_value" in node:
            leaf[node.get("leaf_index", 0)] = node["leaf_value"]
            return -1 - node.get("leaf_index", 0)
        place = node["split_index"]
        facts[place], bounds[place] = node["split_feature"], node["threshold"]
        ways[place] = [lay(node["left_child"]), lay(node["right_child"])]
        return place

    if lay(root) < 0:  # nothing to split
        leaf[0] = root["leaf_value"]
    return facts, bounds, ways, leaf


_Links = Mapping[tuple[int, int], float]


@dataclass(frozen=True, eq=False)
class Told:
    """The pairs of one request: facts (pairs, n), whether each is right, and how probable the tagger finds it."""

    facts: NDArray[np.float32]
    right: NDArray[np.bool_]
    first: NDArray[np.float32]


def links_of(one: Read, own: Marked) -> tuple[Told | None, _Links]:
    """Which wish takes what another makes, of those that could; and what the tagger says of all."""
    example = own.example(one.row)
    pairs = [] if example is None else example.links
    if not pairs:
        return None, {}
    spans = [span for span, _ in one.wishes]
    found = tagger().links(one.states, spans, [(a, b) for a, b, _, _ in pairs], [told for *_, told in pairs])
    shares = {(a, b): float(share) for (a, b, _, _), share in zip(pairs, found, strict=True)}
    facts = wish_links.among(shares, {(a, b): told for a, b, _, told in pairs}, len(spans))
    right = np.array([hit > 0 for _, _, hit, _ in pairs])
    return Told(np.array(facts, np.float32), right, np.array([*shares.values()], np.float32)), shares


def files_of(one: Read, own: Marked, tools: Mapping[str, ToolSpec], links: _Links) -> Told | None:
    """Which of several files of a type a wish works on itself."""
    files, asked = one.given[:FILES], [ids for _, ids in one.wishes]
    types, meant = Counter(file.type for file in files), own.files_told(one.row, asked, files)
    if max(types.values(), default=0) < 2 or not meant:
        return None
    text, history = one.row["request"], bool(one.row.get("history"))
    said = wish_files.said_of(text, [(one.words[a].start, one.words[b - 1].end) for (a, b), _ in one.wishes])
    likeness = wish_files.Likeness(text, one.words, files, sentence_encoder().encode)
    told: dict[tuple[int, int], list[float]] = {}
    for wish, ids in enumerate(asked):
        for place, file in enumerate(files):
            tool = next((tools[id] for id in ids if wish_files.may_work_on(tools[id], file)), None)
            if tool is not None and types[file.type] > 1:
                alike = likeness.of(place, said[wish])
                told[wish, place] = wish_files.facts(wish, len(asked), tool, place, files, said[wish], history, alike)
    known = [n for n, (wish, _) in enumerate(told) if wish in meant]
    if not known:
        return None
    spans = [span for span, _ in one.wishes]
    found = tagger().takes(one.states, one.named, spans, [*told], [*told.values()])[:, 0]
    shares = {pair: float(share) for pair, share in zip(told, found, strict=True)}
    facts = np.array(wish_files.among(shares, told, links, len(asked), len(files)), np.float32)
    right = np.array([files[place].name in meant.get(wish, ()) for wish, place in told])
    return Told(facts[known], right[known], found[known])


@dataclass(frozen=True, eq=False)
class Text:
    """An input that takes a text, of a wish: facts of its words (words, n), and which of them say its value."""

    facts: NDArray[np.float32]
    said: NDArray[np.bool_]
    first: tuple[int, int]
    """The first and the last word by the tagger; (-1, -1) for none."""

    def is_told(self, found: tuple[int, int]) -> bool:
        """True for the very words, or where none are and none are found."""
        places = np.flatnonzero(self.said)
        return found == ((int(places[0]), int(places[-1])) if len(places) else (-1, -1))


def texts_of(one: Read, tools: Mapping[str, ToolSpec]) -> Iterator[Text]:
    """Of all inputs that take any text, of the tools of a request in which values are marked."""
    values = values_of(one.row)
    marks = ValueMarks(one.words, tagger().marks(one.states), tagger().ports, one.states)
    for start, end, ids in wishes_of(one.row) if values else ():
        own = [n for n, word in enumerate(one.words) if word.start < end and start < word.end]
        for tool in (tools[id] for id in dict.fromkeys(ids) if id in tools):
            for port in tool.inputs:
                said = [(a, b) for a, b, name in values if name == port.name and start <= a and b <= end]
                takes_text = port.type == "text" and not port.choices and marks.knows(port.name)
                if not own or not takes_text or len(said) > 1:
                    continue
                shares = marks.shares(tool, port.name)
                if shares[own].max() < text_marks.LEAST:
                    continue
                told = text_marks.facts(
                    [word.text for word in one.words], own, shares, marks.of_any(tool), marks.chances[:, 0],
                    marks.columns[port.name],
                )  # fmt: skip
                inside = [any(one.words[n].start < b and a < one.words[n].end for a, b in said) for n in own]
                yield Text(told, np.array(inside), likeliest(text_marks.log_odds(shares[own]), range(len(own))))


def trained_texts(some: Sequence[Text]) -> dict[str, NDArray[Any]]:
    """The trees of all, after a report as that of `trained`."""

    def grow(parts: Sequence[Text]) -> dict[str, NDArray[Any]]:
        facts, said = np.concatenate([one.facts for one in parts]), np.concatenate([one.said for one in parts])
        return grown(facts, said.astype(float).tolist(), _TEXTS, _OF_TEXTS, text_marks.TREES)

    after: list[tuple[Text, bool]] = []
    for fold in range(_FOLDS):
        own = BoostedTrees(grow([one for n, one in enumerate(some) if n % _FOLDS != fold]), text_marks.TREES)
        for one in some[fold::_FOLDS]:
            odds = text_marks.log_odds(np.array(own.probabilities(one.facts), np.float32))
            after.append((one, one.is_told(likeliest(odds, range(len(odds))))))
    for name, is_there in (("said", True), ("not said", False)):
        right = [(one.is_told(one.first), hit) for one, hit in after if one.said.any() == is_there]
        before, now = (100 * np.mean(column) for column in zip(*right, strict=True))
        print(f"texts {name}: right {before:.1f} % of {len(right)} by the tagger, {now:.1f} %")
    return grow(some)


def trained(kind: str, some: Sequence[Told]) -> dict[str, NDArray[Any]]:
    """The trees of all, after a report on each fifth by the trees of the others."""

    def grow(parts: Sequence[Told]) -> dict[str, NDArray[Any]]:
        facts, right = np.concatenate([one.facts for one in parts]), np.concatenate([one.right for one in parts])
        return grown(facts, right.astype(float).tolist(), _GROWN, _TREES, kind)

    before = [bool(((one.first > 0.5) == one.right).all()) for one in some]
    after: list[bool] = []
    for fold in range(_FOLDS):
        own = BoostedTrees(grow([one for n, one in enumerate(some) if n % _FOLDS != fold]), kind)
        after += [_all_right(own.probabilities, one) for one in some[fold::_FOLDS]]
    print(
        f"{kind} all right in {100 * np.mean(before):.1f} % of {len(some)} by the tagger, {100 * np.mean(after):.1f} %"
    )
    return grow(some)


def _all_right(tell: Callable[[NDArray[np.float32]], list[float]], one: Told) -> bool:
    return bool(((np.array(tell(one.facts)) > 0.5) == one.right).all())


def main() -> None:
    """Writes pairs.npz."""
    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    own = Marked(tools, tagger().pieces)
    held = [row for row in rows() if is_held(row) and not row["gold"].get("refuse")]
    sentence_encoder().is_ready()
    linked, filed, texts = list[Told](), list[Told](), list[Text]()
    for one in readings(tools, marked=held):
        told, links = links_of(one, own)
        linked += [told] if told is not None else []
        named = files_of(one, own, tools, links)
        filed += [named] if named is not None else []
        texts += texts_of(one, tools)
    np.savez_compressed(STORED, **trained("links.", linked), **trained("files.", filed), **trained_texts(texts))


if __name__ == "__main__":
    main()
