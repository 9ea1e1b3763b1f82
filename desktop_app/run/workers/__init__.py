"""Child processes that run tools, and the protocol between."""
