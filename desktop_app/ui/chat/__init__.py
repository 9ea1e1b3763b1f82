"""The conversation: messages, questions, composer."""
