"""The graph as a tree, for keyboard and screen reader."""
