"""The commands that the search for everything offers: those of the window and those of the graph, with their keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.ui.graph.actions import registry
from desktop_app.ui.graph.actions.registry import Command
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.main_window.actions import window_commands
from desktop_app.ui.search.ranking import Thing
from desktop_app.ui.search.search_entry import Entry
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.shortcut_text import key_words

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow

_SAME = ("between", "point")
"""What `add` and `open` do for one thing that is chosen; menus word it more exactly."""
_ONE_CARD = ("connect", "open")
_ONE_NODE = ("run_to", "run_from", "run_again")
_TWO = ("join", "compare")
_NODES = ("bypass", "mute")
_CHOSEN = ("copy", "cut", "frame", "duplicate")
_ALIGNED = ("left", "centre", "right", "top", "middle", "bottom")
_SPREAD = ("across", "down")
_LINKS = ("dot", "straighten")
_ANY_CARD = ("all", "next", "previous", "find", "lay_out", "fit")


def commands(window: MainWindow) -> Iterator[Thing]:
    """All of them; what cannot be done now says why."""
    title = translate("Commands")
    for command in window_commands().values():
        keys = key_words(command.keys[0]) if command.keys else ""
        refused = command.refusal(window)
        entry = Entry(
            f"window:{command.id}", command.words.rstrip("…"), refused, command.icon,
            words=(command.id.replace("_", " "),), group=title, refused=refused, keys=keys,
        )  # fmt: skip
        yield Thing(entry, partial(command.deed, window), 1.1)
    for command in registry.commands().values():
        if command.words and command.id not in _SAME:
            yield _of_graph(window, command, title)


def _of_graph(window: MainWindow, command: Command, title: str) -> Thing:
    refused = refusal(window.graph, command.id)
    entry = Entry(
        f"graph:{command.id}", command.words.rstrip("…"), refused or translate("In the graph"), command.icon,
        words=(command.id.replace("_", " "),), group=title, refused=refused,
        keys=key_words(command.keys[0]) if command.keys else "",
    )  # fmt: skip
    return Thing(entry, partial(_do, window, command))


def _do(window: MainWindow, command: Command) -> None:
    if not window.graph.isVisible():
        window.show_graph()
    command.deed(window.graph.hands)


def refusal(view: GraphView, id: str) -> str:
    """Why a command of the graph can do nothing with what is chosen now, "" when it can."""
    cards, canvas = view.selected(), view.canvas
    nodes = [card for card in cards if card in view.workflow.ids()]
    if id in _ANY_CARD and not view.items.cards:
        return translate("There is no graph yet.")
    if id in _ONE_CARD and len(cards) != 1:
        return translate("First choose one card.")
    if id in _ONE_NODE and len(nodes) != 1:
        return translate("First choose one node.")
    if id in _TWO and len(cards) != 2:
        return translate("First choose two cards.")
    if id in _NODES and not nodes:
        return translate("First choose nodes.")
    if id in _CHOSEN and not view.chosen():
        return translate("First choose what is meant.")
    if id == "delete" and not (view.chosen() or canvas.selected_links() or canvas.selected_dots()):
        return translate("First choose what is meant.")
    if id in _ALIGNED and len(cards) < 2:
        return translate("First choose two cards or more.")
    if id in _SPREAD and len(cards) < 3:
        return translate("First choose three cards or more.")
    if id in _LINKS and not canvas.selected_links():
        return translate("First choose a link.")
    if id == "write" and not canvas.selected_decor():
        return translate("First choose a note or a frame.")
    return ""
