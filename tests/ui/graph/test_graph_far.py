"""The graph seen from very far: painted at once, and right again when one comes near."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from desktop_app.run.events import events
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.ui.graph.batch_painter import FAR_BELOW
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.graph.items import node_item
from desktop_app.ui.theme import theme
from nodes import load_tools
from tests.benchmarks.window import chains
from tests.ui.conftest import served, use_theme


@pytest.fixture
def view(qtbot, qapp):
    use_theme(qapp)
    made = GraphView()
    qtbot.addWidget(made)
    made.animated = False
    made.resize(1000, 600)
    made.show()
    qtbot.waitExposed(made)
    made.show_workflow(chains(200), Run(), load_tools().tools)
    made.fit()
    made.set_zoom(FAR_BELOW * 0.8)
    return made


def running(view: GraphView, fraction: float) -> Run:
    run = fold_all(Run(), [events.RunStarted("r", view.workflow.order(), 0.0)])
    return fold_all(run, [events.NodeStarted("n0", "CPU 1", 0.0), events.NodeProgress("n0", fraction)])


def test_a_card_shows_its_newest_state_when_one_comes_near(view):
    view.show_run(running(view, 0.5))
    card = view.items.cards["n0"]
    assert card.face.fraction == 0.5
    view.canvas.centre_on(card.body.center())
    view.set_zoom(1.0)
    view.canvas.viewport().grab()
    assert card._look.words.startswith("Running")


def test_words_of_a_card_are_cut_to_fit_only_where_they_are_seen(view, monkeypatch):
    cut = []
    monkeypatch.setattr(node_item.card_layout, "cut_words", lambda look: cut.append(look.face.id))
    view.show_run(running(view, 0.5))
    view.canvas.viewport().grab()
    assert not cut
    view.canvas.centre_on(view.items.cards["n0"].body.center())
    view.set_zoom(1.0)
    view.canvas.viewport().grab()
    assert "n0" in cut and len(cut) < 40


def test_words_that_a_tick_of_progress_leaves_as_they_are_are_not_cut_again(view, monkeypatch, qtbot):
    view.canvas.centre_on(view.items.cards["n0"].body.center())
    view.set_zoom(1.0)
    view.show_run(running(view, 0.2))
    qtbot.waitUntil(lambda: not view.canvas.batch_painter.moving)
    view.canvas.viewport().grab()
    cut, cut_words = [], node_item.card_layout.cut_words
    monkeypatch.setattr(node_item.card_layout, "cut_words", lambda look: cut.append(look.face.id) or cut_words(look))
    for tick in range(3, 9):
        view.show_run(running(view, tick / 10))
        view.canvas.viewport().grab()
    assert view.items.cards["n0"].face.fraction == 0.8 and "n0" not in cut
    view.show_run(fold_all(running(view, 0.9), [events.NodeStarted("n0", "CPU 2", 0.0)]))
    view.canvas.viewport().grab()
    assert "n0" in cut and "CPU 2" in view.items.cards["n0"].face.left


def test_cards_and_their_states_are_seen_from_far(view, qtbot):
    view.canvas.centre_on(view.items.cards["n0"].body.center())
    view.show_run(running(view, 1.0))
    served()
    picture = view.canvas.viewport().grab().toImage()
    found = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    assert theme.current().color("state.running").rgb() in found
    assert QColor(theme.current().color("background.card")).rgb() in found
