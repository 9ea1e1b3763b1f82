"""Joins what the panels of the window tell to who does it: the window, the session, another panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.ui.search.suggestions import Habits

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow


def connect(window: MainWindow) -> None:
    """Once, when all parts of the window exist."""
    _connect_bar(window)
    _connect_wishes(window)
    _connect_graph(window)
    window.preview.closed.connect(window.show_graph)
    window.pointing.opened.connect(lambda: window.show_stage(window.picker))
    window.pointing.closed.connect(window.show_graph)
    window.pointing.used.connect(window.ready_to_run)
    window.comparing.opened.connect(lambda: window.show_stage(window.compare))
    window.comparing.closed.connect(window.show_graph)


def _connect_bar(window: MainWindow) -> None:
    bar = window.tool_bar
    bar.undo.connect(window.undo)
    bar.redo.connect(window.redo)
    bar.run.connect(window.run)
    bar.stop.connect(window.session.stop)
    bar.new.connect(window.session.new)
    bar.open_file.connect(window.files.open_workflow)
    window.first.open_wanted.connect(window.files.open_workflow)
    bar.save_file.connect(window.files.save_workflow)
    bar.save_picture.connect(window.save_picture)
    bar.save_script.connect(window.files.save_script)
    bar.panel_toggled.connect(window.show_panel)
    bar.theme_toggled.connect(window.toggle_theme)
    for pages in (window.stage, window.pages):
        pages.currentChanged.connect(lambda: bar.set_pointing(window.pointing_now))


def _connect_wishes(window: MainWindow) -> None:
    wishes, session, calls = window.desk.wishes, window.session, window.desk.calls
    wishes.select_node.connect(window.select)
    wishes.open_large.connect(window.open_large)
    wishes.compose.connect(window.compose)
    wishes.run.connect(window.run)
    wishes.run_to.connect(lambda id: calls.later(session.start(id)))


def _connect_graph(window: MainWindow) -> None:
    graph, session, calls = window.graph, window.session, window.desk.calls
    graph.hands.adding.habits = Habits(session, window.desk.loader, window)
    graph.run_to.connect(lambda id: calls.later(session.start(id)))
    graph.run_again.connect(lambda id: calls.later(session.start(id, (id,))))
    graph.run_from.connect(lambda id: calls.later(session.start_from(id)))
    graph.values_wanted.connect(window.edit_values)
    graph.compare_wanted.connect(window.comparing.compare_cards)
    graph.selection_changed.connect(window.inspector.show_item)
    graph.node_activated.connect(window.activate)
    graph.edited.connect(lambda workflow: calls.now(session.edit, workflow))
    graph.continued.connect(lambda workflow: calls.now(session.amend, workflow))
    graph.moved.connect(lambda places: calls.now(session.move, places))
    graph.pick_requested.connect(window.desk.wishes.pick_port)
    graph.files_dropped.connect(window.files.dropped_on_graph)
    graph.hint.connect(window.status.say)
    graph.zoom_changed.connect(window.status.show_zoom)
    window.desk.pulse.beat.connect(lambda: graph.show_run(session.run))
