"""The actions that the search for everything offers: those of the window and those of the graph, with their keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeVar

from desktop_app.ui.graph.actions.registry import Command, graph_actions
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.ranking import SearchItem
from desktop_app.ui.search.search_entry import Entry
from desktop_app.ui.support.actions import Action
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.shortcut_text import key_words

_On = TypeVar("_On")
_SAME = ("between", "point", "search")
"""What `add` and `open` do for one thing that is chosen, which menus word more exactly; and the search itself."""


def commands(window: MainWindow) -> Iterator[SearchItem]:
    """All of them; what cannot be done now says why."""
    for action in window.commands.table.values():
        if action.icon and action.id not in _SAME:
            yield SearchItem(_entry("window", action, window, ""), partial(window.commands.run, action.id), 1.1)
    for action in graph_actions().values():
        if action.icon and action.id not in _SAME:
            entry = _entry("graph", action, window.graph.controller, translate("In the graph"))
            yield SearchItem(entry, partial(_do, window, action))


def _entry(place: str, action: Action[_On], on: _On, detail: str) -> Entry:
    refused = action.refusal(on)
    return Entry(
        f"{place}:{action.id}", action.name, refused or detail, action.icon, words=(action.id.replace("_", " "),),
        group=translate("Commands"), refused=refused, keys=key_words(action.keys[0]) if action.keys else "",
    )  # fmt: skip


def _do(window: MainWindow, action: Command) -> None:
    if not window.graph.isVisible():
        window.show_graph()
    action.run(window.graph.controller)
