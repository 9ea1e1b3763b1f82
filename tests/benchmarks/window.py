"""How smooth the graph stays while much happens: 500 nodes on show, 1,000 progress ticks a second, offscreen.

`python -m tests.benchmarks.window [--long]`
"""

from __future__ import annotations

import os
import sys
import time

from tests.benchmarks.figures import figure, median_of

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

NODES, TICKS, BATCHES = 500, 1000, 30


def main() -> None:
    """Prints the figures."""
    from PySide6.QtWidgets import QApplication

    from desktop_app.run.record import Run
    from desktop_app.ui import theme
    from desktop_app.ui.graph_view import GraphView
    from nodes import load_tools

    application = QApplication([])
    theme.apply(application, "dark", 1.0)
    tools = load_tools().tools
    workflow = _workflow()
    view = GraphView()
    view.resize(1100, 640)
    view.show()

    def shown() -> float:
        view.show_workflow(type(workflow)(), Run(), tools)
        application.processEvents()
        started = time.perf_counter()
        view.show_workflow(workflow, Run(), tools)
        application.processEvents()
        return time.perf_counter() - started

    runs = 7 if "--long" in sys.argv else 3
    figure(f"{NODES} nodes shown", median_of(runs, shown), "s", 2.0)
    view.show_workflow(workflow, Run(), tools)
    view.fit()
    seconds = 10.0 if "--long" in sys.argv else 3.0
    frame, slowest = _frames(view, application, workflow, seconds)
    name = f"at {TICKS} ticks a second on {NODES} running nodes, all in view"
    figure(f"frames a second {name}", 1 / frame, "1/s", 50, higher_is_better=True)
    figure(f"slowest frame {name}", slowest * 1000, "ms")

    def repainted() -> float:
        started = time.perf_counter()
        view.canvas.viewport().repaint()
        return time.perf_counter() - started

    figure(f"whole repaint of {NODES} running nodes", median_of(runs * 3, repainted) * 1000, "ms")


def _workflow():
    from desktop_app.workflow import Link, Node, Workflow

    ids = [f"n{i}" for i in range(NODES)]
    links = tuple(Link(ids[i - 1], "image", ids[i], "image") for i in range(1, NODES) if i % 20)
    return Workflow((), tuple(Node(id, "blur") for id in ids), links)


def _frames(view, application, workflow, seconds: float) -> tuple[float, float]:
    """Mean and longest seconds from a batch of ticks to the paint of all that it changed, 30 batches a second."""
    from desktop_app.run import events
    from desktop_app.run.record import Run, fold_all

    run = fold_all(Run(), [events.RunStarted("r", workflow.order(), 0.0)])
    run = fold_all(run, [events.NodeStarted(id, "CPU 1", 0.0) for id in workflow.ids()])
    view.show_run(run)
    application.processEvents()
    spent = []
    started, sent = time.perf_counter(), 0
    while (now := time.perf_counter()) - started < seconds:
        due = int((now - started) * TICKS)
        ticks = [events.NodeProgress(f"n{i % NODES}", (i // NODES % 100) / 100) for i in range(sent, due)]
        sent = due
        run = fold_all(run, ticks)
        view.show_run(run)
        application.processEvents()
        spent.append(time.perf_counter() - now)
        time.sleep(max(0.0, 1 / BATCHES - spent[-1]))
    return sum(spent) / len(spent), max(spent)


if __name__ == "__main__":
    main()
