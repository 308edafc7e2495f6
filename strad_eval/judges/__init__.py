"""Language models as judges: asked a bounded number at a time, each question once and for all."""
