"""Models in memory: where they find room, how they are loaded, kept, run and stopped. Knows no family of them."""
