"""Two alternatives that ran, side by side as facts."""
