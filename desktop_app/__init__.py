"""Graphwright: a typed request becomes a graph of tools, the graph is run, the answer rests on what it made."""

__version__ = "0.1.0"
