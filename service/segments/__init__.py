"""The segment task as a run: opened, resumable, one bad clip not stopping the rest."""
