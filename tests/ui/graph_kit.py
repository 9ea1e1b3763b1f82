"""A graph view on the samples, and a mouse for it: for the tests of the graph on screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.theme import theme
from tests.ui import graph_samples as samples

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def read_by(view: GraphView, **sources: object) -> None:
    """Other sources of `pictures` or `texts`; what was read of those before is forgotten."""
    results = view.results
    results.wait()
    QCoreApplication.processEvents()  # what has come already
    for name, source in sources.items():
        setattr(results, name, source)
    results._found.clear()
    results._asked.clear()


@pytest.fixture
def view(qtbot, qapp):
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the views of earlier tests go
    if not qapp.styleSheet():
        theme.apply(qapp, "dark")
    made = GraphView()
    made.animated = False
    made.results.pictures = samples.picture
    made.results.texts = samples.text
    made.results.peaks = samples.peaks
    made.resize(1400, 900)
    qtbot.addWidget(made)
    made.show()
    made.show_workflow(samples.workflow(), samples.run(), samples.TOOLS)
    qapp.processEvents()
    yield made
    made.results.wait()
    qapp.processEvents()


@pytest.fixture
def edits(view):
    """The workflows that the user's edits would make, one for each; each is shown at once, as the owner does."""
    made = []
    view.edited.connect(made.append)
    view.edited.connect(lambda workflow: view.show_workflow(workflow, view.run, view.tools))
    view.continued.connect(lambda workflow: made.__setitem__(-1, workflow))
    view.continued.connect(lambda workflow: view.show_workflow(workflow, view.run, view.tools))
    return made


def on_screen(view, place):
    return view.canvas.mapFromScene(place)


def drag(view, start, end, modifiers=NONE, release=True):
    """Presses at one place of the scene, moves to another and lets go."""
    port = view.canvas.viewport()
    a, b = on_screen(view, start), on_screen(view, end)
    QTest.mousePress(port, LEFT, modifiers, a)
    QTest.mouseMove(port, (a + b) / 2)
    QTest.mouseMove(port, b)
    if release:
        QTest.mouseRelease(port, LEFT, modifiers, b)


def click(view, place, modifiers=NONE):
    QTest.mouseClick(view.canvas.viewport(), LEFT, modifiers, on_screen(view, place))


def key(view, name, modifiers=NONE):
    QTest.keyClick(view.canvas, name, modifiers)


def empty_place(view):
    """A place of the canvas without any card, on screen."""
    view.fit()
    return QPointF(view.bounds().center().x(), view.bounds().bottom() + 30)


def output(view, card, row=0):
    return view.card(card).outputs[row]


def input_of(view, card, name):
    return view.card(card).port(name, True)


def drop(view, data, place):
    event = QDropEvent(
        QPointF(on_screen(view, place)), Qt.DropAction.CopyAction, data, LEFT, NONE, QDropEvent.Type.Drop
    )
    view.canvas.dropEvent(event)
    return event
