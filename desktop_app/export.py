"""What leaves the program as files: results in the form that people use, and workflows; and workflows back in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from desktop_app.embedding import embed, embedded
from desktop_app.errors import BadRequest, BadWorkflow, StorageError
from desktop_app.resource import Resource, Store, attach, unused_name
from desktop_app.workflow import Workflow, parse
from nodes.api import ResourceType


def export(resource: Resource, store: Store, folder: Path, workflow: Workflow | None = None) -> Path:
    """Writes a copy of the resource into the folder and returns its path; an existing file is never replaced.

    The workflow that made it goes into the file, where its format has a place for one (`embedding`).
    Raises StorageError when that is not possible.
    """
    source = store.path_of(resource)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = frozenset(path.name for path in folder.iterdir())
        target = folder / unused_name(f"{Path(resource.name).stem}{resource.suffix}", taken)
        write(resource, source, target, workflow)
    except OSError as error:
        raise StorageError(
            f"{resource.name} could not be written to {folder}: {error.strerror or error}.",
            "Choose another folder with --out, or free some space.",
        ) from error
    return target


def write(resource: Resource, source: Path, target: Path, workflow: Workflow | None = None) -> None:
    """Copies a resource's file `source` to `target` in the form that people use. Raises OSError."""
    if resource.type is ResourceType.AUDIO and resource.suffix == target.suffix == ".wav":
        _write_sound(source, target)
    else:
        shutil.copyfile(source, target)
    if workflow is not None and workflow.nodes:
        embed(workflow, target)


def _write_sound(source: Path, target: Path) -> None:
    import soundfile

    samples, rate = soundfile.read(source, dtype="float32", always_2d=True)
    soundfile.write(target, samples.clip(-1, 1), rate, subtype="PCM_16")


def save_workflow(workflow: Workflow, path: Path) -> None:
    """Writes the workflow as JSON. Raises StorageError."""
    try:
        path.write_text(json.dumps(workflow.to_json(), indent=1, ensure_ascii=False), "utf-8")
    except OSError as error:
        raise StorageError(f"The workflow could not be saved to {path}: {error.strerror}.", "") from error


def open_workflow(path: Path, store: Store) -> Workflow:
    """A saved workflow, or that of a result; files that it names by path are put into the store.

    Raises BadWorkflow or BadRequest.
    """
    if not path.exists():
        raise BadRequest(f"The workflow file {path} does not exist.", "Check the name and the folder.")
    inside = embedded(path)
    if inside is not None:
        return inside
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadWorkflow(f"The workflow file {path.name} cannot be read: {error}.", "") from error
    return parse(text, lambda name: attach(path.parent / name, store))
