"""One search over commands, tools, nodes and conversations."""
