"""A program to be killed: runs a random graph and prints each node that it was told is finished.

`python -m tests.run.fault_victim STORE SEED MARK`; the home is that of the environment.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from desktop_app.core.paths import home
from desktop_app.graph.workflow import Workflow
from desktop_app.run.engine import Engine
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from tests.run.oracle import random_flow
from tests.run.toys import TOOLS

SIZE = 14
ITEM_SECONDS = 0.004


def flow(seed: int, mark: str) -> Workflow:
    """The graph of that seed, each sum of which takes a little while and is noted in the file `mark`."""
    return random_flow(Random(seed), SIZE, seconds=ITEM_SECONDS, mark=mark)


def main(store: str, seed: int, mark: str) -> None:
    """Runs the graph to its end unless killed."""
    engine = Engine(Store(Path(store)), History(home() / "history.sqlite"), TOOLS, cpu_lanes=2)

    def tell(batch: Sequence[Event]) -> None:
        lines = [f"finished {e.node} {len(e.failed)}" for e in batch if isinstance(e, events.NodeFinished)]
        lines += [f"started {e.run}" for e in batch if isinstance(e, events.RunStarted)]
        lines += ["end" for e in batch if isinstance(e, events.RunFinished)]
        os.write(1, "".join(line + "\n" for line in lines).encode())

    async def run() -> None:
        await engine.run(flow(seed, mark), tell)
        await engine.close()

    asyncio.run(run())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
