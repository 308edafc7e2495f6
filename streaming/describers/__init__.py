"""Describers: what answers a window."""
