"""The answer to a request, held against what was found and what was asked for."""
