"""Tools of the domain 'audio', one file each."""
