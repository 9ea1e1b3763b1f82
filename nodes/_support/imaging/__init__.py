"""Pictures as pixels: fitted, turned, filled, laid out, written on, kept as files."""
