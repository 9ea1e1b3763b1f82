"""What the search for everything looks through: commands with their keys, the graph, files and results, tools and
earlier conversations. Reads the window as it is when the search opens.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from desktop_app.core.paths import RESOURCES
from desktop_app.session.autosave import Summary
from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.actions.registry import Command, graph_actions
from desktop_app.ui.history.conversation_list import said_of
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.entries import SearchEntry, SearchItem, entry_of, entry_of_resource, icon_of
from desktop_app.ui.support.actions import Action, key_words
from desktop_app.ui.support.formatting import translate

_On = TypeVar("_On")
_SAME = ("between", "point", "search")
"""What `add` and `open` do for one thing that is chosen, which menus word more exactly; and the search itself."""


def everything(window: MainWindow, kept: Sequence[Summary]) -> list[SearchItem]:
    """All that can be found in the window, with these earlier conversations."""
    return [
        *commands(window), *_cards(window), *_resources(window), *_tools(window), *_conversations(window, kept),
    ]  # fmt: skip


def commands(window: MainWindow) -> Iterator[SearchItem]:
    """All of them; what cannot be done now says why."""
    for action in window.commands.table.values():
        if action.icon and action.id not in _SAME:
            yield SearchItem(
                _entry_of_action("window", action, window, ""), partial(window.commands.run, action.id), 1.1
            )
    for action in graph_actions().values():
        if action.icon and action.id not in _SAME:
            entry = _entry_of_action("graph", action, window.graph.controller, translate("In the graph"))
            yield SearchItem(entry, partial(_do, window, action))


@functools.cache
def further_words() -> Mapping[str, tuple[str, ...]]:
    """Words of every language by which a command is looked for, by its place and id ("window:save")."""
    data = tomllib.loads((RESOURCES / "commands.toml").read_bytes().decode("utf-8"))
    return {id: tuple(word for words in languages.values() for word in words) for id, languages in data.items()}


def _entry_of_action(place: str, action: Action[_On], on: _On, detail: str) -> SearchEntry:
    refused, id = action.refusal(on), f"{place}:{action.id}"
    return SearchEntry(
        id, action.name, refused or detail, action.icon,
        words=(action.id.replace("_", " "), *further_words().get(id, ())),
        group=translate("Commands"), refused=refused, keys=key_words(action.keys[0]) if action.keys else "",
    )  # fmt: skip


def _do(window: MainWindow, action: Command) -> None:
    if not window.graph.isVisible():
        window.show_graph()
    action.run(window.graph.controller)


def _cards(window: MainWindow) -> Iterator[SearchItem]:
    """The cards of the graph, in reading order; choosing one shows it in the middle."""
    graph, title = window.graph, translate("In the graph")
    cards = sorted(graph.items.cards.items(), key=lambda pair: graph.place_of(pair[0]))
    for id, card in cards:
        face = card.face
        detail = " · ".join(part for part in (face.word, face.left) if part)
        entry = SearchEntry(f"card:{id}", face.title, detail, face.icon or icon_of(face.type), face.type, group=title)
        yield SearchItem(entry, partial(_show_card, window, id), 1.15)


def _show_card(window: MainWindow, id: str) -> None:
    window.select(id)
    window.graph.look_at(id)


def _resources(window: MainWindow) -> Iterator[SearchItem]:
    """What the run made and what was attached, the latest first; cards of the graph are not told twice."""
    session = window.session
    for resource in reversed(session.resources.values()):
        if session.workflow.resource(resource.name) is None:
            entry = entry_of_resource(resource, session.workflow, session.tools)
            yield SearchItem(replace(entry, id=f"resource:{resource.name}"), partial(_show_resource, window, resource))


def _show_resource(window: MainWindow, resource: Resource) -> None:
    """Large where it can be seen, else the node that made it, else in the next message."""
    if window.ui.thumbnails.has_picture(resource):
        window.open_large(resource)
    elif resource.made_by in window.session.workflow.ids():
        _show_card(window, resource.made_by)
    else:
        window.show_composer()
        window.composer.add((resource.name,))
        window.composer.field.setFocus()


def _tools(window: MainWindow) -> Iterator[SearchItem]:
    title = translate("Tools")
    for tool in window.session.tools.values():
        entry = entry_of(tool)
        yield SearchItem(replace(entry, id=f"tool:{tool.id}", group=title), partial(_add_tool, window, tool.id), 0.95)


def _add_tool(window: MainWindow, id: str) -> None:
    if not window.graph.isVisible():
        window.show_graph()
    if not window.graph.tools:  # before the first graph nothing has told the view of tools
        window.graph.tools = window.session.tools
    window.graph.controller.adding.add_in_view(id)
    window.show_graph()


def _conversations(window: MainWindow, kept: Sequence[Summary]) -> Iterator[SearchItem]:
    title = translate("Earlier conversations")
    for one in kept:
        if one.id != window.session.id:
            named = one.title or translate("Without a title")
            entry = SearchEntry(f"kept:{one.id}", named, said_of(one), "message-square", group=title)
            yield SearchItem(entry, partial(window.overlays.open, one.id), 0.85, one.text.lower())
