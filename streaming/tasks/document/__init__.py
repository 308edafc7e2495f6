"""Describing a whole video in five passes: listen, look, entities, write, whole."""
