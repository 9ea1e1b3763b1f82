"""What goes with the next message: a small picture or sign, a name, a button that takes it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFrame

from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import ElidedLabel, IconButton, label, px, row
from desktop_app.ui.widgets.glyphs import type_glyph
from desktop_app.ui.widgets.picture import Picture, cut_caption

_WIDEST = 190


class FileName(ElidedLabel):
    """A file's name as wide as it is, at most `widest` pixels; cut in its middle only where that is not enough."""

    def __init__(self, text: str, widest: int) -> None:
        super().__init__(text, "small")
        self.setFixedWidth(min(widest, self.text_width() + px(4)))

    def cut_to(self, room: int) -> str:
        return cut_caption(self._whole, self.fontMetrics(), room)


class AttachmentChip(QFrame):
    """A small picture or sign, the name, and a button that removes it."""

    def __init__(self, ui: UiContext, resource: Resource, remove: Callable[[str], None]) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        layout = row(gap=6, margins=(4, 4, 2, 4))
        if ui.thumbnails.has_picture(resource):
            picture = Picture(ui, resource, 28, plate=False)
            picture.setFixedSize(px(36), px(28))
            picture.opened.connect(ui.signals.open_large)
            layout.addWidget(picture)
        else:
            layout.addSpacing(px(4))
            layout.addWidget(type_glyph(resource.type, 12))
        said = f"{resource.name} · {formatting.facts_of(resource)}" if resource.files else resource.name
        name = FileName(said, px(220 if resource.files else _WIDEST))
        self.setToolTip(formatting.caption_of(resource))
        self.drop = IconButton("x", self.tr("Remove {name}").format(name=resource.name), 24)
        self.drop.clicked.connect(lambda: remove(resource.name))
        layout.addWidget(name)
        layout.addWidget(self.drop)
        self.setLayout(layout)
        self.setMinimumHeight(px(38))


@dataclass(eq=False)
class Coming:
    """Files that are being read at once; each one is another, even of the same paths."""

    paths: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What it will be called: many files after their folder."""
        return self.paths[0].name if len(self.paths) == 1 else self.paths[0].absolute().parent.name


class ComingChip(QFrame):
    """Stands for a file until it is attached."""

    def __init__(self, coming: Coming, remove: Callable[[Coming], None]) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        name = FileName(coming.name, px(_WIDEST))
        self.setAccessibleName(self.tr("Attaching {name}").format(name=coming.name))
        self.setToolTip(self.accessibleName())
        self.drop = IconButton("x", self.tr("Do not attach {name}").format(name=coming.name), 24)
        self.drop.clicked.connect(lambda: remove(coming))
        self.setLayout(row(name, label(self.tr("attaching…"), "caption"), self.drop, gap=6, margins=(8, 4, 2, 4)))
        self.setMinimumHeight(px(38))
