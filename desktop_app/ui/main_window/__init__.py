"""The window itself: its bars, panels and dialogs, and how they are joined."""
