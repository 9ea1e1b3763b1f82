"""The ways to plan: one call, Thoughts-on-Graph from subtasks, step by step, offline."""
