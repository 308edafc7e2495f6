"""Measuring: what a describer costs here, as the paper counts it and as a stream feels it."""
