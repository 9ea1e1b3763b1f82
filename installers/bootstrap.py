"""Sets Graphwright up on a fresh machine and starts it. Standard library only; Python 3.11 or newer.

    python3 installers/bootstrap.py run [--demo] [ARGUMENT ...]    set up, then open the window
    python3 installers/bootstrap.py run --install-system-packages    the same, system packages too by way of sudo
    python3 installers/bootstrap.py test [PYTEST ARGUMENT ...]     set up with test and model packages, then check all

Can be interrupted at any moment and run again; what is there already is not fetched twice.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

PROJECT = Path(__file__).resolve().parent.parent
LOCKS = PROJECT / "installers" / "locks"
VENV = PROJECT / ".venv"
TORCH = "torch==2.13.0"
NEEDED_BYTES = {"run": 2_500_000_000, "test": 5_500_000_000}

# Shared library or program -> Debian package. The first group is needed, the second makes more features work.
LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libpulse.so.0": "libpulse0",
}
PROGRAMS = {"espeak-ng": "espeak-ng"}
TEST_PROGRAMS = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool"}


class SetupError(Exception):
    """What is missing, and what to do, in words."""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit code. 1 when set-up is not possible, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="bootstrap.py", description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=["run", "test"])
    parser.add_argument("--demo", action="store_true", help="run three bundled requests without a window")
    flag = "--install-system-packages"
    parser.add_argument(flag, action="store_true", help="also with sudo, where that asks for no password")
    options, rest = parser.parse_known_args(arguments)
    try:
        set_up(options.command, options.install_system_packages)
    except SetupError as error:
        print(f"\nGraphwright cannot be set up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again to go on where it stopped.", file=sys.stderr)
        return 130
    return test(rest) if options.command == "test" else run(options.demo, rest)


def set_up(kind: str, with_sudo: bool = False) -> None:
    """Everything that `kind` ("run" or "test") needs; returns at once when it is there already.

    System packages are installed when this is root's process; `with_sudo` allows sudo too.
    """
    stamp = VENV / f".graphwright-{kind}"
    wanted = fingerprint(kind)
    if stamp.exists() and stamp.read_text("utf-8") == wanted and venv_python().exists():
        return
    check_python()
    check_disk(NEEDED_BYTES[kind])
    say(f"Setting Graphwright up in {VENV} (only the first time).")
    started = time.monotonic()
    install_system_packages(kind, with_sudo)
    make_venv()
    install_python_packages(kind)
    stamp.write_text(wanted, "utf-8")
    say(f"Set up in {time.monotonic() - started:.0f} s.")


def fingerprint(kind: str) -> str:
    """Changes whenever the set-up has to be looked at again."""
    parts = [platform.python_version(), str(PROJECT), (PROJECT / "pyproject.toml").read_text("utf-8")]
    parts += [lock.read_text("utf-8") for lock in lock_files(kind)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def lock_files(kind: str) -> list[Path]:
    """The lock files of a kind of set-up, in the order in which they are installed."""
    names = ["app.txt", *(["dev.txt", "models.txt"] if kind == "test" else [])]
    return [LOCKS / name for name in names]


def check_python() -> None:
    """Raises SetupError when this Python cannot run Graphwright."""
    if sys.version_info < (3, 11):
        raise SetupError(
            f"it needs Python 3.11 or newer, and this is {platform.python_version()} ({sys.executable}).\n"
            "Install a newer Python (https://www.python.org/downloads/) and start this with it."
        )
    if sys.maxsize < 2**32:
        raise SetupError("it needs a 64-bit Python, and this one is 32-bit.")


def check_disk(needed: int) -> None:
    """Raises SetupError when the project's disk is too full or the folder may not be written."""
    free = shutil.disk_usage(PROJECT).free
    if VENV.exists():
        needed //= 4
    if free < needed:
        raise SetupError(
            f"it needs {needed / 1e9:.1f} GB of free disk in {PROJECT}, and there are {free / 1e9:.1f} GB.\n"
            "Free some space and run the same command again."
        )
    if not os.access(PROJECT, os.W_OK):
        raise SetupError(f"the folder {PROJECT} may not be written. Copy the project to a folder of yours.")


def install_system_packages(kind: str, with_sudo: bool = False) -> None:
    """On Linux: what Qt and speech need, installed as root, or `with_sudo`; else says the exact line."""
    if not sys.platform.startswith("linux"):
        return
    packages = missing_packages(kind)
    if not packages:
        return
    line = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    prefix = administrator(with_sudo)
    if prefix is None or shutil.which("apt-get") is None:
        names = " ".join(packages)
        say(f"System packages are missing: {names}\nInstall them for the window and speech to work:\n  sudo {line}")
        say("or start this again with --install-system-packages, which runs that line.")
        if "python3-venv" in packages:
            raise SetupError(f"Python's module 'venv' is missing. Run: sudo {line}")
        return
    say(f"Installing system packages: {' '.join(packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = ["-qq", "-o=Dpkg::Use-Pty=0"]
    install = [*prefix, "apt-get", "install", "-y", "--no-install-recommends", *quiet, *packages]
    call([*prefix, "apt-get", "update", *quiet], environment, "the list of system packages could not be fetched")
    call(install, environment, "system packages could not be installed")


def missing_packages(kind: str) -> list[str]:
    """Debian packages whose library or program is not here."""
    programs = {**PROGRAMS, **(TEST_PROGRAMS if kind == "test" else {})}
    missing = [package for library, package in LIBRARIES.items() if not loads(library)]
    missing += [package for program, package in programs.items() if shutil.which(program) is None]
    if not has_venv():
        missing.append("python3-venv")
    return missing


def loads(library: str) -> bool:
    """True when the shared library is installed."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_venv() -> bool:
    """Debian ships Python without the part that fills a virtual environment."""
    code = "import venv, ensurepip"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def administrator(with_sudo: bool) -> list[str] | None:
    """How to run a command as administrator without being asked for a password; None when that is not possible, or
    would need sudo and nobody asked for it.
    """
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo") if with_sudo else None
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def venv_python() -> Path:
    """The interpreter of the virtual environment."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_venv() -> None:
    """A working virtual environment; one that was left half made is made again."""
    if venv_python().exists():
        works = subprocess.run([venv_python(), "-m", "pip", "--version"], capture_output=True, check=False)
        if works.returncode == 0:
            return
        say("The virtual environment is damaged; making it again.")
        shutil.rmtree(VENV)
    say("Making the virtual environment.")
    call([sys.executable, "-m", "venv", str(VENV)], None, "the virtual environment could not be made")


def install_python_packages(kind: str) -> None:
    """Everything in the lock files, then the project itself."""
    pip = [str(venv_python()), "-m", "pip", "install", "--disable-pip-version-check", "--no-compile"]
    pip += ["--progress-bar", progress_bar()]
    trouble = "Python packages could not be installed. Check the network and run the same command again"
    if kind == "test":
        say("Installing PyTorch.")
        call([*pip, TORCH], None, trouble)
    for lock in lock_files(kind):
        count = sum("==" in line for line in lock.read_text("utf-8").splitlines())
        say(f"Installing the {count} packages of {lock.relative_to(PROJECT)}.")
        constraint = ["--constraint", str(LOCKS / "torch.txt")] if "models" in lock.name else ["--require-hashes"]
        call([*pip, "--no-deps", "--requirement", str(lock), *constraint], None, trouble)
    build = ["--no-deps", "--no-build-isolation", "--editable", str(PROJECT)]
    call([*pip, "--quiet", *build], None, "Graphwright itself could not be installed")
    compile_packages()
    code = [str(PROJECT / "desktop_app"), str(PROJECT / "nodes")]
    call([str(venv_python()), "-m", "compileall", "-q", *code], None, "Graphwright itself could not be compiled")


def compile_packages() -> None:
    """What pip would do with one processor, with all of them. As with pip, a file that is no Python of this version,
    such as a template, is left as it is.
    """
    say("Compiling the packages.")
    command = [str(venv_python()), "-m", "compileall", "-qq", "-j", "0", str(VENV)]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def progress_bar() -> str:
    """pip's progress bar, where somebody can see it."""
    return "on" if sys.stderr.isatty() else "off"


def call(command: list[str], environment: dict[str, str] | None, trouble: str) -> None:
    """Runs the command, its output shown; raises SetupError(trouble) when it fails."""
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    except OSError as error:
        raise SetupError(f"{trouble}: {error}.") from error
    if done.returncode != 0:
        raise SetupError(f"{trouble} (exit code {done.returncode} of: {shlex.join(command[:6])} ...).")


def run(demo: bool, arguments: list[str]) -> int:
    """The window; without a display, or with `demo`, three bundled requests in the terminal."""
    if not demo and not has_display():
        say("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window cannot open.")
        say("Running three bundled example requests in the terminal instead.")
        demo = True
    return start(["-m", "desktop_app", *(["demo"] if demo else []), *arguments])


def has_display() -> bool:
    """True where a window can open."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def test(arguments: list[str]) -> int:
    """Lint, types, import rules and the whole suite; the exit code of the first that fails.

    The check of types takes one processor for most of a minute, so it goes on beside the others and is told of at last.
    """
    checks = [
        ["-m", "compileall", "-q", "desktop_app", "nodes"],  # else each process of the tests does it that writes none
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "."],
        [str(venv_python().parent / "lint-imports")],
        ["-m", "pytest", "-n", "logical", "--dist", "worksteal", *arguments],
    ]
    types = ["-m", "basedpyright"]
    with tempfile.TemporaryFile() as said, started(types, said) as beside:
        try:
            code = next(filter(None, map(told, checks)), 0)
            return code or result(types, beside, said)
        finally:
            beside.kill()


def told(check: list[str]) -> int:
    """Says what is checked, and checks it; the exit code."""
    say(f"$ python {' '.join(check[:3])}")
    return start(check)


def started(arguments: list[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    """The virtual environment's Python, at work in the project folder; what it says goes into that file."""
    command, environment = [str(venv_python()), *arguments], with_venv()
    return subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.STDOUT)


def result(check: list[str], beside: subprocess.Popen[bytes], said: IO[bytes]) -> int:
    """Waits for what was started, and says what it has said; its exit code."""
    say(f"$ python {' '.join(check)}")
    try:
        code = beside.wait()
    except KeyboardInterrupt:
        return 130
    said.seek(0)
    say(said.read().decode("utf-8", "replace").rstrip())
    return code


def start(arguments: list[str]) -> int:
    """Runs the virtual environment's Python in the project folder; returns its exit code."""
    try:
        return subprocess.run([venv_python(), *arguments], cwd=PROJECT, env=with_venv(), check=False).returncode
    except KeyboardInterrupt:
        return 130


def with_venv() -> dict[str, str]:
    """The environment, with the programs of the virtual environment before others."""
    return {**os.environ, "PATH": f"{venv_python().parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def say(text: str) -> None:
    """A line about what goes on, on stderr."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
