"""Windows as model text and model text as decisions. Pure; shared by serving and training."""
