"""Drives the real window through its main states and takes pictures: `python -m tests.ui.tour FOLDER`."""
