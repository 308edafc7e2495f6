"""Scores of descriptions whose times were given: a prediction for each reference."""
