"""The search on the tool graph, and from its result to a workflow."""
