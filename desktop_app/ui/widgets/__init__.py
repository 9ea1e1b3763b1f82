"""Widgets that know nothing of graphs or conversations."""
