"""In the window: a graph from a file is marked, asks in the chat, and tells its damage."""

from __future__ import annotations

import asyncio
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.plan.types import Plan
from desktop_app.session.consent import ALLOW, READ, REFUSE
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.chat.question_widget import QuestionView
from desktop_app.ui.main_window.file_dialogs import WindowFiles
from desktop_app.ui.support import qt_types
from desktop_app.ui.support.context import make_context
from nodes import load_tools
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.ui.conftest import served

TOOLS = load_tools().tools
PAGE = Workflow((), (Node("page", "fetch_page", {"url": "https://example.org/a"}),)).to_json()


@pytest.fixture
def real(tmp_path):
    store = Store(tmp_path / "store")
    engine = FakeEngine(store, TOOLS, {"fetch_page": "words"})
    return Session(TOOLS, FakePlanner(Plan(())), engine, store, FakeHistory())


@pytest.fixture
def chat(qtbot, real):
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ChatPanel(make_context(real, parent, asyncio.run))
    qtbot.addWidget(made)
    made.resize(320, 800)
    made.show()
    made.told, made.kept = [], parent
    made._ui.calls.failed.connect(lambda message, fix: made.told.append(f"{message} {fix}"))
    return made


@pytest.fixture
def files(chat):
    return WindowFiles(chat, chat._ui, lambda text: None)


def drop(files, path, data) -> None:
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    qt_types.make_all()
    files.dropped([path], lambda paths: pytest.fail(f"{paths} taken for attachments"))
    files._ui.loader._pool.waitForDone()  # what the file holds is looked at on a thread
    served()


def press(chat, text) -> None:
    chat.show_question()
    views = [view for view in chat.findChildren(QuestionView) if view.choices and not view.isHidden()]
    (chip,) = [chip for chip in views[-1].choices if chip.text() == text]
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)


def test_the_mark_is_shown_while_the_conversation_has_a_graph_from_a_file(chat, files, real, tmp_path):
    assert not chat.mark.isVisible()
    drop(files, tmp_path / "trees.json", PAGE)
    assert chat.mark.isVisible() and "trees.json" in chat.mark._said.text()
    real.new()
    assert not chat.mark.isVisible()


def test_a_tool_that_reaches_outside_runs_when_that_is_pressed(chat, files, real, tmp_path):
    drop(files, tmp_path / "trees.json", PAGE)
    asyncio.run(real.start())
    assert real.tracker.engine.runs == []
    press(chat, ALLOW)
    assert len(real.tracker.engine.runs) == 1


def test_the_keyboard_is_on_the_refusal(chat, files, real, tmp_path):
    drop(files, tmp_path / "trees.json", PAGE)
    asyncio.run(real.start())
    chat.show_question()
    (view,) = [view for view in chat.findChildren(QuestionView) if view.isVisible()]
    assert view.answer is not None and view.answer.text() == REFUSE
    press(chat, REFUSE)
    assert real.tracker.engine.runs == []
    assert "not allowed" in real.messages[-1].text


def test_files_outside_are_read_when_that_is_pressed(chat, files, real, tmp_path):
    (tmp_path / "given").mkdir()
    (tmp_path / "secret.txt").write_text("words")
    drop(files, tmp_path / "given" / "w.json", {**PAGE, "resources": [{"name": "a.txt", "path": "../secret.txt"}]})
    assert real.workflow.nodes == ()
    press(chat, READ)
    assert [r.name for r in real.workflow.resources] == ["a.txt"]


@pytest.mark.parametrize(
    "part",
    [{"nodes": 5}, {"nodes": [{"id": "a", "tool": "blur", "backend": []}]}, {"resources": [None]}, {"links": {}}],
    ids=repr,
)  # fmt: skip
def test_a_drop_of_a_damaged_one_is_told(chat, files, real, tmp_path, part):
    drop(files, tmp_path / "w.json", {**PAGE, **part})
    assert len(chat.told) == 1 and "damaged" in chat.told[0]
    assert real.workflow == Workflow()
    drop(files, tmp_path / "w.json", '{"format": 1, "x": ' + "[" * 100_000)
    assert len(chat.told) == 2
