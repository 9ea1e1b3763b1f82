"""What several tools share. Not tools; heavy imports stay inside functions."""
