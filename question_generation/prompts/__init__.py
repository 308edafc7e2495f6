"""The prompts of question generation, in our own words: ``<name>.v<N>.txt``, data only."""
