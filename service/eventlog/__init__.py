"""The event log: the truth of a stream. Persist, then announce."""
