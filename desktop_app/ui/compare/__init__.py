"""Two alternatives side by side."""
