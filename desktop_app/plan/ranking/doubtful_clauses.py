"""What the lexicon says where the networks are not sure of a clause, over tools that are known by their texts alone."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.language.segmentation import read
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_index import Index

_DOUBTFUL = 0.5
"""A clause whose tool is less probable, and not the lexicon's, says something else beside wishes that are surer."""

_SPEAKS = 2.0
"""Words that match the likeliest tool's texts so well ask for it, though they sound like what no tool does."""

_LESS = 0.8
"""How sure such a tool is, beside one that both are sure of."""


def checked(reading: Reading, text: str, index: Index) -> Reading:
    """The reading without doubtful clauses, and with the tool of a clause for which only the lexicon has one."""
    clauses = [_served(clause, text, index) for clause in reading.clauses]
    kept = [
        number
        for number, clause in enumerate(clauses)
        if not clause.tool
        or clause.probability >= _DOUBTFUL
        or _by_words(text[clause.start : clause.end], index)[0] == clause.tool
    ]
    if len(kept) == len(clauses) or not any(clauses[number].tool for number in kept):
        return replace(reading, clauses=tuple(clauses))
    return replace(reading, clauses=tuple(clauses)).of(kept)


def _served(clause: ToolClause, text: str, index: Index) -> ToolClause:
    if clause.tool or not clause.others:
        return clause
    tool, worth = _by_words(text[clause.start : clause.end], index)
    likeliest, share = clause.others[0]
    if tool != likeliest or worth < _SPEAKS:
        return clause
    return replace(clause, tool=tool, probability=_LESS * share, others=clause.others[1:])


def _by_words(text: str, index: Index) -> tuple[str, float]:
    """The tool whose texts match some words best, and how well; ("", 0) where none does."""
    meanings: dict[str, float] = {}
    for chunk in read(text).chunks:
        for term in chunk.terms:
            meanings[term.key] = max(meanings.get(term.key, 0.0), index.rarity(term.key))
    scores = index.match(meanings) if meanings else {}
    best = max(scores, key=lambda tool: scores[tool], default="")
    return best, scores.get(best, 0.0)
