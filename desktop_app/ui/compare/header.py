"""The line above a comparison: back, what is compared, and the ways to look at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QFrame

from desktop_app.ui.compare.image_compare import BESIDE, DIFFERENCE, FLIP, SLIDER
from desktop_app.ui.support.actions import Action
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, divider, px, row


def mode_actions() -> tuple[Action[Any], ...]:
    modes = (
        (SLIDER, translate("A slider between both"), "square-split-horizontal"),
        (BESIDE, translate("Both side by side"), "columns-2"),
        (FLIP, translate("One in the place of the other"), "repeat"),
        (DIFFERENCE, translate("Only what differs"), "layers"),
    )
    return tuple(
        Action(mode, text, icon, lambda on, mode=mode: on.set_mode(mode), (str(place),))
        for place, (mode, text, icon) in enumerate(modes, 1)
    )


class ModeSwitch(QFrame):
    """One of several ways to look; keys 1 to 4."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "field")
        self._words = {
            SLIDER: self.tr("Slider"), BESIDE: self.tr("Side by side"), FLIP: self.tr("Flip"),
            DIFFERENCE: self.tr("Difference"),
        }  # fmt: skip
        self.buttons = {
            mode.id: Button(self._words[mode.id], mode.icon, "quiet", True, mode.tip) for mode in mode_actions()
        }
        group = QButtonGroup(self)
        for mode, button in self.buttons.items():
            button.setCheckable(True)
            group.addButton(button)
            button.clicked.connect(lambda _=False, mode=mode: self.chosen.emit(mode))
        self.setLayout(row(*self.buttons.values(), gap=2, margins=(2, 1, 2, 1)))

    def show_modes(self, modes: Sequence[str], mode: str) -> None:
        """Offers these, with one of them chosen; hidden when there is no choice."""
        for name, button in self.buttons.items():
            button.setVisible(name in modes)
        if mode in self.buttons:
            self.buttons[mode].setChecked(True)
        self.setVisible(len(modes) > 1)

    def set_short(self, short: bool) -> None:
        for mode, button in self.buttons.items():
            button.set_words("" if short else self._words[mode])
            button.setAccessibleName(self._words[mode])


_SLIM = 580
"""Under this width the button back is title enough, and the picture is fitted by its key."""


class CompareHeader(QFrame):
    """`picked` tells which of the results is to be compared."""

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(46))
        self.back = Button(self.tr("Graph"), "chevron-left", "quiet", tip=self.tr("Back to the graph (Esc)"))
        self.title = ElidedLabel(self.tr("Compare"), "title")
        self.note = ElidedLabel(role="secondary")
        self.results = QComboBox()
        self.results.setAccessibleName(self.tr("What is compared"))
        self.results.setProperty("small", True)
        self.results.setToolTip(self.tr("Which of the results is compared"))
        self.results.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.results.activated.connect(self.picked)
        self.fit = IconButton("maximize", self.tr("Fit the picture (F)"))
        self.modes = ModeSwitch()
        layout = row(
            self.back, divider(True, 18), 4, self.title, self.note, self.results, self.fit, self.modes,
            margins=(8, 6, 12, 6),
        )  # fmt: skip
        layout.setStretchFactor(self.note, 1)
        self.setLayout(layout)

    def show_results(self, names: Sequence[str], index: int) -> None:
        if [self.results.itemText(i) for i in range(self.results.count())] != list(names):
            self.results.clear()
            self.results.addItems(list(names))
        self.results.setCurrentIndex(index)
        self.results.setVisible(len(names) > 1)

    def set_width(self, width: int) -> None:
        self.note.setVisible(width > px(700))
        slim = width < px(_SLIM)
        self.title.setHidden(slim)
        self.fit.setHidden(slim)
        self.results.setMinimumContentsLength(6 if slim else 14)
        self.modes.set_short(width < px(960))
        self.results.setMaximumWidth(px(300 if width > px(1000) else 190))
