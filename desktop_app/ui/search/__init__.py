"""Search for a tool or resource to add."""
