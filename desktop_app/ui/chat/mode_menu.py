"""The choice between planning first, a task list, and going step by step: a small menu beside the message."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy

from desktop_app.core import settings as settings_file
from desktop_app.core.settings import Settings
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.planning_modes import mode_names, mode_words
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import Button, Painted, PushButton, color, px

_ICONS = {"solutions": "workflow", "task list": "list", "pipeline": "layers", "step by step": "chart-no-axes-gantt"}

_SIDE = 30


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


class ModeButton(Painted, PushButton):
    """`fit(room)` shows the words where they have room."""

    def __init__(self) -> None:
        super().__init__()
        self._words, self._icon = "", "workflow"
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(px(_SIDE), px(_SIDE))
        theme.signals().changed.connect(self.update)

    def set_words(self, words: str) -> None:
        self._words = words
        self.update()

    def set_icon(self, name: str) -> None:
        self._icon = name
        self.update()

    @property
    def worded(self) -> bool:
        """True while the name is shown."""
        return self.width() > px(_SIDE)

    def fit(self, room: int) -> None:
        """Shows the words when they need no more than that many pixels, else the icon."""
        wanted = QFontMetrics(theme.current().font("caption")).horizontalAdvance(self._words) + px(34)
        self.setFixedWidth(wanted if wanted <= room else px(_SIDE))

    def paint(self, painter: QPainter) -> None:
        if self.underMouse() or self.isDown() or self.hasFocus():
            painter.setPen(QPen(color("accent.line"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
            hovered = self.underMouse() or self.isDown()
            painter.setBrush(color("background.hover") if hovered else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))
        middle = self.height() / 2
        if not self.worded:
            side = px(17)
            place = QRectF((self.width() - side) / 2, middle - side / 2, side, side)
            icons.paint(painter, place, self._icon, color("text.secondary"))
        else:
            painter.setFont(theme.current().font("caption"))
            painter.setPen(color("text.tertiary"))
            room = QRectF(px(8), 0, self.width() - px(28), self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self._words)
            side = px(12)
            place = QRectF(self.width() - px(19), middle - side / 2, side, side)
            icons.paint(painter, place, "chevron-down", color("text.tertiary"))
