"""What language models are told, word for word, one file a version: a report names the file."""
