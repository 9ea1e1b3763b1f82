"""Steps in the chat: states, buttons by mouse and key, the mode menu, and the whole of it on a real session."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.core.settings import Settings
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.plan.types import Question
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Change, Message
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.ui.chat import step_message
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.chat.question_widget import QuestionView
from desktop_app.ui.chat.step_message import StepMessage
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.settings.settings_panel import SettingsPanel
from desktop_app.ui.support import formatting
from tests.ui.conftest import until, use_theme
from tests.ui.fakes import COFFEE
from tests.ui.states import answered

Left = Qt.MouseButton.LeftButton
STEP = Message(
    2, "assistant", "Watercolour: coffee.jpg, style ink", "step",
    node="paint", state="proposed", why="It was asked for.",
)  # fmt: skip


@pytest.fixture
def chat(qtbot, ui):
    made = ChatPanel(ui)
    qtbot.addWidget(made)
    made.resize(304, 800)
    made.show()
    return made


@pytest.fixture
def proposed(session):
    session.workflow = Workflow(nodes=(Node("paint", "watercolour"),))
    session.proposed = "paint"
    session.say(Message(1, "user", "paint it"))
    session.say(STEP)
    return session


def step_of(chat: ChatPanel) -> StepMessage:
    return [view for view in chat.views if isinstance(view, StepMessage)][-1]


def show(session, **changes) -> None:
    session.say(replace(session.messages[-1], **changes))


def test_a_proposed_step_says_what_with_what_and_why(chat, proposed):
    view = step_of(chat)
    assert view._title.accessibleName() == "Watercolour"
    assert view._inputs.text() == "coffee.jpg, style ink"
    assert view._why.text() == "It was asked for."
    assert view.head.accessibleName() == "Step 1, Watercolour: waits for you"
    assert all(b.isVisible() for b in (view.run, view.other, view.end))
    assert not view.on.isVisible()


def test_what_goes_into_a_step_has_the_name_that_it_is_shown_with(chat, proposed, monkeypatch):
    """The step before showed cat_cartoon.jpg, this one said cat_cartoon.png."""
    proposed.attach(COFFEE)
    monkeypatch.setattr(step_message, "as_saved", lambda ui, one: replace(one, name="coffee.webp"))
    show(proposed, text="Watercolour: coffee.jpg, style ink, 2")
    assert step_of(chat)._inputs.text() == "coffee.webp, style ink, 2"


@pytest.mark.parametrize(("button", "verb"), [("run", "approve"), ("other", "decline"), ("end", "stop")])
def test_its_buttons_decide_by_mouse_and_by_key(chat, proposed, button, verb):
    view = step_of(chat)
    QTest.mouseClick(getattr(view, button), Left)
    QTest.keyClick(getattr(view, button), Qt.Key.Key_Space)
    assert proposed.called(verb) == [(), ()]


def test_its_buttons_are_in_the_panel_and_large_enough(chat, proposed, qtbot):
    view = step_of(chat)
    qtbot.waitUntil(lambda: view.end.geometry().height() > 0)
    for button in (view.run, view.other, view.end):
        corner = button.mapTo(chat, QPoint(button.width(), 0))
        assert corner.x() <= chat.width()
        assert button.height() >= 24
        assert button.accessibleName()
        assert button.toolTip()


def test_tab_reaches_the_buttons(chat, proposed, qtbot):
    view = step_of(chat)
    view.head.setFocus()
    QTest.keyClick(view.head, Qt.Key.Key_Tab)
    assert view.run.hasFocus()
    QTest.keyClick(view.run, Qt.Key.Key_Tab)
    assert view.other.hasFocus()


def test_input_that_is_missing_is_asked_for_before_it_can_run(chat, proposed):
    question = Question("Which style?", "text", ("ink", "pencil"), "paint", "style")
    show(proposed, questions=(question,), open=True)
    view = step_of(chat)
    assert not view.run.isEnabled()
    asked = view.findChild(QuestionView)
    QTest.mouseClick(asked.choices[1], Left)
    assert proposed.called("reply") == [(question, "pencil")]
    show(proposed, open=False)
    assert view.run.isEnabled()


def test_a_running_step_follows_its_node(chat, proposed):
    proposed.proposed = ""
    show(proposed, state="running")
    proposed.run = Run("r", 0.0, {"paint": NodeRun("running", fraction=0.5, note="half")})
    proposed.tell(Change.RUN)
    view = step_of(chat)
    assert view.said.text() == formatting.state_words(proposed.run.nodes["paint"])
    assert view._progress.accessibleName() == "50%"
    assert view._progress.isVisible()
    assert not view.run.isVisible()


def test_a_done_step_shows_its_result_and_its_node(chat, session):
    answered(session)
    name = "coffee_watercolour.png"
    session.messages = (
        Message(1, "user", "paint it"),
        Message(2, "assistant", "Watercolour: coffee.jpg", "step", (name,), node="paint", state="done"),
    )
    session.tell(Change.MESSAGES)
    view = step_of(chat)
    assert [shown.resource.name for shown in view.findChildren(ResultView)] == [name]
    assert view.said.text() == "14 s"
    heard = []
    chat._ui.signals.select_node.connect(heard.append)
    QTest.mouseClick(view.head, Left)
    QTest.keyClick(view.head, Qt.Key.Key_Return)
    assert heard == ["paint", "paint"]
    session.workflow = session.workflow.without("paint")
    session.tell(Change.WORKFLOW)
    assert view.said.text() == "taken back"


def test_a_failed_step_says_why(chat, proposed):
    proposed.proposed = ""
    show(proposed, state="failed", fix="It is too small. Take a larger one.")
    view = step_of(chat)
    assert view.said.text() == "failed"
    assert view._trouble.text() == "It is too small. Take a larger one."
    assert view._trouble.isVisible()


def test_one_can_go_on_from_the_newest_step(chat, proposed):
    proposed.proposed, proposed.can_go_on = "", True
    show(proposed, state="done")
    proposed.say(Message(3, "assistant", "Blur: coffee.jpg", "step", node="seg", state="stopped"))
    first, second = (view for view in chat.views if isinstance(view, StepMessage))
    assert not first.on.isVisible()
    QTest.mouseClick(second.on, Left)
    assert proposed.called("go_on") == [()]


def test_while_a_step_is_chosen_one_can_stop(chat, session):
    session.busy = "Choosing a step"
    session.tell(Change.BUSY)
    assert chat.composer._note.text() == "Choosing…"
    QTest.mouseClick(chat.composer.send_button, Left)
    assert session.called("stop") == [()]


def test_the_mode_is_chosen_in_two_clicks(chat, qtbot):
    heard = []
    chat._ui.signals.change_settings.connect(heard.append)
    button = chat.composer.mode.widget
    assert button.accessibleName() == "Mode: Plan first"
    QTest.mouseClick(button, Left)
    menu = button.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    last = next(action for action in menu.actions() if action.text().startswith("Step by step"))
    QTest.mouseClick(menu, Left, pos=menu.actionGeometry(last).center())
    assert heard == [{"plan_mode": "step by step"}]
    chat._ui.signals.settings_changed.emit(Settings(plan_mode="step by step"))
    assert button.accessibleName() == "Mode: Step by step"


def test_the_limits_are_settings(qtbot, ui):
    from PySide6.QtWidgets import QWidget

    window = QWidget()
    qtbot.addWidget(window)
    panel = SettingsPanel(window, ui.loader, ui.session.upkeep)
    window.resize(900, 900)
    window.show()
    panel.steps.steps.setValue(5)
    panel.steps.tokens.setValue(50_000)
    QTest.mouseClick(panel.steps.approval, Left, pos=QPoint(8, panel.steps.approval.height() // 2))
    saved = settings_file.saved()
    assert (saved.step_most, saved.step_tokens, saved.step_approval) == (5, 50_000, True)
    assert app.step_settings(saved).approve


def test_a_window_goes_step_by_step_with_approval(qtbot, qapp, loop, monkeypatch):
    """From the mode menu to the answer, with the real planner, tools and engine."""
    monkeypatch.delenv("GRAPHWRIGHT_LLM_URL", raising=False)
    use_theme(qapp)
    parts = app._with_history(Settings())
    session = parts.session
    window = MainWindow(session, changed=lambda settings: app.use_settings(parts, settings))
    qtbot.addWidget(window)
    window.resize(1300, 900)
    window.show()
    _ = window.workspace

    async def play() -> None:
        window.ui.signals.change_settings.emit({"plan_mode": "step by step", "step_approval": True})
        assert session.steps.on
        window.chat.composer.add((session.attach(COFFEE).name,))
        QTest.keyClicks(window.chat.composer.field, "make a cartoon of coffee.jpg")
        window.chat.composer.send()
        await until(lambda: session.proposed)
        assert window.graph.workflow.ids() == ("cartoon",)
        assert session.run.id == ""
        await until(lambda: not session.busy)
        session.restore(from_text(to_text(session.snapshot())))  # as after the next start
        assert session.proposed
        assert step_of(window.chat).run.isVisible()
        QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: session.messages[-1].kind == "answer" and not session.busy)
        assert step_of(window.chat).state == "done"
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert session.workflow.ids() == ()
        assert step_of(window.chat).state == "gone"
        assert step_of(window.chat).on.isVisible()
        await session.close()

    async def within() -> None:
        await asyncio.wait_for(play(), 60)

    loop.run_until_complete(within())
