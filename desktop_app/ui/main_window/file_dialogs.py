"""Files in and out of the window: dialogs (never modal), drops, opening and saving workflows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from desktop_app.core import settings
from desktop_app.core.errors import AppError, BadRequest, BadWorkflow
from desktop_app.export.files import export, file_name, forms_of, photo_behind, write
from desktop_app.export.metadata import CARRIERS, embedded
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.open_outside import open_path
from desktop_app.ui.support.saving import ending_of, saved_as, sources
from desktop_app.ui.support.window_state import WindowState
from desktop_app.ui.widgets.basic import mark
from nodes.phrase import Phrase

Taken = Callable[[list[Path]], None]
Put = Callable[[Sequence[Resource]], None]
_FOLDER = "save_folder"


class WindowFiles(QObject):
    """Belongs to a window; what goes wrong is told through `ui.calls.failed`."""

    def __init__(self, window: QWidget, ui: UiContext, say: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._ui, self._say = window, ui, say
        self.dialog: QFileDialog | None = None
        self._saved_at: dict[str, Path] = {}
        self._state = WindowState()

    def pick(self, taken: Taken) -> None:
        dialog = self._dialog(self.tr("Attach files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: taken([Path(path) for path in paths]))
        dialog.open()

    def save_resource(self, resource: Resource) -> None:
        source = self._ui.path(resource)
        if source is None:
            self._ui.calls.failed.emit(self.tr("{name} is no longer in the store.").format(name=resource.name), "")
            return
        dialog = self._dialog(self.tr("Save {name}").format(name=resource.name))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        name = file_name(resource, saved_as(self._ui, resource))
        forms = sorted(forms_of(resource), key=lambda form: Path(name).suffix.lower() not in form)
        named = [f"{form[0][1:].upper()} ({' '.join(f'*{ending}' for ending in form)})" for form in forms]
        dialog.setNameFilters(named)
        dialog.filterSelected.connect(lambda kind: _take_form(dialog, forms[named.index(kind)][0]))
        dialog.setDefaultSuffix(forms[0][0])
        if (folder := Path(self._state.text(_FOLDER))).is_absolute() and folder.is_dir():
            dialog.setDirectory(str(folder))
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda target: self._copy(resource, source, Path(target)))
        dialog.open()

    def save_all(self, names: Sequence[str]) -> None:
        """Each result of these names into one folder, under its own name, in the form asked for or chosen last."""
        found = [one for one in map(self._ui.find, names) if one is not None and self._ui.path(one) is not None]
        dialog = self._dialog(self.tr("Save all to a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        if (folder := Path(self._state.text(_FOLDER))).is_absolute() and folder.is_dir():
            dialog.setDirectory(str(folder))
        dialog.fileSelected.connect(lambda target: self._export(found, Path(target)))
        dialog.open()

    def _export(self, resources: Sequence[Resource], folder: Path) -> None:
        session, embeds = self._ui.session, settings.load().embed_workflow
        asked = [
            (one, session.origin(one) if embeds else None, ending_of(saved_as(self._ui, one)), sources(session, one))
            for one in resources
        ]

        def work() -> list[Path]:
            return [
                export(one, session.store, folder, origin, form, made_from) for one, origin, form, made_from in asked
            ]

        self._ui.loader.run(work, partial(self._exported, resources, folder))

    def _exported(self, resources: Sequence[Resource], folder: Path, outcome: object) -> None:
        if not isinstance(outcome, list):
            self._failed(outcome)
            return
        self._saved_at |= {one.digest: path for one, path in zip(resources, outcome, strict=True)}
        self._state.keep(**{_FOLDER: str(folder)})
        self._say(self.tr("Saved {n} files in {folder}").format(n=f"{len(outcome):,}", folder=folder.name))

    def _failed(self, outcome: object) -> None:
        if isinstance(outcome, AppError):
            self._ui.calls.failed.emit(formatting.said(outcome.message), formatting.said(outcome.fix))
        else:
            fix = self.tr("Choose another folder.")
            self._ui.calls.failed.emit(self.tr("It could not be saved: {why}.").format(why=outcome), fix)

    def open_folder(self, resource: Resource) -> None:
        """Shows the folder where it was saved last, else that of the store."""
        path = self._saved_at.get(resource.digest) or self._ui.path(resource)
        if path is not None:
            open_path(self._ui, path.parent)

    def _copy(self, resource: Resource, source: Path, target: Path) -> None:
        origin = self._ui.session.origin(resource) if settings.load().embed_workflow else None
        photo = photo_behind(resource, sources(self._ui.session, resource), self._ui.session.store.path_of)
        work = partial(write, resource, source, target, origin, photo)
        self._ui.loader.run(work, partial(self._copied, resource, target))

    def _copied(self, resource: Resource, target: Path, outcome: object) -> None:
        if isinstance(outcome, Exception):
            self._failed(outcome)
        else:
            self._saved_at[resource.digest] = target
            self._state.keep(**{_FOLDER: str(target.parent), f"form_{resource.type}": target.suffix.lower()})
            self._say(self.tr("Saved {name}").format(name=target.name))

    def open_workflow(self) -> None:
        dialog = self._dialog(self.tr("Open a workflow"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Workflows (*.json)"))
        dialog.fileSelected.connect(lambda path: self._ui.calls.later(self._ui.session.load(Path(path))))
        dialog.open()

    def save_workflow(self) -> None:
        self._save(self.tr("Save the workflow"), [self.tr("Workflows (*.json)")], self._ui.session.save)

    def save_script(self) -> None:
        self._save(self.tr("Save as Python script"), [self.tr("Python (*.py)")], self._ui.session.save_script)

    def save_picture(self, draw: Callable[[Path], None]) -> None:
        filters = [self.tr("Picture (*.png)"), self.tr("Drawing (*.svg)")]
        self._save(self.tr("Save picture of the graph"), filters, draw)

    def _save(self, title: str, filters: list[str], write: Callable[[Path], None]) -> None:
        """Asks for a file's name of one of the kinds, the first chosen, and calls `write` with its path."""
        dialog = self._dialog(title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(filters)
        suffixes = [kind.rpartition("*.")[2].rstrip(")") for kind in filters]
        dialog.setDefaultSuffix(suffixes[0])
        dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(suffixes[filters.index(kind)]))
        dialog.selectFile(f"{_file_name(self._ui.session.title)}.{suffixes[0]}")
        dialog.fileSelected.connect(lambda path: self._write(partial(_as_one_of, suffixes, write), Path(path)))
        dialog.open()

    def _write(self, write: Callable[[Path], None], path: Path) -> None:
        failures: list[str] = []

        def failed(message: str, fix: str) -> None:
            failures.append(message)

        self._ui.calls.failed.connect(failed)
        self._ui.calls.now(write, path)
        self._ui.calls.failed.disconnect(failed)
        if not failures:
            self._say(self.tr("Saved {name}").format(name=path.name))

    def dropped(self, paths: Sequence[Path], taken: Taken, results: bool = False) -> None:
        """A single workflow file is opened, with `results` also a result that
        carries its workflow; anything else is for `taken`.
        """
        if len(paths) == 1 and may_hold(paths[0], results):
            path = paths[0]
            self._ui.loader.run(partial(held_in, path, results), partial(self._sorted, path, taken))
        else:
            taken(list(paths))

    def _sorted(self, path: Path, taken: Taken, held: object) -> None:
        """It was looked what the file holds."""
        if held in (WORKFLOW, RESULT):
            self._ui.calls.later(self._ui.session.load(path))
            if held == RESULT:
                self._say(self.tr("Opened the workflow that made {name}").format(name=path.name))
        else:
            taken([path])

    def dropped_on_graph(self, paths: Sequence[object], put: Put) -> None:
        """As `dropped`, with results; what is for neither becomes resources, which `put` takes."""

        self.dropped([Path(str(path)) for path in paths], partial(self.bring_in, put), results=True)

    def bring_in(self, put: Put, files: Sequence[Path]) -> None:
        """Attaches the files, and hands them to `put`."""
        self._ui.calls.later(self._bring_in(put, files))

    async def _bring_in(self, put: Put, files: Sequence[Path]) -> None:
        self._say(self.tr("Attaching…"))
        found = await self._ui.bring(files)
        self._say("")
        if found:
            put(found)

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setLabelText(QFileDialog.DialogLabel.LookIn, self.tr("Look in:"))  # these two Qt has in English only
        dialog.setLabelText(QFileDialog.DialogLabel.FileType, self.tr("Files of type:"))
        dialog.finished.connect(dialog.deleteLater)
        for field in dialog.findChildren(QLineEdit):  # a dialog of the system has none
            if (offered := field.completer()) is not None and (shown := offered.popup()) is not None:
                mark(shown, "surface", "overlay")  # else it has no ground of its own
        self.dialog = dialog
        return dialog


def _take_form(dialog: QFileDialog, ending: str) -> None:
    dialog.setDefaultSuffix(ending)
    for path in dialog.selectedFiles()[:1]:
        dialog.selectFile(Path(path).with_suffix(ending).name)


def _as_one_of(suffixes: Sequence[str], write: Callable[[Path], None], path: Path) -> None:
    """Raises BadRequest for an ending of another form: what is written would not be what its name says."""
    if path.suffix.lower().lstrip(".") not in suffixes:
        named = ", ".join(f".{suffix}" for suffix in suffixes)
        said = Phrase("{name} cannot be saved as it is.", name=path.name)
        if path.suffix:
            said = Phrase("{name} cannot be saved as {form}.", name=path.name, form=path.suffix)
        raise BadRequest(said, Phrase("Choose one of: {names}.", names=named))
    write(path)


WORKFLOW, RESULT = "workflow", "result"


def may_hold(path: Path, results: bool) -> bool:
    """Whether one has to look into a file of such a name to know what it is to the window."""
    suffix = path.suffix.lower()
    return suffix == ".json" or (results and suffix in CARRIERS)


def held_in(path: Path, results: bool) -> str:
    """WORKFLOW, with `results` also RESULT for a file with the workflow that made it inside, be it damaged;
    else "". Reads the file, so it is called on a thread.
    """
    if not path.is_file():  # to open a pipe is to wait for whoever writes into it
        return ""
    if is_workflow(path):
        return WORKFLOW
    return RESULT if results and carries(path) else ""


def is_workflow(path: Path) -> bool:
    """True for a JSON file that begins like a workflow. Reads no more than its beginning, whatever its size."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            beginning = file.read(400)
    except OSError:
        return False
    return beginning.lstrip().startswith(b"{") and b'"format"' in beginning


def carries(path: Path) -> bool:
    """True for a result with the workflow that made it inside, be it damaged."""
    try:
        return embedded(path) is not None
    except BadWorkflow:
        return True


def _file_name(title: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in title.lower()).strip("-")
    while "--" in kept:
        kept = kept.replace("--", "-")
    return kept[:40].strip("-") or "workflow"
