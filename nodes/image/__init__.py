"""Tools of the domain 'image', one file each."""
