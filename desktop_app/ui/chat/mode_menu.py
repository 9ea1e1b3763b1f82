"""The choice between planning first, a task list, and going step by step: a small menu beside the message."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop_app.core import settings as settings_file
from desktop_app.core.settings import Settings
from desktop_app.ui.chat.mode_button import ModeButton
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.planning_modes import mode_names, mode_words
from desktop_app.ui.widgets.basic import Button, px

_ICONS = {"solutions": "workflow", "task list": "list", "pipeline": "layers", "step by step": "chart-no-axes-gantt"}


class Mode:
    """Behaviour of a button that shows the mode and opens the menu; wraps one of two looks.

    `widget` is what goes into a layout, `current` the mode that is shown.
    """

    def __init__(self, ui: UiContext, large: bool) -> None:
        self._ui = ui
        self.widget: Button | ModeButton = Button("", "workflow", "quiet") if large else ModeButton()
        self.widget.clicked.connect(self.open)
        ui.signals.settings_changed.connect(self._show)
        self._show(settings_file.load())

    def _show(self, settings: Settings) -> None:
        mode = self.current = settings.plan_mode
        name = mode_names()[mode]
        self.widget.set_icon(_ICONS[mode])
        self.widget.set_words(name)
        self.widget.setToolTip(mode_words()[mode])
        self.widget.setAccessibleName(formatting.translate("Mode: {name}").format(name=name))

    def menu(self) -> QMenu:
        """The modes, and whether a step is asked about first."""
        settings = settings_file.load()
        made = QMenu(self.widget, toolTipsVisible=True)
        group = QActionGroup(made)
        for mode, text in mode_words().items():
            action = _action(made, text, settings.plan_mode == mode)
            group.addAction(action)
            action.triggered.connect(partial(self._choose, {"plan_mode": mode}))
        made.addSeparator()
        asks = _action(made, formatting.translate("Ask before each step"), settings.step_approval)
        asks.setEnabled(settings.plan_mode == "step by step")
        asks.triggered.connect(lambda on: self._choose({"step_approval": on}))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def open(self) -> None:
        menu = self.menu()
        menu.popup(self.widget.mapToGlobal(QPoint(0, -menu.sizeHint().height() - px(4))))

    def _choose(self, values: dict[str, object], _: bool = True) -> None:
        self._ui.signals.change_settings.emit(values)


def _action(menu: QMenu, text: str, on: bool) -> QAction:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    return action
