"""Media in, AD events out."""
