"""Kept conversations and recorded runs."""
