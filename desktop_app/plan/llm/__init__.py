"""What a language model adds to planning, and how its reply is checked."""
