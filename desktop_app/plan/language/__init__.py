"""The words of a request: tokens, clauses, references, intents."""
