"""What is run with `python -m tests...` computes with one thread of NumPy, as the program does: see desktop_app."""

import desktop_app  # noqa: F401  before NumPy, which the scripts import first
