"""Tells whether a file was opened, by this process or another: the kernel says so (inotify, Linux only)."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

import pytest

_OPENED = 0x20  # IN_OPEN
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the kernel of Linux")


class Watched:
    """Counts how often the file is opened from now on, also by code of C++."""

    def __init__(self, path: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._handle = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        assert self._handle >= 0
        assert libc.inotify_add_watch(self._handle, os.fsencode(path), _OPENED) >= 0

    def opened(self) -> int:
        """How often it was opened since the last call."""
        try:
            data = os.read(self._handle, 1 << 16)
        except BlockingIOError:
            return 0
        times = place = 0
        while place < len(data):
            mask, length = struct.unpack_from("=iI4xI", data, place)[1:]
            times += bool(mask & _OPENED)
            place += 16 + length
        return times

    def close(self) -> None:
        """Watches no longer."""
        os.close(self._handle)
