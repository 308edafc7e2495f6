"""Data files of the CinePile pipeline: the bank of templates, what fills them, a classifier."""
