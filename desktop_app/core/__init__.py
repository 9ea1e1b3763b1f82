"""What every room may use: errors, places on disk, settings."""
