"""What was changed after a run says so wherever its result is shown, in words and by a sign of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_app.graph.workflow import Link
from desktop_app.run.events.run_record import NodeRun, Run, outdated
from desktop_app.session.session import Change, Message
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.chat.message_widget import AssistantMessage, RunMessage
from desktop_app.ui.graph.items.card_model import CardModels
from desktop_app.ui.graph.items.link_item import state_of
from desktop_app.ui.inspector.inspector_panel import RESULT, Inspector
from desktop_app.ui.main_window.action_registry import WindowActions
from desktop_app.ui.main_window.tool_bar import ToolBar
from desktop_app.ui.theme import shapes
from desktop_app.ui.timeline.chart import bars_of
from desktop_app.ui.timeline.timeline_panel import Timeline, summary
from desktop_app.ui.widgets.picture import Picture
from tests.ui import states


@pytest.fixture
def changed(session):
    """A run after which the watercolour was changed: what it gave, and what came of that, is out of date."""
    states.answered(session)
    nodes = {id: outdated(node) if id in ("paint", "desc") else node for id, node in session.run.nodes.items()}
    session.run = replace(session.run, nodes=nodes)
    return session


def words(widget) -> str:
    QApplication.processEvents()  # layouts show new widgets when they are next activated
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def test_the_card_says_it_and_keeps_the_old_picture(changed):
    faces = CardModels(changed.workflow, changed.tools)
    face = faces.of_node("paint", changed.run)
    assert (face.state, face.word) == ("outdated", "Out of date")
    assert face.result == changed.run.nodes["paint"].outputs["image"]
    assert face.accessible == "Watercolour, strength 0.62, Out of date"
    assert faces.of_node("rem", changed.run).state == "done"


def test_one_that_had_failed_says_what_to_do(changed):
    run = Run("r", nodes={"paint": outdated(NodeRun("failed", message="Too large."))}, outcome="failed")
    face = CardModels(changed.workflow, changed.tools).of_node("paint", run)
    assert (face.state, face.result, face.headline) == ("outdated", None, "")
    assert face.text == "Changed since it ran.\nRun it again."


def test_its_sign_is_none_of_the_others(qapp):
    def sign(state: str) -> bytes:
        image = QImage(QSize(28, 28), QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        shapes.paint_state(painter, QRectF(0, 0, 28, 28), state)
        painter.end()
        return bytes(image.convertToFormat(QImage.Format.Format_Alpha8).constBits())

    others = ("waiting", "done", "cached", "failed", "skipped", "input", "cancelled", "bypassed", "muted", "missing")
    assert sign("outdated") not in {sign(state) for state in others}


def test_nothing_is_carried_by_a_link_that_comes_from_it(changed):
    link = next(link for link in changed.workflow.links if link.source == "paint")
    assert state_of(link, changed.workflow, changed.run) == "waiting"
    assert state_of(Link("rem", "image", "paint", "image"), changed.workflow, changed.run) == "waiting"


def test_the_inspector_says_it_and_fades_the_result(qtbot, ui, changed):
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    made.show_item(("paint",))
    assert "Out of date" in words(made.hero) and "Done" not in words(made.hero)
    assert made.hero.findChild(Picture).faint
    made.tabs.setCurrentIndex(RESULT)
    assert made.result.findChild(Picture).faint
    undone = {id: replace(node, state="done") for id, node in changed.run.nodes.items()}
    changed.run = replace(changed.run, nodes=undone)
    changed.tell(Change.WORKFLOW)
    assert "Done in 14 s" in words(made.hero)
    assert not made.result.findChildren(Picture)[-1].faint


def test_its_log_tells_what_happened_and_that_it_is_out_of_date(ui, changed):
    lines = [line.text for line in ui.log.lines_of("paint", changed.run.nodes["paint"])]
    assert lines[-1] == "Out of date" and any(line.startswith("Done in") for line in lines)
    failed = ui.log.lines_of("paint", outdated(NodeRun("failed", message="Too large.")))
    assert [line.text for line in failed] == ["Too large.", "Out of date"]


def test_the_timeline_keeps_its_bar_and_says_it(qtbot, ui, changed):
    made = Timeline(ui)
    qtbot.addWidget(made)
    made.resize(900, 160)
    assert summary(changed.run, 0.0).endswith("2 out of date")
    bar = next(bar for bar in bars_of(changed.run, 0.0) if bar.node == "paint")
    assert "out of date" in made.chart.words_of(bar)
    assert not made.grab().isNull()


def test_what_takes_no_part_in_a_run_has_no_bar_and_does_not_count(changed):
    run = replace(changed.run, outcome="", beside=frozenset({"seg", "cap", "rem", "paint"}))
    assert [bar.node for bar in bars_of(run, 0.0)] == ["desc"]
    assert "cache" not in summary(run, 0.0) and run.fraction == 1.0


def test_the_tool_bar_does_not_say_that_it_is_finished(qtbot, ui, changed):
    made = ToolBar(ui, WindowActions(QWidget(), None))
    qtbot.addWidget(made)
    made.refresh()
    assert made._words.text() == "Out of date"


def test_the_answer_says_it_and_takes_it_back(qtbot, ui, session):
    states.answered(session)
    made = ChatPanel(ui)
    qtbot.addWidget(made)
    answer = next(view for view in made.views if view.message.kind == "answer")
    assert isinstance(answer, AssistantMessage) and not answer._outdated.isVisibleTo(answer)
    session.outdated.add(answer.message.id)
    session.tell(Change.WORKFLOW)
    assert answer._outdated.isVisibleTo(answer) and "changed since" in answer._outdated.accessibleName()
    session.outdated.clear()
    session.tell(Change.WORKFLOW)
    assert not answer._outdated.isVisibleTo(answer)


def test_each_list_shows_its_own_run_when_a_conversation_is_opened(qtbot, ui, session):
    states.answered(session)
    first = Run("first", nodes={"seg": NodeRun("done", seconds=1.0)}, outcome="ok", seconds=1.0)
    session.went = {"first": first}
    lists = (Message(90, "assistant", "", "run", run="first"), Message(91, "assistant", "", "run", run="forgotten"))
    session.messages = (*session.messages, *lists)
    made = ChatPanel(ui)
    qtbot.addWidget(made)
    shown = {view.message.run: view.list for view in made.views if isinstance(view, RunMessage)}
    assert list(shown["first"]._rows) == ["seg"] and len(shown["run-3"]._rows) == 5
    assert shown["forgotten"]._heading.text() == "How this run went is not known."
    assert not shown["forgotten"]._foot.isVisibleTo(shown["forgotten"])
