"""Files that leave the program: results, the workflow inside a picture, a script."""
