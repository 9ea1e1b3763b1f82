"""From a request to solutions: typed graphs of tools. Knows nothing of how they are run."""
