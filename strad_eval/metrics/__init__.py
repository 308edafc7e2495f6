"""One metric a file. Each takes a unit's events and gives a value, or a share of two sums."""
