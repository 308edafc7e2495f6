"""The segment task: one description for each moment whose times are given (StrAD, section 3)."""
