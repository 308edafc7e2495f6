"""Characters: who is in a film, how their faces are found and known, and drawn for a model."""
