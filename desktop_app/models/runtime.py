"""The model runtime: torch and the libraries that models run with, in a folder of its own.

It is kept apart from the program's environment, which may belong to the system, is in use by the window while this is
installed, and could not be taken back as it was. Lanes find it last on their path, so it never hides a package of the
program, and it is made for exactly the versions that those are. It counts from the moment when it has been complete
and torch has been loaded from it; a folder that is not is never on a path.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from desktop_app.core import settings
from desktop_app.core.errors import DownloadFailed, StorageError
from desktop_app.core.paths import home, make_private, size_on_disk
from desktop_app.models import transfer
from desktop_app.models.transfer import Remote
from nodes.phrase import Phrase

ID = "runtime"
TITLE = Phrase("the model runtime")
MARKER = "graphwright.json"
INDEX = "GRAPHWRIGHT_TORCH_INDEX"
"""Names the index that has torch for this computer's device, "" for where all packages come from."""
_INDEXES = {
    ("cpu", "linux"): "https://download.pytorch.org/whl/cpu",
    ("cuda", "win32"): "https://download.pytorch.org/whl/cu130",
    ("rocm", "linux"): "https://download.pytorch.org/whl/rocm7.2",
}
"""Elsewhere the build for the device is the one that the package index itself has."""
_BYTES = {"cpu": 250_000_000, "cuda": 2_600_000_000, "rocm": 4_500_000_000, "mps": 140_000_000}
"""What is loaded, about, by device; before an index was asked. With the room to unpack it, see _UNPACKED."""
_UNPACKED = 4.0
_LOOK_SECONDS = 0.1
_OF_EXTRA = re.compile(r"""\bextra\s*==\s*["']models["']""")
Progress = Callable[[int, int, str], None]


@cache
def wanted() -> tuple[str, ...]:
    """The requirements that make up the runtime, as the program's own metadata has them under "models"."""
    from importlib import metadata  # here: the first window does without

    lines = metadata.requires("graphwright") or ()
    return tuple(sorted(line.partition(";")[0].strip() for line in lines if _OF_EXTRA.search(line)))


def supplies(package: str) -> bool:
    """True for a package that comes with the runtime, by its import name."""
    return package in {re.split(r"[^\w-]", line, maxsplit=1)[0].replace("-", "_") for line in wanted()}


def has(package: str) -> bool:
    """True when the package of that import name is installed: in the program's environment, or in the runtime."""
    return _spec(package) is not None


def _spec(package: str) -> ModuleSpec | None:
    try:
        if (found := importlib.util.find_spec(package)) is not None:
            return found
        top, where = package.partition(".")[0], path()
        return PathFinder.find_spec(top, [str(where)]) if where is not None else None
    except (ImportError, ValueError):
        return None


def root() -> Path:
    """The folder of everything of the runtime, made when it is missing."""
    folder = home() / "runtime"
    make_private(folder)
    return folder


def path() -> Path | None:
    """The folder of packages, None before there is a complete one for this program."""
    folder = home() / "runtime" / "packages"
    try:
        marker = json.loads((folder / MARKER).read_text("utf-8"))
        return folder if marker["for"] == _made_for() else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def ready() -> bool:
    """True when models can run: torch is here."""
    return has("torch")


def size_bytes() -> int:
    """What getting it would load: exact once an index was asked for this computer, else about."""
    return known_bytes() or _BYTES[device()]


def known_bytes() -> int:
    """As listed when a download was begun; 0 before that."""
    return sum(size for _, size in _listed_before())


def arrived_bytes() -> int:
    """What is here of a download that was not finished."""
    return size_on_disk(_wheels())


def built_for() -> str:
    """What the torch that lanes load was built for, in the words of `device`; "" without one. Does not load it."""
    found = _spec("torch")
    if found is None or found.origin is None:
        return ""
    try:
        text = Path(found.origin).with_name("version.py").read_text("utf-8")
    except (OSError, ValueError):
        return ""
    built = re.search(r"^(cuda|hip)\b[^=\n]*=\s*['\"]\d", text, re.MULTILINE)
    if built is None:
        return "mps" if device() == "mps" else "cpu"
    return "cuda" if built[1] == "cuda" else "rocm"


@cache
def device() -> str:
    """What torch has to be built for: "cuda", "rocm", "mps" or "cpu"."""
    if sys.platform == "darwin":
        return "mps" if platform.machine() == "arm64" else "cpu"
    if Path("/proc/driver/nvidia/version").exists() or (sys.platform == "win32" and shutil.which("nvidia-smi")):
        return "cuda"
    cards = Path("/sys/class/kfd/kfd/topology/nodes").glob("*/gpu_id")  # 0 is a processor
    return "rocm" if any(_number(card) for card in cards) else "cpu"


def install(progress: Progress | None = None) -> Path:
    """Fetches and installs what is missing of the runtime; returns its folder. Does nothing when it is there.

    May raise in between whatever `progress` raises; what has arrived is kept for the next time. Raises DownloadFailed,
    or StorageError when the disk is too full or cannot be written.
    """
    there = path()
    if there is not None:
        return there
    if settings.now().offline:
        raise DownloadFailed(
            Phrase("The model runtime is not fetched: the program is set to stay offline."),
            "Switch that off on the page of models.",
        )
    report = progress or (lambda done, total, name: None)
    try:
        wheels = _wheels()
        report(arrived_bytes(), known_bytes() or size_bytes(), "")
        files = _resolved(lambda: report(arrived_bytes(), size_bytes(), ""))
        total = transfer.total_of(files)
        transfer.check_disk(root(), int(total * (1 + _UNPACKED)) - arrived_bytes())
        (root() / "listing.json").write_text(json.dumps([[file.name, file.size] for file in files]), "utf-8")
        before, brought = 0, list[Path]()
        for file in files:
            brought.append(
                _brought(file, wheels, lambda have, file=file, before=before: report(before + have, total, file.name))
            )
            before += file.size
        return _unpacked(brought, lambda: report(total, total, ""))
    except OSError as error:
        raise StorageError(
            Phrase(
                "The model runtime could not be written to {root}: {error}.",
                root=root(),
                error=error.strerror or error,
            ),
            "Free some disk space and try again; what has arrived is kept.",
        ) from error


def remove() -> int:
    """Deletes the runtime and what is left of an interrupted download; returns the freed bytes. Raises StorageError."""
    return transfer.delete(root(), root() / "packages" / MARKER)


def _made_for() -> list[Any]:
    """What a runtime depends on: another one is needed when any of it changes."""
    return [list(sys.version_info[:2]), platform.machine(), device(), list(wanted())]


def _wheels() -> Path:
    return root() / "wheels"


def _listed_before() -> list[tuple[str, int]]:
    try:
        return [(str(name), int(size)) for name, size in json.loads((root() / "listing.json").read_text("utf-8"))]
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def _resolved(look: Callable[[], None]) -> list[Remote]:
    """What has to be added to the program's own packages, none of which may change; small files first."""
    index = os.environ.get(INDEX)
    index = _INDEXES.get((device(), sys.platform), "") if index is None else index
    from importlib import metadata

    held = [f"{one.name}=={one.version}" for one in metadata.distributions() if one.name and one.version]
    constraints, report = root() / "constraints.txt", root() / "report.json"
    constraints.write_text("\n".join(sorted({*held, *_torch_build(index)})), "utf-8")
    extra = ["--extra-index-url", index] if index else []
    _pip(
        ["install", "--dry-run", "--only-binary", ":all:", "--constraint", str(constraints), "--report", str(report),
         *extra, *wanted()],
        look,
        Phrase("The model runtime: its packages could not be found"),
    )  # fmt: skip
    found = [_remote(entry) for entry in json.loads(report.read_text("utf-8"))["install"]]
    return sorted(found, key=lambda file: (file.size, file.name))


def _torch_build(index: str) -> list[str]:
    """Holds torch to the build of that index, so that no other build of the same version slips in."""
    pinned = next((line for line in wanted() if line.startswith("torch==")), "")
    local = index.rstrip("/").rpartition("/")[2]
    return [f"{pinned}+{local}"] if pinned and index in _INDEXES.values() else []


def _remote(entry: dict[str, Any]) -> Remote:
    """A wheel that pip chose. Raises DownloadFailed when nothing says what it should be."""
    about = entry["download_info"]
    url, digest = about["url"], (about.get("archive_info") or {}).get("hashes", {}).get("sha256", "")
    name = unquote(urlsplit(url).path.rpartition("/")[2])
    safe = name.endswith(".whl") and not name.startswith(".") and os.sep not in name
    if not safe or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise DownloadFailed(
            Phrase("The model runtime: the package index does not say what {file} should be.", file=name),
            "Choose another package index.",
        )
    return Remote(TITLE, name, url, _size(url, name), digest)


def _size(url: str, name: str) -> int:
    import httpx2

    local = _local(url)
    if local is not None:
        return local.stat().st_size
    try:
        with transfer.client() as http, http.stream("GET", url) as answer:
            size = answer.headers.get("Content-Length", "")
            if answer.status_code == 200 and size.isdigit():
                return int(size)
            why = Phrase("status {status}", status=answer.status_code)
    except (httpx2.HTTPError, ConnectionError) as error:
        why = str(error) or type(error).__name__
    raise DownloadFailed(
        Phrase("The model runtime: the server does not say how large {file} is ({why}).", file=name, why=why),
        "Try again later.",
    )


def _brought(file: Remote, wheels: Path, report: Callable[[int], None]) -> Path:
    """The file on this computer. Raises DownloadFailed."""
    local = _local(file.url)
    if local is None:
        transfer.fetch(file, wheels, report)
        return wheels / file.name
    if transfer.digest(local) != file.digest:
        raise DownloadFailed(Phrase("{file} is damaged, its checksum is wrong.", file=local), "")
    report(file.size)
    return local


def _local(url: str) -> Path | None:
    """The file of a file: address, for indexes that lie in a folder."""
    from urllib.request import url2pathname  # here: it brings a client of HTTP, for which no window waits

    parts = urlsplit(url)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None


def _unpacked(wheels: Sequence[Path], look: Callable[[], None]) -> Path:
    """Makes the packages out of the wheels, tries them, and only then puts them where they count."""
    making, folder = root() / "packages.partial", root() / "packages"
    shutil.rmtree(making, ignore_errors=True)
    _pip(
        ["install", "--no-index", "--no-deps", "--target", str(making), *map(str, wheels)],
        look,
        Phrase("The model runtime could not be installed"),
    )
    _try(making)
    marker = {"for": _made_for(), "wheels": [wheel.name for wheel in wheels]}
    (making / MARKER).write_text(json.dumps(marker, indent=1), "utf-8")
    if folder.exists():
        shutil.rmtree(folder)  # for another version of the program
    os.replace(making, folder)
    shutil.rmtree(_wheels(), ignore_errors=True)
    importlib.invalidate_caches()
    return folder


def _try(packages: Path) -> None:
    """Loads torch from there in a process of its own. Raises DownloadFailed when that fails."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import torch"
    done = subprocess.run([sys.executable, "-c", code, str(packages)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shutil.rmtree(packages, ignore_errors=True)
        why = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1][:300]
        raise DownloadFailed(Phrase("The model runtime was installed but does not work: {why}", why=why), "")


def _pip(arguments: list[str], look: Callable[[], None], trouble: Phrase) -> None:
    """Runs pip to its end, asking `look` all the while, which may raise to stop it. Raises DownloadFailed."""
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "--quiet", *arguments]
    log = root() / "pip.log"
    with open(log, "w", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            while True:
                try:
                    code = process.wait(_LOOK_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    look()
        except BaseException:
            process.kill()
            process.wait()
            raise
    if code != 0:
        lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.startswith("ERROR")]
        why = lines[-1].removeprefix("ERROR: ")[:300] if lines else Phrase("code {code}", code=code)
        said = Phrase("{trouble}: {why}", trouble=trouble, why=why)
        raise DownloadFailed(said, Phrase("See whether there is a connection; {log} has all of it.", log=log))


def _number(file: Path) -> int:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return 0
