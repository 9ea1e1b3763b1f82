"""What people do to the graph: add, edit, write notes."""
