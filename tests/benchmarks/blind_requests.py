"""How well the offline planner does on requests whose authors knew only the tools' titles and descriptions.

`python -m tests.benchmarks.blind_requests [--development | --asks | --two | ... | --six]` prints totals by kind and
language, nothing else: the sealed requests (sealed*.jsonl.xz in tests/data/planning) are read by nobody, and scored
rarely. With `--development` those of development.jsonl.xz, with `--asks` those of asks.jsonl.xz, which were looked at:
the latter, like `--six`, want a question or a refusal, or stand beside such. `--lower`, `--typos` and `--polite` give
the same requests as people in a hurry type them, or polite ones (spoilt.py).

Right: the first plan has the wanted tools and links, and the values that the request says, and asks nothing that nobody
has to know; or the wanted question or refusal came. "Ready" is a plan without a question.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from tests.benchmarks import own_requests
from tests.benchmarks.figures import figure
from tests.benchmarks.spoilt import WAYS

_DATA = Path(__file__).parent.parent / "data" / "planning"
LABELS = frozenset(("gold", "split", "role", "language"))
_SURE = 0.9
_SETS = {
    "--development": "development",
    "--two": "sealed_two",
    "--three": "sealed_three",
    "--four": "sealed_four",
    "--five": "sealed_five",
    "--six": "sealed_six",
    "--asks": "asks",
}


def main() -> None:
    """Plans every row once, and prints the totals."""
    name = next((name for option, name in _SETS.items() if option in sys.argv), "sealed")
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    right: dict[str, list[bool]] = defaultdict(list)
    ready: list[bool] = []
    sure: list[bool] = []
    needless: list[bool] = []
    seconds: list[float] = []
    spoil, dice = next((way for option, way in WAYS.items() if option in sys.argv), None), random.Random(0)
    for row in own_requests.load_rows(tools, _path(name)):
        row = spoil(row, dice) if spoil else row
        answer = plan_row(planner, {key: value for key, value in row.items() if key not in LABELS})
        verdict = own_requests.judge(row, answer, tools)
        good = is_right(row, verdict)
        for group in ("all", row["split"], row["language"], *_asked_for(row)):
            right[group].append(good)
        if verdict.reply_right is None:
            needless.append(_asks(verdict))
        if answer["solutions"] and not answer["questions"]:
            ready.append(not good)
            if answer["solutions"][0]["score"] >= _SURE:
                sure.append(good)
        seconds.append(answer["seconds"])
    for group, rows in right.items():
        figure(f"{name} requests, {group}: first plan right", _share(rows), "%", rows=len(rows))
    figure(f"{name} requests: wrong among the plans shown as ready", _share(ready), "%", rows=len(ready))
    figure(f"{name} requests: asked something that nobody has to know", _share(needless), "%", rows=len(needless))
    if sure:
        figure(f"{name} requests: right among those with a score of 0.9 or more", _share(sure), "%", rows=len(sure))
    figure(f"{name} requests: p95", 1000 * statistics.quantiles(seconds, n=20)[-1], "ms", 50)


def _asked_for(row: dict[str, Any]) -> list[str]:
    """The kind of question that is wanted, "way" where it is what to do at all."""
    ask = row["gold"].get("ask")
    return [f"to ask: {ask if row['gold']['nodes'] else 'way'}"] if ask else []


def _path(name: str) -> Path:
    return next(path for path in (_DATA / f"{name}.jsonl", _DATA / f"{name}.jsonl.xz") if path.exists())


def is_right(row: dict[str, Any], verdict: own_requests.Verdict) -> bool:
    """True for the wanted plan, which asks nothing but whether it is meant, or the wanted question or refusal."""
    if verdict.reply_right is not None:
        return verdict.reply_right
    return verdict.right and not verdict.wrong_args and not _asks(verdict)


def _asks(verdict: own_requests.Verdict) -> bool:
    """Something else than whether the plan is what was meant."""
    return bool({*verdict.kinds} - {"confirm"})


def _share(claims: list[bool]) -> float:
    return 100 * sum(claims) / len(claims) if claims else 0.0


if __name__ == "__main__":
    main()
