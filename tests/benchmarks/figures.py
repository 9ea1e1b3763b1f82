"""What every benchmark prints: one JSON object a line."""

from __future__ import annotations

import json
import platform
import statistics
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import psutil


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
    print(json.dumps(line | more | {"machine": machine()}), flush=True)


def median_of(runs: int, measure: Callable[[], float]) -> float:
    """The median of several measurements."""
    found: Sequence[float] = [measure() for _ in range(runs)]
    return statistics.median(found)
