"""Tools of the domain 'video', one file each."""
