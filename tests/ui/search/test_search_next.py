"""What is often joined to what, in the search that opens when a link is dropped; and the height of that search."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link
from desktop_app.run.events.run_record import Run
from desktop_app.session.session import Change
from desktop_app.storage.usage_statistics import Join
from desktop_app.ui.search.search_popup import SHADOW
from desktop_app.ui.search.suggestions import Habits, of_type
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.theme import theme
from tests.ui.conftest import served
from tests.ui.graph_kit import drag, empty_place, input_of, key, output

Key = Qt.Key


class Bundled:
    """What a bundled example fed into what."""

    def __init__(self, *joins):
        self.joins = joins


@pytest.fixture
def habits(qtbot, session, monkeypatch):
    """Makes Habits that know these joins of the user and of the examples."""
    made = []

    def build(*own: tuple[str, str, int], bundled=()) -> Habits:
        monkeypatch.setattr("desktop_app.ui.search.suggestions.load_results", lambda: {"": Bundled(*bundled)})
        session.joined = tuple(Join(*join) for join in own)
        loader = BackgroundReader()
        known = Habits(session, loader)
        made.append((known, loader))
        loader.wait()
        served()
        return known

    yield build
    for _, loader in made:
        loader.wait()


def headings(search) -> list[str]:
    return [
        search._list.item(i).text()
        for i in range(search._list.count())
        if not search._list.item(i).flags() & Qt.ItemFlag.ItemIsSelectable
    ]


def drop_link(view, port):
    drag(view, port.middle, empty_place(view))
    return view.hands.adding.search


# Counting


def test_what_the_user_joins_most_comes_first_and_the_examples_come_last(habits):
    known = habits(("a", "b", 1), ("a", "c", 4), ("d", "a", 2), bundled=[("a", "e"), ("a", "b")])
    assert known.after("a") == ("c", "b", "e")
    assert known.before("a") == ("d",)
    assert known.after("nothing") == ()


def test_resources_are_known_by_type_and_never_offered(habits):
    known = habits((of_type("image"), "blur", 3))
    assert known.after("resource:image") == ("blur",)
    assert known.before("blur") == ()


def test_after_a_run_the_joins_are_read_anew(habits, session, qtbot):
    known = habits(("a", "b", 1))
    session.joined = (Join("a", "z", 9),)
    session.run = Run("1", outcome="")
    session.tell(Change.RUN)
    known._loader.wait()
    served()
    assert known.after("a") == ("b",)
    session.run = Run("1", outcome="ok")
    session.tell(Change.RUN)
    qtbot.waitUntil(lambda: known.after("a") == ("z",))


def test_what_cannot_be_read_changes_nothing(habits, session, qtbot):
    known = habits(("a", "b", 1))

    def broken():
        raise OSError("no disk")

    session.joins = broken
    known.look()
    known._loader.wait()
    served()
    assert known.after("a") == ("b",)


# In the search


def test_a_dropped_link_offers_first_what_often_follows(view, edits, habits):
    view.hands.adding.habits = habits(("format_text", "watercolour", 2), ("format_text", "speak", 5))
    search = drop_link(view, output(view, "fmt"))
    title = view.card("fmt").face.title
    assert headings(search)[0] == f"Often next after {title}"
    assert search.shown_ids[:2] == ["speak", "watercolour"]
    assert sorted(search.shown_ids) == sorted({"format_text", "speak", "watercolour"})
    QTest.keyClick(search.field, Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "speak")
    assert Link("fmt", "text", new.id, "text") in edits[0].links


def test_what_often_follows_stays_below_what_answers_and_can_be_reached_by_key(view, edits, habits):
    view.hands.adding.habits = habits(("format_text", "watercolour", 2))
    search = drop_link(view, output(view, "fmt"))
    QTest.keyClicks(search.field, "speech")
    title = view.card("fmt").face.title
    assert headings(search) == ["Best match", f"Often next after {title}"]
    assert search.shown_ids == ["speak", "watercolour"]
    QTest.keyClick(search.field, Key.Key_Down)
    QTest.keyClick(search.field, Key.Key_Return)
    assert any(n.tool == "watercolour" for n in edits[0].nodes)


def test_words_that_nothing_answers_add_nothing(view, edits, habits):
    view.hands.adding.habits = habits(("format_text", "watercolour", 2))
    search = drop_link(view, output(view, "fmt"))
    QTest.keyClicks(search.field, "xyzzy")
    assert search.shown_ids == []
    QTest.keyClick(search.field, Key.Key_Return)
    assert edits == []
    search.close()


def test_what_does_not_fit_the_port_is_not_offered_as_often(view, habits):
    view.hands.adding.habits = habits(("format_text", "upscale", 7))
    search = drop_link(view, output(view, "fmt"))
    assert not any(text.startswith("Often") for text in headings(search))
    search.close()


def test_nothing_is_said_when_nothing_is_known(view, habits):
    view.hands.adding.habits = habits()
    search = drop_link(view, output(view, "fmt"))
    assert not any(text.startswith("Often") for text in headings(search))
    search.close()


def test_a_link_from_an_input_offers_what_often_comes_before(view, habits):
    workflow = view.workflow.without_link(Link("seg", "mask", "rem", "mask"))
    view.show_workflow(workflow, view.run, view.tools)
    view.hands.adding.habits = habits(("segment_points", "remove_object", 1))
    search = drop_link(view, input_of(view, "rem", "mask"))
    assert headings(search)[0] == f"Often before {view.card('rem').face.title}"
    assert search.shown_ids == ["segment_points"]
    search.close()


def test_joining_without_a_mouse_offers_it_too(view, habits):
    view.hands.adding.habits = habits(("format_text", "speak", 5))
    view.select(["fmt"])
    view.hands.adding.connect_chosen()
    search = view.hands.adding.search
    often = [text for text in headings(search) if text.startswith("Often")]
    assert often and headings(search).index(often[0]) < headings(search).index("Add a node")
    search.close()


# Its height


def inside(search) -> QRect:
    return search.geometry().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)


def test_the_search_is_as_high_as_what_it_lists(view):
    search = drop_link(view, output(view, "fmt"))
    whole = search.height()
    QTest.keyClicks(search.field, "speech")
    assert search.height() < whole
    few = search.height()
    assert few > SHADOW * 2 + theme.current().px(46)
    QTest.keyClick(search.field, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(search.field, Key.Key_Delete)
    assert search.height() == whole
    search.why_button.click()
    assert whole < search.height() <= theme.current().px(420) + 2 * SHADOW
    assert search._list.verticalScrollBar().maximum() == 0 or search.height() == theme.current().px(420) + 2 * SHADOW
    search.close()


def test_the_field_stays_where_it_is_while_one_types(view):
    search = drop_link(view, output(view, "fmt"))
    top = search.y()
    for letter in "speech":
        QTest.keyClicks(search.field, letter)
        assert search.y() == top
    search.close()


@pytest.mark.parametrize("corner", ["topLeft", "topRight", "bottomLeft", "bottomRight"])
def test_the_search_stays_inside_the_window_also_when_it_grows(view, corner):
    view.move(30, 40)
    view.resize(740, 560)
    place = view.canvas.mapToScene(getattr(view.canvas.viewport().rect(), corner)())
    view.hands.adding.offer_fitting(output(view, "fmt"), QPointF(place))
    search = view.hands.adding.search
    window = QRect(view.mapToGlobal(view.rect().topLeft()), view.size())
    assert window.contains(inside(search))
    search.why_button.click()
    assert window.contains(inside(search))
    search.close()


def test_in_a_low_window_it_is_lower(view):
    view.resize(900, 330)
    key(view, Key.Key_Tab)
    search = view.hands.adding.search
    assert search.height() <= 330
    search.close()
