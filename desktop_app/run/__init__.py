"""Runs workflows: schedule, lanes, cache, events. Knows nothing of how they were planned."""
