"""`python -m tests.training.of_nodes.train_sentiment FOLDER`: fits what `sentiment` reads out of sentence vectors.

FOLDER holds the four `*_GroundTruth.txt` of Hutto and Gilbert 2014 (MIT), which the source distribution of
vaderSentiment 3.3.2 carries: 23,703 sentences of tweets, reviews of goods and films, and newspapers, rated by twenty
people each. A ridge regression from the sentence vector, and in English also VADER's value, to their mean rating / 4;
`--report` tells how often the sign is right for sentences rated beyond 0.5, kind by kind, each left out of the fitting.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from nodes._support.language import meaning
from nodes._support.language.languages import FOLDER

_PENALTY = 10.0


def main(folder: Path, report: bool) -> None:
    vader, lines = SentimentIntensityAnalyzer(), []
    for kind, file in enumerate(sorted(folder.glob("*_GroundTruth.txt"))):
        rows = (line.split("\t") for line in file.read_text("utf-8", "replace").splitlines())
        lines += [(kind, float(row[1]), row[2]) for row in rows if len(row) > 2]
    vectors = meaning.vectors([text for _, _, text in lines])
    kinds, rated = np.array([row[0] for row in lines]), np.array([row[1] / 4 for row in lines])
    valued = np.array([vader.polarity_scores(text)["compound"] for _, _, text in lines])
    with_words = np.c_[vectors, valued / 2]
    for kind in set(kinds) if report else ():
        said = with_words[kinds == kind] @ (fitted := _fit(with_words[kinds != kind], rated[kinds != kind]))[:-1]
        clear = abs(rated[kinds == kind]) > 0.125
        print(kind, ((said + fitted[-1] > 0) == (rated[kinds == kind] > 0))[clear].mean())
    np.savez_compressed(
        FOLDER / "sentiment" / "vectors.npz",
        with_words=_fit(with_words, rated).astype(np.float16),
        alone=_fit(vectors, rated).astype(np.float16),
    )


def _fit(inputs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Weights, the constant last."""
    inputs = np.c_[inputs, np.ones(len(inputs))]
    penalty = np.diag([_PENALTY] * (inputs.shape[1] - 1) + [0.0])
    return np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ wanted)


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--report" in sys.argv)
