"""Graphwright: a typed request becomes a graph of tools, the graph is run, the answer rests on what it made."""

import os

__version__ = "0.1.0"

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""Read when NumPy is first imported. What this process computes is small, as a plan is: on two cores that have other
work its threads waited for each other, and a plan took 20 times as long (1.2 s for 0.06 s). Tools run in processes of
their own, which get as many threads as there are cores for them.
"""
