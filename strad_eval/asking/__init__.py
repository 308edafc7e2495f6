"""Asking a model a benchmark's questions: what it is shown, and keeping what it says."""
