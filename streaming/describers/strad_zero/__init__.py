"""StrAD-Zero: any model, not trained for it, captions, decides and describes (StrAD, 4.1)."""
