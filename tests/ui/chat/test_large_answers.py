"""Answers with thousands of results and tables of a thousand columns: what is made does not grow with them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QHeaderView, QLabel

from desktop_app.session.session import Message
from desktop_app.ui.chat.message_widget import MOST_CARDS, AssistantMessage, UserMessage
from desktop_app.ui.chat.result_card import ResultCard
from desktop_app.ui.results.result_view import TableModel, TableView
from desktop_app.ui.widgets.basic import Button
from desktop_app.ui.widgets.picture import Picture
from nodes.api import ResourceType, Table


@pytest.fixture
def names(session):
    found = [f"{n}.png" for n in range(1, 1505)]
    for name in found:
        session.put(name, np.zeros((4, 4, 3), np.uint8), ResourceType.IMAGE)
    return tuple(found)


def said(widget) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel)]


def test_so_many_results_are_cards_and_the_others_a_number(qtbot, ui, names):
    view = AssistantMessage(ui, Message(1, "assistant", "Done.", "answer", names))
    qtbot.addWidget(view)
    assert len(view.findChildren(Picture)) == MOST_CARDS and not view.findChildren(ResultCard)
    assert "… and 1,480 more results, in the graph" in said(view)


def test_few_results_are_large(qtbot, ui, names):
    view = AssistantMessage(ui, Message(1, "assistant", "Done.", "answer", names[:3]))
    qtbot.addWidget(view)
    assert len(view.findChildren(ResultCard)) == 3
    assert not [button for button in view.findChildren(Button) if "Save all" in button.text()]


def test_all_results_can_be_saved_at_once(qtbot, ui, names):
    view = AssistantMessage(ui, Message(1, "assistant", "Done.", "answer", names))
    qtbot.addWidget(view)
    asked = []
    ui.signals.save_all.connect(asked.append)
    (button,) = [b for b in view.findChildren(Button) if b.text().strip() == "Save all 1,504…"]
    button.click()
    assert asked == [names]


def test_so_many_attachments_are_shown_and_the_others_a_number(qtbot, ui, names):
    view = UserMessage(ui, Message(1, "user", "Blur them", resources=names))
    qtbot.addWidget(view)
    assert "… and 1,480 more files" in said(view)


def test_of_a_table_of_a_thousand_columns_few_are_measured(qtbot):
    table = Table(tuple(f"c{n}" for n in range(1000)), (tuple(range(1000)),) * 3)
    view = TableView(table)
    qtbot.addWidget(view)
    header = view.horizontalHeader()
    fitted = [n for n in range(1000) if header.sectionResizeMode(n) != QHeaderView.ResizeMode.Interactive]
    assert view.model().columnCount() == 1000 and 0 < len(fitted) < 50


def test_of_a_long_cell_the_beginning_is_shown(qtbot):
    view = TableView(Table(("a",), (("x" * 200_000,),)))
    qtbot.addWidget(view)
    model = view.model()
    assert isinstance(model, TableModel) and len(model.data(model.index(0, 0))) == 1000
