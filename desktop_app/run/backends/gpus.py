"""The GPUs of this machine, found without loading torch."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from desktop_app.models import runtime

AMD = Path("/sys/class/drm")
_LEAST_BYTES = 2_000_000_000  # chosen


class _Memory(ctypes.Structure):
    """nvmlMemory_t."""

    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


def gpus() -> list[str]:
    """Those that models run on, as torch names them; empty without a GPU, or where torch is built for another."""
    return present() if runtime.built_for() in ("", runtime.device()) else []


def present() -> list[str]:
    """The GPUs of this machine, whether torch can use them or not. It calls those of AMD cuda, too."""
    if sys.platform == "darwin":
        return ["mps"] if os.uname().machine == "arm64" else []
    with _nvml() as library:
        return [f"cuda:{index}" for index in range(_count(library) or len(_amd()))]


def largest_bytes() -> int:
    """All memory of the GPU that has the most; 0 where no model runs on one. Where it is one with the CPU's, that."""
    if not gpus():
        return 0
    if sys.platform == "darwin":
        return psutil.virtual_memory().total
    with _nvml() as library:
        found = [_total(library, index) for index in range(_count(library))]
        return max(found or [total for _, total in _amd()], default=0)


def memory() -> tuple[tuple[int, int], ...]:
    """(taken, all) bytes of each GPU with memory of its own, by index, of all programs together."""
    if sys.platform == "darwin":
        return ()
    with _nvml() as library:
        found = [_memory(library, index) for index in range(_count(library))]
        return tuple((info.used, info.total) for info in found if info is not None) if found else _amd()


def _amd() -> tuple[tuple[int, int], ...]:
    """(taken, all) bytes of each GPU of AMD that ROCm can use, as Linux tells. Processors' own are too small for it."""
    if runtime.device() != "rocm":
        return ()
    cards = [card.parent for card in sorted(AMD.glob("card*/device/mem_info_vram_total"))]
    used, total = ([int((card / f"mem_info_vram_{name}").read_text()) for card in cards] for name in ("used", "total"))
    return tuple(pair for pair in zip(used, total, strict=True) if pair[1] >= _LEAST_BYTES)


@contextmanager
def _nvml() -> Iterator[ctypes.CDLL | None]:
    try:
        library = ctypes.CDLL("nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1")
        begun = library.nvmlInit_v2() == 0
    except (OSError, AttributeError):
        yield None
        return
    try:
        yield library if begun else None
    finally:
        if begun:
            library.nvmlShutdown()


def _count(library: ctypes.CDLL | None) -> int:
    count = ctypes.c_uint(0)
    found = library is not None and library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0
    return count.value if found else 0


def _total(library: ctypes.CDLL | None, index: int) -> int:
    info = _memory(library, index)
    return info.total if info is not None else 0


def _memory(library: ctypes.CDLL | None, index: int) -> _Memory | None:
    assert library is not None
    handle, memory = ctypes.c_void_p(), _Memory()
    if library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)) != 0:
        return None
    return memory if library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory)) == 0 else None
