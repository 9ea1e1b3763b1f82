"""What a lane may use: which folders, whether the network, how much of everything, and what of the environment.

On the side of the program, which decides; the lane's process narrows itself accordingly (guard.py, nodes.confinement).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import psutil

from desktop_app.core.paths import PROJECT, make_private
from desktop_app.models import runtime
from desktop_app.models import store as models
from nodes import confinement
from nodes.api import Backend
from nodes.confinement import Confinement

FOLDERS = "GRAPHWRIGHT_LANE_FOLDERS"
"""Names further folders, separated as in PATH, that tools may read and write: for tools of one's own."""
FILE_BYTES = 16 << 30
_OPEN_FILES = 4096
_PROCESSES = 4096  # counted over all that the user runs, which goes up and down: only to stop what multiplies
_LEAST_MEMORY = 4 << 30  # chosen: a lane may have so much, or what the model needs, below nine tenths of all
_OF_MODEL, _BESIDE_MODEL = 1.5, 2 << 30  # chosen: room over what the catalogue says of a model
_FONTS = (".fonts", ".fonts.conf", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig")
_SHARED_MEMORY = "/dev/shm"  # locks of multiprocessing are files there


def of(kind: str, store: Path, scratch: Path) -> Confinement:
    """For a lane of that kind ("cpu", "gpu", "network"), which writes to the folder `scratch`."""
    adds = can_add(store, scratch)
    more = [path for path in os.environ.get(FOLDERS, "").split(os.pathsep) if path]
    kept = (models.root(), runtime.root())
    for folder in kept:  # a lane may read what comes there later only when the folder is there already
        make_private(folder)
    return Confinement(
        read=_existing([*confinement.of_the_system(), *_programs(), *_of_user(), PROJECT, *kept]),
        write=_existing([scratch, _SHARED_MEMORY, *more, *(() if adds else (store,))]),
        add=_existing([store]) if adds else (),
        devices=_existing([*confinement.DEVICES, *(_of_gpu() if kind == "gpu" else ())]),
        network=kind == "network", file_bytes=FILE_BYTES, open_files=_OPEN_FILES, processes=_PROCESSES,
    )  # fmt: skip


def can_add(store: Path, scratch: Path) -> bool:
    """True when lanes put their results into the store by linking, so that they need no right to change what is there.

    Wants files that can have two names, and Landlock of version 2.
    """
    return confinement.landlock_version() >= 2 and _links(str(store), str(scratch.parent))


@cache
def _links(store: str, folder: str) -> bool:
    own = f"{os.getpid()}-link-test"
    first, second = Path(folder, own), Path(store, own)
    try:
        first.write_bytes(b"")
        os.link(first, second)
    except OSError:
        return False
    finally:
        first.unlink(missing_ok=True)
        second.unlink(missing_ok=True)
    return True


# Memory


def memory_bytes(backend: Backend) -> int:
    """How much memory of the CPU a tool may take: half of all, more where its model is declared to need it, and never
    so much that nothing is left for the system."""
    total = _total_bytes()
    declared = int(backend.memory_bytes * _OF_MODEL) + _BESIDE_MODEL if backend.memory_bytes else 0
    return min(max(total // 2, _LEAST_MEMORY, declared), total * 9 // 10)


@cache
def _total_bytes() -> int:
    return psutil.virtual_memory().total


# Folders


def _existing(paths: Iterable[str | Path]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(path) for path in paths if path and os.path.exists(path)))


def _programs() -> list[str]:
    return confinement.without_home(os.environ.get("PATH", "").split(os.pathsep))


def _of_user() -> list[Path]:
    return [Path.home() / name for name in _FONTS]


def _of_gpu() -> list[Path]:
    return [*sorted(Path("/dev").glob("nvidia*")), Path("/dev/dri"), Path("/dev/kfd")]


# The environment

_NAMES = """
    PATH HOME USER LOGNAME USERNAME LANG LANGUAGE TZ TERM
    LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH __CF_USER_TEXT_ENCODING
    VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONHASHSEED PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX PYTHONWARNINGS
    XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS ESPEAK_DATA_PATH
    HF_HOME HF_HUB_CACHE HUGGINGFACE_HUB_CACHE TRANSFORMERS_CACHE TORCH_HOME
    SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE
    GRAPHWRIGHT_HOME GRAPHWRIGHT_MODELS GRAPHWRIGHT_CATALOGUE GRAPHWRIGHT_SEARCH_URL
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432
    COMMONPROGRAMFILES APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS OS
"""
_LET_THROUGH = frozenset(_NAMES.split())
_BEGINNINGS = (
    "LC_", "CUDA_", "NVIDIA_", "NCCL_", "PYTORCH_", "HIP_", "HSA_", "ROCR_", "ROCM_", "OMP_", "KMP_", "GOMP_", "MKL_",
    "OPENBLAS_", "FONTCONFIG_", "PROCESSOR_", "ONEAPI_", "SYCL_", "ZE_", "GGML_",
)  # fmt: skip
_NEVER = ("KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH")


def environment(given: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """Of the program's environment what libraries need and no key; temporary files go to `scratch`."""
    kept = {name: value for name, value in given.items() if _let_through(name.upper())}
    return kept | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))


def _let_through(name: str) -> bool:
    if any(word in name for word in _NEVER):
        return False
    return name in _LET_THROUGH or name.startswith(_BEGINNINGS)
