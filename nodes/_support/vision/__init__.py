"""What is in a picture: writing, faces, people, lines, colours, and things cut out of it."""
