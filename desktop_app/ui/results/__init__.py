"""One result, shown large."""
