"""How soon the window is there: from the start of the process to the first paint, offscreen.

`python -m tests.benchmarks.start [--long]`
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import time
from functools import cache

from tests.benchmarks.figures import figure, median_of

WINDOW = """
import resource, time
from desktop_app.app import open_window
from PySide6.QtWidgets import QApplication
def painted():
    print(time.time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, flush=True)
    QApplication.instance().closeAllWindows()
open_window(painted)
"""
BARE = """
import time
from PySide6.QtWidgets import QApplication, QMainWindow
from PySide6.QtCore import QTimer
app = QApplication([])
window = QMainWindow()
window.show()
QTimer.singleShot(0, lambda: (print(time.time(), 0, flush=True), app.quit()))
app.exec()
"""


@cache
def _environment() -> dict[str, str]:
    """Bytecode is kept, as after the first start of a program that was installed, whatever this shell does: to compile
    each time takes half a second. It is dropped in the end.
    """
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": folder.name}


def start(code: str) -> tuple[float, float]:
    """Seconds to the first paint and the most memory until then, in MB."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**_environment(), "GRAPHWRIGHT_HOME": home}
        started = time.time()
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    painted, kilobytes = done.stdout.split()[-2:]
    return float(painted) - started, float(kilobytes) / 1024


def command(*arguments: str) -> float:
    """Seconds of a whole command."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "desktop_app", *arguments]
    subprocess.run(command, env=_environment(), capture_output=True, check=True)
    return time.perf_counter() - started


def main() -> None:
    """Prints the figures."""
    runs = 15 if "--long" in sys.argv else 5
    start(WINDOW)  # the first start reads everything from disk
    bare = median_of(runs, lambda: start(BARE)[0])
    figure("first paint", median_of(runs, lambda: start(WINDOW)[0]), "s", 0.8, ("empty Qt window", bare))
    figure("memory at first paint", median_of(3, lambda: start(WINDOW)[1]), "MB")
    figure("graphwright --version", median_of(runs, lambda: command("--version")), "s")
    figure("graphwright plan", median_of(runs, lambda: command("plan", "blur a.jpg")), "s")


if __name__ == "__main__":
    main()
