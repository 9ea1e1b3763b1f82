"""The three ways to plan: Thoughts-on-Graph, task list, step by step."""
