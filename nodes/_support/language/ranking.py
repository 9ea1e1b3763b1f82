"""Which sentences of a text say most: TextRank with a lead bias, and a choice that does not repeat itself.

After Mihalcea and Tarau 2004 (sentences as a graph, PageRank on their similarity), with TF-IDF cosine in place of
word overlap, and maximal marginal relevance (Carbonell and Goldstein 1998) for the choice. Must not know tools.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from nodes._support.language.sentences import Sentence
from nodes._support.language.words import terms, weights

MOST = 1200
_DAMPING = 0.85
_HEAD = 4
"""So many sentences at the beginning say what a text is."""
_SHORT = 5
_CONTACT = re.compile(r"\w@\w|\bhttps?://|\bwww\.|\+\d[\d /-]{6}|\b0\d[\d /-]{5}")
_DECIDES = re.compile(
    r"\b(?:decided|agreed|approved|adopted|resolved|postponed|rejected|voted|beschlossen|beschließt|genehmigt|"
    r"vereinbart|angenommen|abgelehnt|vertagt|entschieden|décidé\w*|approuvé\w*|adopté\w*|convenu\w*|reporté\w*|"
    r"rejeté\w*|decidi[óe]\w*|acord[óa]\w*|aprob[óa]\w*|aplaz[óa]\w*|rechaz[óa]\w*)\b|决定|通过了|同意|批准|推迟|否决",
    re.IGNORECASE,
)
_FORMAL = re.compile(r"\bminutes of\b|\bprotokoll d|\bprocès-verbal d|\bel acta\b|上次会议纪要", re.IGNORECASE)
_MINUTES = re.compile(
    r"\b(?:minutes of|meeting|protokoll|niederschrift|sitzung|versammlung|procès-verbal|compte rendu|réunion|acta|"
    r"reunión)|会议|纪要",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:(?:but|and|so|then|this|that|these|those|it|he|she|they|however|therefore|thus|moreover|furthermore|also|"
    r"such|hence|for example|for instance|in addition|as a result|"
    r"aber|und|dann|dies|diese|dieser|dieses|das|er|sie|es|jedoch|deshalb|daher|außerdem|zum beispiel|"
    r"mais|et|alors|cela|ce|cette|ces|il|elle|ils|elles|cependant|donc|ainsi|par exemple|"
    r"pero|y|entonces|esto|este|esta|estos|ella|ello|ellos|sin embargo|además|por ejemplo)\b|"
    r"但是|因此|所以|然而|他|她|它|这)",
    re.IGNORECASE,
)


def leans(sentence: str) -> bool:
    """True when it begins with a word that points back ("It", "However"), so that it says little alone."""
    return bool(_DANGLING.match(sentence))


def tells_decision(sentence: str) -> bool:
    """True when it tells what was decided: "The budget was approved", but not that the last minutes were."""
    return bool(_DECIDES.search(sentence)) and not _FORMAL.search(sentence)


def is_fragment(sentence: str) -> bool:
    """True for what tells nothing: a place and a date ("Berlin, 4 May 2025."), or whom to write to or call."""
    words = re.findall(r"[^\W\d_]+", sentence)
    names_alone = 0 < len(words) < _SHORT and words[0][0].isupper() and not any(word[0].islower() for word in words)
    return names_alone or (len(words) < 2 * _SHORT and bool(_CONTACT.search(sentence)))


def of_meeting(items: list[Sentence]) -> bool:
    """True for the minutes of a meeting, by how they begin."""
    return any(_MINUTES.search(item.text) for item in items[:_HEAD])


def vectors(documents: list[list[str]]) -> Any:
    """TF-IDF rows of length 1, a scipy csr matrix (documents, terms). Rows of empty documents are zero."""
    from scipy.sparse import csr_matrix

    idf = weights(documents)
    index = {term: column for column, term in enumerate(idf)}
    rows, columns, values = [], [], []
    for row, document in enumerate(documents):
        for term, n in Counter(document).items():
            rows.append(row)
            columns.append(index[term])
            values.append((1 + np.log(n)) * idf[term])
    matrix = csr_matrix((values, (rows, columns)), shape=(len(documents), max(1, len(index))), dtype=np.float64)
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1))).ravel()
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return csr_matrix(matrix.multiply(scale[:, None]))


def pagerank(similarity: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The stationary chances of a walk that follows `similarity` and jumps back to `start` (sums to 1)."""
    sums = similarity.sum(axis=1, keepdims=True)
    step = np.divide(similarity, sums, out=np.repeat(start[None, :], len(start), axis=0), where=sums > 0)
    rank = start.copy()
    for _ in range(100):
        following = (1 - _DAMPING) * start + _DAMPING * (rank @ step)
        if np.abs(following - rank).sum() < 1e-8:
            return following
        rank = following
    return rank


def best(items: list[Sentence], count: int, language: str, penalise_dangling: bool = True) -> list[int]:
    """The positions of the `count` sentences that cover the text best, best first.

    Headings and repeats are taken only when nothing else is left. Of more than 1,200 sentences, those nearest
    to the whole text's words are ranked; of more than 12,000, the first 2,000 and an even sample of the rest.
    """
    read = _sample(items, count)
    documents = [terms(item.text, language) if i in read else [] for i, item in enumerate(items)]
    unique = _without_repeats(items, read)
    candidates = [i for i in unique if not items[i].heading and documents[i]]
    if len(candidates) < count:
        candidates = _filled(candidates, unique, len(items), count)
    candidates = _nearest(documents, candidates, max(MOST, count))
    matrix = vectors([documents[i] for i in candidates])
    similarity = (matrix @ matrix.T).toarray()
    np.fill_diagonal(similarity, 0.0)
    scores = pagerank(similarity, _start(items, candidates))
    scores = scores / scores.max() * _shape(items, documents, candidates, penalise_dangling)
    return [candidates[i] for i in _varied(scores, similarity, count)]


def _sample(items: list[Sentence], count: int) -> range | set[int]:
    if len(items) <= 12_000:
        return range(len(items))
    return set(range(2_000)) | set(range(2_000, len(items), len(items) // (10_000 + count) + 1))


def _without_repeats(items: list[Sentence], read: range | set[int]) -> list[int]:
    seen: dict[str, int] = {}
    for i in sorted(read):
        seen.setdefault(re.sub(r"[\W_]+", "", items[i].text.lower()), i)
    return sorted(seen.values())


def _filled(candidates: list[int], unique: list[int], total: int, count: int) -> list[int]:
    for i in (*unique, *range(total)):
        if len(candidates) >= count:
            break
        if i not in candidates:
            candidates = [*candidates, i]
    return sorted(candidates)


def _nearest(documents: list[list[str]], candidates: list[int], most: int) -> list[int]:
    if len(candidates) <= most:
        return candidates
    whole = Counter(term for i in candidates for term in documents[i])
    near = {i: sum(np.sqrt(whole[t]) for t in set(documents[i])) / (8 + len(documents[i])) for i in candidates}
    return sorted(sorted(candidates, key=lambda i: (-near[i], i))[:most])


def _start(items: list[Sentence], candidates: list[int]) -> np.ndarray:
    """Where the walk jumps: to early sentences, and to the first of each paragraph."""
    place = np.array(candidates) / max(1, len(items))
    opens = np.array([i == 0 or items[i].paragraph != items[i - 1].paragraph for i in candidates])
    bias = 1 + 1.5 * np.exp(-np.arange(len(candidates)) / 2.0) + 0.5 * (1 - place) + 0.4 * opens
    return bias / bias.sum()


def _shape(items: list[Sentence], documents: list[list[str]], candidates: list[int], dangling: bool) -> np.ndarray:
    """A factor below 1 for sentences that are too short, too long, questions, or lean on the one before."""
    factors = []
    for i in candidates:
        n, text = len(documents[i]), items[i].text
        factor = min(1.0, 0.45 + 0.1 * n) if n <= 35 else max(0.5, 35 / n)
        factor *= 0.75 if text.rstrip('"”»').endswith(("?", "？")) else 1.0
        factor *= 0.1 if is_fragment(text) else 1.0
        factor *= 0.8 if dangling and leans(text) else 1.0
        factors.append(factor)
    return np.array(factors)


def _varied(scores: np.ndarray, similarity: np.ndarray, count: int) -> list[int]:
    """Maximal marginal relevance: each choice is weighed against its likeness to those taken."""
    taken: list[int] = []
    likeness = np.zeros(len(scores))
    open_ = np.ones(len(scores), dtype=bool)
    while len(taken) < min(count, len(scores)):
        worth = np.where(open_, scores - 0.9 * likeness * scores.max(), -np.inf)
        pick = int(np.argmax(worth))
        taken.append(pick)
        open_[pick] = False
        likeness = np.maximum(likeness, similarity[pick])
    return taken
