"""Files in and out of the window: dialogs (never modal), drops, opening and saving workflows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.export import write
from desktop_app.resource import Resource
from desktop_app.ui.desk import Desk

Taken = Callable[[list[Path]], None]


class WindowFiles(QObject):
    """Belongs to a window; what goes wrong is told through `desk.calls.failed`."""

    def __init__(self, window: QWidget, desk: Desk, say: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._desk, self._say = window, desk, say
        self.dialog: QFileDialog | None = None
        desk.wishes.pick_files.connect(self.pick)
        desk.wishes.save_as.connect(self.save_resource)

    def pick(self, taken: Taken) -> None:
        """Asks for files, and calls `taken` with them."""
        dialog = self._dialog(self.tr("Attach files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: taken([Path(path) for path in paths]))
        dialog.open()

    def save_resource(self, resource: Resource) -> None:
        """Asks where to, and copies the file there on a thread."""
        source = self._desk.path(resource)
        if source is None:
            self._desk.calls.failed.emit(self.tr("{name} is no longer in the store.").format(name=resource.name), "")
            return
        dialog = self._dialog(self.tr("Save {name}").format(name=resource.name))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        name = resource.name if Path(resource.name).suffix else resource.name + source.suffix
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda target: self._copy(resource, source, Path(target)))
        dialog.open()

    def _copy(self, resource: Resource, source: Path, target: Path) -> None:
        origin = self._desk.session.origin(resource)
        self._desk.loader.run(partial(write, resource, source, target, origin), partial(self._copied, target))

    def _copied(self, target: Path, outcome: object) -> None:
        if isinstance(outcome, Exception):
            fix = self.tr("Choose another folder.")
            self._desk.calls.failed.emit(self.tr("It could not be saved: {why}.").format(why=outcome), fix)
        else:
            self._say(self.tr("Saved {name}").format(name=target.name))

    def open_workflow(self) -> None:
        """Asks for a workflow file and opens it."""
        dialog = self._dialog(self.tr("Open a workflow"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Workflows (*.json)"))
        dialog.fileSelected.connect(lambda path: self._desk.calls.later(self._desk.session.load(Path(path))))
        dialog.open()

    def save_workflow(self) -> None:
        """Asks where to, and saves the workflow."""
        dialog = self._dialog(self.tr("Save the workflow"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Workflows (*.json)"))
        dialog.setDefaultSuffix("json")
        dialog.selectFile(_file_name(self._desk.session.title) + ".json")
        dialog.fileSelected.connect(self._save_to)
        dialog.open()

    def _save_to(self, path: str) -> None:
        failures: list[str] = []
        self._desk.calls.failed.connect(failures.append)
        self._desk.calls.now(self._desk.session.save, Path(path))
        self._desk.calls.failed.disconnect(failures.append)
        if not failures:
            self._say(self.tr("Saved {name}").format(name=Path(path).name))

    def dropped(self, paths: Sequence[Path], taken: Taken) -> None:
        """A single workflow file is opened; anything else is for `taken`."""
        if len(paths) == 1 and is_workflow(paths[0]):
            self._desk.calls.later(self._desk.session.load(paths[0]))
        else:
            taken(list(paths))

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        return dialog


def is_workflow(path: Path) -> bool:
    """True for a JSON file that begins like a workflow. Reads no more than its beginning, whatever its size."""
    if path.suffix.lower() != ".json":
        return False
    try:
        with path.open("rb") as file:
            beginning = file.read(400)
    except OSError:
        return False
    return beginning.lstrip().startswith(b"{") and b'"format"' in beginning


def _file_name(title: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in title.lower()).strip("-")
    while "--" in kept:
        kept = kept.replace("--", "-")
    return kept[:40].strip("-") or "workflow"
