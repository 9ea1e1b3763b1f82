"""What leaves the window as files: pictures of the graph, scripts, results that bring their workflow back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop_app.cli import report
from desktop_app.core import settings
from desktop_app.export.metadata import embed, embedded
from desktop_app.graph.workflow import Workflow
from desktop_app.session.messages import Message
from desktop_app.storage.resources import Resource
from desktop_app.ui.main_window.action_registry import window_actions
from desktop_app.ui.theme import theme
from nodes.api import ResourceType, Table
from tests.ui import states
from tests.ui.main_window.test_main_window import Ctrl

Shift = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(make_window, session):
    states.planned(session)
    return make_window()


def test_the_picture_of_the_graph_holds_every_card(window, qtbot, tmp_path):
    window.graph.select(("rem",))
    QTest.keyClick(window, Qt.Key.Key_S, Ctrl | Shift)
    target = tmp_path / "graph.png"
    window.files.dialog.fileSelected.emit(str(target))
    with Image.open(target) as opened:
        pixels = np.asarray(opened.convert("RGB")).astype(int)
    area = window.graph.canvas.scene().itemsBoundingRect()
    assert abs(pixels.shape[1] - 2 * (area.width() + 64)) <= 2
    ground = np.array(theme.current().color("background.canvas").getRgb()[:3])
    for id, card in window.graph.items.cards.items():
        middle = card.sceneBoundingRect().center() - area.topLeft()
        x, y = int(2 * (middle.x() + 32)), int(2 * (middle.y() + 32))
        assert np.abs(pixels[y - 8 : y + 8, x - 8 : x + 8] - ground).sum() > 0, id
    assert window.graph.selected() == ("rem",)
    window.files.dialog.close()


def test_the_drawing_of_the_graph_is_svg_with_its_words(window, tmp_path):
    window.save_picture()
    target = tmp_path / "graph.svg"
    window.files.dialog.fileSelected.emit(str(target))
    root = ElementTree.parse(target).getroot()
    assert root.tag.endswith("svg") and len(list(root.iter())) > 50
    window.files.dialog.close()


def test_a_picture_that_cannot_be_written_is_explained(window, tmp_path):
    window.save_picture()
    window.files.dialog.fileSelected.emit(str(tmp_path / "no" / "graph.png"))
    assert "could not be saved" in window.chat.composer._trouble.text()
    window.files.dialog.close()


def test_the_menu_saves_a_script(window, session, tmp_path):
    QTest.mouseClick(window.tool_bar.menu_button, Qt.MouseButton.LeftButton)
    menu = next(m for m in window.tool_bar.findChildren(QMenu) if m.isVisible())
    action = next(a for a in menu.actions() if "Python" in a.text())
    action.trigger()
    window.files.dialog.fileSelected.emit(str(tmp_path / "flow.py"))
    assert session.called("save_script") == [(tmp_path / "flow.py",)]
    menu.close()
    window.files.dialog.close()


def test_a_result_dropped_on_the_graph_opens_its_workflow_and_on_the_chat_is_attached(window, session, tmp_path, qtbot):
    path = tmp_path / "result.png"
    Image.new("RGB", (8, 8)).save(path)
    assert embed(session.workflow, path)
    window.graph.files_dropped.emit([path], QPointF(0, 0))
    qtbot.waitUntil(lambda: session.called("open") == [(path,)])
    window.files.dropped([path], lambda paths: session.calls.append(("attached", paths)))
    assert session.called("attached") == [([path],)]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_saved_result_carries_its_workflow_unless_the_user_does_not_want_it(window, session, tmp_path, qtbot, wanted):
    settings.change(embed_workflow=wanted)
    made = session.put("small.png", np.zeros((4, 4, 3), np.uint8), ResourceType.IMAGE, "rem")
    session.origin = lambda resource: session.workflow
    window.files.save_resource(made)
    target = tmp_path / "saved.png"
    window.files.dialog.fileSelected.emit(str(target))
    qtbot.waitUntil(lambda: window.status._saved.text() == "Saved saved.png")
    assert (embedded(target) is not None) is wanted
    window.files.dialog.close()


def _picture(session, name: str, made_by: str = "rem"):
    return session.put(name, np.zeros((4, 4, 3), np.uint8), ResourceType.IMAGE, made_by)


def _proposed(window) -> str:
    return Path(window.files.dialog.selectedFiles()[0]).name


def test_a_result_is_saved_in_the_form_that_was_chosen_last_and_where(window, session, tmp_path, qtbot):
    window.files.save_resource(_picture(session, "a.png"))
    assert _proposed(window) == "a.png" and window.files.dialog.selectedNameFilter().startswith("PNG (")
    target = tmp_path / "there" / "first.jpg"
    target.parent.mkdir()
    window.files.dialog.fileSelected.emit(str(target))
    qtbot.waitUntil(lambda: window.status._saved.text() == "Saved first.jpg")
    window.files.dialog.close()
    window.files.save_resource(_picture(session, "b.png"))
    assert Path(window.files.dialog.selectedFiles()[0]) == target.parent / "b.jpg"
    window.files.dialog.close()
    window.files.save_resource(_picture(session, "mine.png", made_by=""))
    assert _proposed(window) == "mine.png"  # what the user brought stays what it is
    window.files.dialog.close()


def test_all_results_are_saved_to_a_folder_in_the_form_that_was_asked_for(window, session, tmp_path, qtbot):
    made = tuple(_picture(session, f"{n}.png").name for n in range(5))
    session.say(Message(900, "assistant", "Here they are.", "answer", resources=made))
    session.saved_as = "all.webp"
    session.origin = lambda resource: session.workflow
    window.ui.signals.save_all.emit(made)
    window.files.dialog.fileSelected.emit(str(tmp_path))
    qtbot.waitUntil(lambda: window.status._saved.text() == f"Saved 5 files in {tmp_path.name}")
    assert sorted(path.name for path in tmp_path.glob("*.webp")) == [f"{n}.webp" for n in range(5)]
    window.files.dialog.close()


def test_a_result_is_saved_as_the_request_said(window, session):
    made, between = _picture(session, "a.png"), _picture(session, "between.png")
    session.say(Message(900, "assistant", "Here it is.", "answer", resources=(made.name,)))
    session.saved_as = "sunset.webp"
    window.files.save_resource(made)
    assert _proposed(window) == "sunset.webp" and window.files.dialog.selectedNameFilter() == "WEBP (*.webp)"
    window.files.dialog.close()
    window.files.save_resource(between)
    assert _proposed(window) == "between.png"
    window.files.dialog.close()


def test_another_form_chosen_in_the_dialog_is_the_ending_of_the_name(window, session):
    window.files.save_resource(_picture(session, "a.png"))
    dialog = window.files.dialog
    dialog.filterSelected.emit(next(kind for kind in dialog.nameFilters() if "*.jpeg" in kind))
    assert _proposed(window) == "a.jpg"
    dialog.close()


@pytest.mark.parametrize("wanted", [True, False])
def test_results_of_the_command_line_carry_their_workflow_unless_the_user_does_not_want_it(session, tmp_path, wanted):
    states.answered(session)
    session.origin = lambda resource: session.workflow
    settings.save(replace(settings.saved(), embed_workflow=wanted))
    files = report.deliver(session, tmp_path / "out", session.store)
    pictures = [file for file in files if file.suffix in (".png", ".jpg")]
    assert pictures and all((embedded(file) is not None) is wanted for file in pictures)


def _choose(window, command: str) -> None:
    """Opens the menu of the tool bar and clicks on one of its entries."""
    QTest.mouseClick(window.tool_bar.menu_button, Qt.MouseButton.LeftButton)
    menu = next(m for m in window.tool_bar.findChildren(QMenu) if m.isVisible())
    words = window_actions()[command].text
    action = next(a for a in menu.actions() if a.text().split("\t")[0] == words)
    assert action.isEnabled(), command
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


@pytest.mark.parametrize("command", ["open", "save", "save_picture", "save_script"])
def test_the_menu_asks_for_a_file(window, command):
    _choose(window, command)
    assert window.files.dialog.isVisible()
    window.files.dialog.close()


@pytest.mark.parametrize("panel", ["log", "settings"])
def test_the_menu_opens_what_lies_over_the_window(window, panel):
    _choose(window, panel)
    assert getattr(window.overlays, panel).isVisible()


def test_a_picture_is_saved_in_the_form_that_the_name_says(window, session, qtbot, tmp_path):
    window.ui.signals.save_as.emit(session.find("coffee.jpg"))
    window.files.dialog.fileSelected.emit(str(tmp_path / "res.png"))
    qtbot.waitUntil(lambda: "Saved res.png" in window.status._saved.text())
    with Image.open(tmp_path / "res.png") as opened:
        assert opened.format == "PNG"
    window.files.dialog.close()


def test_a_name_of_no_known_form_is_explained(window, session, qtbot, tmp_path):
    window.ui.signals.save_as.emit(session.find("coffee.jpg"))
    window.files.dialog.fileSelected.emit(str(tmp_path / "res.xyz"))
    trouble = window.chat.composer._trouble
    qtbot.waitUntil(lambda: "coffee.jpg cannot be saved as .xyz." in trouble.text())
    assert "Choose one of: .jpg" in trouble.text() and not (tmp_path / "res.xyz").exists()
    window.files.dialog.close()


def test_a_workflow_is_not_saved_under_the_name_of_a_picture(window, session, tmp_path):
    window.files.save_workflow()
    window.files.dialog.fileSelected.emit(str(tmp_path / "flow.png"))
    assert "flow.png cannot be saved as .png." in window.chat.composer._trouble.text()
    assert session.called("save") == []
    window.files.dialog.close()


@pytest.mark.parametrize(
    ("came", "value", "type", "name", "kind"),
    [
        ("prices.xlsx", Table(("a",), ((1,),)), ResourceType.TABLE, "made.xlsx", "XLSX (*.xlsx)"),
        ("cities.csv", Table(("a",), ((1,),)), ResourceType.TABLE, "made.csv", "CSV (*.csv)"),
        ("letter.docx", "Dear all", ResourceType.TEXT, "made.docx", "DOCX (*.docx)"),
    ],
)
def test_a_result_is_saved_in_the_form_in_which_it_came(
    window, session, qtbot, tmp_path, came, value, type, name, kind
):
    brought = Resource(came, ResourceType.FILE, "0" * 64, f".{came.rpartition('.')[2]}")
    session.origin = lambda _: Workflow((brought,), (), ())
    made = session.put("made.json" if type is ResourceType.TABLE else "made.txt", value, type, "rem")
    window.ui.signals.save_as.emit(made)
    assert _proposed(window) == name
    assert window.files.dialog.selectedNameFilter() == window.files.dialog.nameFilters()[0] == kind
    target = tmp_path / name
    window.files.dialog.fileSelected.emit(str(target))
    qtbot.waitUntil(lambda: window.status._saved.text() == f"Saved {name}")
    window.files.dialog.close()
    assert target.read_bytes()[:2] == (b"PK" if name != "made.csv" else b"\xef\xbb")
