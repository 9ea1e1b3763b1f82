"""Which node runs when, with which inputs, in which worker."""
