"""Texts as directions: what is near in meaning is near as a vector."""
