"""Opens files and folders with the programs of this computer, and says so where none does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate


def open_path(ui: UiContext, path: Path, name: str = "") -> None:
    """Opens a file or a folder of this computer, which the user knows by its `name`. Where it is not there any more, or
    no program opens it, that is told.
    """
    name = name or path.name
    if not path.exists():
        ui.calls.failed.emit(translate("{name} is no longer there.").format(name=name), "")
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        said = translate("No program on this computer opens {name}.").format(name=name)
        ui.calls.failed.emit(said, translate("It is here: {path}").format(path=path))
