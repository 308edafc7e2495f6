"""Model runtimes, and where their files come from."""
