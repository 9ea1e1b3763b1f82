"""The selected node: ports, values, back ends, result."""
