"""A run's best weights as a folder that serves: checked before it appears, with a card."""
