"""The canvas and what surrounds it."""
