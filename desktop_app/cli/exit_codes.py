"""Exit codes of the commands: a contract."""

OK = 0
BAD = 2
MISSING = 3
FAILED = 4
INTERRUPTED = 130
