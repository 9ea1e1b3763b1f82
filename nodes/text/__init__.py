"""Tools of the domain 'text', one file each."""
