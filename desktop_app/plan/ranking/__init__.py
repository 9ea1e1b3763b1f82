"""Which tool a clause means, which solution is best, and when there is none."""
