"""Talks to language models."""
