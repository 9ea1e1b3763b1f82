"""The recorded replies of tests/data/llm/ through the planner: what comes out right, round trips and tokens by mode.

`python -m tests.benchmarks.llm [--held] [--misses]`

Scored by the rules of the offline planner's own requests (own_requests.py). Every third row is held back while the
program is worked on, and is scored with `--held` alone. Tokens are by our estimate, for all that is sent and received.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from tests.benchmarks.figures import figure
from tests.llm import replay


def main() -> None:
    """Replays every row once, and prints the totals."""
    held = "--held" in sys.argv
    found: dict[tuple[str, str], list[replay.Outcome]] = defaultdict(list)
    for row in replay.rows(held):
        outcome = replay.replayed(row)
        found[row["mode"], row["kind"]].append(outcome)
        if "--misses" in sys.argv and not outcome.right:
            print(f"{row['id']} {row['request']!r}: {outcome.why}", file=sys.stderr)
    which = "recorded replies, held back" if held else "recorded replies"
    for (mode, kind), outcomes in found.items():
        count = len(outcomes)
        name = f"{which}, {mode}, {kind}"
        figure(f"{name}: right", sum(one.right for one in outcomes), "rows", rows=count)
        figure(f"{name}: round trips", sum(one.trips for one in outcomes) / count, "calls a request")
        figure(f"{name}: tokens sent", sum(one.spent.sent for one in outcomes) / count, "tokens a request")
        figure(f"{name}: tokens received", sum(one.spent.received for one in outcomes) / count, "tokens a request")


if __name__ == "__main__":
    main()
