"""The immutable graph and the rules about it: connect, edit, lay out, merge, compare. No Qt, nothing is run."""
