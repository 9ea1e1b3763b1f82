"""The strip of other ways to do it."""
