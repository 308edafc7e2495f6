"""Models that metrics need: torch and transformers, loaded when asked for, never by the core."""
