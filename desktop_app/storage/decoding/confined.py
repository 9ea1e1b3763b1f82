"""How a process that decodes is started, and what holds it. Must not know what is decoded.

On Linux the kernel holds it (nodes.confinement): it writes no file, opens no socket and signals nobody, whatever a
damaged file makes of a decoder. Windows has no bound of memory here, macOS does not keep to it: there the numbers of
pixels, which are checked first, are the bound.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

from desktop_app.core.paths import PROJECT
from nodes import confinement

GRACE_SECONDS = 5.0
"""So much later than whoever watches it does a process end itself: also when nobody watches it any more."""
_MEMORY = 3 << 30
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "HOME", "USERPROFILE")
"""All that a decoder sees of the environment: no keys."""


def start(module: str) -> subprocess.Popen[bytes]:
    """A process that runs that module, which calls `narrow` first. Raises OSError when it cannot be started."""
    path = [str(PROJECT), *(entry for entry in sys.path if entry)]
    return subprocess.Popen(
        [sys.executable, "-X", "utf8", "-m", module],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**{n: os.environ[n] for n in _KEPT if n in os.environ}, "PYTHONPATH": os.pathsep.join(path),
             "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip


def narrow() -> None:
    """Bounds for this process, where the system has them. Before any thread starts."""
    confinement.confine(confinement.Confinement(read=("/",), devices=confinement.DEVICES))
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, _MEMORY),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (most, most))
