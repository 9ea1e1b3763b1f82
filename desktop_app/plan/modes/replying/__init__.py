"""What a reply to a question of the program is."""
