"""A change of the style sheet reaches every widget, once."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject, QStringListModel
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QSlider,
    QSpinBox,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import delete, isValid

from desktop_app.core.paths import PROJECT
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import Button, Caption, IconButton, Toned, color, label, mark, surface
from tests.ui.conftest import served


@pytest.fixture(autouse=True)
def dark_before_and_after(qapp):
    theme.apply(qapp, "dark")
    yield
    theme.apply(qapp, "dark")


class Heard(QObject):
    """How often each widget was told that its style is another, while this is the filter of the application."""

    def __init__(self, app) -> None:
        super().__init__()
        self.times: Counter[QObject] = Counter()
        app.installEventFilter(self)

    def eventFilter(self, watched, event) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.times[watched] += 1
        return False


def nested(depth: int) -> QWidget:
    """A label inside of frames inside of each other."""
    inner: QWidget = QLabel("inside")
    for _ in range(depth):
        outer = surface("raised")
        QVBoxLayout(outer).addWidget(inner)
        inner = outer
    return inner


def controls() -> QWidget:
    """One of each kind."""
    page = QWidget()
    column = QVBoxLayout(page)
    table = QListView()
    table.setModel(QStringListModel(["one", "two"], table))
    tabs = QTabWidget()
    tabs.addTab(QPlainTextEdit("text"), "tab")
    off = Button("off", "x")
    off.setEnabled(False)
    choice = QComboBox()
    choice.addItems(["a", "b"])
    marked = surface("raised")
    mark(marked, "surface", "accent")
    for widget in (
        Button("go", "play-solid", "primary"), off, IconButton("x", "Close", 24), QLineEdit("words"), QSpinBox(),
        QCheckBox("check"), choice, QSlider(), table, tabs, label("quiet", "tertiary"), Caption("bad", "state.failed"),
        marked, nested(3),
    ):  # fmt: skip
        column.addWidget(widget)
    return page


def picture(widget: QWidget) -> QImage:
    """It, as it is now."""
    return widget.grab().toImage()


def ink(widget: QWidget) -> QColor:
    """The colour of its words."""
    return widget.palette().color(QPalette.ColorRole.WindowText)


@pytest.fixture
def pages(qtbot) -> tuple[QStackedWidget, QWidget, QWidget]:
    """A window with a page that is seen and one that is hidden; both have been seen."""
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    front, back = controls(), controls()
    stack.addWidget(front)
    stack.addWidget(back)
    stack.show()
    stack.setCurrentWidget(back)
    served()
    stack.setCurrentWidget(front)
    served()
    return stack, front, back


def test_each_widget_is_styled_once_however_deep_it_lies(qtbot, qapp):
    window = nested(8)
    qtbot.addWidget(window)
    window.show()
    heard = Heard(qapp)
    theme.apply(qapp, "light")
    assert {heard.times[widget] for widget in (window, *window.findChildren(QWidget))} == {1}


def test_what_is_seen_has_at_once_the_look_that_qt_itself_would_give(qapp, pages):
    stack, _, _ = pages
    dark = picture(stack)
    theme.apply(qapp, "light")
    mine = picture(stack)
    qapp.setStyleSheet(theme.style_sheet(theme.current()))
    assert mine == picture(stack) != dark


def test_what_was_hidden_has_the_look_that_qt_itself_would_give(qapp, pages):
    stack, _, back = pages
    theme.apply(qapp, "light")
    assert ink(back.findChild(Caption)) == color("state.failed")
    stack.setCurrentWidget(back)
    mine = picture(stack)
    qapp.setStyleSheet(theme.style_sheet(theme.current()))
    assert mine == picture(stack)


def test_a_widget_that_its_child_covers_is_seen(qtbot, qapp):
    ground = QScrollArea()  # covered by its viewport, which gets its colours from it
    qtbot.addWidget(ground)
    ground.show()
    served()
    heard = Heard(qapp)
    theme.apply(qapp, "light")
    assert (heard.times[ground], heard.times[ground.viewport()]) == (1, 1)


def test_every_window_has_the_new_look(qtbot, qapp):
    behind, used = controls(), controls()
    for window in (behind, used):
        qtbot.addWidget(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
    heard = Heard(qapp)
    theme.apply(qapp, "light")
    assert heard.times[used] == heard.times[behind] == 1
    assert ink(used.findChild(Caption)) == color("state.failed")
    mine = picture(behind)
    qapp.setStyleSheet(theme.style_sheet(theme.current()))
    assert mine == picture(behind)


def test_an_open_menu_is_styled_at_once_though_its_owner_is_hidden(qtbot, qapp):
    owner = QWidget()
    qtbot.addWidget(owner)
    menu = QMenu(owner)
    menu.addAction("Do it")
    menu.popup(owner.pos())
    served()
    heard = Heard(qapp)
    theme.apply(qapp, "light")
    assert heard.times[menu] == 1
    menu.close()


def test_a_menu_made_before_opens_in_the_new_look(qtbot, qapp):
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.show()
    menu = QMenu(owner)
    menu.addAction("Do it")
    menu.popup(owner.pos())
    served()
    menu.close()
    theme.apply(qapp, "light")
    menu.popup(owner.pos())
    shown = picture(menu)
    menu.close()
    assert QColor(shown.pixel(shown.width() // 2, 3)) == color("background.overlay")


def test_a_second_change_overtakes_the_first(qapp, pages):
    _, _, back = pages
    theme.apply(qapp, "light")
    theme.apply(qapp, "dark")
    served()
    assert ink(back.findChild(Caption)) == color("state.failed")


def test_no_sheet_takes_the_look_away(qtbot, qapp):
    words = Toned("words")
    words.set_tone("state.failed")
    qtbot.addWidget(words)
    words.show()
    assert ink(words) == color("state.failed")
    theme.restyle(qapp, "")
    assert ink(words) != color("state.failed")


def test_every_tone_of_a_label_is_in_the_style_sheet():
    known = set(re.findall(r'\[tone="([\w.]+)"\]', (PROJECT / "resources/style.qss").read_text("utf-8")))
    used: set[str] = set()
    for path in (PROJECT / "desktop_app/ui").rglob("*.py"):
        for line in path.read_text("utf-8").splitlines():
            if re.search(r"set_tone\(|Caption\(|_show_outcome\(|Fact\(", line):
                used |= set(re.findall(r'"((?:state|accent)\.\w+)"', line))
    assert used and used <= known


class _Deletes(QWidget):
    """Deletes what is in it as soon as it has a new look."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = QWidget(self)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and isValid(self.inside):
            delete(self.inside)


def test_a_widget_that_its_parents_new_look_deletes_does_no_harm(qtbot, qapp):
    window = _Deletes()
    qtbot.addWidget(window)
    theme.apply(qapp, "light")
    assert not isValid(window.inside)
