"""The chat: composer, messages, questions, answers; driven with real clicks and keys."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMetaType, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop_app.graph.workflow import DOTS, RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.models.downloads import Download
from desktop_app.plan.ranking.explanations import GUESS
from desktop_app.plan.types import Plan, Question
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.comparison.pairs import compare
from desktop_app.session.messages import Offer
from desktop_app.session.session import Change, Message, Reference
from desktop_app.ui.chat.chat_panel import ChatPanel, make_view
from desktop_app.ui.chat.message_widget import AssistantMessage, ErrorMessage, RunMessage, UserMessage
from desktop_app.ui.chat.plan_message import PlanMessage
from desktop_app.ui.chat.question_widget import LapsedQuestions, PointCard, QuestionView
from desktop_app.ui.compare import diff_text
from desktop_app.ui.graph.outline import outline_text
from desktop_app.ui.results.result_view import FileCard, PageView, ResultView, TableView, TextView
from desktop_app.ui.support import formatting, translator
from desktop_app.ui.widgets.basic import ElidedButton, IconButton
from desktop_app.ui.widgets.download_view import DownloadsView
from desktop_app.ui.widgets.glyphs import Glyph
from desktop_app.ui.widgets.markdown_view import MarkdownText, NodeChip
from desktop_app.ui.widgets.picture import Picture
from nodes import load_tools
from nodes._support.documents import converting
from nodes._support.tables import workbooks
from nodes.api import Point, ResourceType, Table
from nodes.phrase import Phrase
from tests.ui import states
from tests.ui.conftest import served
from tests.ui.fakes import COFFEE

Left = Qt.MouseButton.LeftButton
T = ResourceType


@pytest.fixture
def chat(qtbot, ui):
    made = ChatPanel(ui)
    qtbot.addWidget(made)
    made.resize(320, 800)
    made.show()
    return made


def type_and_enter(chat: ChatPanel, text: str) -> None:
    QTest.keyClicks(chat.composer.field, text)
    QTest.keyClick(chat.composer.field, Qt.Key.Key_Return)


def test_another_conversation_with_the_same_ids_gets_widgets_of_its_own(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    assert [type(view) for view in chat.views] == [UserMessage, PlanMessage]
    session.messages = (Message(1, "user", "Hello"), Message(2, "assistant", "There is one cup.", "answer"))
    session.tell(states.ALL)
    assert [type(view) for view in chat.views] == [UserMessage, AssistantMessage]
    assert any(text.toPlainText() == "There is one cup." for text in chat.views[1].findChildren(MarkdownText))


def test_enter_sends_and_empties_the_field(chat, session):
    type_and_enter(chat, "blur it")
    assert session.called("ask") == [("blur it", ())]
    assert chat.composer.field.toPlainText() == ""


def test_shift_enter_makes_a_line_and_sends_nothing(chat, session):
    QTest.keyClicks(chat.composer.field, "one")
    QTest.keyClick(chat.composer.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(chat.composer.field, "two")
    assert chat.composer.field.toPlainText() == "one\ntwo"
    assert session.called("ask") == []


def test_nothing_is_sent_while_the_session_is_busy(chat, session):
    session.busy = "Planning"
    session.tell(Change.BUSY)
    type_and_enter(chat, "hurry")
    assert session.called("ask") == []
    assert chat.composer.field.toPlainText() == "hurry"


def test_the_send_button_stops_a_run(chat, session):
    session.busy = "Running"
    session.tell(Change.BUSY)
    QTest.mouseClick(chat.composer.send_button, Left)
    assert session.called("stop") == [()]


def test_attached_files_go_with_the_message_and_can_be_removed(chat, session, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("hello")
    chat.composer.add_files([COFFEE, notes])
    assert chat.composer.names == ("coffee.jpg", "notes.txt")
    chips = chat.composer._flow
    QTest.mouseClick(chips.itemAt(0).widget().drop, Left)
    type_and_enter(chat, "read it")
    assert session.called("ask") == [("read it", ("notes.txt",))]
    assert chat.composer.names == ()


def test_a_file_that_cannot_be_attached_is_explained(chat, tmp_path):
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    chat.composer.add_files([empty])
    assert "empty" in chat.composer._trouble.text()
    assert chat.composer._trouble.isVisibleTo(chat)


def test_dropped_files_are_attached(chat, session):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(COFFEE))])
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    chat.composer.dropEvent(QDropEvent(QPointF(20, 20), action, data, Left, keys))
    assert session.called("attach") == [(Path(COFFEE),)]
    assert chat.composer.names == ("coffee.jpg",)


def test_a_pasted_picture_becomes_an_attachment(chat, session, qtbot):
    from PySide6.QtGui import QImage

    image = QImage(8, 6, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    QGuiApplication.clipboard().setImage(image)
    QTest.keyClick(chat.composer.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: chat.composer.names == ("pasted-1.png",))
    assert session.find("pasted-1.png").facets["width"] == 8


PNG = b"\x89PNG\r\n\x1a\n"


class Offered(QMimeData):
    """What another program put into the clipboard: Qt would decode it when it is asked for the picture."""

    def retrieveData(self, kind, type):
        assert kind != "application/x-qt-image" or type.id() == QMetaType.Type.QByteArray, "decoded in the window"
        return super().retrieveData(kind, type)


@pytest.mark.parametrize("kind", ["image/png", "image/bmp", "application/x-qt-image"])
def test_a_picture_of_another_program_is_kept_as_it_came_and_decoded_elsewhere(chat, session, qtbot, kind):
    data = Offered()
    data.setData(kind, COFFEE.read_bytes())
    data.setData("text/plain", b"coffee")
    chat.composer.field.insertFromMimeData(data)
    qtbot.waitUntil(lambda: chat.composer.names == ("pasted-1.jpg",))
    resource = session.find("pasted-1.jpg")
    assert session.path_of(resource).read_bytes() == COFFEE.read_bytes() and resource.facets["width"] == 600


def test_a_broken_picture_in_the_clipboard_is_a_sentence(chat, session, qtbot):
    told = []
    chat.composer._ui.calls.failed.connect(lambda message, fix: told.append(message))
    data = Offered()
    data.setData("image/png", PNG + b"broken")
    chat.composer.field.insertFromMimeData(data)
    qtbot.waitUntil(lambda: bool(told))
    assert "pasted-1.png is named like an image, but cannot be read as one" in told[0]


def test_a_picture_of_an_unknown_kind_in_the_clipboard_is_a_sentence(chat, qtbot):
    data = Offered()
    data.setData("image/x-xbitmap", b"#define x_width 8")
    chat.composer.field.insertFromMimeData(data)
    assert "not read here" in chat.composer._trouble.text()


def test_each_kind_of_message_has_its_widget(chat, session):
    states.failed(session)
    session.tell(states.ALL)
    kinds = [type(view) for view in chat.views]
    assert kinds == [UserMessage, PlanMessage, RunMessage, ErrorMessage]


def test_the_plan_states_its_costs(chat, session):
    states.planned(session, asked=False)
    session.tell(states.ALL)
    card = chat.views[1]._card
    assert "5 steps" in card._costs.text() and "nothing to download" in card._costs.text()
    assert card.run.isVisibleTo(card)


def test_a_plan_that_was_changed_says_what_it_does_now(chat, session):
    states.planned(session, asked=False)
    session.tell(states.ALL)
    paint = session.workflow.node("paint")
    session.edit(session.workflow.without("desc", "paint").with_node(replace(paint, id="new", tool="caption")))
    card = chat.views[1]._card
    titles = [session.tools[node.tool].title for node in session.workflow.nodes]
    assert titles[0] in card._title.text() and "→" in card._title.text()
    assert card._costs.text() == f"{len(titles)} steps"


def test_a_plan_with_open_questions_cannot_be_run_from_its_card(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    card = chat.views[1]._card
    assert not card.run.isVisibleTo(card)


def test_a_choice_replies_to_the_question(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    question = chat.findChildren(QuestionView)[1]
    ink = next(chip for chip in question.choices if chip.text() == "ink")
    QTest.mouseClick(ink, Left)
    assert [(q.port, text) for q, text in session.called("reply")] == [("style", "ink")]
    assert session.workflow.node("paint").values["style"] == "ink"


def test_only_a_change_of_what_it_is_about_makes_a_question_anew(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    before = chat.findChildren(QuestionView)[1]
    session.edit(session.workflow.with_value("paint", "steps", 11))
    assert chat.findChildren(QuestionView)[1] is before
    session.edit(session.workflow.with_value("paint", "style", "ink"))
    served()  # layouts show their widgets by an event
    shown = [view for view in chat.findChildren(QuestionView) if view.isVisibleTo(chat)][1]
    assert shown is not before
    assert [chip.text() for chip in shown.choices if chip.isChecked()] == ["ink"]


def test_a_question_that_lapsed_has_no_tick_and_takes_no_answer(qtbot, ui):
    asked = Question("Fetch page reaches outside. Allow it?", "consent", ("Allow", "Do not allow"), "page")
    answered = QuestionView(ui, asked, False, asked.text)
    lapsed = QuestionView(ui, asked, False, asked.text, lapsed=True)
    for view in (answered, lapsed):
        qtbot.addWidget(view)
    assert answered.findChildren(Glyph) and not lapsed.findChildren(Glyph)
    assert not lapsed.findChildren(QPushButton) and lapsed.answer is None


def test_what_comes_is_not_asked_for_any_more(qtbot, ui, session, monkeypatch):
    asked = Question("Depth has to be fetched. Get it?", "fetch", ("Get it",), resource="depth")
    view = QuestionView(ui, asked, True, asked.text)
    qtbot.addWidget(view)
    view.show()
    assert view.choices[0].isVisible()
    coming = {"depth": Download("depth", "Depth")}
    monkeypatch.setattr(type(session.downloads), "all", property(lambda _: coming))
    view.findChild(DownloadsView).follow()
    again = QuestionView(ui, asked, True, asked.text)
    qtbot.addWidget(again)
    again.show()
    assert not view.choices[0].isVisible()
    assert not again.choices[0].isVisible()


def test_questions_that_lapsed_fold_away_into_one_line(qtbot, ui):
    asked = [Question(f"{name} has to be fetched. Get it?", "fetch", ("Get it",), name) for name in ("a", "b")]
    message = Message(1, "assistant", "Ready to run.", "plan", questions=tuple(asked), lapsed=True)
    view = AssistantMessage(ui, message)
    qtbot.addWidget(view)
    view.show()
    (folded,) = view.findChildren(LapsedQuestions)
    assert folded.fold.text().strip() == "This is no longer asked." and len(folded.views) == 2
    assert not any(one.isVisible() for one in folded.views)
    QTest.mouseClick(folded.fold, Qt.MouseButton.LeftButton)
    assert all(one.isVisible() for one in folded.views)


def test_a_question_that_was_answered_stays_with_its_answer(qtbot, ui, session):
    coffee = session.attach(COFFEE)
    session.points = {coffee.name: (Point(10, 20),)}
    pointed = QuestionView(ui, Question("Click on the cup.", "point", (), "seg", "points", coffee.name), False, "Click")
    session.tools = load_tools().tools
    session.edit(Workflow((coffee,), (Node("border", "border", {"colour": "teal"}),)))
    typed = QuestionView(ui, Question("Which colour?", "text", (), "border", "colour"), False, "Which colour?")
    for view in (pointed, typed):
        qtbot.addWidget(view)
    assert "Click" in [said.text() for said in pointed.findChildren(QLabel)] and pointed.findChild(PointCard)
    assert {"Which colour?", "teal"} <= {said.text() for said in typed.findChildren(QLabel)}


def test_a_password_is_asked_for_and_shown_in_dots(qtbot, ui, session):
    session.tools = load_tools().tools
    asked = Question("Which password?", "text", (), "lock", "password")
    session.edit(Workflow((), (Node("lock", "lock_pdf"),)))
    open = QuestionView(ui, asked, True, asked.text)
    qtbot.addWidget(open)
    QTest.keyClicks(open.line, "Heron-9")
    assert open.line.text() == "Heron-9" and "Heron" not in open.line.displayText()
    locked = Workflow((), (Node("lock", "lock_pdf", {"password": "Heron-9"}),))
    session.edit(locked)
    typed = QuestionView(ui, asked, False, asked.text)
    qtbot.addWidget(typed)
    told = [said.text() for said in typed.findChildren(QLabel)]
    assert DOTS in told and not any("Heron" in text for text in told)
    listed = [port.text for card in outline_text.rows(locked, session.tools) for port in card.ports]
    assert any(DOTS in text for text in listed) and not any("Heron" in text for text in listed)
    sides = dict.fromkeys("ab", SimpleNamespace(run=Run()))
    pair = compare(locked, Workflow(), session.tools)
    apart = diff_text.rows(pair, sides, {"a": {}, "b": {}}, session.tools)  # type: ignore[arg-type]
    assert any(row.a == DOTS for row in apart) and not any("Heron" in row.a for row in apart)


def test_what_a_run_waits_for_is_marked_and_says_so_until_it_is_answered(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    first, second = chat.findChildren(QuestionView)
    assert first.property("surface") != "accent"
    chat.show_question()
    served()
    assert first.property("surface") == "accent" and second.property("surface") != "accent"
    said = [said.text() for said in first.findChildren(QLabel) if said.isVisibleTo(first)]
    assert "First answer this: the plan cannot run before." in said
    assert not first.visibleRegion().isEmpty()


def test_a_point_question_asks_the_window_to_point(chat, session, ui, qtbot):
    states.planned(session)
    session.tell(states.ALL)
    question = chat.findChildren(QuestionView)[0]
    with qtbot.waitSignal(ui.signals.point_at) as got:
        QTest.mouseClick(question.point, Left)
    assert got.args == ["coffee.jpg"]


def test_pointing_in_the_composer_is_for_the_question_that_waits(chat, session, ui, qtbot):
    states.planned(session)
    session.tell(states.ALL)
    with qtbot.waitSignal(ui.signals.point_at) as got:
        QTest.mouseClick(chat.composer.point, Left)
    assert got.args == ["coffee.jpg"]


def test_given_points_are_shown_with_a_way_to_change_them(chat, session, ui, qtbot):
    states.planned(session, asked=False)
    session.tell(states.ALL)
    card = chat.findChild(PointCard)
    with qtbot.waitSignal(ui.signals.point_at) as got:
        QTest.mouseClick(card.edit, Left)
    assert got.args == ["coffee.jpg"]


def test_a_file_with_a_picture_is_shown_as_the_picture(ui, session, qtbot):
    made = replace(session.attach(COFFEE), type=ResourceType.FILE)
    view = ResultView(ui, made)
    qtbot.addWidget(view)
    assert view.findChildren(Picture) and not view.findChildren(FileCard)
    view = ResultView(ui, replace(made, suffix=".pdf"))
    qtbot.addWidget(view)
    assert view.findChildren(FileCard) and not view.findChildren(Picture)


GERMAN = (
    Message(1, "user", "Sortiere nach Preis", language="de", resources=("notes.txt",)),
    Message(2, "assistant", "Hier ist die Liste.", "answer", run="r", told=("prices.json",), language="de"),
    Message(3, "assistant", Phrase("{n} things are missing:", n=2), "plan", language="de", open=True,
            questions=(Question("Which picture?", "file", port="image"),)),
    Message(4, "assistant", "It failed.", "error", language="de"),
)  # fmt: skip


@pytest.fixture
def english(qapp):
    """The words of messages are looked up, as in the program, while the window is in English."""
    translator.use(qapp, "en")


def test_all_of_a_message_is_in_the_language_of_its_request_and_the_window_in_its_own(english, qtbot, ui, session):
    session.put("notes.txt", "three words", T.TEXT, characters=11)
    session.put("prices.json", Table(("a",), ((1,),)), T.TABLE, "n1")
    session.run = Run("r", 0.0, {}, "ok", seconds=2.0)
    session.messages = GERMAN
    chat = ChatPanel(ui)
    qtbot.addWidget(chat)
    chat.resize(320, 800)
    chat.show()
    said = {words for view in chat.views for part in view.findChildren(QLabel) if (words := part.text())}
    assert {"11 Zeichen", "Fertig in 2.0 s"} <= said
    pressed = {words.strip() for view in chat.views for b in view.findChildren(QPushButton) if (words := b.text())}
    assert {"Datei anhängen", "Noch einmal versuchen"} <= pressed
    signs = {button.toolTip() for view in chat.views for button in view.findChildren(IconButton)}
    assert any("prices." in sign and "speichern" in sign.lower() for sign in signs), sorted(signs)
    assert chat.new.toolTip() == "New conversation (Ctrl+N)" and catalogue.language() == "en"


def test_what_comes_later_is_in_the_language_of_its_message_too(english, qtbot, ui, session, tmp_path):
    session.run = Run("r", 0.0, {"n1": NodeRun("running", start=0.0, fraction=0.5)})
    session.put("page.html", "<p>x</p>", T.HTML)
    session.put("many.txt", "words " * 200, T.TEXT)
    session.messages = (
        Message(1, "assistant", "", "run", run="r", language="fr"),
        Message(2, "assistant", "Voici.", "answer", ("many.txt",), language="fr"),
    )
    chat = ChatPanel(ui)
    qtbot.addWidget(chat)
    chat.resize(320, 800)
    chat.show()
    shown = next(view for view in chat.views if isinstance(view, RunMessage)).list
    assert shown._heading.text() == "Le plan s'exécute"
    ui.run_clock.tick.emit()
    assert shown._heading.text() == "Le plan s'exécute"
    texts = lambda: [b.text().strip() for view in chat.views for b in view.findChildren(QPushButton)]  # noqa: E731
    qtbot.waitUntil(lambda: "Afficher les 1200 caractères" in texts())  # read on a thread


@pytest.mark.parametrize(("language", "heads"), [("de", ["x", "y", "dazu"]), ("zh", ["x", "y", "包含"])])
def test_the_heads_of_points_are_in_the_language_of_the_message(english, qtbot, ui, session, language, heads):
    session.put("places.json", (Point(1, 2, True),), T.POINTS)
    view = make_view(ui, Message(1, "assistant", "1.", "answer", ("places.json",), language=language))
    qtbot.addWidget(view)
    qtbot.waitUntil(lambda: bool(view.findChildren(TableView)))  # read on a thread
    model = view.findChild(TableView).model()
    assert [model.headerData(at, Qt.Orientation.Horizontal) for at in range(3)] == heads


def test_a_message_whose_language_is_known_later_is_shown_anew(english, chat, session):
    session.put("notes.txt", "three words", T.TEXT, characters=11)
    session.messages = (Message(1, "user", "Combien de mots ?", resources=("notes.txt",)),)
    session.tell(Change.MESSAGES)
    assert [one.text() for one in chat.views[0].findChildren(QLabel) if "11" in one.text()] == ["11 characters"]
    session.messages = (replace(session.messages[0], language="fr"),)
    session.tell(Change.MESSAGES)
    assert [one.text() for one in chat.views[0].findChildren(QLabel) if "11" in one.text()] == ["11 caractères"]


def test_a_document_is_shown_with_its_first_lines_and_a_workbook_with_its_rows(ui, session, qtbot, tmp_path):
    (tmp_path / "letter.docx").write_bytes(converting.text_as("Dear all,\n\nthank you.", "docx"))
    (tmp_path / "prices.xlsx").write_bytes(workbooks.content(Table(("a", "b"), ((1, 2), (3, 4))), ".xlsx"))
    letter, prices = (ResultView(ui, session.attach(tmp_path / name)) for name in ("letter.docx", "prices.xlsx"))
    for view, kind in ((letter, TextView), (prices, TableView)):
        qtbot.addWidget(view)
        qtbot.waitUntil(lambda view=view, kind=kind: bool(view.findChildren(kind)))
        assert view.findChildren(FileCard)
    assert prices.findChild(TableView).model().rowCount() == 2


def test_what_is_asked_is_in_the_language_of_the_request(chat, session):
    question = Question(Phrase("Click on what you mean in {name}.", name="cat.jpg"), "point", resource="cat.jpg")
    session.say(Message(1, "assistant", question.text, questions=(question,), open=True, language="de"))
    assert "Klick in cat.jpg auf das, was du meinst." in [one.text() for one in chat.findChildren(QLabel)]


def test_what_failed_and_the_title_of_a_plan_are_in_the_language_of_the_request(chat, session):
    states.planned(session, asked=False)
    blur = Phrase("Blur", "tools")
    session.alternatives = tuple(
        replace(way, solution=replace(way.solution, title=blur)) for way in session.alternatives
    )
    session.messages = tuple(replace(message, language="fr") for message in session.messages)
    session.say(
        Message(
            9,
            "assistant",
            Phrase("The disk is full."),
            "error",
            fix=Phrase("Close other programs, or work on something smaller."),
            language="de",
        )
    )
    session.tell(states.ALL)
    assert chat.views[1]._card._title.text() == "Flouter"
    texts = [one.text() for one in chat.views[-1].findChildren(QLabel)]
    assert "Die Platte ist voll." in texts
    assert "Schließe andere Programme oder bearbeite etwas Kleineres." in texts


def test_a_question_about_no_port_is_answered_by_asking(chat, session):
    question = Question("Which file do you mean?", "text")
    session.say(Message(1, "assistant", "", questions=(question,), open=True))
    view = chat.findChild(QuestionView)
    QTest.keyClicks(view.line, "the second")
    QTest.keyClick(view.line, Qt.Key.Key_Return)
    assert session.called("ask") == [("the second", ())]


def test_the_run_list_follows_the_run_and_then_keeps_it(chat, session):
    states.running(session)
    session.tell(states.ALL)
    shown = next(view for view in chat.views if isinstance(view, RunMessage)).list
    assert shown._count.text() == "3 of 5"
    assert shown._rows["paint"].accessibleName() == "Watercolour: 58 % · 6 s left. step 14 of 24"
    states.failed(session)
    session.tell(states.ALL)
    lists = [view.list for view in chat.views if isinstance(view, RunMessage)]
    assert lists[-1]._rows["desc"]._words.text() == "needs Watercolour"


def test_a_plan_that_came_after_the_run_can_be_run(chat, session):
    states.answered(session)
    session.tell(states.ALL)
    first = next(view for view in chat.views if isinstance(view, PlanMessage))._card
    assert not first.run.isVisibleTo(first)
    session.messages += (Message(90, "user", "now as a sketch"), Message(91, "assistant", "Ready to run.", "plan"))
    session.tell(Change.MESSAGES)
    plans = [view for view in chat.views if isinstance(view, PlanMessage)]
    assert plans[-1]._card.run.isVisibleTo(plans[-1]._card) and not first.run.isVisibleTo(first)


def test_the_list_of_a_second_run_does_not_show_the_first(chat, session):
    states.answered(session)
    session.tell(Change.MESSAGES | Change.RUN)
    session.messages += (Message(90, "assistant", "", "run"),)
    session.tell(Change.MESSAGES)  # it is said before the engine has begun
    session.busy = "Running"
    session.tell(Change.BUSY)
    first, second = (view for view in chat.views if isinstance(view, RunMessage))
    assert len(first.list._rows) == 5 and not second.list._rows
    session.run = Run("run-4", time.time(), {"seg": NodeRun("running", "CPU 1", 0.0)})
    session.say(Message(90, "assistant", "", "run", run="run-4"))
    session.tell(Change.RUN)
    assert list(second.list._rows) == ["seg"] and len(first.list._rows) == 5


def test_streamed_text_is_rendered_on_a_timer(chat, session, monkeypatch, qtbot):
    rendered = []
    real = MarkdownText._marked
    monkeypatch.setattr(MarkdownText, "_marked", lambda self: rendered.append(self) or real(self))
    session.say(Message(1, "assistant", "The", "answer", streaming=True))
    first = len(rendered)
    for count in range(2, 200):
        session.say(Message(1, "assistant", "The " * count, "answer", streaming=True))
    assert len(rendered) == first
    session.say(Message(1, "assistant", "The end.", "answer"))
    text = chat.findChild(MarkdownText)
    assert text.toPlainText() == "The end."
    assert len(rendered) < first + 5


def test_a_chip_of_an_answer_selects_its_node(chat, session, ui, qtbot):
    states.planned(session, asked=False)
    text = "The cup is gone. The rest is painted."
    references = (Reference(0, 16, "rem"), Reference(17, 37, "paint"), Reference(0, 4, "no-such"))
    session.say(Message(9, "assistant", text, "answer", references=references))
    session.tell(states.ALL)
    shown = chat.views[-1]._text
    anchors = _anchors(shown)
    assert anchors == ["node:rem", "node:paint"]
    with qtbot.waitSignal(ui.signals.select_node) as got:
        shown.anchorClicked.emit(QUrl(anchors[0]))
    assert got.args == ["rem"]


def test_what_lay_on_the_way_is_folded_below_the_answer(chat, session):
    states.planned(session, asked=False)
    said = "Here is the sound.\n\nRead text:\n\n> Mind the gap"
    references = (Reference(0, 18, "paint"), Reference(20, len(said), "rem", True))
    session.say(Message(9, "assistant", said, "answer", references=references))
    session.tell(states.ALL)
    view = chat.views[-1]
    assert view._text.toPlainText().startswith("Here is the sound.") and "gap" not in view._text.toPlainText()
    assert view.aside.isVisible() and not view.aside.text.isVisible()
    QTest.mouseClick(view.aside.fold, Left)
    assert view.aside.text.isVisible() and "Mind the gap" in view.aside.text.toPlainText()
    assert _anchors(view.aside.text) == ["node:rem"]
    QTest.mouseClick(view.aside.fold, Left)
    assert not view.aside.text.isVisible()


def test_what_is_meant_in_a_picture_is_pointed_at_for_the_mask_that_waits(qtbot, ui, session):
    unclear_cut_out(session)
    asked = Question("What is meant in coffee.jpg?", "point", (), "cut", "mask", "coffee.jpg")
    view = QuestionView(ui, asked, True, asked.text)
    qtbot.addWidget(view)
    with qtbot.waitSignal(ui.signals.pick_port) as got:
        QTest.mouseClick(view.point, Left)
    assert got.args == ["cut", "mask"]


def _anchors(shown: MarkdownText) -> list[str]:
    found, block = [], shown.document().begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            form = pieces.fragment().charFormat()
            if form.isAnchor():
                found.append(form.anchorHref())
            pieces += 1
        block = block.next()
    return found


def test_neighbouring_statements_of_one_node_share_a_chip(qtbot, ui):
    shown = MarkdownText()
    qtbot.addWidget(shown)
    shown.set_text(
        "One. Two. Three.", [NodeChip(4, "a", "A", None), NodeChip(9, "a", "A", None), NodeChip(16, "b", "B", None)]
    )
    assert _anchors(shown) == ["node:a", "node:b"]


def test_results_of_each_type_are_shown(qtbot, ui, session):
    kinds = {
        TextView: session.put("a.txt", "some words", T.TEXT),
        TableView: session.put("b.json", Table(("n", "word"), ((1, "a"), (2, None))), T.TABLE),
        PageView: session.put("c.html", "<h1>Hi</h1><script>alert(1)</script>", T.HTML),
    }
    for kind, resource in kinds.items():
        view = ResultView(ui, resource)
        qtbot.addWidget(view)
        qtbot.waitUntil(lambda view=view, kind=kind: view.findChild(kind) is not None)


def test_a_result_that_is_gone_says_so(qtbot, ui, session):
    resource = session.put("a.txt", "some words", T.TEXT)
    session.path_of(resource).unlink()
    view = ResultView(ui, resource)
    qtbot.addWidget(view)
    from PySide6.QtWidgets import QLabel

    assert "no longer in the store" in view.findChild(QLabel).text()


def test_an_error_offers_to_try_again(chat, session):
    states.failed(session)
    session.tell(states.ALL)
    QTest.mouseClick(chat.views[-1].again, Left)
    assert session.called("ask") == [(states.REQUEST, ("coffee.jpg",))]


def test_a_message_can_be_edited_and_sent_again(chat, session, ui, qtbot):
    states.planned(session)
    session.tell(states.ALL)
    edit = chat.views[0]._tools[1]
    with qtbot.waitSignal(ui.signals.compose) as got:
        QTest.mouseClick(edit, Left)
    assert got.args == [states.REQUEST, ("coffee.jpg",)]


def test_new_conversation_empties_the_panel(chat, session):
    states.answered(session)
    session.tell(states.ALL)
    assert chat.views
    QTest.mouseClick(chat.new, Left)
    assert session.called("new") == [()]
    assert chat.views == ()


def test_after_a_failure_a_button_takes_the_next_way_and_runs_it(chat, session, ui, qtbot):
    states.failed(session)
    session.next_way = 1
    session.say(Message(9, "assistant", "Watercolour failed. Another way is alternative 2, “Find”.", "answer"))
    view = chat.views[-1]
    way = session.alternatives[1]
    assert view.other is not None and view.other.accessibleName() == f"Try alternative 2: {way.solution.title}"
    assert way.solution.reason in view.other.accessibleDescription()
    with qtbot.waitSignal(ui.signals.run):
        QTest.mouseClick(view.other, Left)
    assert session.called("choose") == [(1,)]


def unclear_cut_out(session) -> None:
    """A composite of two pictures; which thing of the first is meant was not clear."""
    cat, beach = session.attach(COFFEE), session.attach(COFFEE.with_name("rocket.jpg"))
    session.tools = load_tools().tools
    joined = (
        Link(cat.name, RESOURCE_OUTPUT, "cut", "image"),
        Link(beach.name, RESOURCE_OUTPUT, "over", "image"),
        Link("cut", "image", "over", "top"),
    )
    session.edit(Workflow((cat, beach), (Node("cut", "cut_out"), Node("over", "overlay")), joined))
    cut = NodeRun("failed", message="It is not clear which object of the picture is meant.", port="image")
    session.run = Run("r", nodes={"cut": cut, "over": NodeRun("skipped", because="cut")}, outcome="failed")


def test_after_a_cut_out_that_failed_pointing_is_in_the_picture_of_the_object(chat, session, ui, qtbot):
    unclear_cut_out(session)
    with qtbot.waitSignal(ui.signals.pick_port) as asked:
        QTest.mouseClick(chat.composer.point, Left)
    assert asked.args == ["cut", "mask"]


def test_an_answer_that_tells_of_an_unclear_object_has_the_button_to_point_at_it(chat, session, ui, qtbot):
    unclear_cut_out(session)
    session.say(Message(9, "assistant", "Cut out failed: it is not clear which object is meant.", "answer"))
    view = chat.views[-1]
    assert view.point is not None
    with qtbot.waitSignal(ui.signals.pick_port) as asked:
        QTest.mouseClick(view.point, Left)
    assert asked.args == ["cut", "mask"]


def test_what_finds_the_subject_by_itself_and_does_not_offers_to_be_told_by_clicks(chat, session, ui, qtbot):
    """It said "Click on the object", and had no input for clicks: the only button tried the same again."""
    cat = session.attach(COFFEE)
    session.tools = load_tools().tools
    link = Link(cat.name, RESOURCE_OUTPUT, "found", "image")
    session.edit(Workflow((cat,), (Node("found", "segment_subject"),), (link,)))
    found = NodeRun("failed", message="It is not clear which object of the picture is meant.", port="image")
    session.run = Run("r", nodes={"found": found}, outcome="failed")
    session.say(Message(9, "assistant", "Select the subject failed.", "answer"))
    view = chat.views[-1]
    assert view.point is not None
    with qtbot.waitSignal(ui.signals.pick_port) as asked:
        QTest.mouseClick(view.point, Left)
    assert asked.args == ["found", "points"]


def test_an_answer_has_one_default_action(chat, session):
    states.failed(session)
    session.next_way = 1
    unclear_cut_out(session)
    session.say(Message(9, "assistant", "Cut out failed: it is not clear which object is meant.", "answer"))
    view = chat.views[-1]
    assert view.point is not None and view.other is not None
    assert [button.property("primary") for button in (view.point, view.other)] == [True, None]


def test_what_a_guess_could_be_stands_under_the_words_that_ask(chat, session):
    states.planned(session)
    asked = Question("Which one?", choices=("a.jpg", "b.jpg"))
    session.say(
        Message(
            9,
            "assistant",
            "One of these?",
            "answer",
            offers=(Offer("Blur", "show", "1"),),
            questions=(asked,),
            open=True,
        )
    )
    column = chat.views[-1]._column
    assert column.indexOf(chat.views[-1]._helps) < column.indexOf(chat.views[-1]._questions)


def test_of_the_ways_that_a_guess_could_be_the_shown_one_is_marked(chat, session):
    states.planned(session)
    offers = tuple(Offer(way.solution.title, "show", str(n)) for n, way in enumerate(session.alternatives) if n)
    session.say(Message(9, "assistant", "One of these?", "answer", offers=offers))
    view = chat.views[-1]
    assert [button.isChecked() for button in view.offered] == [False] * len(offers)
    session.chosen = 1
    session.tell(Change.PLAN)
    assert [button.isChecked() for button in view.offered] == [True] + [False] * (len(offers) - 1)


def test_the_keyboard_goes_to_the_composer_when_what_had_it_goes(chat, session, qtbot):
    chat.activateWindow()
    session.say(
        Message(9, "assistant", "Which?", "answer", questions=(Question("Which?", choices=("a", "b")),), open=True)
    )
    chip = chat.views[-1].findChildren(QuestionView)[0].choices[0]
    chip.setFocus()
    qtbot.waitUntil(chip.hasFocus)
    session.say(replace(session.messages[-1], questions=(), open=False))
    assert chat.composer.field.hasFocus()


def test_what_would_help_is_a_button_each(chat, session, ui, qtbot):
    states.failed(session)
    helps = (
        Offer("Blur this picture", "ask", "Blur this picture"),
        Offer("Way 2", "way", "1"),
        Offer("Model", "connect"),
    )
    session.say(Message(9, "assistant", "No tool here can fly.", offers=helps))
    found = [b for b in chat.views[-1].findChildren(QPushButton) if b.text() in {one.text for one in helps}]
    assert [button.text() for button in found] == ["Blur this picture", "Way 2", "Model"]
    QTest.mouseClick(found[0], Left)
    qtbot.waitUntil(lambda: bool(session.called("ask")))
    assert session.called("ask")[0][0] == "Blur this picture"
    with qtbot.waitSignal(ui.signals.show_settings):
        QTest.mouseClick(found[2], Left)


def test_a_long_offer_and_a_long_choice_go_on_in_further_lines_and_enter_presses_them(chat, session, qtbot):
    states.planned(session)
    long = "Put the caption into the template that says what was seen today, and where, and by whom"
    offers, asked = (Offer(long, "ask", "fly"),), Question("Which one?", choices=(f"{long}.jpg", "b.jpg"))
    session.say(Message(9, "assistant", "No tool here can fly.", offers=offers, questions=(asked,), open=True))
    served()
    found = [b for b in chat.views[-1].findChildren(ElidedButton) if b.accessibleName().startswith(long)]
    assert len(found) == 2 and all("\n" in button.text() for button in found)
    assert found[0].text().replace("\n", " ") == found[0].accessibleName()
    high = found[0].fontMetrics().lineSpacing()
    assert all(button.height() >= high * (1 + button.text().count("\n")) for button in found)
    assert chat.views[-1].minimumSizeHint().width() <= chat._scroll.viewport().width()
    QTest.keyClick(next(b for b in found if b.accessibleName() == long), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(session.called("ask")))


def test_the_choices_of_a_question_are_in_the_language_of_the_request(chat, session):
    states.planned(session)
    asked = Question("如何翻转？", choices=("horizontally", "vertically"))
    session.say(Message(9, "assistant", "如何翻转？", questions=(asked,), open=True, language="zh"))
    found = [b.text() for b in chat.views[-1].findChildren(QPushButton) if b.property("choice")]
    assert found == ["水平", "垂直"]


def test_only_the_latest_answer_offers_another_way(chat, session):
    states.failed(session)
    session.next_way = 1
    session.say(Message(9, "assistant", "Watercolour failed.", "answer"))
    session.say(Message(10, "user", "thanks"))
    assert chat.views[-2].other is None
    session.busy = "Planning"
    session.tell(Change.BUSY)
    assert chat.views[-2].other is None


def test_every_control_of_the_chat_has_a_name(chat, session):
    from PySide6.QtWidgets import QAbstractButton

    states.answered(session)
    session.tell(states.ALL)
    nameless = [b for b in chat.findChildren(QAbstractButton) if not (b.accessibleName() or b.text().strip())]
    assert nameless == []


def test_messages_are_as_wide_as_the_panel_and_no_wider(chat, session, qtbot):
    states.answered(session)
    session.tell(states.ALL)
    served()
    inner = chat._scroll.viewport().width()
    for view in (view for view in chat.views if view.wanted):
        assert view.mapTo(chat._scroll.widget(), QPoint(view.width(), 0)).x() <= inner
    assert isinstance(chat.views[-1], AssistantMessage)


def test_a_plan_that_is_a_guess_says_so_and_what_it_leaves_out(chat, session):
    states.planned(session, asked=False)
    session.plan = Plan(session.plan.solutions if session.plan else (), questions=(GUESS,), left_out="the stamp")
    session.tell(Change.MESSAGES | Change.PLAN)
    view = next(view for view in chat.views if isinstance(view, PlanMessage))
    assert view._text.isVisibleTo(view)
    assert formatting.said(GUESS.text) in view._words() and "the stamp" in view._words()
    session.plan = None
    session.tell(Change.PLAN)
    assert not view._text.isVisibleTo(view)


def test_the_latest_plan_keeps_its_card_while_an_earlier_one_is_shown_again(chat, session):
    states.planned(session, asked=False)
    session.tell(Change.MESSAGES | Change.PLAN)
    card = next(view for view in chat.views if isinstance(view, PlanMessage))._card
    title = card._title.text()
    assert card.run.isVisibleTo(card) and not card.back.isVisibleTo(card)
    session.knows_plan = lambda plan: True
    other = session.alternatives[0]
    session.alternatives = (replace(other, solution=replace(other.solution, title="Something else")),)
    session.tell(Change.PLAN)
    assert card._title.text() == title != "Something else"
    assert card.back.isVisibleTo(card) and not card.run.isVisibleTo(card)


def test_an_earlier_plan_keeps_its_card_when_a_new_one_comes(qtbot, ui, session):
    states.planned(session)
    panel = ChatPanel(ui)
    qtbot.addWidget(panel)
    first = panel.views[1]
    session.say(Message(3, "user", "now another way"))
    session.alternatives = session.alternatives[1:]
    session.tell(states.ALL)
    assert first._card._title.text() == "Point and paint"


def test_a_message_without_words_is_not_sent_and_it_is_said_what_is_missing(chat, session):
    chat.composer.add([session.attach(COFFEE).name])
    QTest.keyClick(chat.composer.field, Qt.Key.Key_Return)
    QTest.mouseClick(chat.composer.send_button, Left)
    assert session.called("ask") == [] and not chat.composer.send_button.isEnabled()
    assert chat.composer._note.text() == "Say what to do with it"
    type_and_enter(chat, "blur it")
    assert session.called("ask") == [("blur it", ("coffee.jpg",))]


def test_an_error_of_the_composer_goes_when_one_writes_or_the_graph_changes(chat, ui, session):
    for act in (lambda: QTest.keyClicks(chat.composer.field, "a"), lambda: session.tell(Change.WORKFLOW)):
        ui.calls.failed.emit("It could not be read.", "Choose another file.")
        session.tell(Change.RUN)
        assert chat.composer.troubled
        act()
        assert not chat.composer.troubled


def test_a_change_by_words_is_told_above_its_card_and_no_doubt_of_the_plan_before(chat, session):
    states.planned(session, asked=False)
    session.plan = Plan(session.plan.solutions if session.plan else (), questions=(GUESS,))
    told = "Border: width is 40 now."
    session.messages += (
        Message(90, "user", "40 pixels"),
        Message(91, "assistant", f"{told} Ready to run.", "plan", why=told),
        Message(92, "user", "and sharper"),
        Message(93, "assistant", "Ready to run.", "plan"),
    )
    session.tell(Change.MESSAGES | Change.PLAN)
    _, changed, last = (view for view in chat.views if isinstance(view, PlanMessage))
    assert changed._text.isVisibleTo(changed) and changed._words() == told
    assert formatting.said(GUESS.text) in last._words()


def test_where_files_are_offered_another_one_is_not_the_default(chat, session):
    states.planned(session)
    asked = Question("Which file?", kind="file", choices=("a.jpg", "b.jpg"))
    session.say(Message(9, "assistant", "Which file?", "answer", questions=(asked,), open=True))
    view = chat.views[-1].findChildren(QuestionView)[0]
    assert not view.attach.property("primary") and view.answer is view.choices[0]


def test_of_two_requests_that_ask_only_the_later_has_the_default_action(chat, session):
    states.planned(session)
    session.tell(states.ALL)
    (before,) = (one for one in chat.views[-1].findChildren(QuestionView) if one._question.kind == "point")
    assert before.point.property("primary")
    asked = session.messages[-1].questions
    session.messages += (
        Message(8, "user", "a cartoon instead"),
        Message(9, "assistant", "Point at it.", "plan", questions=asked, open=True),
    )
    session.tell(states.ALL)
    plans = [view for view in chat.views if isinstance(view, PlanMessage)]
    views = [view._questions.itemAt(0).widget() for view in plans]
    points = [view for view in views if isinstance(view, QuestionView)]
    assert [bool(one.point.property("primary")) for one in points] == [False, True]
