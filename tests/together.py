"""Several programs on one home that do the same at the same moment: what the tests of shared files run in processes."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

Deed = Callable[[Path, int, int], Any]
"""What is done in one round: with the folder of that round, the number of the process and of the round."""


def together(folder: Path, deed: Deed, rounds: int, processes: int = 2) -> list[list[Any]]:
    """By round, what `deed` returned in each process; they begin each round together. An error is given as its text."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(processes), context.Queue()
    workers = [
        context.Process(target=_work, args=(folder, deed, rounds, number, barrier, results))
        for number in range(processes)
    ]
    for worker in workers:
        worker.start()
    found: list[list[Any]] = [[] for _ in range(rounds)]
    for _ in range(rounds * processes):
        round, value = results.get(timeout=100)
        found[round].append(value)
    for worker in workers:
        worker.join()
    return found


def _work(folder: Path, deed: Deed, rounds: int, number: int, barrier: Any, results: Any) -> None:
    for round in range(rounds):
        place = folder / str(round)
        os.environ["GRAPHWRIGHT_HOME"] = str(place)
        barrier.wait(60)
        try:
            results.put((round, deed(place, number, round)))
        except Exception:
            results.put((round, traceback.format_exc()))
