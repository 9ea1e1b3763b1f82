"""The log of a run: its words, its growth while the run goes on, filters, copying; what lanes print."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop_app.run.events import events
from desktop_app.run.events.recording import Recording
from desktop_app.session.session import Change
from desktop_app.ui.inspector.inspector_panel import LOG, Inspector
from desktop_app.ui.log.log_panel import LogPanel
from desktop_app.ui.support import log_lines
from desktop_app.ui.support.log_lines import Line
from tests.ui import states
from tests.ui.fakes import TOOLS

Left = Qt.MouseButton.LeftButton
TITLES = {"seg": "Segment by points", "paint": "Watercolour", "desc": "Describe result"}


def said(*told: tuple[float, events.Event]) -> list[Line]:
    return log_lines.lines(told, lambda id: TITLES[id], lambda id: TOOLS["watercolour"] if id == "paint" else None)


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


# Words


def test_a_start_names_lane_back_end_and_usual_time():
    (line,) = said((2.0, events.NodeStarted("paint", "GPU 0", 2.0, 14.0, "sdxl")))
    assert (line.at, line.node) == (2.0, "paint")
    assert line.text == "Started on GPU 0 · SDXL 1.0 · takes 14 s as a rule"


def test_of_reports_that_differ_in_numbers_the_last_is_kept_and_others_all():
    steps = [(n / 10, events.NodeProgress("paint", n / 10, f"step {n} of 9")) for n in range(1, 10)]
    tiles = (2.0, events.NodeProgress("paint", 0.9, "not enough memory: going on in tiles"))
    other = (2.1, events.NodeProgress("seg", 0.5))
    found = said(*steps, other, tiles, (2.2, events.NodeProgress("paint", 0.95, "step 1 of 9")))
    assert texts(found) == [
        "step 9 of 9 · 90 %", "50 %", "not enough memory: going on in tiles · 90 %", "step 1 of 9 · 95 %",
    ]  # fmt: skip


def test_a_batch_names_every_item_that_failed():
    failed = (("b.jpg", "It is empty."), ("c.jpg", "It is no picture."))
    found = said((3.0, events.NodeFinished("paint", {}, 1.0, False, 3.0, "opencv", 20, failed, "2 of 20 failed.")))
    assert texts(found) == [
        "Done in 1.0 s · OpenCV stylisation", "2 of 20 failed.", "b.jpg: It is empty.", "c.jpg: It is no picture.",
    ]  # fmt: skip
    assert [line.state for line in found] == ["", "input", "failed", "failed"]


def test_a_failure_a_skip_and_the_end_are_told_with_their_causes():
    cause = "Traceback (most recent call last):\n  MemoryError"
    found = said(
        (4.0, events.NodeFailed("paint", "No room.", fix="Close programs.", cause=cause)),
        (4.0, events.NodeSkipped("desc", "paint")),
        (4.1, events.RunFinished("r", "failed", 4.1, {"done": 3, "failed": 1, "skipped": 1, "cached": 0})),
    )
    assert texts(found)[:2] == ["No room.", "Close programs."]
    assert "MemoryError" in found[3].text and found[0].state == "failed"
    assert texts(found)[-2:] == [
        "Skipped because of Watercolour",
        "The run ended with failures after 4.1 s (3 done, 1 failed, 1 skipped)",
    ]


# The panel


@pytest.fixture
def recorded(session, own_home):
    """A session in a run, and the file in which it is recorded."""
    states.running(session)
    made = Recording(own_home / "runs", session.run.id)
    ids = session.workflow.ids()
    made.write([events.RunStarted(session.run.id, ids, session.run.time)])
    made.write([events.NodeStarted("seg", "GPU 0", 0.1), events.NodeFinished("seg", {}, 0.2, True, 0.2, "sam")])
    made.write([events.NodeStarted("paint", "GPU 0", 0.4, 14.0, "sdxl")])
    yield made
    made.close()


@pytest.fixture
def panel(qtbot, ui, recorded):
    home = QWidget()
    qtbot.addWidget(home)
    home.resize(1200, 800)
    anchor = QLabel("here", home)
    anchor.setGeometry(1100, 760, 40, 30)
    home.show()
    made = LogPanel(home, ui)
    made.open_below(anchor)
    qtbot.waitUntil(lambda: bool(made.table.lines))
    return made


def test_the_log_grows_with_the_run(panel, recorded, session, qtbot):
    assert texts(panel.table.lines)[-1].startswith("Started on GPU 0 · SDXL 1.0")
    recorded.write([events.NodeProgress("paint", 0.5, "going on in tiles")])
    session.tell(Change.RUN)
    qtbot.waitUntil(lambda: texts(panel.table.lines)[-1] == "going on in tiles · 50 %")


def test_it_is_searched_by_words_and_titles(panel):
    QTest.keyClicks(panel.search, "watercolour sdxl")
    assert [line.node for line in panel.table.lines] == ["paint"]
    QTest.keyClicks(panel.search, " nowhere")
    assert panel.table.lines == []


def test_a_node_that_is_gone_has_its_title_or_none_never_its_id(ui, panel, session):
    title = ui.log.title
    paint = replace(session.run.nodes["paint"], workflow=session.workflow)
    session.run = replace(session.run, nodes={"paint": paint})
    session.workflow = session.workflow.without("paint", "seg")
    assert title("paint") == "Watercolour" and title("seg") == "Removed step"


def test_all_that_is_shown_is_copied(panel):
    QTest.keyClicks(panel.search, "kept")
    QTest.mouseClick(panel.copy, Left)
    line = QGuiApplication.clipboard().text()
    assert line.split("\t")[1:] == ["Segment by points", "Done before, and kept"] and line.split("\t")[0].endswith(" s")


def test_chosen_lines_are_copied_by_key(panel):
    panel.table.selectRow(0)
    QTest.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().endswith("The run began, 5 nodes")


def test_a_line_leads_to_its_node(panel, ui, qtbot):
    panel.table.setFocus()
    panel.table.selectRow(2)
    panel.table.setCurrentIndex(panel.table.model().index(2, 0))
    with qtbot.waitSignal(ui.signals.select_node) as got:
        panel.table.activated.emit(panel.table.currentIndex())
    assert got.args == [panel.table.lines[2].node]


def test_the_folder_of_the_recording_is_opened(panel, recorded, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    QTest.mouseClick(panel.folder, Left)
    assert opened == [str(recorded.path.parent)]


def test_what_a_lane_printed_can_be_read(panel, own_home, qtbot):
    (own_home / "logs").mkdir(parents=True)
    (own_home / "logs" / "cpu-1.log").write_text("loading weights\nwarning: slow\n")
    panel._list_sources()
    panel.source.setCurrentIndex(1)
    panel.source.activated.emit(1)
    qtbot.waitUntil(lambda: texts(panel.table.lines) == ["loading weights", "warning: slow"])
    assert panel.source.currentText() == "Printed by cpu 1"


def test_it_stays_inside_the_window_above_its_button(panel):
    box = panel.geometry()
    assert box.bottom() < 760 and box.left() >= 0 and box.top() >= 0 and box.right() <= 1200


def test_another_run_begins_another_log(panel, session, own_home, qtbot):
    other = Recording(own_home / "runs", "run-4")
    other.write([events.RunStarted("run-4", ("seg",), session.run.time)])
    session.run = replace(session.run, id="run-4", nodes={})
    session.tell(Change.RUN)
    qtbot.waitUntil(lambda: texts(panel.table.lines) == ["The run began, 1 node"])
    other.close()


def test_nothing_is_read_while_it_is_closed(qtbot, ui, recorded, session, monkeypatch):
    home = QWidget()
    qtbot.addWidget(home)
    panel = LogPanel(home, ui)
    read = []
    monkeypatch.setattr(ui.log, "read", lambda: read.append(True))
    session.tell(Change.RUN)
    assert read == [] and not panel._timer.isActive()


def test_the_inspector_shows_the_recorded_lines_of_its_node(qtbot, ui, recorded):
    recorded.write([events.NodeProgress("paint", 0.5, "going on in tiles")])
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.show()
    made.show_item(("paint",))
    made.tabs.setCurrentIndex(LOG)

    def shown() -> str:
        return " ".join(label.text() for label in made.log.findChildren(QLabel))

    qtbot.waitUntil(lambda: "going on in tiles" in shown())
    assert "Done before, and kept" not in shown()
