"""The graph on screen. The view as a whole: large graphs, what it loads, how it keeps its place."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.paths import PROJECT
from desktop_app.graph import edit
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events.run_record import Run
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import key


def test_hundreds_of_cards_come_and_go(view):
    ids = [f"n{i}" for i in range(300)]
    links = tuple(Link(a, "image", b, "image") for a, b in itertools.pairwise(ids))
    view.show_workflow(Workflow((), tuple(Node(id, "upscale") for id in ids), links), Run(), view.tools)
    assert len(view.sizes()) == 300 and len(view.link_items()) == 299
    view.show_workflow(samples.workflow(), Run(), view.tools)
    assert len(view.sizes()) == 8


def test_an_edit_is_not_kept_until_it_is_shown(view):
    made = []
    view.edited.connect(made.append)
    view.select(["cap"])
    key(view, Qt.Key.Key_Delete)
    assert made and view.card("cap") is not None
    assert made[0] == edit.Workflow.without(view.workflow, "cap")


def test_the_view_loads_neither_torch_nor_all_of_qt():
    code = (
        "import sys, desktop_app.ui.graph.graph_view;"
        "bad = [m for m in ('torch', 'cv2', 'distutils', 'setuptools', 'Qt', 'PySide6.QtMultimedia', 'PySide6.QtSql',"
        " 'av', 'scipy', 'PIL') if m in sys.modules];"
        "print(bad); sys.exit(bool(bad))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_was_shown_whole_stays_whole_when_the_window_changes(view, qapp):
    view.fit()
    for size in ((700, 500), (1400, 900)):
        view.resize(*size)
        qapp.processEvents()
        assert view.canvas.seen.contains(view.bounds())


def test_a_view_that_the_user_chose_stays_when_the_window_changes(view, qapp):
    view.fit()
    view.canvas.zoom_by(1.7)
    zoom, middle = view.canvas.zoom, view.canvas.seen.center()
    view.resize(900, 600)
    qapp.processEvents()
    assert view.canvas.zoom == pytest.approx(zoom)
    assert (view.canvas.seen.center() - middle).manhattanLength() < 2
