"""The demo clip: made on the spot from a seed, with a script that says what it really holds."""
