"""Every command of the graph: its words, its key, its icon, its deed; and the menus made of them.

One table for the canvas, the outline beside it, and the context menus.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from PySide6.QtCore import QKeyCombination, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_app.graph.decorations import COLORS
from desktop_app.graph.workflow import Workflow
from desktop_app.ui.graph.actions.add import Adding
from desktop_app.ui.graph.actions.edit import Deeds
from desktop_app.ui.graph.actions.notes import Writing
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons


class Hands(Protocol):
    """What commands act through."""

    adding: Adding
    deeds: Deeds
    writing: Writing
    view: GraphDisplay
    toggle_side: Callable[[str], None]

    @property
    def workflow(self) -> Workflow: ...
    def find(self) -> None: ...


Deed = Callable[[Hands], object]


@dataclass(frozen=True)
class Command:
    """`keys` are written as Qt does; the first is the one that menus show."""

    id: str
    words: str
    icon: str
    deed: Deed
    keys: tuple[str, ...] = ()


@cache
def _keymap() -> dict[int, Deed]:
    return {
        QKeySequence(keys)[0].toCombined(): command.deed  # pyright: ignore[reportIndexIssue]
        for command in commands().values()
        for keys in command.keys
    }


def press(hands: Hands, event: QKeyEvent) -> bool:
    """Does what the key means; False when it means nothing here."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    deed = _keymap().get(QKeyCombination(keys, Qt.Key(event.key())).toCombined())
    if deed is None and keys == Qt.KeyboardModifier.ShiftModifier and not event.text().isalpha():
        deed = _keymap().get(QKeyCombination(Qt.Key(event.key())).toCombined())  # + and the like need Shift
    if deed is None:
        return False
    deed(hands)
    return True


def commands() -> dict[str, Command]:
    """All commands by id, in the language of the window."""
    return {command.id: command for command in (*_adding(), *_choosing(), *_switching(), *_arranging(), *_looking())}


def _adding() -> tuple[Command, ...]:
    return (
        Command("add", translate("Add a node"), "plus", lambda h: h.adding.ask_tool(), ("Tab", "Space")),
        Command("between", translate("Put a node in between"), "plus", lambda h: h.adding.ask_tool()),
        Command("connect", translate("Connect to…"), "spline", lambda h: h.adding.connect_chosen(), ("C",)),
        Command("join", translate("Join"), "link", lambda h: h.deeds.join(), ("J",)),
        Command("compare", translate("Compare results"), "columns-2", lambda h: h.deeds.compare(), ("Shift+C",)),
        Command("dot", translate("Add a dot to lead it"), "circle", lambda h: h.writing.add_dot_to_chosen(), ("D",)),
        Command("straighten", translate("Take its dots away"), "minus", lambda h: h.writing.straighten()),
        Command("note", translate("Add a note"), "message-square", lambda h: h.writing.add_note(), ("N",)),
        Command("frame", translate("Frame"), "group", lambda h: h.writing.add_frame(), ("Ctrl+G",)),
        Command("write", translate("Write"), "pencil", lambda h: h.writing.write_chosen(), ("F2",)),
    )


def _choosing() -> tuple[Command, ...]:
    return (
        Command("open", translate("Open"), "expand", lambda h: h.deeds.open(), ("Return", "Enter")),
        Command("point", translate("Point at the picture"), "crosshair", lambda h: h.deeds.open()),
        Command("copy", translate("Copy"), "clipboard", lambda h: h.deeds.copy(), ("Ctrl+C",)),
        Command("cut", translate("Cut"), "scissors", lambda h: h.deeds.cut(), ("Ctrl+X",)),
        Command("paste", translate("Paste"), "clipboard-paste", lambda h: h.deeds.paste(), ("Ctrl+V",)),
        Command("duplicate", translate("Duplicate"), "copy", lambda h: h.deeds.duplicate(), ("Ctrl+D",)),
        Command("delete", translate("Delete"), "trash-2", lambda h: h.deeds.delete(), ("Del", "Backspace")),
        Command("all", translate("Choose all"), "square-dashed", lambda h: h.deeds.choose_all(), ("Ctrl+A",)),
        Command("next", translate("Next card"), "chevron-right", lambda h: h.deeds.step(1), ("]",)),
        Command("previous", translate("Previous card"), "chevron-left", lambda h: h.deeds.step(-1), ("[",)),
    )


def _switching() -> tuple[Command, ...]:
    return (
        Command("bypass", translate("Bypass"), "corner-down-right", lambda h: h.deeds.switch("bypass"), ("Ctrl+B",)),
        Command("mute", translate("Mute"), "circle-slash-2", lambda h: h.deeds.switch("mute"), ("Ctrl+M",)),
        Command("run_to", translate("Run to here"), "play", lambda h: h.deeds.run_to(), ("R",)),
        Command("run_from", translate("Run from here"), "fast-forward", lambda h: h.deeds.run_from(), ("Shift+R",)),
        Command("run_again", translate("Run this again"), "rotate-cw", lambda h: h.deeds.run_again(), ("Ctrl+R",)),
    )


def _arranging() -> tuple[Command, ...]:
    across, down = "align-start-vertical", "align-start-horizontal"
    return (
        Command("left", translate("Left edges"), across, lambda h: h.deeds.align("left"), ("Ctrl+Left",)),
        Command("centre", translate("Centres"), across, lambda h: h.deeds.align("centre"), ("Ctrl+Shift+Up",)),
        Command("right", translate("Right edges"), across, lambda h: h.deeds.align("right"), ("Ctrl+Right",)),
        Command("top", translate("Top edges"), down, lambda h: h.deeds.align("top"), ("Ctrl+Up",)),
        Command("middle", translate("Middles"), down, lambda h: h.deeds.align("middle"), ("Ctrl+Shift+Down",)),
        Command("bottom", translate("Bottom edges"), down, lambda h: h.deeds.align("bottom"), ("Ctrl+Down",)),
        Command(
            "across", translate("Same gaps across"), "between-vertical-start", lambda h: h.deeds.spread(0),
            ("Ctrl+Shift+Right",),
        ),
        Command(
            "down", translate("Same gaps down"), "between-horizontal-start", lambda h: h.deeds.spread(1),
            ("Ctrl+Shift+Left",),
        ),
        Command("lay_out", translate("Lay out"), "layout-grid", lambda h: h.deeds.lay_out(), ("L",)),
        *(
            Command(f"nudge_{keys}", "", "", lambda h, x=x, y=y: h.deeds.nudge(x, y), (keys,))
            for keys, x, y in (("Left", -1, 0), ("Right", 1, 0), ("Up", 0, -1), ("Down", 0, 1))
        ),
    )  # fmt: skip


def _looking() -> tuple[Command, ...]:
    return (
        Command("fit", translate("Show everything"), "maximize", lambda h: h.view.fit(), ("F",)),
        Command("find", translate("Find in the graph"), "search", lambda h: h.find(), ("Ctrl+F", "F3")),
        Command("outline", translate("Outline"), "list", lambda h: h.toggle_side("outline"), ("O",)),
        Command("palette", translate("Palette of tools"), "blocks", lambda h: h.toggle_side("palette"), ("P",)),
        Command("closer", translate("Closer"), "plus", lambda h: h.view.canvas.zoom_by(1.2), ("+", "Ctrl++", "Ctrl+=")),
        Command("farther", translate("Farther"), "minus", lambda h: h.view.canvas.zoom_by(1 / 1.2), ("-", "Ctrl+-")),
        Command("full_size", translate("100 %"), "scan", lambda h: h.view.set_zoom(1.0), ("Ctrl+0",)),
    )


_COLOR_WORDS = {
    "grey": "Grey", "blue": "Blue", "green": "Green", "amber": "Amber", "rose": "Rose", "violet": "Violet",
}  # fmt: skip
_ALIGNING = ("left", "centre", "right", "top", "middle", "bottom", "across", "down")


def menu(hands: Hands, place: QPointF) -> QMenu:
    """The menu for what is chosen, or for the canvas at that place when nothing is."""
    view, canvas = hands.view, hands.view.canvas
    made = QMenu(view)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if view.chosen() or canvas.selected_links() or canvas.selected_dots():
        _for_chosen(made, hands)
    else:
        known = commands()
        _entry(made, hands, known["add"], lambda h: h.adding.ask_tool(place))
        _entry(made, hands, known["note"], lambda h: h.writing.add_note(place))
        _entries(made, hands, "paste", "", "find", "lay_out", "fit", "all", "", "outline", "palette")
    return made


def _for_chosen(made: QMenu, hands: Hands) -> None:
    view, canvas = hands.view, hands.view.canvas
    chosen = view.selected()
    nodes = [id for id in chosen if id in view.workflow.ids()]
    links, decor = canvas.selected_links(), canvas.selected_decor()
    if len(nodes) == 1:
        card = view.card(nodes[0])
        _entries(made, hands, *(("point",) if card is not None and card.face.picks else ()))
        _entries(made, hands, "run_to", "run_from", "run_again", "")
    if nodes:
        _switches(made, hands, nodes)
    if len(chosen) == 1:
        _entries(made, hands, "connect")
    if len(chosen) == 2:
        _entries(made, hands, "join", "compare")
    if len(links) == 1 and not chosen:
        _entries(made, hands, "between")
    if links:
        _entries(made, hands, "dot", *(("straighten",) if any(item.dots for item in links) else ()), "")
    if len(chosen) > 1:
        _entries(_sub(made, "align-start-vertical", translate("Align")), hands, *_ALIGNING)
    if decor:
        _entries(made, hands, "write")
        _colors(_sub(made, "palette", translate("Colour")), hands)
    if chosen or decor:
        _entries(made, hands, "frame", "", *(("duplicate",) if nodes or decor else ()), "copy", "cut")
    _entries(made, hands, "delete")


def _switches(made: QMenu, hands: Hands, nodes: list[str]) -> None:
    """Bypass and mute, ticked when all chosen nodes are so."""
    for id, mode in (("bypass", "bypass"), ("mute", "mute")):
        action = _entry(made, hands, commands()[id])
        action.setCheckable(True)
        action.setChecked(all(hands.workflow.node(node).mode == mode for node in nodes))
    made.addSeparator()


def _colors(made: QMenu, hands: Hands) -> None:
    from desktop_app.ui.graph.items.note_item import color_of

    for name in COLORS:
        action = made.addAction(icons.icon("square", color_of(name)), translate(_COLOR_WORDS[name]))
        action.triggered.connect(lambda checked=False, name=name: hands.writing.colour(name))


def _sub(made: QMenu, icon: str, words: str) -> QMenu:
    sub = made.addMenu(icons.icon(icon), words)
    return sub


def _entries(made: QMenu, hands: Hands, *ids: str) -> None:
    """The commands of these ids; "" for a line."""
    known = commands()
    for id in ids:
        if id:
            _entry(made, hands, known[id])
        else:
            made.addSeparator()


def _entry(made: QMenu, hands: Hands, command: Command, deed: Deed | None = None):
    shown = QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""
    action = made.addAction(icons.icon(command.icon), f"{command.words}\t{shown}" if shown else command.words)
    action.triggered.connect(lambda checked=False: (deed or command.deed)(hands))
    return action
