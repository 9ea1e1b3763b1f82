"""Sound and film: read, made, cut, coded, spoken, and what is written on them."""
