"""The keys and the context menu of the graph: which key or entry is which deed of the hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_app.ui import icons
from desktop_app.ui.card_face import translate

if TYPE_CHECKING:
    from desktop_app.ui.graph_hands import GraphHands

Deed = Callable[[], object]
_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


def press(hands: GraphHands, event: QKeyEvent) -> bool:
    """Does what the key means; False when it means nothing here."""
    for sequence, deed in (
        (QKeySequence.StandardKey.Copy, hands.copy_chosen),
        (QKeySequence.StandardKey.Paste, hands.paste),
        (QKeySequence.StandardKey.SelectAll, hands.choose_all),
        (QKeySequence.StandardKey.Find, hands.ask_card),
    ):
        if event.matches(sequence):
            deed()
            return True
    key, keys = Qt.Key(event.key()), event.modifiers()
    if keys & Qt.KeyboardModifier.AltModifier:
        return False
    if keys & Qt.KeyboardModifier.ControlModifier:
        return _do(_with_control(hands), key)
    if key in _ARROWS:
        hands.nudge(*_ARROWS[key])
        return True
    return _do(_plain(hands), key)


def _do(deeds: dict[Qt.Key, Deed], key: Qt.Key) -> bool:
    if key in deeds:
        deeds[key]()
    return key in deeds


def _plain(hands: GraphHands) -> dict[Qt.Key, Deed]:
    canvas = hands.view.canvas
    return {
        Qt.Key.Key_Tab: hands.ask_tool,
        Qt.Key.Key_Space: hands.ask_tool,
        Qt.Key.Key_Delete: hands.delete_chosen,
        Qt.Key.Key_Backspace: hands.delete_chosen,
        Qt.Key.Key_F: hands.view.fit,
        Qt.Key.Key_L: hands.lay_out,
        Qt.Key.Key_J: hands.join_chosen,
        Qt.Key.Key_Return: hands.open_chosen,
        Qt.Key.Key_Enter: hands.open_chosen,
        Qt.Key.Key_Plus: lambda: canvas.zoom_by(1.2),
        Qt.Key.Key_Minus: lambda: canvas.zoom_by(1 / 1.2),
        Qt.Key.Key_BracketRight: lambda: hands.step(1),
        Qt.Key.Key_BracketLeft: lambda: hands.step(-1),
    }


def _with_control(hands: GraphHands) -> dict[Qt.Key, Deed]:
    canvas = hands.view.canvas
    return {
        Qt.Key.Key_D: hands.duplicate_chosen,
        Qt.Key.Key_X: hands.cut_chosen,
        Qt.Key.Key_0: lambda: hands.view.set_zoom(1.0),
        Qt.Key.Key_Plus: lambda: canvas.zoom_by(1.2),
        Qt.Key.Key_Equal: lambda: canvas.zoom_by(1.2),
        Qt.Key.Key_Minus: lambda: canvas.zoom_by(1 / 1.2),
    }


def menu(hands: GraphHands, place: QPointF) -> QMenu:
    """The menu for what is chosen, or for the canvas at that place when nothing is."""
    view = hands.view
    made = QMenu(view)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if view.selected() or view.canvas.selected_links():
        _for_chosen(made, hands)
    else:
        _add(made, "plus", translate("Add a node"), lambda: hands.ask_tool(place), "Tab")
        _add(made, "clipboard-paste", translate("Paste"), hands.paste, "Ctrl+V")
        made.addSeparator()
        _add(made, "layout-grid", translate("Lay out"), hands.lay_out, "L")
        _add(made, "maximize", translate("Show everything"), view.fit, "F")
        _add(made, "square-dashed", translate("Choose all"), hands.choose_all, "Ctrl+A")
    return made


def _for_chosen(made: QMenu, hands: GraphHands) -> None:
    view, chosen = hands.view, hands.view.selected()
    nodes = [id for id in chosen if id in view.workflow.ids()]
    if len(nodes) == 1:
        card = view.card(nodes[0])
        if card is not None and card.face.picks:
            _add(made, "crosshair", translate("Point at the picture"), hands.open_chosen)
        _add(made, "play", translate("Run to here"), lambda: view.run_to.emit(nodes[0]))
        _add(made, "rotate-cw", translate("Run this again"), lambda: view.run_again.emit(nodes[0]))
        made.addSeparator()
    if len(chosen) == 2:
        _add(made, "link", translate("Join"), hands.join_chosen, "J")
    if len(chosen) > 1:
        _add(made, "align-start-vertical", translate("Align left"), lambda: hands.line_up(0))
        _add(made, "align-start-horizontal", translate("Align top"), lambda: hands.line_up(1))
        made.addSeparator()
    if len(view.canvas.selected_links()) == 1 and not chosen:
        _add(made, "plus", translate("Put a node in between"), hands.ask_tool, "Tab")
    if nodes:
        _add(made, "copy", translate("Duplicate"), hands.duplicate_chosen, "Ctrl+D")
    if chosen:
        _add(made, "clipboard", translate("Copy"), hands.copy_chosen, "Ctrl+C")
    _add(made, "trash-2", translate("Delete"), hands.delete_chosen, "Del")


def _add(menu: QMenu, icon: str, text: str, deed: Callable[[], object], keys: str = "") -> None:
    action = menu.addAction(icons.icon(icon), f"{text}\t{keys}" if keys else text)
    action.triggered.connect(lambda checked=False: deed())
