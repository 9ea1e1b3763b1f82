"""What the kernel lets a process do, narrowed by the process itself for good, with all that it starts.

Linux: Landlock for files, TCP and signals, a system call filter for sockets, limits of resources. Elsewhere limits, as
far as there are any. By the numbers of the kernel's interface, through ctypes; the standard library only. Knows nothing
of the program: which folders and how much is for the caller to say.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import site
import struct
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from nodes.phrase import Phrase

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every processor that Python 3.11 runs on
_VERSION = 1
_RULE_PATH = 1
_NO_NEW_PRIVILEGES = 38
_SET_SECCOMP, _FILTER_MODE = 22, 2

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << bit for bit in range(6, 13))
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
BIND_TCP, CONNECT_TCP = 1, 2
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1, 2

READ = EXECUTE | READ_FILE | READ_DIR
WRITE = (
    READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK
    | MAKE_FIFO | MAKE_SYM | REFER
)  # fmt: skip
ADD = READ_FILE | READ_DIR | MAKE_DIR | MAKE_REG | REFER
"""New files may be linked into the folder; what is there can be neither changed nor removed."""
DEVICE = READ_FILE | READ_DIR | WRITE_FILE | IOCTL_DEVICE
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
_HIGHEST_BY_VERSION = {1: MAKE_SYM, 2: REFER, 3: TRUNCATE, 4: TRUNCATE}


_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/proc", "/sys", "/nix/store",
    "/gnu/store", "/run/current-system", "/run/opengl-driver", "/run/systemd/resolve", "/run/resolvconf",
    "/var/cache/fontconfig", "/var/lib/ca-certificates", "/snap",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Confinement:
    """`read` may be read and executed, `write` written, `add` added to, `devices` used; all else is closed.

    `network` allows internet addresses to be connected to. The limits are of bytes or numbers, 0 for none:
    `file_bytes` of one written file, `open_files`, `processes` that the user may have beyond those that run now.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    network: bool = False
    file_bytes: int = 0
    open_files: int = 0
    processes: int = 0

    def to_json(self) -> str:
        """For a command line; `from_json` reverses it."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Confinement:
        """Raises ValueError or TypeError for what `to_json` did not write."""
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(text).items()}
        plain: dict[str, Any] = given
        return Confinement(**plain)


def of_the_system() -> tuple[str, ...]:
    """The folders of the system, and where Python and its packages lie."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *sys.path]
    return *_SYSTEM, *without_home([*python, site.getusersitepackages()])


def without_home(places: Iterable[str]) -> list[str]:
    """But for those in which the user's whole home lies."""
    own = os.path.realpath(os.path.expanduser("~"))
    real = {place: os.path.realpath(place) for place in places if os.path.isabs(place)}
    return [place for place, path in real.items() if not (own + os.sep).startswith(path.rstrip(os.sep) + os.sep)]


def landlock_version() -> int:
    """The version of the kernel's interface (1 to 7 and on); 0 when there is none, or it is switched off."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, _call(_CREATE_RULESET, None, 0, _VERSION))


def in_force() -> tuple[list[str], list[str]]:
    """What `confine` holds a process to on this system, and what it does not, in words."""
    version = landlock_version()
    linux = sys.platform.startswith("linux")
    filtered = linux and _machine() is not None
    bounds = {
        Phrase("keys"): True,
        Phrase("files to be read and written"): version >= 1,
        Phrase("what is in the store"): version >= 2,
        Phrase("cutting files short"): version >= 3,
        Phrase("connections"): version >= 4 or filtered,
        Phrase("other services of this computer"): filtered,
        Phrase("ending other programs"): version >= 6,
        Phrase("memory"): True,
        Phrase("the size of a file"): sys.platform != "win32",
        Phrase("programs left running"): linux,
    }
    return [name for name, kept in bounds.items() if kept], [name for name, kept in bounds.items() if not kept]


def confine(wanted: Confinement) -> list[str]:
    """Narrows this process as far as this system can, and returns what should have worked and did not, in words.

    To be called before any thread starts: threads that run already are not narrowed.
    """
    troubles = _limit(wanted)
    if not sys.platform.startswith("linux"):
        return troubles
    version = landlock_version()
    _prctl(_NO_NEW_PRIVILEGES, 1)
    with _told(troubles, "fewer rights of root"):
        _drop_capabilities()
    if version:
        with _told(troubles, "Landlock"):
            _landlock(wanted, version)
    if _machine() is not None:
        with _told(troubles, "the filter of system calls"):
            _filter(_program(wanted.network))
    return troubles


def limit_memory(size_bytes: int) -> None:
    """Lets allocating fail in this process beyond so much memory of its own; 0 for as much as there is. Linux only.

    What is mapped from files, as weights are, and what the driver of a GPU maps does not count.
    """
    if not sys.platform.startswith("linux"):
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = size_bytes or hard
    if hard != resource.RLIM_INFINITY and soft != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def memory_limit() -> int:
    """What `limit_memory` set, 0 for none."""
    return _soft("RLIMIT_DATA") if sys.platform.startswith("linux") else 0


def file_limit() -> int:
    """How many bytes one file may have that this process writes, 0 for as many as it likes."""
    return _soft("RLIMIT_FSIZE")


def _soft(name: str) -> int:
    try:
        import resource
    except ImportError:
        return 0
    soft = resource.getrlimit(getattr(resource, name))[0]
    return 0 if soft == resource.RLIM_INFINITY else soft


@contextlib.contextmanager
def _told(troubles: list[str], what: str):
    try:
        yield
    except OSError as error:
        troubles.append(f"{what} could not be set ({error.strerror or error})")


# Limits


def _limit(wanted: Confinement) -> list[str]:
    troubles: list[str] = []
    try:
        import resource
    except ImportError:  # Windows has none
        return troubles
    limits = [(resource.RLIMIT_CORE, 0)]
    limits += [(resource.RLIMIT_FSIZE, wanted.file_bytes)] if wanted.file_bytes else []
    limits += [(resource.RLIMIT_NOFILE, wanted.open_files)] if wanted.open_files else []
    if wanted.processes and sys.platform.startswith("linux"):
        limits += [(resource.RLIMIT_NPROC, _tasks_of_user() + wanted.processes)]
    for kind, limit in limits:
        hard = resource.getrlimit(kind)[1]
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError) as error:
            troubles.append(f"a limit could not be set ({error})")
    return troubles


def _tasks_of_user() -> int:
    """All threads of this user, which is what the limit counts."""
    count, user = 0, os.getuid()
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += os.stat(f"/proc/{name}/task").st_nlink - 2
    return count


# Rights of root, where the program runs as root: but for those over files all go, as some go past Landlock

_CAPABILITIES_VERSION = 0x20080522
_OVER_FILES = 0b1111  # CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER


def _drop_capabilities() -> None:
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    data = ctypes.create_string_buffer(24)
    _checked(_library().capget(header, data))
    effective, permitted, _, *_ = struct.unpack("=6I", data.raw)
    kept = struct.pack("=6I", effective & _OVER_FILES, permitted & _OVER_FILES, 0, 0, 0, 0)
    _checked(_library().capset(header, kept))


# Landlock


def _landlock(wanted: Confinement, version: int) -> None:
    handled = (_HIGHEST_BY_VERSION.get(version, IOCTL_DEVICE) << 1) - 1
    connections = 0 if version < 4 else BIND_TCP if wanted.network else BIND_TCP | CONNECT_TCP
    scoped = _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS if version >= 6 else 0
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    attributes = struct.pack("=QQQ", handled, connections, scoped)[:size]
    ruleset = _checked(_call(_CREATE_RULESET, attributes, size, 0))
    try:
        for paths, rights in ((wanted.read, READ), (wanted.write, WRITE), (wanted.add, ADD), (wanted.devices, DEVICE)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        _checked(_call(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined]
    except OSError:  # what is not there need not be allowed
        return
    try:
        if not os.path.isdir(f"/proc/self/fd/{handle}"):
            rights &= _OF_FILES
        _checked(_call(_ADD_RULE, ruleset, _RULE_PATH, struct.pack("=Qi", rights, handle), 0))
    finally:
        os.close(handle)


# The filter of system calls: sockets in the first place, as Landlock knows TCP only

_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000
_ALWAYS_REFUSED_EVERYWHERE = (425, 426, 427, 438)  # io_uring, which opens sockets past this filter, and pidfd_getfd
_MACHINES = {
    # audit number, socket, and: ptrace, keyctl, add_key, request_key, bpf, userfaultfd, perf_event_open, mount, setns,
    # unshare, process_vm_readv, process_vm_writev
    "x86_64": (0xC000003E, 41, (101, 250, 248, 249, 321, 323, 298, 165, 308, 272, 310, 311)),
    "aarch64": (0xC00000B7, 198, (117, 219, 217, 218, 280, 282, 241, 40, 268, 97, 270, 271)),
}


def _machine() -> tuple[int, int, tuple[int, ...]] | None:
    return _MACHINES.get(platform.machine()) if sys.maxsize > 2**32 else None


def _program(network: bool) -> list[tuple[int, int, int, int]]:
    """The filter in the kernel's little machine language, each line (operation, jump if so, jump if not, value)."""
    machine = _machine()
    assert machine is not None
    architecture, socket, refused = machine
    families = (_INET, _INET6, _NETLINK) if network else ()
    lines: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),  # programs of another processor, whose numbers mean other calls
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),
    ]
    for number in (*refused, *_ALWAYS_REFUSED_EVERYWHERE):
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | errno.EPERM)]
    lines += [(_EQUAL, 1, 0, socket), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for family in families:
        lines += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    return [*lines, (_RETURN, 0, 0, _REFUSE | errno.EACCES)]


def _filter(program: Iterable[tuple[int, int, int, int]]) -> None:
    code = b"".join(struct.pack("=HBBI", *line) for line in program)
    lines = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(lines)))
    _prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(header))


# Calling the kernel


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: object) -> int:
    """What the system call returns, -1 with the error kept."""
    plain = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _library().syscall(ctypes.c_long(number), *plain)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _prctl(option: int, *values: int) -> None:
    given = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    _checked(_library().prctl(ctypes.c_int(option), *given))
