"""The tools as the planner sees them: specifications, index, graph."""
