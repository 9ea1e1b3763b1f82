"""Makes the weights of the planner's judgement out of tests/data/planning: `python -m tests.train_planner`."""
