"""Tiny models of every family, with random weights, made when a test asks."""
