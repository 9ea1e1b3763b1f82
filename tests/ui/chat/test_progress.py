"""How far a run is and how long it takes, in all places that say it; what is odd about a result; memory."""

from __future__ import annotations

import gc
import threading
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.backends.memory_usage import Usage, measure
from desktop_app.run.engine import Loaded
from desktop_app.run.events import events
from desktop_app.run.events.run_record import NodeRun, Run, fold_all
from desktop_app.run.scheduling.durations import seconds_left
from desktop_app.session.session import Change
from desktop_app.ui.application.gc_timer import GcTimer
from desktop_app.ui.chat.run_progress import RunList
from desktop_app.ui.graph.items.card_model import CardModels
from desktop_app.ui.inspector.inspector_panel import RESULT, Inspector
from desktop_app.ui.main_window.status_bar import Status, StatusBar
from desktop_app.ui.support import time_left
from desktop_app.ui.timeline.timeline_panel import Timeline
from desktop_app.ui.widgets.memory_bar import MemoryBar
from tests.ui import states

Left = Qt.MouseButton.LeftButton
GB = 1_000_000_000


def words(widget) -> str:
    QApplication.processEvents()  # layouts show new widgets when they are next activated
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def told(*batch: events.Event, usual: dict[str, float] | None = None) -> Run:
    """The record after the events; the run began at time 1000."""
    ids = tuple(dict.fromkeys(e.node for e in batch if not isinstance(e, events.RunStarted | events.RunFinished)))
    return fold_all(Run(), [events.RunStarted("r", ids, 1000.0, usual or {}), *batch])


# Time left of a node


def test_before_it_reports_a_node_counts_down_from_what_it_takes_as_a_rule():
    node = told(events.NodeStarted("n", "CPU 1", 2.0, 10.0), usual={"n": 10.0}).nodes["n"]
    assert [time_left.of_node(node, now) for now in (2.0, 5.0, 11.0)] == [10.0, 7.0, 1.0]
    assert time_left.of_node(node, 13.0) is None  # longer than as a rule: nobody knows


@pytest.mark.parametrize("usual", [None, 3.0, 40.0])
@pytest.mark.parametrize(("elapsed", "fraction"), [(1.0, 0.1), (8.0, 0.5), (30.0, 0.97), (5.0, 1.0)])
def test_between_two_reports_the_time_counts_down(usual, elapsed, fraction):
    left = seconds_left(elapsed, fraction, usual)
    started = events.NodeStarted("n", "CPU 1", 1.0, usual)
    node = told(started, events.NodeProgress("n", fraction, seconds_left=left)).nodes["n"]
    now = 1.0 + elapsed
    assert time_left.of_node(node, now) == pytest.approx(left)
    assert time_left.of_node(node, now + left / 2) == pytest.approx(left / 2, abs=1e-9)
    assert time_left.of_node(node, now + left + 9) == 0.0


def test_a_node_of_which_nothing_is_known_says_how_long_it_has_been_at_it():
    node = NodeRun("running", start=1.0)
    assert time_left.of_node(node, 5.0) is None
    assert time_left.running_words(node, 5.0) == "running"
    assert time_left.running_words(node, 15.0) == "14 s so far"


def test_from_ten_seconds_on_percent_and_time_are_told():
    short = NodeRun("running", start=0.0, fraction=0.5, seconds_left=2.0)
    long = NodeRun("running", start=0.0, fraction=0.5, seconds_left=8.0)
    assert time_left.running_words(short, 2.0) == "2 s left"
    assert time_left.running_words(long, 8.0) == "50 % · 8 s left"


# Time left of a run


def diamond() -> Workflow:
    nodes = tuple(Node(id, "t") for id in "abcd")
    links = (Link("a", "o", "b", "i"), Link("a", "o", "c", "i"), Link("b", "o", "d", "i"), Link("c", "o", "d", "j"))
    return Workflow((), nodes, links)


def test_the_run_takes_as_long_as_its_longest_way():
    run = fold_all(Run(), [events.RunStarted("r", tuple("abcd"), 0.0, {"a": 1.0, "b": 5.0, "c": 2.0, "d": 1.0})])
    assert time_left.of_run(run, diamond(), 0.0, places=8) == 7.0
    assert time_left.of_run(run, diamond(), 0.0, places=1) == 9.0


def test_what_has_ended_takes_no_more_time_and_what_runs_the_rest():
    begun = events.RunStarted("r", tuple("abcd"), 0.0, {"a": 1.0, "b": 5.0, "c": 2.0, "d": 1.0})
    done = events.NodeFinished("a", {}, 1.0, False, 1.0)
    run = fold_all(Run(), [begun, done, events.NodeStarted("b", "CPU 1", 1.0, 5.0)])
    assert time_left.of_run(run, diamond(), 3.0, places=8) == pytest.approx(3.0 + 1.0)


def test_with_something_that_never_ran_no_time_is_promised():
    run = fold_all(Run(), [events.RunStarted("r", tuple("abcd"), 0.0, {"a": 1.0})])
    assert time_left.of_run(run, diamond(), 0.0) is None
    assert time_left.of_run(Run(), diamond(), 0.0) is None


# Where it is shown


@pytest.fixture
def going(session, monkeypatch):
    """The session in a run that began 11 seconds ago, and a clock that stands still."""
    states.running(session)
    now = time.time()
    monkeypatch.setattr("desktop_app.ui.support.run_clock.time.time", lambda: now)
    nodes = {**session.run.nodes, "desc": NodeRun("waiting", usual=2.0)}
    nodes["paint"] = replace(nodes["paint"], start=1.0, fraction=0.5, seconds_left=10.0)
    session.run = replace(session.run, time=now - 11.0, nodes=nodes)
    return session


def test_the_list_in_the_chat_tells_time_left_of_nodes_and_run(qtbot, ui, going):
    made = RunList(ui)
    qtbot.addWidget(made)
    made.show_run(going.run)
    assert made._rows["paint"]._words.text() == "50 % · 10 s left"
    assert made._rows["paint"]._note.text() == "step 14 of 24"
    assert "about 12 s left" in words(made)


def test_the_status_bar_tells_how_much_of_the_run_is_left(qtbot, ui, going):
    made = StatusBar(ui, Status())
    qtbot.addWidget(made)
    going.tell(Change.RUN)
    assert made._run._label.text() == "70 % · about 12 s left"
    going.run = replace(going.run, outcome="ok")
    going.tell(Change.RUN)
    assert made._run.isHidden()


def test_the_timeline_tells_it_too(qtbot, ui, going, monkeypatch):
    monkeypatch.setattr("desktop_app.ui.timeline.timeline_panel.time.time", lambda: going.run.time + 11.0)
    made = Timeline(ui)
    qtbot.addWidget(made)
    made.refresh()
    assert made._words.accessibleName().endswith("about 12 s left")


def test_between_two_reports_the_list_counts_down(qtbot, ui, session):
    states.running(session)
    session.run = replace(session.run, time=time.time() - 3.0, nodes={"desc": NodeRun("running", start=0.0, usual=5.0)})
    made = RunList(ui)
    qtbot.addWidget(made)
    session.tell(Change.RUN)
    made.show_run(session.run)
    assert made._rows["desc"]._words.text() == "2 s left"
    qtbot.waitUntil(lambda: made._rows["desc"]._words.text() == "1 s left")


def test_the_pulse_beats_only_while_a_run_goes_on(qtbot, ui, session):
    assert not ui.run_clock._timer.isActive()
    states.running(session)
    session.tell(Change.RUN)
    assert ui.run_clock._timer.isActive() and ui.run_clock.now == pytest.approx(11.2, abs=2)
    session.run = replace(session.run, outcome="ok")
    session.tell(Change.RUN)
    assert not ui.run_clock._timer.isActive() and ui.run_clock.now == 0.0


# What is odd about a result

FAILED = (("b.jpg", "It is empty."),)
NOTICE = "1 of 20 failed: b.jpg: It is empty."


@pytest.fixture
def batch(session):
    states.answered(session)
    made = replace(session.run.nodes["cap"], items=20, failed=FAILED, notice=NOTICE)
    session.run = replace(session.run, nodes={**session.run.nodes, "cap": made})
    return session


def test_a_batch_tells_how_many_failed_on_card_and_list(qtbot, ui, batch):
    face = CardModels(batch.workflow, batch.tools).of_node("cap", batch.run)
    assert face.word == "19 of 20 · 0.9 s" and face.notice == NOTICE and NOTICE.rstrip(".") in face.accessible
    made = RunList(ui)
    qtbot.addWidget(made)
    made.show_run(batch.run)
    row = made._rows["cap"]
    assert row._words.text() == "19 of 20 · 0.9 s" and row._note.text().startswith("1 of 20 failed")


def test_the_inspector_lists_the_items_that_failed(qtbot, ui, batch):
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.show()
    made.show_item(("cap",))
    assert NOTICE in words(made.hero) and "19 of 20 · Done in 0.9 s" in words(made.hero)
    made.tabs.setCurrentIndex(RESULT)
    assert "b.jpg" in words(made.result) and "It is empty." in words(made.result)


def test_card_and_inspector_name_the_back_end_that_runs(qtbot, ui, session):
    states.running(session)
    run = fold_all(session.run, [events.NodeStarted("paint", "CPU 2", 1.0, None, "opencv")])
    assert CardModels(session.workflow, session.tools).of_node("paint", run).left == "OpenCV stylisation · CPU 2"
    session.run = run
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.show()
    made.show_item(("paint",))
    assert "OpenCV stylisation · CPU 2" in words(made.hero)


# Memory


def test_memory_is_measured():
    usage = measure()
    assert 0 < usage.window < usage.taken < usage.total and usage.lanes >= 0


def test_the_meter_shows_what_it_measured_in_bar_and_timeline(qtbot, ui):
    bar, made = StatusBar(ui, Status()), MemoryBar(ui)
    for widget in (bar, made):
        qtbot.addWidget(widget)
    with qtbot.waitSignal(ui.meter.measured):
        made.show()
    assert " of " in bar._memory._label.text()
    assert "Window" in words(made) and "tools" in words(made)


def test_a_click_on_a_model_frees_it(qtbot, ui, session, monkeypatch):
    usage = Usage(9 * GB, 32 * GB, GB, 2 * GB, ((5 * GB, 24 * GB),))
    monkeypatch.setattr("desktop_app.ui.support.memory_monitor.measure", lambda: usage)
    session.upkeep.loaded = [Loaded("sam-base", "GPU 0", GB, False), Loaded("other", "CPU 1", 2 * GB, True)]
    made = MemoryBar(ui)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.models) == 2)
    assert "5.0 GB of 24.0 GB" in words(made) and "9.0 GB of 32.0 GB" in words(made)
    assert [row.accessibleName().split(",")[1].strip() for row in made.models] == ["1.0 GB", "2.0 GB"]
    assert "goes when that ends" in made.models[1].toolTip()
    QTest.mouseClick(made.models[0], Left)
    assert session.upkeep.freed == ["sam-base"]
    qtbot.waitUntil(lambda: len(made.models) == 1)
    QTest.keyClick(made.models[0], Qt.Key.Key_Return)
    assert session.upkeep.freed == ["sam-base", "other"]


# Cycles of objects


def test_cycles_are_collected_on_the_thread_of_the_window_only(qapp):
    class Knot:
        def __init__(self, found: list[str]) -> None:
            self.me, self.found = self, found

        def __del__(self) -> None:
            self.found.append(threading.current_thread().name)

    def work() -> None:
        Knot(died)
        kept.extend([i] for i in range(20_000))  # far more than what makes Python collect by itself

    died: list[str] = []
    kept: list[list[int]] = []
    garbage = GcTimer()
    worker = threading.Thread(target=work, name="worker")
    worker.start()
    worker.join()
    assert died == []
    garbage.collect()
    assert died == ["MainThread"]
    garbage.stop()
    assert gc.isenabled()


GOING = ((3, "a_faces-004.png"), (7, "a_faces-008.png"))


def test_an_item_at_work_can_be_stopped_alone(qtbot, ui, session):
    states.running(session)
    made = replace(session.run.nodes["paint"], going=GOING)
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": made})
    inspector = Inspector(ui)
    qtbot.addWidget(inspector)
    inspector.resize(300, 900)
    inspector.show()
    inspector.show_item(("paint",))
    inspector.tabs.setCurrentIndex(RESULT)
    stops = inspector.result.going.stops
    assert [stop.accessibleName() for stop in stops.values()] == ["Stop a_faces-004.png", "Stop a_faces-008.png"]
    assert all(stop.height() >= 24 for stop in stops.values())
    QTest.mouseClick(stops[7], Qt.MouseButton.LeftButton)
    assert session.called("stop_item") == [("paint", 7)] and not stops[7].isEnabled()
    kept = stops[3]
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": replace(made, going=(GOING[0], (9, "x")))})
    session.tell(Change.RUN)
    assert list(inspector.result.going.stops) == [3, 9] and inspector.result.going.stops[3] is kept
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": replace(made, going=())})
    session.tell(Change.RUN)
    assert inspector.result.going is None


def test_the_failed_items_are_tried_again_when_nothing_runs(qtbot, ui, batch):
    inspector = Inspector(ui)
    qtbot.addWidget(inspector)
    inspector.show_item(("cap",))
    inspector.tabs.setCurrentIndex(RESULT)
    inspector.show()
    again = inspector.result.failed.again
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    assert batch.called("try_again") == [("cap",)]
    batch.busy = "Running"
    batch.tell(Change.BUSY)
    assert not again.isEnabled()


@pytest.mark.parametrize(
    ("because", "cause", "said"),
    [
        ("paint", "muted", "muted"), ("rem", "muted", "muted: Remove object"),
        ("rem", "bypassed", "bypassed: Remove object"), ("rem", "", "needs Remove object"),
    ],
)  # fmt: skip
def test_the_list_says_why_a_node_was_not_run(qtbot, ui, session, because, cause, said):
    states.failed(session)
    skipped = NodeRun("skipped", because=because, cause=cause)
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": skipped})
    made = RunList(ui)
    qtbot.addWidget(made)
    made.show_run(session.run)
    row = made._rows["paint"]
    assert row.accessibleName() == f"Watercolour: {said}" and row._words.text() == said
