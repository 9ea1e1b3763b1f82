"""The palette of tools: found, dragged, added."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link
from desktop_app.models import store
from desktop_app.models.catalogue import catalogue
from desktop_app.ui.graph.canvas import TOOL_MIME
from desktop_app.ui.graph.palette import tool_data
from desktop_app.ui.search.search_delegate import ENTRY
from desktop_app.ui.support.costs import lack_of
from nodes.api import Backend
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import LEFT, NONE, drop, key


@pytest.fixture
def palette(view):
    """The palette, opened by its key."""
    key(view, Qt.Key.Key_P)
    assert view.side.shown == "palette" and view.side.palette_panel.field.hasFocus()
    return view.side.palette_panel


def tool_row(palette, id):
    model = palette.tree.model()
    for group in range(model.rowCount()):
        head = model.index(group, 0)
        for at in range(model.rowCount(head)):
            if model.index(at, 0, head).data(ENTRY).id == id:
                return model.index(at, 0, head)
    raise AssertionError(f"{id} is not offered")


def test_the_palette_is_hidden_until_its_key_or_button(view):
    assert view.side.isHidden()
    QTest.mouseClick(view.buttons.sides["palette"], LEFT)
    assert view.side.shown == "palette"
    QTest.mouseClick(view.buttons.sides["palette"], LEFT)
    assert view.side.isHidden()


def test_all_tools_are_offered_by_domain(palette):
    assert set(palette.tree.shown_ids) == set(samples.TOOLS)
    assert palette.tree.model().index(0, 0).data() == "Image"


def test_words_filter_and_enter_adds(view, palette, edits):
    QTest.keyClicks(palette.field, "enlarge")
    assert palette.tree.shown_ids == ["upscale"]
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert [n.tool for n in edits[0].nodes if n.id not in samples.workflow().ids()] == ["upscale"]


def test_enter_adds_after_the_one_chosen_card_and_joins_it(view, palette, edits):
    view.select(["fmt"])
    QTest.keyClicks(palette.field, "speech")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "speak")
    assert Link("fmt", "text", new.id, "text") in edits[0].links


def test_a_double_click_adds(view, palette, edits):
    index = tool_row(palette, "collage")
    palette.tree.scrollTo(index)
    place = palette.tree.visualRect(index).center()
    QTest.mouseClick(palette.tree.viewport(), LEFT, NONE, place)
    QTest.mouseDClick(palette.tree.viewport(), LEFT, NONE, place)
    assert any(n.tool == "collage" for n in edits[0].nodes) and len(edits) == 1


def test_nothing_found_is_said(palette):
    QTest.keyClicks(palette.field, "zzzzqq")
    assert palette.tree.shown_ids == [] and palette._none.isVisible()


def test_a_drag_carries_the_tool_and_the_canvas_takes_it(view, palette, edits, monkeypatch):
    carried = []
    monkeypatch.setattr(QDrag, "exec", lambda drag, *_: carried.append(drag.mimeData().data(TOOL_MIME).data()))
    palette.tree.setCurrentIndex(tool_row(palette, "upscale"))
    palette.tree.startDrag(Qt.DropAction.CopyAction)
    assert carried == [b"upscale"]
    drop(view, tool_data("upscale"), view.bounds().topLeft() - QPointF(10, 60))
    assert any(n.tool == "upscale" for n in edits[0].nodes)


def test_a_drag_of_the_mouse_begins_a_drag_of_the_tool(palette, monkeypatch):
    begun = []
    monkeypatch.setattr(palette.tree, "startDrag", begun.append)
    place = palette.tree.visualRect(tool_row(palette, "caption")).center()
    port = palette.tree.viewport()
    QTest.mousePress(port, LEFT, NONE, place)
    for step in (6, 14, 30):
        QTest.mouseMove(port, place + type(place)(step, step))
    assert begun
    QTest.mouseRelease(port, LEFT, NONE, place)


def test_a_tool_dropped_on_a_link_goes_into_it(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("rem", "image", "paint", "image"))
    drop(view, tool_data("upscale"), item.path().pointAtPercent(0.5))
    new = next(n.id for n in edits[0].nodes if n.tool == "upscale")
    assert {("rem", new), (new, "paint")} <= {(k.source, k.target) for k in edits[0].links} and len(edits) == 1
    others = [view.card(id).body for id in view.sizes() if id != new]
    assert not any(view.card(new).body.intersects(body) for body in others)


def test_a_tool_dropped_on_a_link_that_it_does_not_fit_stands_there_alone(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("rem", "image", "paint", "image"))
    drop(view, tool_data("speak"), item.path().pointAtPercent(0.5))
    assert set(edits[0].links) == set(samples.workflow().links) and len(edits[0].nodes) == 7


def with_backends(*backends):
    return replace(samples.TOOLS["caption"], backends=backends)


def test_a_tool_says_what_it_has_to_fetch():
    model = Backend("m", "M", lambda: None, "model", "gpu", download_bytes=196_000_000)
    larger = replace(model, id="l", download_bytes=2_000_000_000)
    free = Backend("b", "B", lambda: None)
    assert lack_of(with_backends(model, larger), lambda b: "") == "model: 196 MB to fetch"
    assert lack_of(with_backends(model, free), lambda b: "") == ""
    assert lack_of(with_backends(free), lambda b: "needs espeak") == "needs espeak"


def test_what_has_to_be_fetched_is_shown_with_the_tool(view, palette):
    model = Backend("m", "M", lambda: None, "model", "gpu", download_bytes=196_000_000)
    tools = {**samples.TOOLS, "caption": with_backends(model)}
    view.show_workflow(view.workflow, view.run, tools)
    entry = tool_row(palette, "caption").data(ENTRY)
    assert entry.lack == "model: 196 MB to fetch"
    assert entry.lack in tool_row(palette, "caption").data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.fixture
def model(monkeypatch):
    """A back end whose model is in the catalogue, and not on the disk; what comes back puts it there."""
    known = next(iter(catalogue().values()))
    here = []
    monkeypatch.setattr(store, "_complete", lambda model: bool(here))
    made = Backend("m", "M", lambda: None, "model", "cpu", download_bytes=196_000_000, model=known.id)
    return made, lambda: here.append(1)


def test_a_tool_whose_model_is_on_the_disk_has_nothing_to_fetch(model):
    backend, put = model
    assert lack_of(with_backends(backend), lambda b: "").endswith("to fetch")
    put()
    assert lack_of(with_backends(backend), lambda b: "") == ""


def test_the_palette_looks_again_when_it_opens(view, palette, model):
    backend, put = model
    view.show_workflow(view.workflow, view.run, {**samples.TOOLS, "caption": with_backends(backend)})
    assert tool_row(palette, "caption").data(ENTRY).lack
    put()
    view.side.toggle("palette")
    view.side.toggle("palette")
    assert tool_row(palette, "caption").data(ENTRY).lack == ""


def test_the_search_says_what_has_to_be_fetched(view, model):
    backend, _ = model
    view.show_workflow(view.workflow, view.run, {**samples.TOOLS, "caption": with_backends(backend)})
    key(view, Qt.Key.Key_Tab)
    entries = {entry.id: entry for entry in view.controller.adding.search._entries}
    assert entries["caption"].lack.endswith("to fetch") and entries["upscale"].lack == ""
