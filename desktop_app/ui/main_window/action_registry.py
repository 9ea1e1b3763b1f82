"""Everything that can be done by a key, a menu or the search, by place: what is added here is in all of them.

The window's own actions are listed here; those of a place (the graph, pointing, ...) where they act.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.core.values import several
from desktop_app.graph import execution_modes
from desktop_app.session.state import STOPPABLE
from desktop_app.ui.support.actions import Action, by_id
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.planning_modes import mode_words

Command = Action[Any]
"""What runs it and refuses it is given the window, which cannot be named here: it imports this."""


class WindowActions(QObject):
    """The actions of one window: its keys, and what its buttons and menus call. `refused` says why one cannot be."""

    refused = Signal(str)

    def __init__(self, window: QWidget, on: Any) -> None:
        super().__init__(window)
        self._on = on
        self.table = window_actions()
        for action in self.table.values():
            if action.keys:
                made = QAction(action.name, window)
                made.setShortcuts([QKeySequence(keys) for keys in action.keys])
                made.triggered.connect(partial(self._pressed, action.id))
                window.addAction(made)

    def _pressed(self, id: str, _: bool = False) -> None:
        self.run(id)

    def run(self, id: str) -> None:
        if why := self.refusal(id):
            self.refused.emit(why)
        else:
            self.table[id].run(self._on)

    def refusal(self, id: str) -> str:
        """Why it cannot be done now, "" when it can."""
        return self.table[id].refusal(self._on)

    def fill(self, menu: QMenu, ids: Iterable[str]) -> None:
        """Adds these to a menu; what cannot be done now is grey, and says why."""
        for id in ids:
            action = self.table[id]
            made = menu.addAction("\t".join((action.text, *action.keys[:1])))
            made.triggered.connect(partial(self._pressed, id))
            made.setEnabled(not self.refusal(id))
            made.setToolTip(self.refusal(id))


def window_actions() -> dict[str, Command]:
    """All of the window by id, in its language. Escape is not among them: it goes first to what has the focus."""
    return by_id((*_running(), *_files(), *_ways(), *_showing(), *_modes()))


def last_actions() -> tuple[Command, ...]:
    """Keys that nobody else in the window wanted."""
    text = translate("Close what is open, leave pointing or comparing, stop the run")
    attach = translate("Attach the file or the picture that was copied")
    return (
        Command("leave", text, "", lambda w: w.leave(), ("Esc",)),
        Command("paste", attach, "", lambda w: w.paste(), ("Ctrl+V",)),
    )


def places() -> dict[str, tuple[Action[Any], ...]]:
    """The actions of every place of the window, by the heading that the guide has for it."""
    from desktop_app.ui.chat.composer_edit import writing_actions
    from desktop_app.ui.compare.compare_view import compare_actions
    from desktop_app.ui.compare.header import mode_actions
    from desktop_app.ui.graph.actions.registry import graph_actions
    from desktop_app.ui.graph.outline.outline_panel import port_actions
    from desktop_app.ui.pointing.picture_view import picture_actions
    from desktop_app.ui.pointing.pointing_view import pointing_actions
    from desktop_app.ui.pointing.tool_bar import tool_actions

    return {
        translate("Anywhere"): (*window_actions().values(), *last_actions()),
        translate("In the graph"): tuple(graph_actions().values()),
        translate("On a port of the outline"): port_actions(),
        translate("Writing a message"): writing_actions(),
        translate("Pointing"): (*tool_actions(), *pointing_actions()),
        translate("In the picture that is pointed at"): picture_actions(),
        translate("Comparing"): (*mode_actions(), *compare_actions()),
    }


def _running() -> tuple[Command, ...]:
    again = ("Ctrl+Y", "Ctrl+Shift+Z")
    return (
        Command("run", translate("Run"), "play", lambda w: w.run(), ("Ctrl+Return", "Ctrl+Enter"), _cannot_run),
        Command("stop", translate("Stop the run"), "square", lambda w: w.session.stop(), (), _cannot_stop),
        Command("undo", translate("Undo"), "undo-2", lambda w: w.undo(), ("Ctrl+Z",), _cannot_undo),
        Command("redo", translate("Redo"), "redo-2", lambda w: w.redo(), again, _cannot_redo),
    )


def _files() -> tuple[Command, ...]:
    return (
        Command("new", translate("New conversation"), "plus", lambda w: w.session.new(), ("Ctrl+N",)),
        Command("rename", translate("Rename the conversation…"), "pencil", lambda w: w.rename(), (), _no_title),
        Command(
            "history", translate("Earlier conversations…"), "history", lambda w: w.overlays.show_list(), ("Ctrl+H",),
            lambda w: "" if w.overlays.conversations is not None else translate("None are kept here."),
        ),
        Command("open", translate("Open workflow…"), "folder-open", lambda w: w.files.open_workflow(), ("Ctrl+O",)),
        Command(
            "save", translate("Save workflow…"), "save", lambda w: w.files.save_workflow(), ("Ctrl+S",), _no_graph
        ),
        Command(
            "save_results", translate("Save all results…"), "download", lambda w: w.files.save_all(_results(w)), (),
            _no_results,
        ),
        Command(
            "save_picture", translate("Save picture of the graph…"), "image-down", lambda w: w.save_picture(),
            ("Ctrl+Shift+S",), _no_graph,
        ),
        Command(
            "save_script", translate("Save as Python script…"), "file-code", lambda w: w.files.save_script(), (),
            _no_graph,
        ),
        Command("attach", translate("Attach files"), "paperclip", lambda w: w.attach()),
    )  # fmt: skip


def _ways() -> tuple[Command, ...]:
    return (
        Command(
            "way_before", translate("The alternative before"), "chevron-left", lambda w: w.alternatives.step(-1),
            ("Alt+Left",), _no_ways,
        ),
        Command(
            "way_after", translate("The next alternative"), "chevron-right", lambda w: w.alternatives.step(1),
            ("Alt+Right",), _no_ways,
        ),
        Command(
            "compare", translate("Compare two ways"), "columns-2", lambda w: w.comparing.compare(), ("Ctrl+Shift+C",),
            _no_ways,
        ),
        Command(
            "point_at", translate("Point at something in the last picture"), "crosshair",
            lambda w: w.composer.point.click(), (),
            lambda w: "" if w.composer.point.isEnabled() else translate("There is no picture yet."),
        ),
    )  # fmt: skip


def _showing() -> tuple[Command, ...]:
    panels = (
        ("chat", translate("Show or hide the chat"), "panel-left", "Ctrl+1"),
        ("timeline", translate("Show or hide the run timeline"), "panel-bottom", "Ctrl+2"),
        ("inspector", translate("Show or hide the inspector"), "panel-right", "Ctrl+3"),
        ("alternatives", translate("Show or hide the alternatives"), "gallery-thumbnails", "Ctrl+4"),
    )
    return (
        *(
            Command(name, said, icon, lambda w, name=name: w.panels.toggle(name), (key,), _no_panels)
            for name, said, icon, key in panels
        ),
        Command(
            "move_panels", translate("Move the panels"), "move", lambda w: w.panels.toggle_locked(), (), _no_panels
        ),
        Command(
            "reset_panels",
            translate("Panels back to their places"),
            "layout-grid",
            lambda w: w.panels.reset(),
            (),
            _no_panels,
        ),
        Command("log", translate("Log of the run"), "text", lambda w: w.overlays.show_log(), ("Ctrl+L",)),
        Command("settings", translate("Settings"), "settings", lambda w: w.overlays.show_settings(), ("Ctrl+,",)),
        Command("models", translate("Models"), "boxes", lambda w: w.overlays.show_models(), ("Ctrl+Shift+M",)),
        Command("guide", translate("User guide"), "book-open", lambda w: w.overlays.show_guide(), ("F1",)),
        Command("theme", translate("Change between dark and light"), "sun", lambda w: w.toggle_theme()),
        Command("search", translate("Search everything"), "search", lambda w: w.search(), ("Ctrl+K",)),
        Command("next_region", translate("The next part of the window"), "", lambda w: w.go_round(1), ("F6",)),
        Command(
            "previous_region", translate("The part of the window before"), "", lambda w: w.go_round(-1), ("Shift+F6",)
        ),
    )


def _modes() -> tuple[Command, ...]:
    return tuple(
        Command(f"mode_{mode}", said, "workflow", lambda w, mode=mode: w.take_mode(mode))
        for mode, said in mode_words().items()
    )


# Why not


def _no_graph(window: Any) -> str:
    return "" if window.session.workflow.nodes else translate("There is no graph yet.")


def _results(window: Any) -> list[str]:
    """The names of what the run made for the user, each once."""
    session = window.session
    ends = execution_modes.results(session.workflow, session.tools)
    done = [(session.run.nodes[id], output) for id, output in ends if id in session.run.nodes]
    made = (several(record.outputs.get(output)) for record, output in done if record.state == "done")
    return list(dict.fromkeys(value.name for values in made for value in values))


def _no_results(window: Any) -> str:
    return "" if _results(window) else translate("Nothing has been made yet.")


def _no_title(window: Any) -> str:
    return "" if window.session.title else translate("There is no conversation yet.")


def _no_panels(window: Any) -> str:
    return "" if window.panels_offered else translate("There is no graph yet.")


def _cannot_run(window: Any) -> str:
    if window.session.going.running or window.session.busy:
        return translate("Something goes on already.")
    return _no_graph(window) or (translate("First finish pointing.") if window.pointing_now else "")


def _cannot_stop(window: Any) -> str:
    running = window.session.going.running or window.session.busy in STOPPABLE
    return "" if running else translate("Nothing runs.")


def _cannot_undo(window: Any) -> str:
    return "" if window.session.can_undo or window.pointing_now else translate("Nothing was changed.")


def _cannot_redo(window: Any) -> str:
    return "" if window.session.can_redo or window.pointing_now else translate("Nothing was taken back.")


def _no_ways(window: Any) -> str:
    return "" if len(window.session.alternatives) > 1 else translate("There is only one way.")
