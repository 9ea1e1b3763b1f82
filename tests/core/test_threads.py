"""The program's own process computes with one thread."""

import os
import subprocess
import sys

_NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def test_numpy_has_one_thread_in_the_program_unless_the_user_says_otherwise():
    code = "import desktop_app.cli.main, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    bare = {name: value for name, value in os.environ.items() if name not in _NAMES}
    for said, wanted in ((bare, "1"), ({**bare, "OPENBLAS_NUM_THREADS": "3"}, "3")):
        done = subprocess.run([sys.executable, "-c", code], env=said, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == wanted
