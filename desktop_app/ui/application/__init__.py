"""The Qt half of the application: what lives as long as the program."""
