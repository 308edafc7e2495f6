"""Voices: how long a text takes to say, and its sound."""
