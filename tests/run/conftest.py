"""An engine with toy tools, whose lanes and store serve all tests, with a fresh history for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from desktop_app.graph.workflow import Workflow
from desktop_app.run.engine import Engine
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import Run
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from tests.run.helpers import Heard
from tests.run.toys import TOOLS


class World:
    """A loop, an engine and its history, to be used without `await`."""

    def __init__(self, home, cpu_lanes: int = 2) -> None:
        self.home, self.cpu_lanes = home, cpu_lanes
        self.runner = asyncio.Runner()
        self.open()

    def open(self) -> None:
        self.store = Store(self.home / "store")
        self.history = History(self.home / "history.sqlite")
        self.engine = Engine(self.store, self.history, TOOLS, self.cpu_lanes)

    def fresh(self, home) -> None:
        """Knows no result; keeps the lanes, as starting them is what takes time."""
        self.history.close()
        self.history = self.engine._history = History(home / "history.sqlite")

    def run(
        self, workflow: Workflow, heard: Heard | None = None, upto: str | None = None,
        then: Callable[[], object] | None = None, once: Callable[[Heard], bool] = lambda heard: True,
    ) -> Run:  # fmt: skip
        """Runs it; `then` is called when what was heard first fulfils `once`."""
        remembers = heard or Heard()
        called = then is None

        def listen(batch: Sequence[Event]) -> None:
            nonlocal called
            remembers(batch)
            if not called and once(remembers):
                called = True
                asyncio.get_running_loop().call_soon(then)

        run = self.runner.run(self.engine.run(workflow, listen, upto))
        assert called, "what was waited for never came"
        return run

    def value(self, run: Run, node: str, port: str):
        output = run.nodes[node].outputs[port]
        if isinstance(output, tuple):
            return tuple(self.store.value(item) for item in output)
        return self.store.value(output)

    def close(self) -> None:
        self.runner.run(self.engine.close())
        self.history.close()

    def restart(self) -> None:
        """As when the program is started again."""
        self.close()
        self.open()


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    home = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_HOME", str(home))
        made = World(home)
        yield made
        made.close()
        made.runner.close()


@pytest.fixture
def world(shared, own_home):
    shared.fresh(own_home)
    return shared


@pytest.fixture
def single(own_home):
    """A world of its own with one lane."""
    made = World(own_home, cpu_lanes=1)
    yield made
    made.close()
    made.runner.close()
