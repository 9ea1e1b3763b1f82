"""The window. The only package, with app.py, that imports Qt."""
