"""Two ways, or two results, compared: by real clicks and keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.session.comparison.pairs import ONLY, REPLACED, SHARED
from desktop_app.session.session import Change
from desktop_app.ui.compare.image_compare import BESIDE, DIFFERENCE, FLIP, SLIDER, PictureCompare
from desktop_app.ui.compare.pixel_difference import difference
from desktop_app.ui.compare.value_compare import AnyCompare, TextCompare, parts
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.theme import theme
from nodes.api import Audio, ResourceType, Table
from tests.ui import compare_samples

T = ResourceType
Left = Qt.MouseButton.LeftButton
Plain, Shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CtrlShift = Qt.KeyboardModifier.ControlModifier | Shift
machine_noise = pytest.mark.qt_log_level_fail("CRITICAL")


@pytest.fixture
def make(make_window, session):
    def build(prepare=compare_samples.two_ways, size=(1440, 900)) -> MainWindow:
        prepare(session)
        return make_window(size)

    return build


@pytest.fixture
def window(make, qtbot):
    """Comparing two pictures, both read."""
    window = make()
    QTest.mouseClick(window.alternatives.compare, Left)
    view = window.compare.pictures
    assert view is not None
    qtbot.waitUntil(lambda: all(view.image(s) is not None and view.image(s).width() == 600 for s in "ab"))
    return window


def words_of(widget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


# Opening and leaving


def test_the_button_opens_it_and_escape_returns(window):
    assert window.comparing_now
    QTest.keyClick(window.compare.viewer, Qt.Key.Key_Escape)
    assert not window.comparing_now and window.graph.isVisible()
    assert window.session.called("choose") == []


def test_the_key_opens_it_and_the_button_returns(make):
    window = make()
    QTest.keyClick(window.graph.canvas, Qt.Key.Key_C, CtrlShift)
    assert window.comparing_now
    QTest.mouseClick(window.compare.header.back, Left)
    assert not window.comparing_now


def test_escape_from_the_chat_returns_too(window, session):
    window.chat.composer.field.setFocus()
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    assert not window.comparing_now and session.called("stop") == []


def test_the_menu_of_a_card_compares_it_with_the_shown_one(make):
    window = make()
    assert not window.alternatives.menu(0).actions()[1].isEnabled()
    window.alternatives.menu(2).actions()[1].trigger()
    assert [s.index for s in window.compare.subject.sides.values()] == [0, 2]


def test_the_best_other_way_that_has_run_is_taken(make, session):
    window = make()
    session.records[2] = session.records.pop(1)
    window.ui.signals.compare.emit(())
    assert [side.index for side in window.compare.subject.sides.values()] == [0, 2]


def test_with_one_way_it_says_why_not(make, session):
    window = make()
    session.alternatives = session.alternatives[:1]
    told = []
    window.ui.calls.failed.connect(lambda message, fix: told.append(message))
    window.ui.signals.compare.emit(())
    assert not window.comparing_now and "only one way" in told[0]


def test_another_plan_closes_it(window, session):
    session.alternatives = session.alternatives[1:]
    session.tell(Change.PLAN)
    assert not window.comparing_now


# Pictures


def drag(view: PictureCompare, start: float, end: float) -> None:
    seen = view.picture_rect()
    places = [QPoint(round(seen.left() + f * seen.width()), round(seen.center().y())) for f in (start, end)]
    QTest.mousePress(view, Left, Plain, places[0])
    QTest.mouseMove(view, places[1])
    QTest.mouseRelease(view, Left, Plain, places[1])


def colour_at(view: PictureCompare, across: float, down: float = 0.6) -> QColor:
    seen = view.picture_rect()
    return (
        view.grab()
        .toImage()
        .pixelColor(round(seen.left() + across * seen.width()), round(seen.top() + down * seen.height()))
    )


def test_the_slider_follows_the_mouse(window):
    view = window.compare.pictures
    drag(view, 0.5, 0.25)
    assert view.split == pytest.approx(0.25, abs=0.01)
    drag(view, 0.25, 2.0)
    assert view.split == 1.0


def test_the_arrow_keys_move_the_slider(window):
    view = window.compare.pictures
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.split == pytest.approx(0.51)
    QTest.keyClick(view, Qt.Key.Key_Left, Shift)
    assert view.split == pytest.approx(0.41)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.split == 0.0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.split == 1.0
    assert "100%" in view.accessibleName()


def test_a_is_painted_left_of_the_slider_and_b_right_of_it(qtbot):
    view = two_colours(qtbot)
    assert colour_at(view, 0.2) == QColor("red") and colour_at(view, 0.8) == QColor("blue")
    view.slide(0.9)
    assert colour_at(view, 0.8) == QColor("red")


def two_colours(qtbot, wide: int = 300, high: int = 200) -> PictureCompare:
    view = PictureCompare()
    qtbot.addWidget(view)
    view.resize(300, 200)
    images = []
    for name in ("red", "blue"):
        image = QImage(wide, high, QImage.Format.Format_RGB32)
        image.fill(QColor(name))
        images.append(image)
    view.set_images(*images)
    view.show()
    return view


def test_tab_changes_a_and_b(window):
    view = window.compare.pictures
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.first == "b" and QApplication.focusWidget() is view
    assert window.compare.cards.cards["b"].property("lit") and not window.compare.cards.cards["a"].property("lit")
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.first == "a"


def test_shift_tab_leaves_the_picture(window):
    view = window.compare.pictures
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Backtab, Shift)
    assert QApplication.focusWidget() is not view


def test_tab_changes_what_is_seen(qtbot):
    view = two_colours(qtbot)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert colour_at(view, 0.2) == QColor("blue") and colour_at(view, 0.8) == QColor("red")


def test_letters_choose_a_side(window):
    QTest.keyClick(window.compare.viewer, Qt.Key.Key_B)
    assert window.compare.pictures.first == "b"
    QTest.keyClick(window.compare.viewer, Qt.Key.Key_A)
    assert window.compare.pictures.first == "a"


def test_modes_by_click_and_by_number(window):
    stage = window.compare
    QTest.mouseClick(stage.header.modes.buttons[BESIDE], Left)
    assert stage.pictures.mode == BESIDE
    for key, mode in ((Qt.Key.Key_3, FLIP), (Qt.Key.Key_4, DIFFERENCE), (Qt.Key.Key_1, SLIDER)):
        QTest.keyClick(stage.pictures, key)
        assert stage.pictures.mode == mode and stage.header.modes.buttons[mode].isChecked()


def test_flip_shows_one_and_a_click_the_other(qtbot):
    view = two_colours(qtbot)
    view.set_mode(FLIP)
    assert colour_at(view, 0.8) == QColor("red")
    QTest.mouseClick(view, Left, Plain, QPoint(150, 120))
    assert colour_at(view, 0.8) == QColor("blue")
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert colour_at(view, 0.8) == QColor("red")


def test_side_by_side_shows_both_whole(qtbot):
    view = two_colours(qtbot)
    view.set_mode(BESIDE)
    picture = view.grab().toImage()
    assert picture.pixelColor(20, 110) == QColor("red") and picture.pixelColor(290, 110) == QColor("blue")


def test_the_wheel_zooms_about_the_mouse_and_f_fits(qtbot):
    view = two_colours(qtbot)
    before = view.picture_rect()
    wheel = QWheelEvent(
        QPointF(100, 100), view.mapToGlobal(QPointF(100, 100)), QPoint(), QPoint(0, 600), Qt.MouseButton.NoButton,
        Plain, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, wheel)
    assert view.zoom == pytest.approx(1.0015**600)
    QTest.keyClick(view, Qt.Key.Key_F)
    assert view.zoom == 1.0 and view.picture_rect() == before


def test_the_difference_tells_how_much(qtbot, window):
    stage = window.compare
    QTest.mouseClick(stage.header.modes.buttons[DIFFERENCE], Left)
    qtbot.waitUntil(lambda: bool(stage.pictures.difference_words()))
    assert "of the pixels differ" in stage.pictures.accessibleName()


def filled(value: int, size=(8, 6)) -> QImage:
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(value, value, value))
    return image


def test_the_difference_of_equal_pictures_is_none():
    assert difference(filled(90), filled(90)).share == 0.0


def test_the_difference_counts_pixels_and_is_lighter_where_more_differs():
    other = filled(90)
    for x in range(4):
        for y in range(6):
            other.setPixelColor(x, y, QColor(90, 90, 150 if x < 2 else 110))
    found = difference(filled(90), other)
    assert found.share == pytest.approx(0.5)
    light = [found.image.pixelColor(x, 3).lightness() for x in (0, 3, 7)]
    assert light[0] > light[1] > light[2]


def test_the_difference_of_other_sizes_is_that_of_the_stretched_picture():
    found = difference(filled(90), filled(90, (16, 12)))
    assert found.share == 0.0 and (found.image.width(), found.image.height()) == (8, 6)


# What is said of both


def test_cards_tell_costs_and_mark_the_smaller(window):
    cards = window.compare.cards.cards
    assert "✓ 17 s" in words_of(cards["a"]) and "✓ nothing" in words_of(cards["a"])
    assert "22 s" in words_of(cards["b"]) and "✓" not in words_of(cards["b"])
    assert "Request fulfilled 1 of 1 result" in words_of(cards["b"])
    assert "600 × 400" not in words_of(cards["b"])  # that is in the table
    assert next(row for row in window.compare.table.rows if row.about == "Result").b.startswith("600 × 400")


def test_what_is_missing_of_the_request_is_told_and_more_of_it_is_better(make, session, qtbot):
    compare_samples.two_asked_for(session)
    window = make(lambda session: None)
    window.ui.signals.compare.emit((0, 1))
    row = next(row for row in window.compare.table.rows if row.about == "Request fulfilled")
    assert (row.a, row.b, row.better) == ("2 of 2 results", "1 of 2 results, missing: Text", "a")
    qtbot.waitUntil(lambda: "✓ 2 of 2 results" in words_of(window.compare.cards.cards["a"]))
    cells = [cell for cell in window.compare.table.findChildren(QLabel) if "2 of 2" in cell.text()]
    assert cells[0].accessibleName() == "A: 2 of 2 results, more" and "not judged" in cells[0].toolTip()


def test_of_what_has_not_run_nobody_says_what_is_fulfilled(make, session):
    window = make(lambda session: compare_samples.two_ways(session, ran=False))
    window.ui.signals.compare.emit((0, 1))
    row = next(row for row in window.compare.table.rows if row.about == "Request fulfilled")
    assert (row.a, row.b, row.better) == ("–", "–", "")


def test_while_a_way_runs_its_results_are_counted_so_far(make):
    window = make(compare_samples.running_b)
    window.ui.signals.compare.emit((0, 1))
    row = next(row for row in window.compare.table.rows if row.about == "Request fulfilled")
    assert (row.a, row.b, row.better) == ("1 of 1 result", "0 of 1 result so far", "")


def test_a_plan_that_does_not_say_what_was_asked_for_has_no_such_row(make, session, qtbot):
    compare_samples.two_ways(session)
    ways = [replace(way, workflow=replace(way.workflow, wanted=())) for way in session.alternatives]
    session.alternatives, session.workflow = tuple(ways), ways[0].workflow
    window = make(lambda session: None)
    window.ui.signals.compare.emit((0, 1))
    assert "Request fulfilled" not in [row.about for row in window.compare.table.rows]
    qtbot.waitUntil(lambda: "600 × 400" in words_of(window.compare.cards.cards["a"]))


def test_the_table_says_in_words_what_the_rings_say(window):
    rows = {row.about: (row.a, row.b) for row in window.compare.table.rows}
    assert rows["Mask from"] == ("Segment by points", "Find by description")
    assert rows["Mask with"] == ("SAM base · 0.8 s", "OWLv2 + SAM · 2.6 s")
    assert rows["Points"] == ("3 points", "–") and rows["Text"] == ("–", "“cup”")
    assert rows["Download"] == ("nothing", "196 MB")
    assert rows["Memory"] == ("8.1 GB", "8.7 GB")
    assert "Caption" not in rows


def test_shared_cards_stand_once_and_dimmed_others_have_rings(window):
    cards = window.compare.graph.cards
    assert set(cards) == {
        "a:coffee.jpg", "a:cap", "a:seg", "b:seg", "a:rem", "b:rem", "a:paint", "b:paint",
    }  # fmt: skip
    assert {id for id, card in cards.items() if card.dimmed} == {"a:coffee.jpg", "a:cap"}
    assert {id: card.ring for id, card in cards.items() if card.ring} == {"a:seg": "a", "b:seg": "b"}


def test_rings_are_painted_in_the_colours_of_the_sides(window):
    graph = window.compare.graph
    picture = graph.grab().toImage()
    for id, token in (("a:seg", "accent.line"), ("b:seg", "resource_type.labels")):
        place, ink = graph.place_of(id), theme.current().color(token)
        band = place.adjusted(-5, -5, 5, 5).toRect()
        near = [
            picture.pixelColor(x, y)
            for x in range(max(0, band.left()), band.right())
            for y in range(max(0, band.top()), round(place.top()) + 1)
        ]
        assert any(
            abs(c.red() - ink.red()) + abs(c.green() - ink.green()) + abs(c.blue() - ink.blue()) < 60 for c in near
        )


def test_a_click_on_a_card_compares_its_result(qtbot, window):
    graph = window.compare.graph
    QTest.mouseClick(graph, Left, Plain, graph.place_of("b:seg").center().toPoint())
    entry = window.compare.subject.entries[window.compare.entry]
    assert entry.name == "Mask · Segment by points / Find by description"
    assert window.compare.header.results.currentText() == entry.name
    assert window.compare.pictures is not None


def test_the_list_of_results_compares_another(window):
    results = window.compare.header.results
    results.setFocus()
    QTest.keyClick(results, Qt.Key.Key_Down)
    assert window.compare.entry == 1


def test_what_differs_folds_by_key_and_in_a_low_window(window, qtbot):
    QTest.keyClick(window.compare.viewer, Qt.Key.Key_D)
    assert window.compare.folded
    QTest.mouseClick(window.compare.fold, Left)
    assert not window.compare.folded


def test_a_low_window_leaves_room_for_the_picture(make, qtbot):
    window = make(size=(1040, 560))
    window.ui.signals.compare.emit(())
    assert window.compare.folded and window.compare.viewer.height() > 300
    keeps = [card.keep_button for card in window.compare.cards.cards.values()]
    qtbot.waitUntil(lambda: all(k.visibleRegion().boundingRect().height() == k.height() > 0 for k in keeps))


# Keeping, picking, running


def test_keep_b_chooses_it_and_returns(window, session):
    keep = window.compare.cards.cards["b"].keep_button
    assert keep.accessibleName() == "Keep B: Find and paint"
    QTest.mouseClick(keep, Left)
    assert session.called("choose") == [(1,)] and not window.comparing_now


def test_keep_of_the_shown_way_changes_nothing(window, session):
    session.edit(session.workflow.with_value("paint", "strength", 0.9))
    QTest.mouseClick(window.compare.cards.cards["a"].keep_button, Left)
    assert session.called("choose") == [] and session.workflow.node("paint").values["strength"] == 0.9


def test_only_one_button_is_the_main_one(window):
    kinds = [card.keep_button.property("primary") for card in window.compare.cards.cards.values()]
    assert [bool(kind) for kind in kinds] == [True, False]
    QTest.keyClick(window.compare.viewer, Qt.Key.Key_B)
    kinds = [card.keep_button.property("primary") for card in window.compare.cards.cards.values()]
    assert [bool(kind) for kind in kinds] == [False, True]


def test_open_graph_selects_the_node_that_made_it(window, session):
    QTest.mouseClick(window.compare.cards.cards["b"].open_button, Left)
    assert session.chosen == 1 and window.graph.selected() == ("paint",)


def test_ways_that_have_not_run_offer_to_run_with_their_cost(make, session):
    window = make(lambda session: compare_samples.two_ways(session, ran=False))
    window.ui.signals.compare.emit(())
    missing = window.compare.missing
    assert "Neither way has run yet" in words_of(missing) and "196 MB to download" in words_of(missing)
    assert "1 step is shared and runs once." in words_of(missing)
    assert missing.run.accessibleName() == "Run A and B"
    QTest.mouseClick(missing.run, Left)
    assert session.called("run_ways") == [(0, 1)]


def test_only_what_is_missing_is_run(make, session):
    def prepare(session):
        compare_samples.two_ways(session)
        del session.records[1]

    window = make(prepare)
    window.ui.signals.compare.emit((0, 1))
    assert window.compare.missing.run.accessibleName() == "Run B"
    QTest.mouseClick(window.compare.missing.run, Left)
    assert session.called("run_ways") == [(1,)]


def test_a_run_beside_the_shown_one_is_seen_and_can_be_stopped(make, session, qtbot):
    window = make(compare_samples.running_b)
    window.ui.signals.compare.emit((0, 1))
    assert "Running B: Find and paint" in words_of(window.compare.missing)
    assert window.tool_bar.run_button.accessibleName() == "Stop"
    QTest.mouseClick(window.compare.missing.stop, Left)
    assert session.called("stop") == [()]


def test_the_result_is_shown_when_the_run_ends(make, session, qtbot):
    window = make(compare_samples.running_b)
    window.ui.signals.compare.emit((0, 1))
    assert window.compare.pictures is None
    session.records[1] = compare_samples.run_of(session, "b")
    session.aside, session.busy = type(session.run)(), ""
    session.tell(Change.RUN | Change.BUSY)
    qtbot.waitUntil(lambda: window.compare.pictures is not None)


# Other results


def open_two(window, session, type, a, b, **facets):
    made = session.put("a", a, type, **facets), session.put("b", b, type, **facets)
    window.ui.signals.compare.emit(made)
    return made


def test_texts_stand_side_by_side_with_what_differs_marked(make, session, qtbot):
    window = make()
    open_two(window, session, T.TEXT, "a red cup on a table", "a blue cup on a table")
    qtbot.waitUntil(lambda: isinstance(window.compare.viewer, TextCompare))
    view = window.compare.viewer
    marked = {side: marked_words(view.views[side]) for side in "ab"}
    assert marked == {"a": "red", "b": "blue"}
    assert "only in A: 1" in view.accessibleName()
    QTest.keyClick(window.compare, Qt.Key.Key_4)
    assert view.both.isVisible() and view.both.toPlainText() == "a redblue cup on a table"


def marked_words(view) -> str:
    found = ""
    block = view.document().begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().fontUnderline():
                found += fragment.text()
            iterator += 1
        block = block.next()
    return found


def test_parts_of_texts_give_both_back():
    a, b = "One, two - 三四 end", "One two three 三五 end!"
    found = list(parts(a, b))
    assert "".join(p[1] for p in found) == a and "".join(p[2] for p in found) == b
    assert list(parts("same", "same")) == [("same", "same", "same")]
    assert list(parts("", "")) == []


def test_very_long_texts_are_compared_line_by_line():
    lines = [f"line {i} of many words here" for i in range(4000)]
    other = [*lines[:2000], "another", *lines[2001:]]
    kinds = [p[0] for p in parts("\n".join(lines), "\n".join(other))]
    assert kinds == ["same", "both", "same"]


@pytest.mark.parametrize(
    ("type", "a", "b"),
    [
        (T.NUMBER, 40.0, 50.0),
        (T.TABLE, Table(("thing", "n"), (("cup", 1),)), Table(("thing", "n"), (("cup", 9),))),
        (T.AUDIO, Audio(np.zeros((800, 1), "f4"), 8000), Audio(np.ones((800, 1), "f4"), 8000)),
    ],
)
def test_other_results_stand_side_by_side_as_they_are_shown_elsewhere(make, session, qtbot, type, a, b):
    window = make()
    open_two(window, session, type, a, b)
    qtbot.waitUntil(lambda: isinstance(window.compare.viewer, AnyCompare))
    assert [view.resource.name for view in window.compare.viewer.findChildren(ResultView)] == ["a", "b"]
    assert window.compare.viewer.accessibleName() == "They differ."
    assert window.compare.header.modes.isHidden()


def test_two_results_by_themselves_offer_nothing_to_keep(make, session, qtbot):
    window = make()
    results = (session.find("painting_a.png"), session.find("painting_b.png"))
    window.ui.signals.compare.emit(results)
    assert window.comparing_now and window.compare.pictures is not None
    assert all(card.keep_button.isHidden() for card in window.compare.cards.cards.values())
    assert window.compare.graph.isHidden() or not window.compare.graph.isVisible()


def test_two_chosen_cards_compare_their_results(make, session):
    window = make()
    window.graph.select(("seg", "rem"))
    entries = {a.text().split("\t")[0]: a for a in window.graph.controller.menu(QPointF()).actions()}
    entries["Compare results"].trigger()
    assert window.comparing_now
    titles = [side.title for side in window.compare.subject.sides.values()]
    assert titles == ["mask_a.png", "rest_a.png"]


def test_a_card_without_a_result_cannot_be_compared(make, session):
    window = make(lambda session: compare_samples.two_ways(session, ran=False))
    told = []
    window.ui.calls.failed.connect(lambda message, fix: told.append(message))
    window.graph.select(("coffee.jpg", "rem"))
    window.graph.canvas.setFocus()
    QTest.keyClick(window.graph.canvas, Qt.Key.Key_C, Shift)
    assert told == ["Remove object has no result to compare yet."] and not window.comparing_now


def test_kinds_are_those_of_the_samples(window):
    kinds = {pair.kind for pair in window.compare.subject.comparison.nodes}
    assert kinds == {SHARED, REPLACED, "alike"} and ONLY not in kinds
