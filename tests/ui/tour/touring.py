"""A tour: a driver that saves pictures, all of them as PNG or those of the user guide as WebP."""

from __future__ import annotations

import argparse

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from desktop_app.core.paths import RESOURCES
from tests.ui.driving import Driver

GUIDE = RESOURCES / "guide"
_QUALITY, _WIDTH = 43, 1152
"""Of the guide's pictures; pixels: the page shows them no wider."""


def used_in_guide() -> frozenset[str]:
    """The names of the pictures that the pages of the guide and the README show."""
    pages = [*GUIDE.glob("*.md"), RESOURCES.parent / "README.md"]
    said = " ".join(page.read_text("utf-8") for page in pages)
    return frozenset(part.split(".webp")[0] for part in said.split("pictures/")[1:] if ".webp" in part)


class Tour(Driver):
    """`asked` is what the user says where the words are in the language of the tour."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options.theme, options.scale, options.size, options.language)
        self.folder, self._size = options.folder, options.size
        self.scale, self.language = options.scale, options.language
        self._wanted = used_in_guide() if options.guide else None

    def size_again(self) -> None:
        """The window as large as it was asked for."""
        self.resize(*self._size)

    async def shot(self, name: str, widget: QWidget | None = None) -> None:
        """Saves a picture of the window, or of another one, after a rest."""
        await self.rest()
        self.snap(name, widget)

    def snap(self, name: str, widget: QWidget | None = None) -> None:
        """Saves a picture of this moment."""
        if self._wanted is not None and name not in self._wanted:
            return
        picture = widget.grab() if widget is not None else self.picture()
        path = self.folder / f"{name}.{'png' if self._wanted is None else 'webp'}"
        if self._wanted is None:
            picture.save(str(path))
        else:
            path.write_bytes(_webp(picture))
        print(path, flush=True)


def _webp(picture: QPixmap) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    small = picture.toImage().scaledToWidth(_WIDTH, Qt.TransformationMode.SmoothTransformation)
    small.save(buffer, "WEBP", _QUALITY)  # type: ignore[call-overload]
    return bytes(data.data())
