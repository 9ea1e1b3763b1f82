"""Documents: read, taken apart into blocks, changed, and set anew as PDF, Word and HTML."""
