"""``facts``: says only what small detectors saw with confidence. Needs no hub and no GPU."""
