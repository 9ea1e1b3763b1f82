"""Every action of the graph, and the menus made of them: for the canvas, and for the outline beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu

from desktop_app.graph.decorations import COLORS
from desktop_app.graph.workflow import Workflow
from desktop_app.ui.graph.actions.add import AddNodeActions
from desktop_app.ui.graph.actions.edit import EditActions
from desktop_app.ui.graph.actions.notes import NoteActions
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.support import actions
from desktop_app.ui.support.actions import Action, add_to_menu, by_id
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons


class ActionTarget(Protocol):
    """The parts of the graph's window by which its commands do what they do."""

    adding: AddNodeActions
    edits: EditActions
    writing: NoteActions
    view: GraphDisplay
    toggle_side: Callable[[str], None]

    @property
    def workflow(self) -> Workflow: ...
    def find(self) -> None: ...


Command = Action[ActionTarget]


def press(controller: ActionTarget, event: QKeyEvent) -> bool:
    """Does what the key means; False when it means nothing here."""
    return actions.press(graph_actions().values(), controller, event)


def graph_actions() -> dict[str, Command]:
    return by_id((*_adding(), *_choosing(), *_switching(), *_arranging(), *_looking()))


def _adding() -> tuple[Command, ...]:
    return (
        Command("add", translate("Add a node"), "plus", lambda h: h.adding.ask_tool(), ("Tab", "Space")),
        Command("add_file", translate("Add a file…"), "paperclip", lambda h: h.adding.ask_files()),
        Command(
            "replace_file", translate("Replace the file…"), "refresh-cw", lambda h: h.adding.ask_replacement(), (),
            _no_file,
        ),
        Command("between", translate("Put a node in between"), "plus", lambda h: h.adding.ask_tool(), (), _no_links),
        Command(
            "connect", translate("Connect to…"), "spline", lambda h: h.adding.connect_chosen(), ("C",), _not_one_card
        ),
        Command(
            "compare", translate("Compare results"), "columns-2", lambda h: h.edits.compare(), ("Shift+C",), _not_two
        ),
        Command(
            "dot", translate("Add a dot to lead it"), "circle", lambda h: h.writing.add_dot_to_chosen(), ("D",),
            _no_links,
        ),
        Command(
            "straighten", translate("Take its dots away"), "minus", lambda h: h.writing.straighten(), (), _no_links
        ),
        Command("note", translate("Add a note"), "message-square", lambda h: h.writing.add_note(), ("N",)),
        Command("frame", translate("Frame"), "group", lambda h: h.writing.add_frame(), ("Ctrl+G",), _none_chosen),
        Command("write", translate("Write"), "pencil", lambda h: h.writing.write_chosen(), ("F2",), _no_words),
    )  # fmt: skip


def _choosing() -> tuple[Command, ...]:
    return (
        Command("open", translate("Open"), "expand", lambda h: h.edits.open(), ("Return", "Enter"), _not_one_card),
        Command("point", translate("Point at the picture"), "crosshair", lambda h: h.edits.open(), (), _not_one_card),
        Command("copy", translate("Copy"), "clipboard", lambda h: h.edits.copy(), ("Ctrl+C",), _none_chosen),
        Command("cut", translate("Cut"), "scissors", lambda h: h.edits.cut(), ("Ctrl+X",), _none_chosen),
        Command("paste", translate("Paste"), "clipboard-paste", lambda h: h.edits.paste(), ("Ctrl+V",)),
        Command("duplicate", translate("Duplicate"), "copy", lambda h: h.edits.duplicate(), ("Ctrl+D",), _none_chosen),
        Command(
            "delete", translate("Delete"), "trash-2", lambda h: h.edits.delete(), ("Del", "Backspace"),
            _nothing_to_delete,
        ),
        Command("all", translate("Choose all"), "square-dashed", lambda h: h.edits.choose_all(), ("Ctrl+A",), _empty),
        Command("next", translate("Next card"), "chevron-right", lambda h: h.edits.step(1), ("]",), _empty),
        Command("previous", translate("Previous card"), "chevron-left", lambda h: h.edits.step(-1), ("[",), _empty),
    )  # fmt: skip


def _switching() -> tuple[Command, ...]:
    return (
        Command(
            "bypass", translate("Bypass"), "corner-down-right", lambda h: h.edits.switch("bypass"), ("Ctrl+B",),
            _no_nodes,
        ),
        Command(
            "mute", translate("Mute"), "circle-slash-2", lambda h: h.edits.switch("mute"), ("Ctrl+M",), _no_nodes
        ),
        Command("run_to", translate("Run to here"), "play", lambda h: h.edits.run_to(), ("R",), _not_one_node),
        Command(
            "run_from", translate("Run from here"), "fast-forward", lambda h: h.edits.run_from(), ("Shift+R",),
            _not_one_node,
        ),
        Command(
            "run_again", translate("Run this again"), "rotate-cw", lambda h: h.edits.run_again(), ("Ctrl+R",),
            _not_one_node,
        ),
    )  # fmt: skip


def _arranging() -> tuple[Command, ...]:
    across, down = "align-start-vertical", "align-start-horizontal"
    edges = (
        ("left", translate("Left edges"), across, "Ctrl+Left"),
        ("centre", translate("Centres"), across, "Ctrl+Shift+Up"),
        ("right", translate("Right edges"), across, "Ctrl+Right"),
        ("top", translate("Top edges"), down, "Ctrl+Up"),
        ("middle", translate("Middles"), down, "Ctrl+Shift+Down"),
        ("bottom", translate("Bottom edges"), down, "Ctrl+Down"),
    )
    gaps = (
        ("across", translate("Same gaps across"), "between-vertical-start", 0, "Ctrl+Shift+Right"),
        ("down", translate("Same gaps down"), "between-horizontal-start", 1, "Ctrl+Shift+Left"),
    )
    moves, moved = (("Left", -1, 0), ("Right", 1, 0), ("Up", 0, -1), ("Down", 0, 1)), translate("Move what is chosen")
    return (
        *(Command(id, text, icon, partial(_align, id), (key,), _under_two) for id, text, icon, key in edges),
        *(Command(id, text, icon, partial(_spread, axis), (key,), _under_three) for id, text, icon, axis, key in gaps),
        Command("lay_out", translate("Lay out"), "layout-grid", lambda h: h.edits.lay_out(), ("L",), _empty),
        *(Command(f"nudge_{key}", moved, "", partial(_nudge, x, y), (key,)) for key, x, y in moves),
    )


def _align(edge: str, controller: ActionTarget) -> None:
    controller.edits.align(edge)


def _spread(axis: int, controller: ActionTarget) -> None:
    controller.edits.spread(axis)


def _nudge(x: int, y: int, controller: ActionTarget) -> None:
    controller.edits.nudge(x, y)


def _looking() -> tuple[Command, ...]:
    return (
        Command("fit", translate("Show everything"), "maximize", lambda h: h.view.fit(), ("F",), _empty),
        Command("find", translate("Find in the graph"), "search", lambda h: h.find(), ("Ctrl+F", "F3"), _empty),
        Command("outline", translate("Outline"), "list", lambda h: h.toggle_side("outline"), ("O",)),
        Command("palette", translate("Palette of tools"), "blocks", lambda h: h.toggle_side("palette"), ("P",)),
        Command("closer", translate("Closer"), "plus", lambda h: h.view.canvas.zoom_by(1.2), ("+", "Ctrl++", "Ctrl+=")),
        Command("farther", translate("Farther"), "minus", lambda h: h.view.canvas.zoom_by(1 / 1.2), ("-", "Ctrl+-")),
        Command("full_size", translate("100 %"), "scan", lambda h: h.view.set_zoom(1.0), ("Ctrl+0",)),
    )


# Why not


def _nodes(controller: ActionTarget) -> list[str]:
    ids = controller.workflow.ids()
    return [card for card in controller.view.selected() if card in ids]


def _empty(controller: ActionTarget) -> str:
    return "" if controller.view.items.cards else translate("There is no graph yet.")


def _not_one_card(controller: ActionTarget) -> str:
    return "" if len(controller.view.selected()) == 1 else translate("First choose one card.")


def _not_one_node(controller: ActionTarget) -> str:
    return "" if len(_nodes(controller)) == 1 else translate("First choose one node.")


def _not_two(controller: ActionTarget) -> str:
    return "" if len(controller.view.selected()) == 2 else translate("First choose two cards.")


def _no_nodes(controller: ActionTarget) -> str:
    return "" if _nodes(controller) else translate("First choose nodes.")


def _none_chosen(controller: ActionTarget) -> str:
    return "" if controller.view.chosen() else translate("First choose what is meant.")


def _nothing_to_delete(controller: ActionTarget) -> str:
    canvas = controller.view.canvas
    return "" if canvas.selected_links() or canvas.selected_dots() else _none_chosen(controller)


def _under_two(controller: ActionTarget) -> str:
    return "" if len(controller.view.selected()) > 1 else translate("First choose two cards or more.")


def _under_three(controller: ActionTarget) -> str:
    return "" if len(controller.view.selected()) > 2 else translate("First choose three cards or more.")


def _no_links(controller: ActionTarget) -> str:
    return "" if controller.view.canvas.selected_links() else translate("First choose a link.")


def _no_file(controller: ActionTarget) -> str:
    chosen = controller.view.selected()
    only = len(chosen) == 1 and controller.workflow.resource(chosen[0]) is not None
    return "" if only else translate("First choose one file.")


def _no_words(controller: ActionTarget) -> str:
    if controller.view.canvas.selected_decor() or len(_nodes(controller)) == 1:
        return ""
    return translate("First choose a note, a frame or one node.")


# Menus

_COLOR_WORDS = {
    "grey": "Grey", "blue": "Blue", "green": "Green", "amber": "Amber", "rose": "Rose", "violet": "Violet",
}  # fmt: skip
_ALIGNING = ("left", "centre", "right", "top", "middle", "bottom", "across", "down")


def menu(controller: ActionTarget, place: QPointF) -> QMenu:
    """The menu for what is chosen, or for the canvas at that place when nothing is."""
    view, canvas = controller.view, controller.view.canvas
    made = QMenu(view)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if view.chosen() or canvas.selected_links() or canvas.selected_dots():
        _for_chosen(made, controller)
    else:
        known = graph_actions()
        add_to_menu(made, known["add"], controller, lambda h: h.adding.ask_tool(place))
        add_to_menu(made, known["add_file"], controller, lambda h: h.adding.ask_files(place))
        add_to_menu(made, known["note"], controller, lambda h: h.writing.add_note(place))
        add_to_menu(made, known["paste"], controller, lambda h: h.edits.paste(place))
        _entries(made, controller, "", "find", "lay_out", "fit", "all", "", "outline", "palette")
    return made


def _for_chosen(made: QMenu, controller: ActionTarget) -> None:
    view, canvas = controller.view, controller.view.canvas
    chosen = view.selected()
    nodes = [id for id in chosen if id in view.workflow.ids()]
    links, decor = canvas.selected_links(), canvas.selected_decor()
    if len(nodes) == 1:
        card = view.card(nodes[0])
        _entries(made, controller, *(("point",) if card is not None and card.face.picks else ()))
        _entries(made, controller, "run_to", "run_from", "run_again", "")
    if nodes:
        _switches(made, controller, nodes)
    if len(chosen) == 1:
        _entries(made, controller, *(() if nodes else ("replace_file",)), "connect")
    if len(chosen) == 2:
        _entries(made, controller, "compare")
    if len(links) == 1 and not chosen:
        _entries(made, controller, "between")
    if links:
        _entries(made, controller, "dot", *(("straighten",) if any(item.dots for item in links) else ()), "")
    if len(chosen) > 1:
        _entries(_sub(made, "align-start-vertical", translate("Align")), controller, *_ALIGNING)
    if decor:
        _entries(made, controller, "write")
        _colors(_sub(made, "palette", translate("Colour")), controller)
    if chosen or decor:
        _entries(made, controller, "frame", "", *(("duplicate",) if nodes or decor else ()), "copy", "cut")
    _entries(made, controller, "delete")


def _switches(made: QMenu, controller: ActionTarget, nodes: list[str]) -> None:
    """Bypass and mute, ticked when all chosen nodes are so."""
    for id, mode in (("bypass", "bypass"), ("mute", "mute")):
        action = add_to_menu(made, graph_actions()[id], controller)
        action.setCheckable(True)
        action.setChecked(all(controller.workflow.node(node).mode == mode for node in nodes))
    made.addSeparator()


def _colors(made: QMenu, controller: ActionTarget) -> None:
    from desktop_app.ui.graph.items.note_item import color_of

    for name in COLORS:
        action = made.addAction(icons.icon("square", color_of(name)), translate(_COLOR_WORDS[name]))
        action.triggered.connect(lambda checked=False, name=name: controller.writing.colour(name))


def _sub(made: QMenu, icon: str, words: str) -> QMenu:
    return made.addMenu(icons.icon(icon), words)


def _entries(made: QMenu, controller: ActionTarget, *ids: str) -> None:
    """The commands of these ids; "" for a line."""
    known = graph_actions()
    for id in ids:
        if id:
            add_to_menu(made, known[id], controller)
        else:
            made.addSeparator()
