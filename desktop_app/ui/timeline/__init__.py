"""The run as bars on a time axis."""
