"""A recorded run shown again."""
