"""Tools of the domain 'mask', one file each."""
