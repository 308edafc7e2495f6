"""Pulling: media fetched from a URL that a caller names, without being led into our own network.

We fetch and check, and hand bytes to the decoder; no library is given a URL to open.
"""
