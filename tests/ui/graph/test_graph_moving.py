"""The graph while the view moves: cards are painted from pictures, and at rest again by themselves, to the pixel."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events import events
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.ui.graph import batch_painter
from desktop_app.ui.graph.batch_painter import FAR_BELOW
from desktop_app.ui.graph.export_image import save_graph_picture
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.graph.items import card_pixmap_cache
from desktop_app.ui.theme import theme
from nodes import load_tools
from tests.ui.conftest import use_theme

_MINUTES = 300_000
"""A view moves until `at_rest` lets it stop: on a busy machine it would rest between two steps of a test."""
TOOLS = ("blur", "upscale", "describe_image", "grow_mask", "image_info", "sharpen")


def mixed(count: int) -> Workflow:
    """Chains of 20 nodes of several tools, of which those that take pictures are joined."""
    tools = load_tools().tools
    kinds = [id for id in TOOLS if id in tools]
    nodes = tuple(Node(f"n{i}", kinds[i % len(kinds)]) for i in range(count))
    joined = [
        Link(a.id, "image", b.id, "image")
        for a, b in itertools.pairwise(nodes)
        if int(b.id[1:]) % 20 and tools[a.tool].output("image") and tools[b.tool].input("image")
    ]
    return Workflow((), nodes, tuple(joined))


def shown(qtbot, workflow: Workflow, run: Run) -> GraphView:
    made = GraphView()
    qtbot.addWidget(made)
    made.animated = False
    made.resize(900, 560)
    made.show()
    qtbot.waitExposed(made)
    together(made)._rest.setInterval(_MINUTES)
    made.show_workflow(workflow, run, load_tools().tools)
    made.fit()
    return made


@pytest.fixture
def run():
    ids = tuple(f"n{i}" for i in range(200))
    began = [events.RunStarted("r", ids, 0.0), *(events.NodeStarted(id, "CPU 1", 0.0) for id in ids[:60:7])]
    return fold_all(Run(), [*began, *(events.NodeProgress(id, 0.4) for id in ids[:60:14])])


@pytest.fixture
def view(qtbot, qapp, run):
    use_theme(qapp)
    return shown(qtbot, mixed(200), run)


def together(view: GraphView) -> batch_painter.BatchPainter:
    found = view.canvas.batch_painter
    assert isinstance(found, batch_painter.BatchPainter)
    return found


def move(view: GraphView, qapp, *zooms: float) -> None:
    """Zooms in steps that follow each other at once, each of them painted."""
    for zoom in zooms:
        view.set_zoom(zoom)
        view.canvas.pan_by(QPointF(3, 2))
        qapp.processEvents()


def at_rest(view: GraphView, qtbot) -> np.ndarray:
    together(view)._rest.start(1)
    qtbot.waitUntil(lambda: not together(view)._rest.isActive())
    return pixels(view)


def pixels(view: GraphView) -> np.ndarray:
    """What is on the canvas, int (height, width, 3)."""
    image = view.canvas.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).astype(int)


@pytest.mark.parametrize("zooms", [(0.1, 0.14, 0.2), (0.7, 0.5, 0.4, 0.3), (0.35, 0.44, 0.52, 0.6), (1.4, 1.2, 1.0)])
def test_the_picture_after_a_zoom_is_the_one_that_is_painted_afresh(view, qtbot, qapp, run, zooms):
    view.canvas.centre_on(view.items.cards["n45"].body.center())
    move(view, qapp, *zooms)
    assert together(view).moving and together(view).due
    after = at_rest(view, qtbot)
    fresh = shown(qtbot, view.workflow, run)
    fresh.canvas._look_at(view.canvas.seen.center(), view.canvas.zoom)
    assert not together(fresh).moving or at_rest(fresh, qtbot) is not None
    assert fresh.canvas.viewportTransform() == view.canvas.viewportTransform()
    assert np.array_equal(after, pixels(fresh))


@pytest.mark.parametrize("zoom", [0.2, 0.6, 1.0])
def test_the_picture_while_one_pans_is_that_of_rest(view, qtbot, qapp, monkeypatch, zoom):
    monkeypatch.setattr(card_pixmap_cache, "_MAKING", 60.0)  # every card gets its picture, however busy the machine is
    monkeypatch.setattr(card_pixmap_cache, "_RENEWING", 60.0)
    view.set_zoom(zoom)
    view.canvas.centre_on(view.items.cards["n45"].body.center())
    move(view, qapp, zoom, zoom, zoom)
    assert together(view).due
    moving = pixels(view)
    assert np.abs(moving - at_rest(view, qtbot)).mean() < 1.0


@pytest.mark.parametrize("zoom", [0.3, 0.7])
def test_cards_for_which_there_is_no_time_are_blocks(view, qapp, monkeypatch, zoom):
    monkeypatch.setattr(card_pixmap_cache, "_MAKING", 0.0)
    monkeypatch.setattr(card_pixmap_cache, "_RENEWING", 0.0)
    view.set_zoom(zoom)
    move(view, qapp, zoom, zoom)
    whole = [card for card in view.items.cards.values() if view.canvas.seen.contains(card.body)]
    assert 1 <= len(together(view)._card_pixmaps) < len(whole)  # a frame makes one
    moving, ground = pixels(view), theme.current().color("background.canvas").getRgb()[:3]  # type: ignore[index]
    for card in whole:
        place = view.canvas.mapFromScene(card.body.center())
        assert (moving[place.y(), place.x()] != ground).any(), card.id


def test_progress_is_seen_while_the_view_moves(view, qapp, run):
    view.canvas.centre_on(view.items.cards["n0"].body.center())
    move(view, qapp, 1.0, 1.0)
    before = pixels(view)
    view.show_run(fold_all(run, [events.NodeProgress("n0", 0.9)]))
    assert together(view).moving
    assert np.abs(pixels(view) - before).max() > 50


def test_a_link_that_is_drawn_is_painted_with_its_cards(view, qapp):
    card = view.items.cards["n0"]
    view.canvas.centre_on(card.body.center())
    move(view, qapp, 1.0, 1.0)
    assert together(view).due
    view.canvas.linking.begin(card.outputs[0])
    assert not together(view).due
    view.canvas.linking.cancel()


def test_the_memory_for_moving_is_given_back(view, qtbot, qapp):
    together(view)._keep.setInterval(1)
    move(view, qapp, 0.6, 0.6)
    assert len(together(view)._card_pixmaps)
    at_rest(view, qtbot)
    qtbot.waitUntil(lambda: not len(together(view)._card_pixmaps))


def test_a_view_rests_a_moment_after_what_it_looked_at_last_was_painted(view, monkeypatch):
    """However long that took: else a slow machine, at rest again before the next step, paints ever so slowly. What is
    painted without looking elsewhere, such as the dashes of links, puts no rest off.
    """
    begun, rest = [], together(view)._rest
    start = rest.start
    monkeypatch.setattr(rest, "start", lambda *given: begun.append("looked" if looks else "painted") or start(*given))
    looks = True
    view.set_zoom(0.6)
    looks = False
    for _ in range(3):
        pixels(view)
    assert begun == ["looked", "painted"]


def test_a_small_graph_is_painted_card_by_card_even_while_it_moves(qtbot, qapp, run):
    use_theme(qapp)
    few = shown(qtbot, mixed(10), Run())
    move(few, qapp, 0.8, 0.9)
    assert together(few).moving and not together(few).due


def test_what_is_seen_from_far_follows_a_card_that_is_moved(view, qapp):
    view.set_zoom(FAR_BELOW * 0.8)
    view.canvas.centre_on(view.items.cards["n0"].body.center())
    qapp.processEvents()
    before = pixels(view)
    view.items.cards["n0"].setPos(-500, -500)
    assert np.abs(pixels(view) - before).max() > 50


def test_a_picture_of_the_graph_that_is_saved_from_far_has_its_cards(qtbot, qapp, run, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_painter, "_FAR_FROM", 10)
    view, pictures = shown(qtbot, mixed(20), run), []
    for name, zoom in (("near.png", 1.0), ("far.png", FAR_BELOW * 0.8)):
        view.set_zoom(zoom)
        qapp.processEvents()
        save_graph_picture(view.canvas.scene(), tmp_path / name)
        pictures.append(QImage(str(tmp_path / name)))
    assert pictures[0] == pictures[1]


def test_the_time_left_of_many_running_nodes_is_said_anew_some_at_a_time(view, qapp, monkeypatch):
    ids = view.workflow.ids()
    view.show_run(fold_all(Run(), [events.NodeStarted(id, "CPU 1", 0.0) for id in ids]))
    asked: list[list[str]] = []
    of_node = view.items._faces.of_node
    monkeypatch.setattr(view.items._faces, "of_node", lambda id, *more: asked[-1].append(id) or of_node(id, *more))
    view.items._counted, view.items._to_count = 0.0, []
    for _ in range(4):
        asked.append([])
        view.show_run(view.run)
    assert [len(part) for part in asked] == [50, 50, 50, 50] and sorted(itertools.chain(*asked)) == sorted(ids)
