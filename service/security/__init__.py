"""Who may do what: keys, tokens and tickets in; a caller, or a refusal, out."""
