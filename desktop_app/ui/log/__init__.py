"""The log of a run as a table."""
