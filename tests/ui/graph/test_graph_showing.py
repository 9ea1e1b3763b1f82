"""The graph on screen. What is shown, and how little is repainted for it."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPixmap

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.items import card_result, result_pixmaps
from desktop_app.ui.graph.items.link_item import LinkItem, crosses
from desktop_app.ui.graph.items.node_item import CardItem, TypedPort
from desktop_app.ui.theme import theme
from nodes._support.documents import converting
from nodes._support.tables import workbooks
from nodes.api import Box, ResourceType, Table
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import read_by


def repaints(view, monkeypatch):
    """The ids of cards that ask to be painted from now on."""
    asked = []
    for id in view.sizes():
        card = view.card(id)
        monkeypatch.setattr(card, "update", lambda *a, id=id: asked.append(id), raising=False)
    return asked


def test_every_card_and_link_is_shown(view):
    assert set(view.sizes()) == {"coffee.jpg", "Points", "seg", "rem", "paint", "cap", "fmt", "desc"}
    assert {item.link for item in view.link_items()} == set(view.workflow.links)


def test_an_equal_workflow_keeps_the_very_items(view):
    before = {id: view.card(id) for id in view.sizes()}
    view.show_workflow(replace(samples.workflow()), view.run, view.tools)
    assert {id: view.card(id) for id in view.sizes()} == before


def test_only_what_differs_is_added_and_removed(view):
    kept = view.card("rem")
    places = {id: view.card(id).pos() for id in view.sizes()}
    after = view.workflow.without("cap").with_node(Node("up", "upscale"))
    view.show_workflow(after, view.run, view.tools)
    assert view.card("cap") is None and view.card("up") is not None and view.card("rem") is kept
    assert all(view.card(id).pos() == place for id, place in places.items() if id != "cap")
    assert {item.link for item in view.link_items()} == set(after.links)


def seen(view, id) -> bool:
    return view.canvas.seen.contains(view.card(id).sceneBoundingRect().adjusted(6, 6, -6, -6))


def with_file(view) -> Workflow:
    file = Resource("mask.png", ResourceType.IMAGE, "5" * 64, ".png")
    left = min(box[0] for box in view.boxes().values())
    shown = replace(view.workflow, resources=(*view.workflow.resources, file))
    return replace(shown, positions={**shown.positions, "mask.png": (left - 900.0, 0.0)})


def test_a_file_that_comes_into_the_graph_is_seen_with_all_the_rest(view, qtbot):
    view.resize(900, 600)
    view.show()
    view.fit()
    view.show_workflow(with_file(view), view.run, view.tools)
    assert all(seen(view, id) for id in view.sizes())


def test_where_somebody_looked_elsewhere_the_view_only_moves_to_what_is_new(view, qtbot):
    view.resize(900, 600)
    view.show()
    view.zoom = 1.0
    view.show_workflow(with_file(view), view.run, view.tools)
    assert seen(view, "mask.png") and view.zoom == pytest.approx(1.0)


def test_nothing_is_left_behind_in_the_scene(view):
    view.show_workflow(Workflow(), Run(), view.tools)
    assert not [i for i in view.canvas.scene().items() if isinstance(i, CardItem | LinkItem | TypedPort)]


def test_a_progress_tick_repaints_its_card_only(view, monkeypatch):
    asked = repaints(view, monkeypatch)
    record = replace(view.run.nodes["paint"], fraction=0.7)
    view.show_run(replace(view.run, nodes={**view.run.nodes, "paint": record}))
    assert asked == ["paint"]
    assert view.card("paint").face.fraction == 0.7


def test_the_same_run_repaints_nothing(view, monkeypatch):
    asked = repaints(view, monkeypatch)
    view.show_run(view.run)
    assert asked == []


def test_what_waits_says_so_anew_when_its_source_has_ended(view):
    run = Run("r", 0.0, {**view.run.nodes, "rem": NodeRun("running"), "desc": NodeRun("waiting")})
    view.show_run(run)
    assert view.card("desc").face.text == "Waits for Remove object."
    view.show_run(replace(run, nodes={**run.nodes, "rem": NodeRun("done")}))
    assert "Remove object" not in view.card("desc").face.text


@pytest.mark.parametrize(
    ("source", "target", "state"),
    [("coffee.jpg", "seg", "carried"), ("rem", "paint", "running"), ("rem", "desc", "waiting")],
)
def test_links_show_what_they_carry(view, source, target, state):
    link = next(item for item in view.link_items() if (item.link.source, item.link.target) == (source, target))
    assert link.state == state


def test_links_after_a_failure_are_dotted(view):
    view.show_run(Run("r", 0.0, {"rem": NodeRun("failed"), "desc": NodeRun("skipped", because="rem")}))
    link = next(item for item in view.link_items() if item.link.target == "desc")
    assert link.state == "skipped"


def test_a_missing_tool_is_shown_with_its_links(view):
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    assert view.card("missing").face.state == "missing"
    assert any(item.link.target == "missing" for item in view.link_items())


def test_long_links_pass_behind_no_card(view):
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    QGuiApplication.processEvents()
    for item in view.link_items():
        ends = (item.link.source, item.link.target)
        others = [view.card(id) for id in view.sizes() if id not in ends]
        assert not any(crosses(item.path(), card.body.adjusted(2, 2, -2, -2)) for card in others), item.link


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("zoom", [0.2, 0.44, 1.0, 2.0])
def test_every_state_is_painted_at_every_zoom(view, qapp, name, zoom):
    theme.apply(qapp, name)
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    view.outline_changed(["done"])
    view.zoom = zoom
    image = view.grab().toImage()
    ground = theme.current().color("background.canvas").rgb()
    seen = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
    assert ground in seen and len(seen) > 20
    theme.apply(qapp, "dark")


@pytest.mark.parametrize("density", [1, 2])
def test_titles_are_painted_on_dense_screens_too(view, density):
    view.zoom = 0.7
    view.canvas.centre_on(view.card("rem").body.center())
    pixmap = QPixmap(view.canvas.size() * density)
    pixmap.setDevicePixelRatio(density)
    painter = QPainter(pixmap)
    view.canvas.render(painter)
    painter.end()
    image, ink = pixmap.toImage(), theme.current().color("text.primary").rgb()
    title = view.canvas.mapFromScene(view.card("rem").body.topLeft() + QPointF(36, 8))
    area = [(x, y) for x in range(title.x(), title.x() + 90) for y in range(title.y(), title.y() + 14)]
    assert any(image.pixel(x * density + i, y * density) == ink for x, y in area for i in range(density))


def test_a_picture_comes_from_a_thread_and_is_painted(view, qtbot):
    threads = []

    def source(resource):
        threads.append(threading.get_ident())
        return samples.picture(resource)

    read_by(view, pictures=source)
    with qtbot.waitSignal(view.results.ready):
        view.grab()
    assert threads and threading.get_ident() not in threads


def test_a_source_that_fails_leaves_the_card_standing(view, qapp):
    read_by(view, pictures=lambda resource: 1 / 0)
    view.grab()
    view.results.wait()
    qapp.processEvents()
    assert not view.grab().isNull()


def test_the_last_preview_stays_until_the_next_is_read(view, tmp_path, qtbot):
    for name in ("a.png", "b.png"):
        samples.picture(samples.COFFEE).save(str(tmp_path / name))
    seen = []
    for name in ("a.png", "b.png"):
        record = replace(view.run.nodes["paint"], preview=str(tmp_path / name))
        view.show_run(replace(view.run, nodes={**view.run.nodes, "paint": record}))
        view.grab()
        seen.append(view.card("paint")._look.picture is not None)
        if name == "a.png":
            with qtbot.waitSignal(view.results.ready, check_params_cb=lambda key: key.endswith("a.png")):
                view.grab()
            view.grab()
    assert seen == [False, True]


@pytest.mark.parametrize("several", [False, True])
def test_what_one_should_know_of_a_result_covers_none_of_its_words(view, monkeypatch, several, qtbot):
    """A notice, and how many more results there are, stand on plates; the words of the result beside them."""
    words, plates = [], []
    monkeypatch.setattr(card_result, "write", lambda painter, rect, text, *_: words.append((rect, text)))
    monkeypatch.setattr(card_result, "plate", lambda painter, x, y, text, zoom: plates.append((y, text)))
    record = view.run.nodes["cap"]
    made = record.outputs["text"]
    told = replace(record, notice="It needs a model. Word lists are used instead.")
    told = replace(told, outputs={"text": (made, made)}) if several else told
    view.show_run(replace(view.run, nodes={**view.run.nodes, "cap": told}))

    def paints_what_was_read() -> bool:
        words.clear()
        plates.clear()
        painter = QPainter(picture := QPixmap(400, 400))
        card_result.paint(painter, view.card("cap")._look, 1.0, view.results)
        painter.end()
        return not picture.isNull() and bool(words)

    qtbot.waitUntil(paints_what_was_read)
    assert len(plates) == 1 + several
    for y, _ in plates:
        assert all(rect.bottom() <= y or rect.top() >= y + 17 for rect, _ in words)


def test_what_one_should_know_of_a_result_has_not_the_sign_of_a_question(view, monkeypatch):
    signs = []
    monkeypatch.setattr(card_result.icons, "paint", lambda painter, rect, name, ink: signs.append(name))
    told = replace(view.run.nodes["cap"], notice="Replaced 3 times.")
    view.show_run(replace(view.run, nodes={**view.run.nodes, "cap": told}))
    painter = QPainter(picture := QPixmap(400, 400))
    card_result.paint(painter, view.card("cap")._look, 1.0, view.results)
    painter.end()
    assert not picture.isNull() and signs == ["info"]


def test_a_document_is_shown_by_its_first_lines_and_a_workbook_by_its_first_rows(tmp_path):
    letter, prices = tmp_path / "letter.docx", tmp_path / "prices.xlsx"
    letter.write_bytes(converting.text_as("Complaint\n\nDear Sir,\n\nThe box was open.", "docx"))
    prices.write_bytes(workbooks.content(Table(("Article", "Price"), (("Tea", 2.5), ("Rolls", 0.6))), ".xlsx"))
    (tmp_path / "notes.bin").write_bytes(b"\0\1")
    for name, said in (
        (letter.name, "Complaint\nDear Sir,\nThe box was open."),
        (prices.name, "Article · Price\nTea · 2.5\nRolls · 0.6"),
        ("notes.bin", "notes.bin"),
    ):
        path = tmp_path / name
        assert result_pixmaps._told(path, Resource(name, ResourceType.FILE, "0" * 64, path.suffix)) == said


def test_of_a_picture_on_a_card_nothing_is_cut(tmp_path, qapp):
    framed = QImage(300, 200, QImage.Format.Format_RGB32)
    framed.fill(QColor("red"))
    path = tmp_path / "framed.png"
    painter = QPainter(framed)
    painter.fillRect(QRect(20, 20, 260, 160), QColor("white"))
    painter.end()
    framed.save(str(path))
    shown = result_pixmaps._whole_file(str(path), QSize(176, 104))
    middle = shown.width() // 2
    assert [shown.pixelColor(middle, y).name() for y in (4, shown.height() - 5)] == ["#ff0000"] * 2


def test_what_a_tool_calls_things_is_in_the_language_of_the_window_on_its_card():
    faces = (Box(914, 125, 1014, 226, "face", 0.9),)
    sums = Table(("column", "kind", "filled", "empty"), (("Maths", "number", 12, 0),))
    with catalogue.speaking("zh"):
        assert result_pixmaps._words_of(faces, ResourceType.BOXES).startswith("人脸  914, 125")
        assert result_pixmaps._words_of(sums, ResourceType.TABLE) == "列 · 类型 · 有值 · 空\nMaths · 数字 · 12 · 0"
        assert result_pixmaps._words_of(True, ResourceType.FLAG) == "是"


def test_a_long_conversation_holds_the_pictures_of_two_graphs(view, qtbot):
    """What is seen and what was seen before it: going back to that reads nothing anew."""

    def shown(number: int) -> None:
        made = Resource(f"made{number}.png", ResourceType.IMAGE, f"{number:064}", ".png", made_by=f"n{number}")
        run = Run("r", 0.0, {f"n{number}": NodeRun("done", outputs={"image": made})})
        view.show_workflow(Workflow((), (Node(f"n{number}", "upscale"),), ()), run, view.tools)
        view.results.picture(made, QSize(176, 104))
        qtbot.waitUntil(lambda: made.digest in held())

    def held() -> set[str]:
        return {key[1] for key in view.results._found}

    for number in range(4):
        shown(number)
    own = {f"{number:064}" for number in range(4)}  # a picture of the first graph may come late
    assert held() & own == {f"{number:064}" for number in (2, 3)}


def test_a_white_edge_is_seen_on_a_white_card(view, qtbot, qapp):
    """A white frame, asked for and made, was not to be seen in the light theme."""
    white = QImage(100, 100, QImage.Format.Format_RGB32)
    white.fill(QColor("white"))
    theme.apply(qapp, "light")
    read_by(view, pictures=lambda resource: white)
    card = next(one for one in view.items.cards.values() if one.face.result and one.face.result.type == "image")
    card._look.picture = None
    view.canvas.zoom = 1.0
    view.canvas.centre_on(card.body.center())
    qtbot.waitUntil(lambda: not view.grab().isNull() and card._look.picture is not None)
    thumb = card._look.thumb.translated(card.body.topLeft())
    places = [QPointF(thumb.left() + 6, thumb.center().y()), thumb.center()]
    image = view.canvas.grab().toImage()
    beside, inside = (image.pixelColor(view.canvas.mapFromScene(place)) for place in places)
    theme.apply(qapp, "dark")
    assert inside.lightness() == 255 and beside.lightness() < 245
