"""One conversation: messages, plan, runs, undo, answer, saving. No Qt."""
