"""Kept conversations."""
