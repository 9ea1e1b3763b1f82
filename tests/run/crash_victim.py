"""A program to be killed: runs a long chain and prints each node that it was told is finished, and its lanes' pids."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence

from desktop_app.core.paths import home
from desktop_app.run.engine import Engine
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from tests.run.helpers import chain
from tests.run.toys import TOOLS


def main(length: int) -> None:
    """Runs a chain of that length, to its end unless killed."""
    engine = Engine(Store(home() / "store"), History(home() / "history.sqlite"), TOOLS, cpu_lanes=1)

    def tell(batch: Sequence[Event]) -> None:
        lines = [f"finished {e.node} {int(e.cached)}" for e in batch if isinstance(e, events.NodeFinished)]
        lines += [f"lane {lane.pid}" for lane in engine._pool.lanes()]
        lines += [f"lost {run}" for run in engine.lost]
        lines += [f"outcome {e.outcome}" for e in batch if isinstance(e, events.RunFinished)]
        os.write(1, "".join(line + "\n" for line in lines).encode())

    async def run() -> None:
        await engine.run(chain(length), tell)
        await engine.close()

    asyncio.run(run())


if __name__ == "__main__":
    main(int(sys.argv[1]))
