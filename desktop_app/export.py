"""Results in the form that people use: 16-bit sound, plain names, in a folder of their choice."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop_app.errors import StorageError
from desktop_app.resource import Resource, Store, unused_name
from nodes.api import ResourceType


def export(resource: Resource, store: Store, folder: Path) -> Path:
    """Writes a copy of the resource into the folder and returns its path; an existing file is never replaced.

    Raises StorageError when that is not possible.
    """
    source = store.path_of(resource)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = frozenset(path.name for path in folder.iterdir())
        target = folder / unused_name(f"{Path(resource.name).stem}{resource.suffix}", taken)
        if resource.type is ResourceType.AUDIO and resource.suffix == ".wav":
            _write_sound(source, target)
        else:
            shutil.copyfile(source, target)
    except OSError as error:
        raise StorageError(
            f"{resource.name} could not be written to {folder}: {error.strerror or error}.",
            "Choose another folder with --out, or free some space.",
        ) from error
    return target


def _write_sound(source: Path, target: Path) -> None:
    import soundfile

    samples, rate = soundfile.read(source, dtype="float32", always_2d=True)
    soundfile.write(target, samples.clip(-1, 1), rate, subtype="PCM_16")
