"""Values as files: kept and read again, told of, shown by their beginnings, saved in other forms."""
