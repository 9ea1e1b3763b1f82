"""What is shown no longer is hidden at once and deleted soon, not all of it in one go."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import delete, isValid

from desktop_app.ui.widgets.deferred_delete import _AT_ONCE, discard


def _large(count: int) -> QWidget:
    made = QWidget()
    for _ in range(count):
        QLabel("a", made)
    made.show()
    return made


def test_what_is_large_goes_one_after_the_other(qtbot):
    made = [_large(_AT_ONCE) for _ in range(4)]
    counts: list[int] = []
    discard(*made)
    assert not any(widget.isVisible() for widget in made)
    for widget in made:
        widget.destroyed.connect(lambda: counts.append(sum(isValid(other) for other in made)))
    qtbot.waitUntil(lambda: not any(isValid(widget) for widget in made))
    assert len(set(counts)) == 4


def test_small_things_go_together(qtbot):
    made = [_large(3) for _ in range(10)]
    discard(*made)
    qtbot.waitUntil(lambda: not isValid(made[0]))
    assert not any(isValid(widget) for widget in made)


def test_what_has_gone_with_its_parent_is_passed_over(qtbot):
    parent = QWidget()
    made, last = [QLabel("a", parent) for _ in range(_AT_ONCE + 5)], QLabel("b")
    discard(*made, last)
    delete(parent)
    qtbot.waitUntil(lambda: not isValid(last))


def test_it_goes_while_more_comes(qtbot):
    first, more, others = QLabel("a"), QTimer(interval=2), [QLabel("b") for _ in range(400)]
    discard(first)
    more.timeout.connect(lambda: discard(others.pop()))
    more.start()
    qtbot.waitUntil(lambda: not isValid(first))
    assert others, "more came all the time"
    more.stop()
