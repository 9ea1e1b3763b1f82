"""What a finished plan is set right by, where the words say more of it than the search could put in."""
