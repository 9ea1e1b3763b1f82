"""How high the search is that opens when a link is dropped, and where."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtTest import QTest

from desktop_app.ui.search.search_popup import SHADOW
from desktop_app.ui.theme import theme
from tests.ui.graph_kit import drag, empty_place, key, output

Key = Qt.Key


def drop_link(view, port):
    drag(view, port.middle, empty_place(view))
    return view.controller.adding.search


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
    view.controller.adding.offer_fitting(output(view, "fmt"), QPointF(place))
    search = view.controller.adding.search
    window = QRect(view.mapToGlobal(view.rect().topLeft()), view.size())
    assert window.contains(inside(search))
    search.why_button.click()
    assert window.contains(inside(search))
    search.close()


def test_in_a_low_window_it_is_lower(view):
    view.resize(900, 330)
    key(view, Key.Key_Tab)
    search = view.controller.adding.search
    assert search.height() <= 330
    search.close()
