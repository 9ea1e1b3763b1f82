"""The page of models: what there is, what is here, and getting it."""
