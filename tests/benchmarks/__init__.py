"""Benchmarks: `python -m tests.benchmarks.NAME` prints one JSON object a line."""
