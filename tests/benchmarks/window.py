"""How smooth the window is, offscreen: `python -m tests.benchmarks.window [--long]`.

First paint; 1,000 nodes shown, laid out, panned and zoomed while 20 of them run; 500 nodes with 1,000 progress ticks a
second; memory after 100 conversations were opened and closed; a chat of 10,000 messages.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import figure, median_of

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TICKS, BATCHES = 1000, 30
STEP = 1 / 60


def main() -> None:
    """Prints the figures."""
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.application.gc_timer import GcTimer
    from desktop_app.ui.theme import theme
    from tests.benchmarks import start

    long = "--long" in sys.argv
    start.start(start.WINDOW)  # the first start reads everything from disk
    bare = median_of(9 if long else 5, lambda: start.start(start.BARE)[0])
    first = median_of(9 if long else 5, lambda: start.start(start.WINDOW)[0])
    figure("first paint", first, "s", 0.8, ("empty Qt window", bare))
    application = QApplication([])
    theme.apply(application, "dark", 1.0)
    gc.freeze()  # as in the program
    garbage = GcTimer()
    showing(application, 7 if long else 3)
    moving(application, 10.0 if long else 3.0)
    ticking(application, 10.0 if long else 3.0)
    opening(application, 100)
    chatting(application)
    garbage.stop()


def view_of(count: int, workflow: Any = None) -> Any:
    """A shown graph of `count` nodes in chains of 20."""
    from desktop_app.run.events.run_record import Run
    from desktop_app.ui.graph.graph_view import GraphView
    from nodes import load_tools

    view = GraphView()
    view.resize(1100, 640)
    view.show()
    view.show_workflow(workflow or chains(count), Run(), load_tools().tools)
    view.fit()
    return view


def chains(count: int) -> Any:
    """`count` nodes, each but every twentieth fed by the one before."""
    from desktop_app.graph.workflow import Link, Node, Workflow

    ids = [f"n{i}" for i in range(count)]
    links = tuple(Link(ids[i - 1], "image", ids[i], "image") for i in range(1, count) if i % 20)
    return Workflow((), tuple(Node(id, "blur") for id in ids), links)


def done_with(application: Any, view: Any) -> None:
    """Closes and really deletes."""
    view.close()
    view.deleteLater()
    settle(application)


def settle(application: Any) -> None:
    """All that waits is done, deletions too."""
    from PySide6.QtCore import QEvent

    for _ in range(5):
        application.processEvents()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def showing(application: Any, runs: int) -> None:
    """1,000 nodes: shown, laid out."""
    from desktop_app.graph.layout import layout
    from desktop_app.graph.workflow import Workflow
    from desktop_app.run.events.run_record import Run

    workflow = chains(1000)
    view = view_of(0, Workflow())

    def shown() -> float:
        view.show_workflow(Workflow(), Run(), view.tools)
        settle(application)
        return timed(lambda: (view.show_workflow(workflow, Run(), view.tools), application.processEvents()))

    figure("1,000 nodes shown", median_of(runs, shown), "s", 2.0)
    sizes = dict.fromkeys(workflow.ids(), (192.0, 220.0))
    figure("layout of 1,000 nodes", median_of(runs, lambda: timed(lambda: layout(workflow, sizes))), "s", 0.5)
    done_with(application, view)


def moving(application: Any, seconds: float) -> None:
    """Frames while one pans, and zooms, over 1,000 nodes of which 20 run."""
    from PySide6.QtCore import QPointF

    from desktop_app.run.events import events
    from desktop_app.run.events.run_record import Run, fold_all

    view = view_of(1000)
    running = [f"n{i * 50}" for i in range(20)]
    run = fold_all(Run(), [events.RunStarted("r", view.workflow.order(), 0.0)])
    run = fold_all(run, [events.NodeStarted(id, "CPU 1", 0.0) for id in running])
    view.show_run(run)

    def frame(tick: int, way: str) -> float:
        """Seconds of one frame; the time until the next is waited."""
        nonlocal run
        begun = time.perf_counter()
        run = fold_all(run, [events.NodeProgress(id, tick % 100 / 100) for id in running])
        view.show_run(run)
        if way == "panning":
            view.canvas.pan_by(QPointF(14 if tick // 40 % 2 else -14, 0))
        else:
            most = 1.01 if way == "zooming seen whole" else 1.03
            view.set_zoom(view.zoom * (most if tick // (20 if most == 1.01 else 85) % 2 == 0 else 1 / most))
        application.processEvents()
        spent = time.perf_counter() - begun
        time.sleep(max(0.0, STEP - spent))
        return spent

    for way, zoom in (("zooming seen whole", None), ("zooming from whole to 100 % and back", None),
                      ("panning", 0.3), ("panning", 0.6), ("panning", 1.0)):  # fmt: skip
        view.fit()
        view.canvas.centre_on(view.bounds().center())
        view.set_zoom(zoom or view.zoom)
        settle(application)
        spent: list[float] = []
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            spent.append(frame(len(spent), way))
        spent.sort()
        name = f"{way} over 1,000 nodes of which 20 run" + (f", at {zoom:.0%}" if zoom else "")
        figure(f"frames a second, {name}", 1 / statistics.mean(spent), "1/s", 50, higher_is_better=True)
        figure(f"99th percentile of a frame, {name}", spent[int(0.99 * len(spent))] * 1000, "ms")
        figure(f"slowest frame, {name}", spent[-1] * 1000, "ms", 60)
    done_with(application, view)


def ticking(application: Any, seconds: float) -> None:
    """Frames while all of 500 nodes run and send 1,000 ticks a second."""
    from desktop_app.run.events import events
    from desktop_app.run.events.run_record import Run, fold_all

    view = view_of(500)
    ids = view.workflow.ids()
    run = fold_all(Run(), [events.RunStarted("r", view.workflow.order(), 0.0)])
    run = fold_all(run, [events.NodeStarted(id, "CPU 1", 0.0) for id in ids])
    view.show_run(run)
    settle(application)
    spent: list[float] = []
    started, sent = time.perf_counter(), 0
    while (now := time.perf_counter()) - started < seconds:
        due = int((now - started) * TICKS)
        ticks = [events.NodeProgress(ids[i % len(ids)], (i // len(ids) % 100) / 100) for i in range(sent, due)]
        sent = due
        run = fold_all(run, ticks)
        view.show_run(run)
        application.processEvents()
        spent.append(time.perf_counter() - now)
        time.sleep(max(0.0, 1 / BATCHES - spent[-1]))
    name = f"at {TICKS} ticks a second on {len(ids)} running nodes, all in view"
    figure(f"frames a second {name}", 1 / statistics.mean(spent), "1/s", 50, higher_is_better=True)
    figure(f"slowest frame {name}", max(spent) * 1000, "ms")
    done_with(application, view)


def opening(application: Any, times: int) -> None:
    """What 100 rounds of opening a conversation with results and closing it leave in memory, after the first 10."""
    import psutil

    from desktop_app.session.session import Change
    from desktop_app.ui.main_window.main_window import MainWindow
    from tests.ui import states
    from tests.ui.fakes import FakeSession, finish

    everything = ~Change(0)
    session = FakeSession(Path(tempfile.mkdtemp()))
    window = MainWindow(session, spawn=finish)  # type: ignore[arg-type]
    window.resize(1440, 900)
    window.show()
    process = psutil.Process()
    before = 0

    def round() -> None:
        states.answered(session)
        session.tell(everything)
        settle(application)
        session.empty()
        session.tell(everything)
        settle(application)

    for number in range(times + 10):
        round()
        if number == 9:
            gc.collect()
            before = process.memory_info().rss
    gc.collect()
    grown = (process.memory_info().rss - before) / 1e6
    figure(f"memory grown by {times} conversations opened and closed", grown, "MB", 5.0)
    done_with(application, window)


def chatting(application: Any) -> None:
    """Opening a chat of 10,000 messages, and scrolling through 200 of its screens."""
    from PySide6.QtCore import QObject

    from desktop_app.session.session import Message
    from desktop_app.ui.chat.chat_panel import ChatPanel
    from desktop_app.ui.support.context import make_context
    from tests.ui.fakes import FakeSession, finish

    session = FakeSession(Path(tempfile.mkdtemp()))
    roles = ("assistant", "user")
    session.messages = tuple(
        Message(n, roles[n % 2], f"Message {n}. " + "It says one thing and another. " * (n % 7)) for n in range(10_000)
    )
    owner = QObject()
    panel: list[Any] = []

    def opened() -> None:
        panel.append(ChatPanel(make_context(session, owner, finish)))  # type: ignore[arg-type]
        panel[0].resize(304, 800)
        panel[0].show()
        application.processEvents()

    figure("chat of 10,000 messages opened", timed(opened), "s", 0.5)
    settle(application)
    bar = panel[0]._scroll.verticalScrollBar()
    spent: list[float] = []
    for _ in range(200 * 8):
        begun = time.perf_counter()
        bar.setValue(bar.value() - 100)
        application.processEvents()
        spent.append(time.perf_counter() - begun)
    spent.sort()
    name = "scrolling through 10,000 messages"
    figure(f"frames a second, {name}", 1 / statistics.mean(spent), "1/s", 50, higher_is_better=True)
    figure(f"99th percentile of a frame, {name}", spent[int(0.99 * len(spent))] * 1000, "ms")
    figure(f"slowest frame, {name}", spent[-1] * 1000, "ms")
    done_with(application, panel[0])


def timed(work: Callable[[], object]) -> float:
    """Seconds of the work."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
