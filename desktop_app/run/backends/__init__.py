"""Which back end of a tool can work on this machine."""
