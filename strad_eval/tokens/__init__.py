"""From captions to the tokens every text metric counts."""
