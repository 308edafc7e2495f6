"""Scores for people and programs: JSON, table, Markdown, one HTML page; comparison and bundle."""
