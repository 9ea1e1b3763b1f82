"""For every test: a home of its own, and the option --long, without which slow tests are skipped; tests over tables."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import re
from collections.abc import Callable, Generator, Iterable
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

for _library in ("OPENBLAS", "OMP", "MKL"):  # read when NumPy or PyTorch is first imported
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
"""Each core has a process of tests: threads would only wait for each other, busily (planning: 4 times the CPU)."""
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("GRAPHWRIGHT_JUDGE", "0")
"""Most tests of the planner are about its lexicon; test_as_shipped.py and test_joint_selection.py have both."""
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"  # no test asks for the keys of who runs it
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine is no fault of what is tested


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the slow tests too")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is read for all tests stays: no collection of garbage looks through it, now or between the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="slow; run with --long")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object:
    """Lets tests be coroutines: they run on the `loop` that they are given, else on one of their own."""
    test, given = pyfuncitem.function, pyfuncitem.funcargs
    if not inspect.iscoroutinefunction(test):
        return None
    run = given["loop"].run_until_complete if "loop" in given else asyncio.run
    run(test(**{name: given[name] for name in inspect.signature(test).parameters}))
    return True


@pytest.fixture(scope="session", autouse=True)
def _marks_of_toys(tmp_path_factory):
    """Toy tools leave marks in the folders of tests, where tools have no business otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_LANE_FOLDERS", str(tmp_path_factory.getbasetemp()))
        yield


_number = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own, which for a free number reads the names of all earlier tests' folders: at last for 10 ms."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}{next(_number)}", numbered=False)


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """What the program writes goes to the test's folder."""
    home = tmp_path / "home"
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(home))
    monkeypatch.setenv("GRAPHWRIGHT_CATALOGUE", str(home / "models.toml"))  # else that of an earlier test's home stays
    return home


@pytest.fixture
def no_pause_before_another_try(monkeypatch):
    """The client of language models asks again as often as it does, without the seconds in between that it chooses."""
    from openai import _base_client

    monkeypatch.setattr(_base_client, "INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr(_base_client, "MAX_RETRY_DELAY", 0.001)


Row = TypeVar("Row")


def for_each(rows: Iterable[Row], name: Callable[[Row], object]) -> Callable[[Callable[[Row], None]], Callable]:
    """Makes one test of a check of one row, where a test for each row would take longer to begin and end than to check.

    It fails with every row that fails, each by its `name`, and where there are no rows. For checks that need no fixture
    and leave nothing behind.
    """
    table = list(rows)

    def decorated(check: Callable[[Row], None]) -> Callable[[], None]:
        def test() -> None:
            assert table, "there are no rows"
            failures = []
            for row in table:
                try:
                    check(row)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the row {name(row)}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} rows are wrong", failures)

        test.__name__, test.__qualname__, test.__doc__ = check.__name__, check.__qualname__, check.__doc__
        test.__module__ = check.__module__
        return test

    return decorated
