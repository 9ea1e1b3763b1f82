"""Pages of the web and services: fetched, shown, built, and asked to do a tool's work."""
