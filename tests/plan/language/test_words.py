"""Stems: the same whichever threads ask, as the window and the planner do at once."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from desktop_app.plan.language.tokenizer import stem

WORDS = [
    f"{begin}{end}"
    for begin in ("colour", "paint", "relat", "generaliz", "hop", "transcrib", "segment", "brightn")
    for end in ("s", "ing", "ed", "ation", "ational", "ousness", "fulness", "iveness", "ally", "ement")
]


def stems(_: int) -> list[str]:
    return [stem.__wrapped__(word) for word in WORDS]


def test_threads_do_not_get_each_others_stems():
    expected = stems(0)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(stems, range(40)))
    finally:
        sys.setswitchinterval(before)
    assert len(set(expected)) > 10
