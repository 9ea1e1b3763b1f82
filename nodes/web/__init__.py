"""Tools of the domain 'web', one file each."""
