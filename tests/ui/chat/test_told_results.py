"""What an answer tells in its text can be copied and kept, each result by itself or all at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.graph.workflow import Workflow
from desktop_app.session.session import Message
from desktop_app.storage.resources import Resource
from desktop_app.ui.chat.message_widget import AssistantMessage
from desktop_app.ui.chat.result_card import NamedFacts, ResultCard, ToldResult
from desktop_app.ui.results.result_view import FileCard
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton
from desktop_app.ui.widgets.picture import Picture
from nodes.api import Label, ResourceType, Table

Left = Qt.MouseButton.LeftButton
T = ResourceType
PRICES = Table(("article", "price"), (("Tea", 2.5), ("Rolls", 0.6)))


@pytest.fixture
def told(qtbot, ui, session):
    """The message of an answer that tells these values."""

    def show(*values) -> AssistantMessage:
        names = [session.put(name, value, type, "n1").name for name, value, type in values]
        view = AssistantMessage(ui, Message(1, "assistant", "Here it is.", "answer", told=tuple(names)))
        qtbot.addWidget(view)
        view.resize(320, 300)
        view.show()
        return view

    return show


def test_each_result_that_is_told_has_a_line_with_the_name_of_its_file(told, session):
    session.origin = lambda _: Workflow((Resource("letter.docx", T.FILE, "0" * 64, ".docx"),), (), ())
    view = told(
        ("prices_sort.json", PRICES, T.TABLE), ("letter_correct.txt", "Dear all", T.TEXT), ("n.json", 3, T.NUMBER)
    )
    lines = view.findChildren(ToldResult)
    assert [line.findChild(QLabel).accessibleName() for line in lines] == [
        "prices_sort.xlsx", "letter_correct.docx", "n.txt",
    ]  # fmt: skip
    assert all(line.save.isVisible() and line.copy.isVisible() for line in lines)


def test_what_is_saved_as_a_photo_is_called_so_on_its_card(qtbot, ui, session):
    session.origin = lambda _: Workflow((Resource("beach.jpg", T.IMAGE, "0" * 64, ".jpg"),), (), ())
    card = ResultCard(ui, session.put("beach_blur.png", np.zeros((4, 4, 3), np.uint8), T.IMAGE, "n1"))
    qtbot.addWidget(card)
    (picture,), (save, *_), (name,) = map(card.findChildren, (Picture, IconButton, NamedFacts))
    said = (picture.toolTip(), picture.accessibleName(), save.toolTip(), name.accessibleName())
    assert all("beach_blur.jpg" in text and ".png" not in text for text in said)


def test_the_whole_of_a_table_is_a_press_away(told, ui, session):
    view = told(("prices_sort.json", PRICES, T.TABLE), ("n.json", 3, T.NUMBER))
    opened = []
    ui.signals.open_large.connect(opened.append)
    QTest.mouseClick(view.findChild(ToldResult).large, Left)
    assert opened == [session.find("prices_sort.json")]
    assert not hasattr(view.findChildren(ToldResult)[1], "large")


def test_names_of_tables_and_files_are_whole_in_the_chat_as_it_is_at_first(told, ui, session, qtbot):
    view = told(("umsatz_gruppiert.json", PRICES, T.TABLE))
    view.resize(272, 300)
    (line,) = view.findChildren(NamedFacts)
    qtbot.waitUntil(lambda: "…" not in line.text() and line.text().startswith("umsatz_gruppiert"))
    made = replace(session.put("song_fade_out.pdf", "x", T.TEXT, "n1"), type=T.FILE, suffix=".pdf")
    card = ResultCard(ui, made)
    qtbot.addWidget(card)
    card.resize(272, 60)
    card.show()
    name = card.findChild(FileCard).findChild(ElidedLabel)
    qtbot.waitUntil(lambda: "…" not in name.text() and name.text().startswith("song_fade_out"))


def test_a_press_on_save_asks_where_to(told, ui, session):
    view = told(("prices_sort.json", PRICES, T.TABLE))
    asked = []
    ui.signals.save_as.connect(asked.append)
    QTest.mouseClick(view.findChild(ToldResult).save, Left)
    assert asked == [session.find("prices_sort.json")]


@pytest.mark.parametrize(
    ("type", "value", "copied"),
    [
        (T.TABLE, PRICES, "article\tprice\nTea\t2.5\nRolls\t0.6\n"),
        (T.TEXT, "Dear all,\n\nthank you.", "Dear all,\n\nthank you."),
        (T.LABELS, [Label("cat", 0.5)], "label\tscore\ncat\t0.5\n"),
    ],
)
def test_a_press_on_copy_puts_the_whole_result_into_the_clipboard(told, qtbot, type, value, copied):
    view = told(("result.json" if type is not T.TEXT else "result.txt", value, type))
    QGuiApplication.clipboard().setText("before")
    QTest.mouseClick(view.findChild(ToldResult).copy, Left)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == copied)


def test_a_result_that_is_gone_is_told_when_it_is_copied(told, ui, session):
    view = told(("prices.json", PRICES, T.TABLE))
    Path(session.path_of(session.find("prices.json"))).unlink()
    failures = []
    ui.calls.failed.connect(lambda message, fix: failures.append(message))
    QTest.mouseClick(view.findChild(ToldResult).copy, Left)
    assert failures == ["prices.json is no longer in the store."]


def test_many_results_are_kept_all_at_once(told, ui):
    view = told(*((f"n{n}.json", n, T.NUMBER) for n in range(6)))
    assert not view.findChildren(ToldResult)
    asked = []
    ui.signals.save_all.connect(asked.append)
    (button,) = [one for one in view.findChildren(Button) if "Save all 6…" in one.text()]
    QTest.mouseClick(button, Left)
    assert asked == [tuple(f"n{n}.json" for n in range(6))]
