"""Training StrAD-FT: from annotated films to examples, from examples to weights that serve."""
