"""What goes with the next message: a small picture or sign, a name, a button that takes it out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame

from desktop_app.resource import Resource
from desktop_app.ui import words
from desktop_app.ui.desk import Desk
from desktop_app.ui.glyphs import type_glyph
from desktop_app.ui.picture import Picture
from desktop_app.ui.widgets import ElidedLabel, IconButton, px, row


class AttachmentChip(QFrame):
    """A small picture or sign, the name, and a button that removes it."""

    def __init__(self, desk: Desk, resource: Resource, remove: Callable[[str], None]) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        layout = row(gap=6, margins=(4, 4, 2, 4))
        if desk.thumbnails.has_picture(resource):
            picture = Picture(desk, resource, 28, plate=False)
            picture.setFixedSize(px(36), px(28))
            picture.opened.connect(desk.wishes.open_large)
            layout.addWidget(picture)
        else:
            layout.addSpacing(px(4))
            layout.addWidget(type_glyph(resource.type, 12))
        name = ElidedLabel(words.shorter(resource.name, 22))
        name.setProperty("role", "small")
        name.setFixedWidth(min(px(150), name.text_width() + px(4)))
        self.setToolTip(words.caption_of(resource))
        self.drop = IconButton("x", self.tr("Remove {name}").format(name=resource.name), 24)
        self.drop.clicked.connect(lambda: remove(resource.name))
        layout.addWidget(name)
        layout.addWidget(self.drop)
        self.setLayout(layout)
