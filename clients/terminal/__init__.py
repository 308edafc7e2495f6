"""The terminal listener: descriptions spoken by a program of this machine, in their gaps."""
