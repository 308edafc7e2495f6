"""METEOR 1.5, exact: the jar aligns, the arithmetic on its counts is done here."""
