"""People look at items: a page on this computer to rate, mend, reject; how far they agree."""
