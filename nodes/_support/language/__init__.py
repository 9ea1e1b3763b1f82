"""Words and sentences: which language, what they mean, what they name, what is misspelled or private."""
