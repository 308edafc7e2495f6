"""The shared vocabulary: the values and file formats every other room reads and writes."""
