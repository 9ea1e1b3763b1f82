"""What sits on top of the engine without being a run: local chat, mask previews."""
