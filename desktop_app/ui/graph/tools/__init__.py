"""Mouse tools of the canvas: connect and move."""
