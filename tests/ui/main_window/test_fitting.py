"""What is shown has the room that it asks for, keeps its place, and is not cut where that can be helped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QScrollArea, QWidget

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.storage.examples import load_examples
from desktop_app.storage.resources import Resource
from desktop_app.ui.alternatives.alternative_card import AlternativeCard
from desktop_app.ui.chat.result_card import NamedFacts, ResultCard
from desktop_app.ui.compare.diff_text import totals
from desktop_app.ui.compare.sides import Side
from desktop_app.ui.graph.items import card_layout, card_lod, card_painter, card_result
from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.graph.items.link_item import route
from desktop_app.ui.graph.items.result_pixmaps import _told, excerpt
from desktop_app.ui.inspector.inspector_panel import Inspector
from desktop_app.ui.main_window.main_window import LEAST, MainWindow
from desktop_app.ui.main_window.workspace import _SIDES
from desktop_app.ui.support import formatting, translator
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import px
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.picture import Picture, cut_caption
from nodes import load_tools
from nodes.api import ResourceType
from tests.ui import states
from tests.ui.conftest import use_theme
from tests.ui.every_screen import SCREENS
from tests.ui.fakes import finish
from tests.ui.graph_kit import read_by, view

__all__ = ["view"]
T = ResourceType


@pytest.fixture
def window(make_window):
    return make_window()


def test_a_result_in_the_chat_is_as_wide_as_its_message(window, session, qapp, qtbot):
    states.answered(session)
    session.tell(states.ALL)
    qapp.processEvents()
    shown = next(made for card in window.chat.findChildren(ResultCard) if (made := card.findChild(Picture)))
    qtbot.waitUntil(lambda: shown.height() == shown.heightForWidth(shown.width()))
    assert shown.width() >= window.chat.findChild(QScrollArea).viewport().width() - px(2 * 16)


@pytest.mark.parametrize(
    "tool", ["pencil_sketch", "speech_to_text", "trim_audio", "number_to_text", "overlay", "inpaint"]
)
def test_a_node_has_room_in_the_narrowest_inspector(qtbot, qapp, ui, session, tool):
    use_theme(qapp)
    session.tools = load_tools().tools
    session.workflow = Workflow(nodes=(Node("n", tool),))
    shown = Inspector(ui)
    qtbot.addWidget(shown)
    shown.resize(px(_SIDES["inspector"][0]), 2000)
    shown.show()
    shown.show_item(("n",))
    qapp.processEvents()
    assert shown._body.widget().minimumSizeHint().width() <= shown._body.viewport().width()


def test_cards_keep_their_places_while_the_strip_of_ways_folds(window, session, qapp):
    states.planned(session, asked=False)
    session.tell(states.ALL)
    qapp.processEvents()
    canvas = window.graph.canvas

    def place():
        body = window.graph.card("paint").body
        return canvas.viewport().mapTo(window, canvas.mapFromScene(body.topLeft()))

    before, high = place(), window.alternatives.height()
    window.graph.controller.edit(
        session.workflow.without("describe").with_node(Node("new", "caption", position=(0.0, 900.0)))
    )
    qapp.processEvents()
    assert window.alternatives.height() < high - px(40)
    assert (place() - before).manhattanLength() <= 2


def _out_of_reach(button: QWidget) -> bool:
    """True when a part of the button lies outside something that it is in, which cannot be scrolled."""
    inner, outer = button, button.parentWidget()
    while outer is not None and not inner.isWindow():
        scrolls = isinstance(outer.parentWidget(), QAbstractScrollArea)
        if not scrolls and not outer.rect().contains(QRect(button.mapTo(outer, QPoint(0, 0)), button.size())):
            return True
        if scrolls:  # what is scrolled is seen where it is scrolled to
            return _out_of_reach(outer.parentWidget())
        inner, outer = outer, outer.parentWidget()
    return False


def _cut(button: QAbstractButton) -> bool:
    """True when there is no room for its words, which it does not shorten by itself."""
    words = button.fontMetrics().horizontalAdvance(button.text().replace("&", ""))
    icon = button.iconSize().width() if not button.icon().isNull() else 0
    return bool(button.text()) and button.width() < words + icon


@pytest.fixture(params=["en", "zh"])
def smallest(request, qtbot, qapp, session):
    """The smallest window in each language."""
    translator.use(qapp, request.param)
    if request.param == "zh" or not qapp.styleSheet():
        theme.apply(qapp, "dark")
    session.tools = LocalizedTools(session.tools)
    made = MainWindow(session, load_examples(request.param), spawn=finish)
    qtbot.addWidget(made)
    made.resize(1, 1)
    made.show()
    qtbot.waitUntil(lambda: made.is_prepared)
    yield made
    made.ui.loader.wait()
    made.close()
    translator.use(qapp, "en")
    if request.param == "zh":
        theme.apply(qapp, "dark")


def _lacking(window: MainWindow) -> list[object]:
    """What the window has no room for: its least size where that is more than it has, and the names of buttons."""
    least = window.centralWidget().minimumSizeHint().toTuple()
    large = any(one > most for one, most in zip(least, LEAST, strict=True)) or window.size().toTuple() != LEAST
    buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisible()]
    bad = [button.accessibleName() or button.text() for button in buttons if _out_of_reach(button) or _cut(button)]
    return [*([least] if large else []), *bad]


def test_in_the_smallest_window_no_button_is_out_of_reach(smallest, session, qtbot):
    for name in [name for name in SCREENS if name not in ("settings", "history")]:
        prepare, act = SCREENS[name]
        if prepare is not None:
            smallest.show_graph()
            prepare(session)
            session.tell(states.ALL)
        act(smallest)

        def fits(name=name):
            assert (name, _lacking(smallest)) == (name, [])

        qtbot.waitUntil(fits)  # docks take their places by and by


def test_the_search_stays_in_the_middle_whatever_stands_beside_it(window, session, qapp):
    places = []
    for title in ("New", "A title that is a little longer than that"):
        session.title = title
        window.tool_bar.refresh()
        qapp.processEvents()
        places.append(window.tool_bar.search.geometry().center().x())
    assert max(places) - min(places) <= 1
    assert abs(places[0] - window.tool_bar.width() // 2) <= 1


def test_two_sources_run_side_by_side_through_a_gap(view):
    flow, photo = view.workflow, view.workflow.resources[0].name
    nodes = (
        Node("above", "remove_object", position=(320.0, 0.0)), Node("below", "remove_object", position=(320.0, 264.0)),
        Node("low", "watercolour", position=(-100.0, 220.0)), Node("last", "describe", position=(760.0, 40.0)),
        Node("end", "describe", position=(760.0, 220.0)),
    )  # fmt: skip
    links = (Link(photo, RESOURCE_OUTPUT, "last", "image"), Link("low", "image", "end", "image"))
    made = Workflow(flow.resources[:1], nodes, links, positions={photo: (0.0, 40.0)})
    view.show_workflow(made, view.run, view.tools)
    view.items.lead_links()
    heights = [view.items.links[link].stretch for link in links]
    assert None not in heights and abs(heights[0][0] - heights[1][0]) >= 5


def test_a_link_runs_beside_the_middle_of_a_gap_where_there_is_room():
    card = QRectF(200, 0, 192, 200)
    ends = QPointF(0, 100), QPointF(700, 100)
    level = [route(*ends, [card], beside).elementAt(3).y for beside in (0.0, 6.0)]
    assert abs(level[1] - level[0]) == 6


def test_a_title_too_long_for_a_line_has_two(qtbot, ui, session):
    states.planned(session)
    way = session.alternatives[0]
    way = replace(way, solution=replace(way.solution, title="Find the faces, then pixelate each of them"))
    made = AlternativeCard(ui, way, ())
    qtbot.addWidget(made)
    made.resize(400, made.height())
    made.show()
    one = made._title.height()
    made.resize(210, made.height())
    assert made.is_long(210)
    made.set_title_room(True, True)
    QApplication.processEvents()
    assert not made._title.fits(60) and made._title.height() > one and made._reason.height() < 2 * one
    assert made._title.geometry().bottom() < made._reason.geometry().top() + px(2)


def test_a_way_that_is_only_its_tool_says_what_the_tool_does(session):
    states.planned(session)
    flow, tools = session.workflow, session.tools
    title = tools["watercolour"].title
    assert formatting.reason_of(title, f"{title}.", flow, tools) == tools["watercolour"].description
    assert formatting.reason_of(title, "Faster.", flow, tools) == "Faster."


def test_half_a_lane_is_not_shown(qapp):
    use_theme(qapp)
    words = {"left": "OpenCV Gaussian filter · CPU 1", "word": "Done · 100 ms"}
    look = card_layout.measure(CardModel("n", "Blur", "box", "image", "done", (), (), **words))
    card_layout.cut_words(look)
    assert "·" not in look.left and look.left.startswith("OpenCV")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("zoom", [1.0, 0.7, 0.6, 0.5, card_lod.SIMPLE_BELOW])
@pytest.mark.parametrize("state", ["done", "running"])
def test_the_title_of_no_tool_is_cut_on_its_card(qapp, language, zoom, state):
    use_theme(qapp)
    cut = []
    with catalogue.speaking(language):
        for tool in LocalizedTools(load_tools().tools).values():
            face = CardModel("n", tool.title, "box", "image", state, (), (), fraction=0.5)
            font, title = card_layout.title_at(face, zoom)
            high = title.count("\n") * QFontMetricsF(font).lineSpacing() + font.pointSizeF() * 96 / 72
            whole = title.replace("\n", "" if language == "zh" else " ") == tool.title.replace("\n", "")
            cut += [] if whole and high <= card_layout.NODE["header"] + 4 else [title]
    assert not cut


@pytest.mark.parametrize("zoom", [1.0, 0.8, 0.6])
@pytest.mark.parametrize("name", ["muenzen.jpg", "coins_count.txt", "muenzen_count.txt", "letter_document.pdf"])
def test_the_name_of_a_file_is_whole_on_its_card_where_smaller_letters_have_room(qapp, name, zoom):
    use_theme(qapp)
    face = CardModel("n", name, "file", "text", "idle", (), (), is_resource=True)
    assert card_layout.title_at(face, zoom)[1] == name


def test_a_long_title_from_afar_takes_the_lines_that_there_are(qapp):
    use_theme(qapp)
    forms = (9.5, 4), (8.0, 5)
    title = "Brightness and contrast"
    assert card_layout.set_title(title, 60.0, forms, 1.0)[1].split() == ["Brightness", "and", "contrast"]
    assert card_layout.set_title(title, 30.0, ((9.5, 1),), 1.0)[1].endswith("…")


@pytest.mark.parametrize("zoom", [0.6, 0.5, card_lod.SIMPLE_BELOW, 0.4, 0.3])
def test_the_strokes_of_small_chinese_letters_do_not_run_together(qapp, zoom, monkeypatch):
    """Bold ones of 8 pixels were blots: the Chinese font has one weight, and Qt paints it twice for bold."""
    translator.use(qapp, "zh")
    theme.apply(qapp, "dark")
    title = "\u4eae\u5ea6\u548c\u5bf9\u6bd4\u5ea6"
    face = CardModel("n", title, "box", "image", "done", (), ())
    shown: list[tuple[QFont, str]] = []
    set_title = card_layout.set_title
    monkeypatch.setattr(card_layout, "set_title", lambda *of: shown.append(set_title(*of)) or shown[-1])
    picture = QPixmap(200, 200)
    painter = QPainter(picture)
    painter.scale(zoom, zoom)
    card_painter.paint(painter, card_layout.measure(face), zoom)
    painter.end()
    near, _ = card_layout.title_at(face, 1.0)
    translator.use(qapp, "en")
    theme.apply(qapp, "dark")
    font, words = shown[0]
    assert words.replace("\n", "") == title
    assert font.weight() == QFont.Weight.Normal and font.pointSizeF() * 96 / 72 * zoom > 7.9
    assert near.weight() == QFont.Weight.Bold


def test_a_film_on_a_card_has_its_sign_and_how_long_it_is(qapp):
    use_theme(qapp)
    facts = {"width": 640, "height": 360, "seconds": 12.4}
    film = Resource("a.mp4", T.VIDEO, "0" * 64, ".mp4", facts)
    still = Resource("a.png", T.IMAGE, "0" * 64, ".png", {"width": 640, "height": 360})
    assert card_result.length_of(film) == "0:12" and not card_result.length_of(still)


def test_the_size_of_a_result_stays_when_its_name_is_cut(qtbot, qapp):
    use_theme(qapp)
    shown = NamedFacts(Resource("a_very_long_name_of_a_picture.png", T.IMAGE, "0" * 64, ".png",
                                {"width": 1200, "height": 800}))  # fmt: skip
    qtbot.addWidget(shown)
    shown.resize(px(150), shown.sizeHint().height())
    shown.show()
    assert shown.text().endswith("· 1200 × 800") and "…" in shown.text()
    assert shown.fontMetrics().horizontalAdvance(shown.text()) <= shown.width()


@pytest.mark.parametrize("room", [40, 90, 120, 400])
def test_what_a_plate_says_of_a_picture_is_cut_in_its_name_alone(qapp, room):
    use_theme(qapp)
    metrics = QFontMetricsF(theme.current().font("caption"))
    shown = cut_caption("coffee_rotate.png · 440 × 640", metrics, room)
    assert metrics.horizontalAdvance(shown) <= room
    assert shown.endswith("· 440 × 640") or "×" not in shown


def test_low_and_high_things_of_a_line_stand_on_one_axis(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(4, holder)
    things = [QWidget() for _ in range(3)]
    for thing, high in zip(things, (30, 20, 24), strict=True):
        thing.setFixedSize(60, high)
        flow.addWidget(thing)
    holder.resize(400, 40)
    holder.show()
    assert len({thing.geometry().center().y() for thing in things}) == 1


def test_a_page_on_a_card_is_its_words(tmp_path):
    page = tmp_path / "a.html"
    page.write_text(
        "<!DOCTYPE html><head><style>p { color: red }</style></head><p>Tea &amp; cake</p><!-- no -->", "utf-8"
    )
    assert excerpt(page, T.HTML) == "Tea & cake"


def test_a_file_is_told_by_its_own_name(tmp_path):
    kept = tmp_path / "92b2b0f69b.pdf"
    kept.write_bytes(b"%PDF")
    assert _told(kept, Resource("coins_page.pdf", T.FILE, "92b2b0f69b", ".pdf")) == "coins_page.pdf"


def test_equal_times_have_no_better_one():
    sides = {side: Side(side, "x", seconds=seconds, has_run=True) for side, seconds in (("a", 0.16), ("b", 0.24))}
    row = next(row for row in totals(sides) if row.key == "time")
    assert (row.a, row.b, row.better) == ("0.2 s", "0.2 s", "")
    sides["b"] = Side("b", "x", seconds=0.4, has_run=True)
    assert next(row for row in totals(sides) if row.key == "time").better == "a"


def test_an_empty_text_on_a_card_says_so(view, qtbot):
    read_by(view, texts=lambda resource: "")
    card = next(c for c in view.items.cards.values() if c.face.result is not None and c.face.type == "text")
    view.canvas.centre_on(card.body.center())
    qtbot.waitUntil(lambda: not view.grab().isNull() and card._look.excerpt == "")
    assert card._look.lines == ["Nothing was found."]
