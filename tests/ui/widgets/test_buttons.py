"""Enter presses the button that has the keyboard, as Space does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop_app.ui.widgets.basic import Button, ElidedButton, IconButton, make_clearable
from tests.ui.conftest import use_theme


@pytest.mark.parametrize("make", [lambda: Button("Go"), lambda: ElidedButton("Go"), lambda: IconButton("plus", "Add")])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_a_focused_button(qtbot, qapp, make, key):
    use_theme(qapp)
    button, pressed = make(), []
    qtbot.addWidget(button)
    button.clicked.connect(lambda: pressed.append(1))
    button.show()
    button.setFocus()
    QTest.keyClick(button, key)
    QTest.keyClick(button, key, Qt.KeyboardModifier.ControlModifier) if key != Qt.Key.Key_Space else None
    assert pressed == [1]


def test_a_field_is_emptied_by_its_cross_while_there_is_something_in_it(qtbot):
    field = QLineEdit()
    qtbot.addWidget(field)
    make_clearable(field)
    (cross,) = field.actions()
    assert not cross.isVisible()
    field.setText("words")
    assert cross.isVisible() and not cross.icon().isNull()
    cross.trigger()
    assert field.text() == "" and not cross.isVisible()
