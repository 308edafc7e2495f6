"""Describers' style rules, as far as a program can check them. Each finding is a hint to look."""
