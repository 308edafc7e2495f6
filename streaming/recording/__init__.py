"""Recordings: a run's facts, answers and effects, to explain it or to run it again."""
