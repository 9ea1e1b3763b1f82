"""SQLite history and the content-addressed store."""
