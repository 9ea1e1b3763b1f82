"""Values for ports from the words of a request."""
