"""Recordings in the window: opened by drop, from the list and from the command; played, scrubbed, read only."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from desktop_app.cli import main
from desktop_app.graph.workflow import Workflow
from desktop_app.session import replay
from desktop_app.session.replay import Replay
from desktop_app.ui.application.application import Companions
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.replay.replay_window import ReplayWindow
from tests import tapes
from tests.ui import states
from tests.ui.conftest import use_theme
from tests.ui.fakes import finish

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def path(session, tmp_path):
    """A recording of a run of 20 seconds, five nodes one after the other; the last one failed."""
    states.planned(session, asked=False)
    return tapes.tape(tmp_path / "taped.jsonl", session.workflow, tapes.chain(session.workflow))


@pytest.fixture
def shown(qtbot, qapp, session, path):
    use_theme(qapp)
    made = ReplayWindow(Replay(replay.read(path), session.tools, session.store), finish)
    made.companions = Companions(made)
    made.resize(1440, 900)
    made.show()
    made.bar.pause()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def window(qtbot, qapp, session, path):
    use_theme(qapp)
    made = MainWindow(session, spawn=finish)
    made.companions = Companions(made)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    yield made
    made.close()


def cards(shown: ReplayWindow) -> list[str]:
    return [shown.graph.items.cards[id].face.state for id in shown.session.workflow.ids()]


def test_the_recorded_graph_is_shown_as_it_was_at_the_moment(shown):
    shown.replay.seek(9.7)
    assert cards(shown) == ["done", "done", "running", "waiting", "waiting"]
    assert shown.chat.views[0].list._count.text() == "2 of 5"
    assert [bar.node for bar in shown.timeline.chart.bars] == ["seg", "rem", "paint"]
    shown.replay.seek(99.0)
    assert cards(shown)[-1] == "failed" and shown.inspector.item == "desc"
    shown.replay.seek(0.0)
    assert cards(shown) == ["running", "waiting", "waiting", "waiting", "waiting"]


def test_the_time_of_a_pause_does_not_pass_in_the_run(shown):
    shown.replay.seek(9.7)
    assert shown.ui.pulse.now == pytest.approx(9.7, abs=0.01)
    assert shown.graph.items.cards["paint"].face.word == "2 s left"
    shown.ui.pulse.beat.emit()
    assert shown.graph.items.cards["paint"].face.word == "2 s left"


def test_play_pause_and_speed(shown, qtbot):
    bar = shown.bar
    QTest.mouseClick(bar.speeds[16], Left)
    assert shown.replay.speed == 16 and bar.speeds[16].isChecked() and not bar.speeds[1].isChecked()
    QTest.mouseClick(bar.play, Left)
    assert bar.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: shown.replay.position > 2.0)
    QTest.keyClick(bar.play, Qt.Key.Key_Space)
    held = shown.replay.position
    assert not shown.replay.playing and bar.play.accessibleName() == "Play"
    bar._tick()  # one that was on its way
    assert shown.replay.position == held and not bar._timer.isActive()


def test_at_the_end_it_stops_and_can_be_played_again(shown, qtbot):
    shown.replay.seek(19.5)
    shown.bar.set_speed(16)
    QTest.mouseClick(shown.bar.play, Left)
    qtbot.waitUntil(lambda: shown.replay.ended)
    qtbot.waitUntil(lambda: shown.bar.play.accessibleName() == "Play again")
    QTest.mouseClick(shown.bar.play, Left)
    assert shown.replay.position < 15.0 and shown.replay.playing


def test_a_click_on_the_slider_and_its_keys_go_to_a_moment(shown):
    scrub = shown.bar.scrub
    QTest.mouseClick(scrub, Left, Qt.KeyboardModifier.NoModifier, QPoint(scrub.width() // 2, scrub.height() // 2))
    assert shown.replay.position == pytest.approx(10.0, abs=0.3)
    before = shown.replay.position
    QTest.keyClick(scrub, Qt.Key.Key_Right)
    assert shown.replay.position > before
    QTest.keyClick(scrub, Qt.Key.Key_Home)
    assert shown.replay.position == 0.0


def test_nothing_can_be_changed_and_it_is_said(shown, session):
    shown.select("paint")
    assert not shown.inspector.values.isEnabled() and not shown.inspector.backends.isEnabled()
    assert shown.tool_bar.run_button.isHidden() and shown.chat.composer.isHidden()
    QTest.keyClick(shown, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert shown.tool_bar.search.isHidden() and not shown.companions.palette.popup.isVisible()
    shown.graph.edited.emit(Workflow())
    assert "nothing can be changed" in shown.bar._said.text()
    QTest.keyClick(shown, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert shown.session.workflow == session.workflow and len(shown.session.messages) == 1


def test_a_failure_of_a_replay_offers_nothing_to_do(shown):
    shown.replay.seek(99.0)
    shown.select("desc")
    failure = shown.inspector.failure
    assert "It broke." in " ".join(label.text() for label in failure.findChildren(QLabel))
    assert failure.findChildren(QAbstractButton) == []


def test_escape_pauses(shown):
    shown.bar.start()
    QTest.keyClick(shown.graph.canvas, Qt.Key.Key_Escape)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.replay.playing


def drop(window: MainWindow, path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, data, Left, none))


def test_a_dropped_recording_opens_beside_and_leaves_the_session_alone(window, session, path, qtbot):
    before = (session.workflow, session.messages, session.run, dict(session.resources), len(session.listeners))
    calls = list(session.calls)
    drop(window, path)
    qtbot.waitUntil(lambda: bool(window.companions.replays.windows))
    (shown,) = window.companions.replays.windows
    qtbot.waitUntil(shown.isVisible)
    assert shown.bar.title.accessibleName().startswith("Replay of ")
    QTest.mouseClick(shown.bar.close_button, Left)
    assert window.companions.replays.windows == [] and window.isVisible()
    after = (session.workflow, session.messages, session.run, dict(session.resources), len(session.listeners))
    assert before == after and session.calls == calls


def test_replays_close_with_their_window(window, path, qtbot):
    window.ui.signals.show_recording.emit(path)
    qtbot.waitUntil(lambda: bool(window.companions.replays.windows))
    (shown,) = window.companions.replays.windows
    window.close()
    assert not shown.isVisible()


def test_a_recording_that_is_shown_already_comes_to_the_front(window, path, qtbot):
    replays = window.companions.replays
    replays.open(path)
    qtbot.waitUntil(lambda: bool(replays.windows) and replays.windows[0].isVisible())
    window.activateWindow()
    with qtbot.waitActive(replays.windows[0]):
        replays.open(path)
    assert len(replays.windows) == 1


def test_what_is_no_recording_is_explained(window, tmp_path, qtbot):
    (tmp_path / "x.jsonl").write_text("hello\n")
    with qtbot.waitSignal(window.ui.calls.failed) as got:
        window.ui.signals.show_recording.emit(tmp_path / "x.jsonl")
    assert "no recording" in got.args[0] and window.companions.replays.windows == []


def test_recorded_runs_are_listed_and_replayed(window, session, own_home, qtbot):
    (own_home / "runs").mkdir(parents=True, exist_ok=True)
    tapes.tape(own_home / "runs" / "20200101-r.jsonl", session.workflow, tapes.chain(session.workflow))
    tapes.tape(own_home / "runs" / "20200102-old.jsonl", None, tapes.chain(session.workflow))
    window.overlays.show_recordings()
    panel = window.overlays.recordings
    qtbot.waitUntil(lambda: len(panel.rows) == 1)
    (row,) = panel.rows
    assert row.accessibleName().startswith("Segment by points → Remove object")
    assert "5 nodes · failed after 20 s" in row.accessibleDescription()
    QTest.keyClicks(panel.search, "nothing of that name")
    assert panel.rows == []
    panel.search.clear()
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.companions.replays.windows))


def test_a_run_that_has_ended_can_be_replayed_from_the_chat(qtbot, window, session):
    states.answered(session)
    session.tell(states.ALL)
    view = next(v for v in window.chat.views if hasattr(v, "list"))
    with qtbot.waitSignal(window.ui.signals.show_recording) as got:
        QTest.mouseClick(view.list.again, Left)
    assert got.args[0].name == "run-3.jsonl"


# The command


def test_without_a_display_the_command_says_so(path, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main.main(["replay", str(path)]) == 2
    assert "no display" in capsys.readouterr().err


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf"])
def test_an_impossible_speed_is_refused(path, speed, capsys):
    assert main.main(["replay", str(path), f"--speed={speed}"]) == 2
    assert "is not possible" in capsys.readouterr().err


def test_the_command_makes_a_picture_of_a_run_that_was_really_recorded(tmp_path, own_home):
    """A real run, recorded by the engine, seen again in the window of another process."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("QT_QPA_PLATFORM", None)

    def graphwright(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "desktop_app", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)

    workflow = {
        "format": 1, "resources": [], "links": [],
        "nodes": [{"id": "shout", "tool": "change_case", "values": {"text": "hello", "case": "upper"}}],
    }  # fmt: skip
    (tmp_path / "w.json").write_text(json.dumps(workflow))
    done = graphwright("run", str(tmp_path / "w.json"))
    assert done.returncode == 0, done.stderr
    (recorded,) = (own_home / "runs").glob("*.jsonl")
    tape = replay.read(recorded)
    assert tape.workflow.ids() == ("shout",) and Replay(tape, {}, None).tape.started.nodes == ("shout",)
    picture = tmp_path / "seen.png"
    done = graphwright("replay", str(recorded), "--offscreen", str(picture))
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
