"""Which prediction goes with which reference."""
