"""What the window remembers from one start to the next: its size, its panels, the theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from desktop_app.core import settings
from desktop_app.core.errors import AppError
from desktop_app.core.paths import home


class WindowState:
    """A small file beside the program's data."""

    def __init__(self) -> None:
        self._file = QSettings(str(home() / "window.ini"), QSettings.Format.IniFormat)

    def flag(self, name: str, default: bool) -> bool:
        return bool(self._file.value(name, default, type=bool))

    def text(self, name: str) -> str:
        """A remembered word, "" when there is none."""
        return str(self._file.value(name, "", type=str))

    def number(self, name: str, default: int) -> int:
        value = str(self._file.value(name, default))
        return int(value) if value.isdecimal() else default

    def data(self, name: str) -> QByteArray:
        """What Qt saved under that name, empty when nothing."""
        value = self._file.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep(self, **values: object) -> None:
        for name, value in values.items():
            self._file.setValue(name, value)
        self._file.sync()


def remember_theme(name: str) -> None:
    """Keeps the theme in the settings; does without when they cannot be written."""
    try:
        settings.change(theme=name)
    except AppError:
        return
