"""Makes weights that tools in nodes/ rest on."""
