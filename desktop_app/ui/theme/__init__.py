"""Colours, sizes, icons and style of the window."""
