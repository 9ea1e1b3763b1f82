"""Naming files and earlier results in a message by "@", and the mode in words beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings
from desktop_app.storage.resources import Resource
from desktop_app.ui.chat.mention_popup import matching, sought, standing
from nodes.api import ResourceType
from tests.ui import states
from tests.ui.fakes import COFFEE

Left, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def composer(make_window, session):
    states.answered(session)
    made = make_window().chat.composer
    made.field.setFocus()
    return made


def write(composer, text: str):
    QTest.keyClicks(composer.field, text)
    return composer.mentions


# Words


@pytest.mark.parametrize(
    ("before", "query"),
    [
        ("@", ""), ("blur @cof", "cof"), ("blur @coffee.j", "coffee.j"), ("把@咖", "咖"), ("(@a", "a"),
        ("write to me@home", None), ("blur @cof now", None), ("", None), ("blur it", None), ("a@", None),
    ],
)  # fmt: skip
def test_what_is_sought_stands_between_an_at_and_the_caret(before, query):
    assert sought(before) == query


def test_a_name_stands_only_as_a_whole():
    names = ("a.png", "photo.jpg", "b")
    assert standing("take a.png, please", names) == {"a.png"}
    assert standing("take ba.png and a.pngs", names) == frozenset()
    assert standing("把photo.jpg变成水彩画", names) == {"photo.jpg"}


def test_names_that_begin_so_come_first():
    made = [
        Resource(name, ResourceType.IMAGE, "d" * 64, ".png") for name in ("tocof.png", "my_coffee.png", "Coffee.png")
    ]
    assert [r.name for r in matching(made, "cof")] == ["Coffee.png", "my_coffee.png", "tocof.png"]
    assert [r.name for r in matching(made, "")] == ["tocof.png", "my_coffee.png", "Coffee.png"]
    assert matching(made, "tea") == []


# The list


def test_an_at_offers_all_that_there_is_the_results_first_and_the_latest_of_them_on_top(composer, session):
    mentions = write(composer, "compare @")
    assert mentions.open and set(mentions.list.names) == set(session.resources)
    assert mentions.list.names[0] == "sizes.json" and mentions.list.names[-1] == "coffee.jpg"


def test_letters_filter_and_enter_puts_the_name_into_the_text_and_attaches_it(composer, session):
    mentions = write(composer, "brighten @wat")
    assert mentions.list.names == ["coffee_watercolour.png"]
    QTest.keyClick(composer.field, Key.Key_Return)
    assert composer.field.toPlainText() == "brighten coffee_watercolour.png " and not mentions.open
    assert composer.names == ("coffee_watercolour.png",) and not session.called("ask")
    QTest.keyClicks(composer.field, "a bit")
    QTest.keyClick(composer.field, Key.Key_Return)
    assert session.called("ask") == [("brighten coffee_watercolour.png a bit", ("coffee_watercolour.png",))]


def test_arrows_choose_and_tab_takes(composer):
    mentions = write(composer, "@coffee_")
    assert len(mentions.list.names) > 1
    second = mentions.list.names[1]
    QTest.keyClick(composer.field, Key.Key_Down)
    QTest.keyClick(composer.field, Key.Key_Tab)
    assert composer.names == (second,) and composer.field.hasFocus()


def test_a_click_takes_a_row_and_the_field_keeps_the_keyboard(composer):
    mentions = write(composer, "@seg")
    rows = mentions.list.rows
    name = rows.current.id
    QTest.mouseClick(rows.viewport(), Left, pos=rows.visualRect(rows.currentIndex()).center())
    assert composer.names == (name,) and composer.field.hasFocus()


def test_the_button_writes_the_at_and_opens_the_list(composer):
    QTest.keyClicks(composer.field, "blur")
    QTest.mouseClick(composer.at, Left)
    assert composer.field.toPlainText() == "blur @" and composer.mentions.open and composer.field.hasFocus()
    QTest.mouseClick(composer.at, Left)
    assert composer.field.toPlainText() == "blur @"


def test_escape_leaves_the_text_alone_until_the_next_at(composer, session):
    mentions = write(composer, "mail @co")
    QTest.keyClick(composer.field, Key.Key_Escape)
    assert not mentions.open and composer.field.toPlainText() == "mail @co" and not session.called("stop")
    write(composer, "f")
    assert not mentions.open
    write(composer, " @co")
    assert mentions.open


def test_what_nothing_answers_is_sent_as_it_is(composer, session):
    mentions = write(composer, "say hello to @nobody")
    assert not mentions.open
    QTest.keyClick(composer.field, Key.Key_Return)
    assert session.called("ask") == [("say hello to @nobody", ())]


def test_it_goes_away_when_the_keyboard_goes(composer):
    mentions = write(composer, "@")
    composer.attach.setFocus()
    assert not mentions.open


def test_an_empty_conversation_says_what_is_missing(make_window):
    composer = make_window().first.composer
    composer.field.setFocus()
    mentions = write(composer, "@")
    assert mentions.open and mentions.list.names == []
    assert mentions.list.rows.rows[0].title.startswith("No files or results yet.")


def test_on_the_first_screen_a_file_that_was_attached_can_be_named(make_window, session):
    composer = make_window().first.composer
    composer.add_files([COFFEE])
    composer.field.setFocus()
    write(composer, "blur @cof")
    QTest.keyClick(composer.field, Key.Key_Return)
    assert composer.field.toPlainText() == "blur coffee.jpg " and composer.names == ("coffee.jpg",)


def test_the_list_has_a_name_and_rows_that_can_be_hit(composer):
    rows = write(composer, "@").list.rows
    assert rows.accessibleName()
    assert all(rows.visualRect(rows.model().index(i, 0)).height() >= 24 for i in range(len(rows.rows)))


# Named and attached


def named(composer, typed: str) -> None:
    write(composer, typed)
    QTest.keyClick(composer.field, Key.Key_Return)


def test_a_name_that_is_erased_goes_no_longer_with_the_message_and_comes_back_with_undo(composer):
    named(composer, "@wat")
    composer.field.selectAll()
    QTest.keyClick(composer.field, Key.Key_Delete)
    assert composer.names == ()
    composer.field.undo()
    assert composer.names == ("coffee_watercolour.png",)


def test_what_was_attached_by_hand_stays_when_its_name_is_erased(composer):
    composer.add(("coffee.jpg",))
    QTest.keyClicks(composer.field, "coffee.jpg")
    composer.field.clear()
    assert composer.names == ("coffee.jpg",)


def test_what_was_taken_out_again_stays_out_though_its_name_stays(composer):
    named(composer, "blur @wat")
    composer.remove("coffee_watercolour.png")
    QTest.keyClicks(composer.field, "softly")
    assert composer.names == () and "coffee_watercolour.png" in composer.field.toPlainText()


def test_nothing_of_one_message_goes_with_the_next(composer, session):
    named(composer, "blur @wat")
    QTest.keyClick(composer.field, Key.Key_Return)
    QTest.keyClicks(composer.field, "coffee_watercolour.png again")
    QTest.keyClick(composer.field, Key.Key_Return)
    assert [names for _, names in session.called("ask")] == [("coffee_watercolour.png",), ()]


def test_the_list_lies_inside_the_window_over_the_composer(composer):
    mentions = write(composer, "@")
    window = composer.window()
    assert isinstance(window, QWidget) and window.rect().contains(mentions.list.geometry())
    top = composer.field.mapTo(window, QPoint(0, 0)).y()
    assert mentions.list.geometry().bottom() < top


# The mode


def test_the_mode_is_told_in_words_where_there_is_room(make_window, session, qtbot):
    states.answered(session)
    window = make_window()
    face = window.chat.composer.mode.widget
    assert face.worded and face._words == "Plan first" and face.accessibleName() == "Mode: Plan first"
    assert face.height() >= 24
    window.chat.composer._note.setText("Something long that is told beside it")
    window.chat.composer._fit_mode()
    assert not face.worded and face.width() >= 24 and face.toolTip()


def test_another_mode_has_its_own_words(make_window, session):
    states.answered(session)
    window = make_window()
    wide = window.chat.composer.mode.widget.width()
    settings.change(plan_mode="step by step")
    window.ui.signals.settings_changed.emit(settings.load())
    face = window.chat.composer.mode.widget
    assert face._words == "Step by step" and face.worded and face.width() > wide
