"""What every benchmark prints: one JSON object a line.

Beside each value stands what a fixed piece of plain Python took, in the same run, before and after the measurement: on
a busy machine it takes longer too. `python_ms` is by the clock (the longer of the two), `python_cpu_ms` what of it was
computing: where the first is well above the second, others were using the processor.
"""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import psutil

_PIECE = 1_000_000
_before: list[tuple[float, float]] = []
"""What the piece took at the figure before, which is when the present measurement began."""


def plain_python() -> tuple[float, float]:
    """Milliseconds of a fixed piece of plain Python: by the clock, and of the processor. About 50 when all is quiet."""
    began, busy = time.perf_counter(), time.thread_time()
    found = 0
    for number in range(_PIECE):
        found += number * number % 7
    return 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - busy)


def _calibration() -> dict[str, float]:
    now = plain_python()
    slowest = max([now, *_before])
    _before[:] = [now]
    return {"python_ms": round(slowest[0], 2), "python_cpu_ms": round(slowest[1], 2)}


@cache
def machine() -> str:
    """The machine in words, without its name."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{model}, {psutil.cpu_count()} cores, {memory:.0f} GiB, {system}"


def figure(
    name: str, value: float, unit: str, target: float | None = None, rival: tuple[str, float] | None = None,
    higher_is_better: bool = False, **more: Any,
) -> None:  # fmt: skip
    """Prints one line, with whatever `more` says; with a target also whether it is met."""
    line: dict[str, Any] = {"name": name, "value": round(value, 5), "unit": unit}
    if target is not None:
        line |= {"target": target, "met": value >= target if higher_is_better else value <= target}
    if rival is not None:
        line["rival"] = {"name": rival[0], "value": round(rival[1], 4)}
    print(json.dumps(line | more | _calibration() | {"machine": machine()}), flush=True)


def median_of(runs: int, measure: Callable[[], float]) -> float:
    """The median of several measurements."""
    found: Sequence[float] = [measure() for _ in range(runs)]
    return statistics.median(found)
