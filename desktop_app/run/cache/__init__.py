"""Content keys, kept results, eviction."""
