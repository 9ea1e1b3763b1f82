"""Makes the weights of the planner's judgement out of tests/data/planning: `python -m tests.training.train_planner`."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: two processes with two threads each wait for others
