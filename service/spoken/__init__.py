"""Spoken: descriptions as sound, for viewers whose browser has no good voice."""
