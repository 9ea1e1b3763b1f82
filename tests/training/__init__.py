"""Makes the weights of the planner's judgement out of tests/data/planning: `python -m tests.training.train_planner`."""
