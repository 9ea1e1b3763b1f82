"""How much memory the computer has, and what this program takes of it: the window, the lanes, the GPUs."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import psutil

from desktop_app.run.backends import gpus


@dataclass(frozen=True)
class Usage:
    """Bytes. `taken` of `total` are in use by all programs; `window` by this process, `lanes` by those it started.

    `gpus` are (taken, total) by index, of all programs too; empty where there is none that tells.
    """

    taken: int
    total: int
    window: int
    lanes: int
    gpus: tuple[tuple[int, int], ...] = ()


def measure() -> Usage:
    """The present amounts. Takes some milliseconds for each lane, so call it on a thread."""
    memory, own = psutil.virtual_memory(), psutil.Process()
    lanes = sum(_bytes(child) for child in own.children(recursive=True))
    return Usage(memory.total - memory.available, memory.total, _bytes(own), lanes, gpus.memory())


def _bytes(process: psutil.Process) -> int:
    """What the process has for itself, and its share of what several have together; 0 for one that is gone."""
    try:
        if sys.platform.startswith("linux"):
            return process.memory_full_info().pss
        return process.memory_info().rss
    except psutil.Error:
        return 0
