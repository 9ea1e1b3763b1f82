"""Comparing two ways: what both share, what differs, and what came of each. Must not know how they are shown."""
