"""The first screen with its examples."""
