"""The commands of `graphwright`: arguments in, text or JSON and an exit code out."""
