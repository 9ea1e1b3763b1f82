"""What was asked of the user, and what a reply to it is for."""
