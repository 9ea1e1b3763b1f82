"""Models of the catalogue: what exists, which of them are on disk and how they get there, which to take."""
