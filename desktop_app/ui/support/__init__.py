"""What all parts of the window use: tasks, threads, formatting, thumbnails."""
