"""Step by step: one tool at a time, run as it is decided."""
