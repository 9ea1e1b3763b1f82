"""Every command of the window: its words, its key, its icon, its deed, and why it cannot be done now.

One table for the keys, the menu of the tool bar, and the search for everything. Those of the graph have a table of
their own (graph_commands).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.session.stepwise.turn import STOPPABLE
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.planning_modes import mode_words

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow


def _never(window: MainWindow) -> str:
    return ""


@dataclass(frozen=True)
class WindowCommand:
    """`keys` are written as Qt does; the first is the one that is shown. `refusal` says why not now, "" when it can."""

    id: str
    words: str
    icon: str
    deed: Callable[[MainWindow], object]
    keys: tuple[str, ...] = ()
    refusal: Callable[[MainWindow], str] = _never


def window_commands() -> dict[str, WindowCommand]:
    """All commands by id, in the language of the window."""
    return {command.id: command for command in (*_running(), *_files(), *_ways(), *_showing(), *_modes())}


def _running() -> tuple[WindowCommand, ...]:
    again = ("Ctrl+Y", "Ctrl+Shift+Z")
    return (
        WindowCommand("run", translate("Run"), "play", lambda w: w.run(), ("Ctrl+Return", "Ctrl+Enter"), _cannot_run),
        WindowCommand("stop", translate("Stop the run"), "square", lambda w: w.session.stop(), (), _cannot_stop),
        WindowCommand("undo", translate("Undo"), "undo-2", lambda w: w.undo(), ("Ctrl+Z",), _cannot_undo),
        WindowCommand("redo", translate("Redo"), "redo-2", lambda w: w.redo(), again, _cannot_redo),
    )


def _files() -> tuple[WindowCommand, ...]:
    return (
        WindowCommand("new", translate("New conversation"), "plus", lambda w: w.session.new(), ("Ctrl+N",)),
        WindowCommand(
            "history", translate("Earlier conversations…"), "history", lambda w: w.show_history(), ("Ctrl+H",),
            lambda w: "" if w.overlays.list is not None else translate("None are kept here."),
        ),
        WindowCommand(
            "recordings", translate("Recorded runs…"), "rewind", lambda w: w.overlays.show_recordings(),
            ("Ctrl+Shift+H",),
        ),
        WindowCommand(
            "open", translate("Open workflow…"), "folder-open", lambda w: w.files.open_workflow(), ("Ctrl+O",)
        ),
        WindowCommand(
            "save", translate("Save workflow…"), "save", lambda w: w.files.save_workflow(), ("Ctrl+S",), _no_graph
        ),
        WindowCommand(
            "save_picture", translate("Save picture of the graph…"), "image-down", lambda w: w.save_picture(),
            ("Ctrl+Shift+S",), _no_graph,
        ),
        WindowCommand(
            "save_script", translate("Save as Python script…"), "file-code", lambda w: w.files.save_script(), (),
            _no_graph,
        ),
        WindowCommand("attach", translate("Attach files"), "paperclip", _attach),
    )  # fmt: skip


def _ways() -> tuple[WindowCommand, ...]:
    return (
        WindowCommand(
            "way_before", translate("The alternative before"), "chevron-left", lambda w: w.alternatives.step(-1),
            ("Alt+Left",), _no_ways,
        ),
        WindowCommand(
            "way_after", translate("The next alternative"), "chevron-right", lambda w: w.alternatives.step(1),
            ("Alt+Right",), _no_ways,
        ),
        WindowCommand(
            "compare", translate("Compare two ways"), "columns-2", lambda w: w.desk.wishes.compare.emit(()),
            ("Ctrl+Shift+C",), _no_ways,
        ),
        WindowCommand(
            "point_at", translate("Point at something in the last picture"), "crosshair",
            lambda w: w.composer.point.click(), (),
            lambda w: "" if w.composer.point.isEnabled() else translate("There is no picture yet."),
        ),
    )  # fmt: skip


def _showing() -> tuple[WindowCommand, ...]:
    panels = (
        ("chat", translate("Show or hide the chat"), "panel-left", "Ctrl+1"),
        ("timeline", translate("Show or hide the run timeline"), "panel-bottom", "Ctrl+2"),
        ("inspector", translate("Show or hide the inspector"), "panel-right", "Ctrl+3"),
    )
    return (
        *(
            WindowCommand(name, said, icon, partial(_toggle, name), (key,), _no_panels)
            for name, said, icon, key in panels
        ),
        WindowCommand("log", translate("Log of the run"), "text", lambda w: w.overlays.show_log(), ("Ctrl+L",)),
        WindowCommand("settings", translate("Settings"), "settings", lambda w: w.show_settings(), ("Ctrl+,",)),
        WindowCommand("guide", translate("User guide"), "book-open", lambda w: w.overlays.show_guide(), ("F1",)),
        WindowCommand("theme", translate("Change between dark and light"), "sun", lambda w: w.toggle_theme()),
    )


def _modes() -> tuple[WindowCommand, ...]:
    return tuple(
        WindowCommand(f"mode_{mode}", said, "workflow", partial(_take_mode, mode))
        for mode, said in mode_words().items()
    )


def _attach(window: MainWindow) -> None:
    show_composer(window)
    window.composer.attach.click()


def show_composer(window: MainWindow) -> None:
    """Makes sure that the composer in use is seen."""
    if not window.composer.isVisible():
        window.show_panel("chat", True)


def _toggle(name: str, window: MainWindow) -> None:
    window.tool_bar.panels[name].click()


def _take_mode(mode: str, window: MainWindow) -> None:
    window.desk.wishes.change_settings.emit({"plan_mode": mode})


# Why not


def _no_graph(window: MainWindow) -> str:
    return "" if window.session.workflow.nodes else translate("There is no graph yet.")


def _no_panels(window: MainWindow) -> str:
    return "" if window.tool_bar.panels["chat"].isEnabled() else translate("There is no graph yet.")


def _cannot_run(window: MainWindow) -> str:
    if window.session.going.running or window.session.busy:
        return translate("Something goes on already.")
    return _no_graph(window) or (translate("First finish pointing.") if window.pointing_now else "")


def _cannot_stop(window: MainWindow) -> str:
    running = window.session.going.running or window.session.busy in STOPPABLE
    return "" if running else translate("Nothing runs.")


def _cannot_undo(window: MainWindow) -> str:
    return "" if window.session.can_undo or window.pointing_now else translate("Nothing was changed.")


def _cannot_redo(window: MainWindow) -> str:
    return "" if window.session.can_redo or window.pointing_now else translate("Nothing was taken back.")


def _no_ways(window: MainWindow) -> str:
    return "" if len(window.session.alternatives) > 1 else translate("There is only one way.")
